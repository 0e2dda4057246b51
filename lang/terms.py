"""Finds terms in a message: one trie over the keys of tokens, for the vocabulary and the lexicon together."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from lang.tokens import ARTICLES, Kind, Text, Token, is_inner_dot, is_matched, may_begin, may_end, read_text, stem

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
        places = _places_of(text)
        for key in places.keys & self._waiting.keys():
            for term, payload in zip(*self._waiting.pop(key), strict=True):
                self._insert(term, payload)
        found: list[Found[Payload]] = []
        begins = self._root.next
        for first, key in places.begins:
            # Few tokens begin a term; the whole word of a joined one and the number of a process are looked at closely.
            if not key or key in begins:
                _find_at(places, first, first, self._root, 0, found)
        return found


class _Places(NamedTuple):
    """What a text is to any set of terms.

    keys: of all tokens and of whole words. begins: where terms may begin, each with the key of its token, or none where
    that alone does not tell. steps: the key of each token; empty where a term goes across it, None where it stops a
    term. wholes: where an identifier begins, its end and it as one word. pids: numbers that may be those of processes.
    inside: the places at which no term may end.
    """

    keys: frozenset[str]
    begins: tuple[tuple[int, str], ...]
    steps: tuple[str | None, ...]
    wholes: Mapping[int, tuple[int, str]]
    pids: frozenset[int]
    inside: frozenset[int]


@lru_cache(maxsize=512)  # Each text is searched for many sets of terms.
def _places_of(text: Text) -> _Places:
    tokens = text.tokens
    joined = [at for at, token in enumerate(tokens) if at and token.joined]
    wholes = {at - 1: _whole_word(tokens, at - 1) for at in joined}
    begins = (
        (at, "" if token.kind is Kind.NUMBER or at in wholes else token.key)
        for at, token in enumerate(tokens)
        if is_matched(token) and may_begin(tokens, at)
    )
    return _Places(
        frozenset(token.key for token in tokens) | frozenset(whole for _, whole in wholes.values()),
        tuple(begins),
        tuple([_step(tokens, at) for at in range(len(tokens))]),
        wholes,
        frozenset(at for at, token in enumerate(tokens) if token.kind is Kind.NUMBER and _is_pid(tokens, at)),
        frozenset(at for at in joined if not may_end(tokens, at)),
    )


def _step(tokens: Sequence[Token], at: int) -> str | None:
    if is_matched(tokens[at]):
        return tokens[at].key
    stops = tokens[at].kind in (Kind.STOP, Kind.COMMA) and tokens[at].text not in _BRACKETS
    return None if stops and not is_inner_dot(tokens, at) else ""


def _find_at(
    places: _Places, first: int, begin: int, node: _Node[Payload], length: int, found: list[Found[Payload]]
) -> None:
    """Adds the terms that begin at `first`, of which `node` has matched what stands before `begin`."""
    for at in range(begin, len(places.steps)):
        key = places.steps[at]
        if key is None:
            return
        if not key:
            continue
        if at in places.wholes:
            last, whole = places.wholes[at]
            if whole in node.next:
                _add_reached(found, places, first, last, node.next[whole], length + 1)
                _find_at(places, first, last, node.next[whole], length + 1, found)
        following = node.next.get(key) or (node.next.get(_PID) if at in places.pids else None)
        if following is None and length and key in ARTICLES:
            continue
        if following is None:
            return
        node, length = following, length + 1
        _add_reached(found, places, first, at + 1, node, length)


def _add_reached(
    found: list[Found[Payload]], places: _Places, first: int, last: int, node: _Node[Payload], length: int
) -> None:
    if node.payloads and last not in places.inside:
        found.extend([Found(payload, first, last, length) for payload in node.payloads])


def _is_pid(tokens: Sequence[Token], at: int) -> bool:
    """True for a number that may be that of a process, and counts nothing."""
    token, after = tokens[at], tokens[at + 1 : at + 2]
    if after and after[0].text in _UNITS:
        return False
    return token.text.isdecimal() and len(token.text) in _PID_DIGITS


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
