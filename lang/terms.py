"""Finds terms in a message: one trie over the keys of tokens, for the vocabulary and the lexicon together."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from lang.tokens import Kind, Text, Token, is_article, is_inner_dot, is_matched, may_begin, may_end, read_text, stem

Payload = TypeVar("Payload", bound=Hashable)
# Most terms are lower-case words and Chinese characters, and need no reading.
_PLAIN = re.compile(r"(?! )[a-z_ \u3400-\u9fff]+")
# Brackets may stand inside a term: "NOT (SubPlan 1)", "idle in transaction (aborted)".
_BRACKETS = frozenset("()")
# Stands in a term for the number of a process.
_PID = "<pid>"
_PID_DIGITS = range(4, 8)
_UNITS = frozenset(("ms", "s", "sec", "seconds", "minutes", "rows", "毫", "秒", "分", "条", "行"))
_PART = re.compile(r"[a-z]+|[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Found(Generic[Payload]):
    """A term that stands at the tokens from `first` up to, without, `last`; `length` counts its matched tokens."""

    payload: Payload
    first: int
    last: int
    length: int


class _Node(Generic[Payload]):
    __slots__ = ("next", "payloads")

    def __init__(self) -> None:
        self.next: dict[str, _Node[Payload]] = {}
        self.payloads: list[Payload] = []


class Terms(Generic[Payload]):
    """A set of terms with what each stands for. A term is words in a row; articles between them do not matter."""

    def __init__(self) -> None:
        self._root: _Node[Payload] = _Node()
        # Most messages have words of few terms: plain terms wait, by the key of their first word, until it is met; a
        # pair of each and its payload would double what they take.
        self._waiting: dict[str, tuple[list[str], list[Payload]]] = {}

    def add(self, term: str, payload: Payload) -> None:
        """Adds a term, in each of its spellings."""
        if not _PLAIN.fullmatch(term):
            self._insert(term, payload)
        elif first := _PART.search(term):
            terms, payloads = self._waiting.setdefault(stem(first[0]), ([], []))
            terms.append(term)
            payloads.append(payload)

    def _insert(self, term: str, payload: Payload) -> None:
        # People leave the apostrophe out: "isnt installed".
        spelt = (term, term.replace("n't", "nt")) if "n't" in term else (term,)
        for keys in dict.fromkeys(keys for each in spelt for keys in term_keys(each)):
            node = self._root
            for key in keys:
                following = node.next.get(key)
                if following is None:
                    following = node.next[key] = _Node()
                node = following
            if keys and payload not in node.payloads:
                node.payloads.append(payload)

    @property
    def words(self) -> set[str]:
        """The keys of all words of all terms."""
        waiting = (term for terms, _ in self._waiting.values() for term in terms)
        words = {stem(part) for part in {part for term in waiting for part in _PART.findall(term)}}
        nodes = [self._root]
        while nodes:
            node = nodes.pop()
            words.update(node.next)
            nodes.extend(node.next.values())
        return words

    def find(self, text: Text) -> list[Found[Payload]]:
        """Every occurrence of every term, overlapping ones too, in order of their first token."""
        beginnings = _beginnings(text)
        for key in beginnings.keys & self._waiting.keys():
            for term, payload in zip(*self._waiting.pop(key), strict=True):
                self._insert(term, payload)
        found: list[Found[Payload]] = []
        begins = self._root.next
        for first, key in beginnings.places:
            # Few tokens begin a term; the whole word of a joined one and the number of a process are looked at closely.
            if not key or key in begins:
                self._find_at(text.tokens, first, first, self._root, 0, found)
        return found

    def _find_at(
        self,
        tokens: tuple[Token, ...],
        first: int,
        begin: int,
        node: _Node[Payload],
        length: int,
        found: list[Found[Payload]],
    ) -> None:
        """Adds the terms that begin at `first`, of which `node` has matched what stands before `begin`."""
        for at in range(begin, len(tokens)):
            if not is_matched(tokens[at]):
                inside = tokens[at].text in _BRACKETS or is_inner_dot(tokens, at)
                if tokens[at].kind in (Kind.STOP, Kind.COMMA) and not inside:
                    return
                continue
            if _is_joined_to(tokens, at):
                last, whole = _whole_word(tokens, at)
                if whole in node.next:
                    _add_reached(found, tokens, first, last, node.next[whole], length + 1)
                    self._find_at(tokens, first, last, node.next[whole], length + 1, found)
            following = node.next.get(tokens[at].key) or (node.next.get(_PID) if _is_pid(tokens, at) else None)
            if following is None and length and is_article(tokens[at]):
                continue
            if following is None:
                return
            node, length = following, length + 1
            _add_reached(found, tokens, first, at + 1, node, length)


class _Beginnings(NamedTuple):
    """Where in a text terms may begin, each with the key of its token, or none where that alone does not tell.

    keys: of all tokens and of whole words.
    """

    keys: frozenset[str]
    places: tuple[tuple[int, str], ...]


@lru_cache(maxsize=512)  # Each text is searched for many sets of terms.
def _beginnings(text: Text) -> _Beginnings:
    tokens = text.tokens
    keys = {token.key for token in tokens}
    keys.update(_whole_word(tokens, at - 1)[1] for at, token in enumerate(tokens) if at and token.joined)
    places = (
        (at, "" if token.kind is Kind.NUMBER or _is_joined_to(tokens, at) else token.key)
        for at, token in enumerate(tokens)
        if is_matched(token) and may_begin(tokens, at)
    )
    return _Beginnings(frozenset(keys), tuple(places))


def _add_reached(
    found: list[Found[Payload]],
    tokens: tuple[Token, ...],
    first: int,
    last: int,
    node: _Node[Payload],
    length: int,
) -> None:
    if node.payloads and may_end(tokens, last):
        found.extend(Found(payload, first, last, length) for payload in node.payloads)


def _is_joined_to(tokens: Sequence[Token], at: int) -> bool:
    """True if the token after this one is part of the same identifier."""
    return at + 1 < len(tokens) and tokens[at + 1].joined


def _is_pid(tokens: Sequence[Token], at: int) -> bool:
    """True for a number that may be that of a process, and counts nothing."""
    token, after = tokens[at], tokens[at + 1 : at + 2]
    if after and after[0].text in _UNITS:
        return False
    return token.kind is Kind.NUMBER and token.text.isdecimal() and len(token.text) in _PID_DIGITS


def _whole_word(tokens: Sequence[Token], at: int) -> tuple[int, str]:
    """Where a word in CamelCase that begins here ends, and it as one word, as terms may spell it: datafileread."""
    last = at + 1
    while last < len(tokens) and tokens[last].joined:
        last += 1
    return last, "".join(token.text for token in tokens[at:last])


@lru_cache(maxsize=10_000)
def term_keys(term: str) -> list[tuple[str, ...]]:
    """The keys of the tokens of a term; a CamelCase term also as one word, as people type it."""
    if _PLAIN.fullmatch(term):
        return [tuple(stem(part) for part in _PART.findall(term))]
    if _PID in term:
        return [(*keys, _PID) for keys in term_keys(term.removesuffix(_PID).strip())]
    forms = (term, term.lower()) if term != term.lower() else (term,)
    return sorted({tuple(token.key for token in read_text(form).tokens if is_matched(token)) for form in forms})
