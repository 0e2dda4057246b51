"""A statement's text read strictly, before any parser: what parsers read in different ways is refused here.

The tokens follow PostgreSQL's lexical rules. What is parsed afterwards has no comments left.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sql_admission.rules import Refused

_LONGEST = 20_000
_BLANK = " \t\r\n"
_WORD = re.compile(r"[^\W\d][\w$]*")
_NUMBER = re.compile(r"\d[\w.]*|\.\d\w*")
_PREFIXED = re.compile(r"(?:[eEbBxXnN]|[uU]&)['\"]")
_QUOTED = re.compile(r"\"(?:[^\"]|\"\")*\"")
_STRING = re.compile(r"'(?:[^']|'')*'")
_HARMLESS_ESCAPES = re.compile(r"[eE]'(?:[^'\\]|''|\\[nt])*'")
_DOLLAR = re.compile(r"\$(?:\$|[^\W\d]\w*\$)")
_PLAIN_DOLLARS = re.compile(r"\$\$[^$]*\$\$")
_LINE_END = re.compile(r"[\r\n]")
_COMMENT = re.compile(r"/\*|\*/")


class Token(NamedTuple):
    """kind: word, quoted, string, number or sign. text: lower-case for a word, without its quotes for a quoted name."""

    kind: str
    text: str


class Read(NamedTuple):
    """A statement without comments and without the semicolon at its end, and its tokens."""

    text: str
    tokens: tuple[Token, ...]


def tokenise(statement: str) -> Read:
    """One statement's tokens; refuses several statements and all that parsers may read differently."""
    if len(statement) > _LONGEST:
        raise Refused("sql_refused.too_long", count=_LONGEST)
    pieces: list[str] = []
    tokens: list[Token] = []
    place = 0
    while place < len(statement):
        place = _step(statement, place, pieces, tokens)
    while tokens and tokens[-1].text == ";" and tokens[-1].kind == "sign":
        tokens.pop()
        pieces.reverse()
        pieces.remove(";")
        pieces.reverse()
    if not tokens:
        raise Refused("sql_refused.no_statement")
    if Token("sign", ";") in tokens:
        raise Refused("sql_refused.several_statements")
    return Read("".join(pieces).strip(), tuple(tokens))


def _step(statement: str, place: int, pieces: list[str], tokens: list[Token]) -> int:
    sign = statement[place]
    if sign in _BLANK:
        pieces.append(sign)
        return place + 1
    if statement.startswith("--", place):
        pieces.append(" ")
        line = _LINE_END.search(statement, place)
        return line.start() if line else len(statement)
    if statement.startswith("/*", place):
        pieces.append(" ")
        return _after_comment(statement, place)
    token, end = _token(statement, place)
    plain = statement.startswith("$$", place)
    pieces.append("'{}'".format(token.text.replace("'", "''")) if plain else statement[place:end])
    tokens.append(token)
    return end


def _after_comment(statement: str, place: int) -> int:
    if statement.startswith(("/*!", "/*+"), place):
        raise Refused("sql_refused.executed_comment")
    found = _COMMENT.search(statement, place + 2)
    if found is None:
        raise Refused("sql_refused.open_comment")
    if found[0] == "/*":
        raise Refused("sql_refused.nested_comment")
    return found.end()


def _token(statement: str, place: int) -> tuple[Token, int]:
    if statement[place] == '"':
        whole = _match(_QUOTED, statement, place, "sql_refused.open_name")
        return Token("quoted", whole[1:-1].replace('""', '"')), place + len(whole)
    if statement[place] == "'":
        return _string(statement, place)
    if _PREFIXED.match(statement, place):
        whole = _match(_HARMLESS_ESCAPES, statement, place, "sql_refused.escapes")
        return Token("string", whole[2:-1]), place + len(whole)
    if statement.startswith("$$", place):
        return _plain_dollars(statement, place)
    if _DOLLAR.match(statement, place):
        raise Refused("sql_refused.dollar_tag")
    if word := _WORD.match(statement, place):
        return Token("word", word[0].lower() if word[0].isascii() else word[0]), word.end()
    if number := _NUMBER.match(statement, place):
        return Token("number", number[0]), number.end()
    return _sign(statement[place]), place + 1


def _string(statement: str, place: int) -> tuple[Token, int]:
    whole = _match(_STRING, statement, place, "sql_refused.open_string")
    if "\\'" in whole:
        raise Refused("sql_refused.backslash_quote")
    if "\0" in whole:
        raise Refused("sql_refused.no_text")
    return Token("string", whole[1:-1].replace("''", "'")), place + len(whole)


def _plain_dollars(statement: str, place: int) -> tuple[Token, int]:
    """$$a text$$, which is handed to the parser in quotes."""
    text = _match(_PLAIN_DOLLARS, statement, place, "sql_refused.open_string")[2:-2]
    if "\\" in text or "\0" in text:
        raise Refused("sql_refused.dollar_backslash")
    return Token("string", text), place + len(text) + 4


def _sign(sign: str) -> Token:
    if not (sign.isascii() and sign.isprintable()) or sign in "\\`#":
        raise Refused("sql_refused.character", sign=repr(sign))
    return Token("sign", sign)


def _match(pattern: re.Pattern[str], statement: str, place: int, otherwise: str) -> str:
    found = pattern.match(statement, place)
    if found is None:
        raise Refused(otherwise)
    return found[0]
