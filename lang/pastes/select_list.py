"""What a query prints: the names of its columns, from its text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_TOKEN = re.compile(
    r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|[^\W\d][\w$@]*|[@$][\w$@]*|\d[\w.]*|::|[^\s\w]", re.DOTALL
)
_ENDS = frozenset(("from", "where", "union", "order", "group", "limit", "having"))


def split_statements(text: str) -> tuple[tuple[str, ...], ...]:
    """The statements of a text as tokens in lower case, comments left out; quoted texts keep their case."""
    statements: list[list[str]] = [[]]
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token == ";":
            statements.append([])
        elif not token.startswith(("--", "/*")):
            statements[-1].append(token if token[0] in "'\"" else token.lower())
    return tuple(tuple(statement) for statement in statements if statement)


def name_columns(statement: Sequence[str]) -> tuple[str, ...]:
    """The names of a statement's columns in order; empty for what is no query or does not tell all of them."""
    if statement[:1] not in (("select",), ("with",)):
        return ()
    names: list[str] = []
    for item in list_items(statement):
        name = name_item(item)
        if not name:
            return ()
        names.append(name)
    return tuple(names)


def list_items(statement: Sequence[str]) -> Iterator[list[str]]:
    """The expressions between the outermost SELECT and what follows its list."""
    depth, begun = 0, False
    item: list[str] = []
    for token in statement:
        depth += (token in "([") - (token in ")]")
        if depth == 0 and begun and token in _ENDS and not (token == "from" and "distinct" in item[-1:]):
            break
        if depth == 0 and token == "select" and not begun:
            begun = True
        elif begun and depth == 0 and token == ",":
            yield item
            item = []
        elif begun:
            item.append(token)
    if item:
        yield item


def name_item(item: Sequence[str]) -> str:
    """The alias of an expression, else the name that the server gives it; "" where the text does not tell."""
    last = item[-1]
    if len(item) > 1 and item[-2] == "::":
        return name_item(item[:-2])
    if last == "*" or last.startswith("'"):
        return ""
    if last == ")":
        return _called(item)
    return "case" if last == "end" else last.strip('"')


def _called(item: Sequence[str]) -> str:
    depth = 0
    for place in range(len(item) - 1, 0, -1):
        depth += (item[place] == ")") - (item[place] == "(")
        if depth == 0:
            return item[place - 1]
    return ""
