"""Anomalies out of the free text of an analysis, by rules: what was seen stays, what was done or concluded goes.

Every description is a stretch of the text, letter for letter; so is every observation method.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.knowledge.entries import Anomaly
from services.knowledge.importing.analysis_words import (
    ACTION,
    ADVICE,
    AFTER_DOING,
    ALL_RIGHT,
    COMMA,
    CONCLUSION,
    FOUND,
    GOES_ON,
    GUESS,
    HEADING,
    LOOKED,
    NORMAL,
    OTHER_HEADING,
    OVER,
    PROCESS,
    TOLD,
    TURN,
)
from services.knowledge.importing.lexicon import concepts_of
from services.knowledge.importing.observation import normal, observe
from services.knowledge.importing.segments import Piece, pieces_of, trimmed

MOST_ANOMALIES = 30
_LONGEST = 500
_LONGEST_METHOD = 1_000
# What goes on longer without an end is no sentence: each of its clauses stands for itself.
_LONGEST_SENTENCE = 1_000


def anomalies_of(text: str) -> tuple[Anomaly, ...]:
    """What the text says was seen, in its order, each once."""
    found: dict[str, Anomaly] = {}
    for words, method in _seen(text):
        if len(words) <= _LONGEST and len(found) < MOST_ANOMALIES:
            found.setdefault(observe(words).key, Anomaly(description=words, observation_method=method))
    return tuple(found.values())


def _seen(text: str) -> Iterator[tuple[str, str]]:
    method = ""
    for piece in pieces_of(text):
        if piece.code:
            method = piece.text[:_LONGEST_METHOD]
            continue
        where, words = _split_method(piece)
        if not words:
            method = where
            continue
        method = where or method
        for clause in _clauses(words):
            if not piece.question and _tells(clause, looked=bool(where)):
                yield clause, method
        method = method if piece.opens or not where else ""


def _split_method(piece: Piece) -> tuple[str, str]:
    """Where somebody looked, and what is said to be there; either may be empty."""
    words = HEADING.sub("", piece.text, count=1)
    if OTHER_HEADING.match(words):
        return "", ""
    told = TOLD.match(words)
    if told:
        words = trimmed(told["seen"] or told["seen_en"])
    looked = LOOKED.match(words)
    if looked and not GUESS.search(words):
        groups = looked.groupdict()
        where = next(trimmed(value) for key, value in groups.items() if key.startswith("method") and value)
        seen = next(trimmed(value) for key, value in groups.items() if key.startswith("seen") and value)
        if not AFTER_DOING.search(words):
            return where[:_LONGEST_METHOD], _stripped(seen)
    if piece.opens and re.match(r"查|检查|看|登录|通过|使用|check|look|query|run", words, re.IGNORECASE):
        return words[:_LONGEST_METHOD], ""
    return "", _stripped(words)


def _stripped(words: str) -> str:
    return trimmed(FOUND.sub("", words, count=1))


def _clauses(words: str) -> Iterator[str]:
    """The parts of a sentence that say something of their own."""
    if CONCLUSION.search(words) or GUESS.search(words) or ADVICE.search(words):
        # One conclusion colours a sentence, but for what stands before it after a comma.
        first = COMMA.split(words, maxsplit=1)[0]
        if first != words and not any(rule.search(first) for rule in (CONCLUSION, GUESS, ADVICE)):
            yield from _clauses(trimmed(first))
        return
    if AFTER_DOING.search(words):
        yield words
        return
    for part in TURN.split(words):
        yield from _by_commas(trimmed(part))


def _by_commas(words: str) -> Iterator[str]:
    if len(words) > _LONGEST_SENTENCE:
        yield from map(trimmed, COMMA.split(words))
        return
    start = 0
    for match in COMMA.finditer(words):
        left, right = words[start : match.start()], trimmed(words[match.end() :])
        if _inside_a_message(words, match.start(), right):
            continue
        first = COMMA.split(right, maxsplit=1)[0]
        drops = NORMAL.search(first) or ACTION.match(first) or OVER.match(first)
        if ALL_RIGHT.match(first):
            start = match.end() + words[match.end() :].find(first) + len(first)
            continue
        told = NORMAL.search(left) or ACTION.match(trimmed(left)) or PROCESS.match(trimmed(left))
        if told or (_own(left) and (drops or (_own(first) and not GOES_ON.match(right)))):
            yield trimmed(left)
            start = match.end()
    yield trimmed(words[start:])


def _inside_a_message(words: str, comma: int, right: str) -> bool:
    """An English error message in a Chinese sentence keeps its commas."""
    latin = re.match(r"[A-Za-z'\")]", words[comma - 1 : comma]) and re.match(r"[A-Za-z]", right)
    return words[comma] == "," and bool(latin) and bool(re.search(r"[\u4e00-\u9fff]", words))


def _own(clause: str) -> bool:
    """A thing is named, and something is said of it."""
    concepts = concepts_of(normal(clause))
    named = any(concept.startswith("thing:") for concept in concepts)
    return named and (bool(re.search(r"\d", clause)) or any(concept.startswith("state:") for concept in concepts))


def _tells(clause: str, looked: bool) -> bool:
    """The clause is an observation of something unusual; one that somebody looked for needs no known word in it."""
    if len(clause) < 4 or not re.search(r"[\u4e00-\u9fff]{2}|[A-Za-z]{2}.*\s", clause):
        return False
    effect = AFTER_DOING.search(clause)
    if effect:
        return _own(effect["effect"] or effect["effect_en"])
    rules = (OVER, PROCESS, ACTION)
    if any(rule.match(clause) for rule in rules) or NORMAL.search(clause):
        return False
    concepts = concepts_of(normal(clause))
    return looked or bool(concepts) or bool(re.search(r"\d|error|fatal|panic|warning|报错|异常", clause, re.IGNORECASE))
