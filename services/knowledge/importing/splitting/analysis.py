"""Splits the free text of an analysis into anomalies by rules: keeps observations, drops actions and conclusions.

Every description is a stretch of the text, letter for letter; so is every observation method.

Lines, numbered items and sentences are quoted literally: marks around a piece (numbers, bullets, times of day, who
said it) are left out of it; nothing inside a piece changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lang.listed import lists_beside
from services.knowledge.importing.matching.lexicon import concepts_of
from services.knowledge.importing.matching.statement import generalise, normalise, read_patterns
from services.knowledge.library.schema import Anomaly

_LISTED = lists_beside(__file__)

_SAYS = read_patterns(Path(__file__).with_name("analysis_patterns.yaml")).patterns
_OPINIONS = (_SAYS["conclusion"], _SAYS["guess"], _SAYS["advice"])
# `设置 x 为 0（未启用）` tells how a setting stands, not what somebody did.
_STATES_OF_SETTINGS = frozenset({"state:off", "state:missing", "state:conservative"})
MOST_ANOMALIES = 30
_LONGEST = 500
_LONGEST_METHOD = 1_000
# What goes on longer without an end is no sentence: each of its clauses stands for itself.
_LONGEST_SENTENCE = 1_000
_NUMBERING = (
    r"(?:[(（]?\d{1,2}[)）](?!\d)|\d{1,2}\s?[、.．:：](?![\d.])|[①-⑳]|[一二三四五六七八九十]{1,2}[、.．]|[(（][一二三四五六七八九十]{1,2}[)）]|"
    r"第[一二三四五六七八九十\d]{1,2}步[:：,，、]?|步骤\s?[\d一二三四五六七八九十]{1,2}[:：、.]?|step\s?\d{1,2}\s?[:.)\-]?)"
)
_LEADING = _LISTED.pattern("leading", re.IGNORECASE)
_TRAILING = re.compile(r"[\s,，;；、。.:：!！\-—]+$")
_BEFORE_ITEM = re.compile(rf"(?<=[\s。；;,，.])(?=(?:{_NUMBERING})\s*\S)", re.IGNORECASE)
_SENTENCE_END = _LISTED.pattern("sentence_end")
_NOT_AN_END = re.compile(r"(?:e\.g|i\.e|etc|vs|approx|no|resp)$", re.IGNORECASE)
_CODE = _LISTED.pattern("code", re.IGNORECASE)
# A sentence that begins with a statement's first word.
_TOLD_OF_CODE = _LISTED.pattern("told_of_code", re.IGNORECASE)


def anomalies_of(text: str) -> tuple[Anomaly, ...]:
    """The observations in the text, in order, without duplicates."""
    found: dict[str, Anomaly] = {}
    for words, method in _seen(text):
        if len(words) <= _LONGEST and len(found) < MOST_ANOMALIES:
            found.setdefault(generalise(words).key, Anomaly(description=words, observation_method=method))
    return tuple(found.values())


def _seen(text: str) -> Iterator[tuple[str, str]]:
    method = ""
    for piece in split_pieces(text):
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
    """The place of an observation and the observation itself; either may be empty."""
    words = _SAYS["heading"].sub("", piece.text, count=1)
    if _SAYS["other_heading"].match(words):
        return "", ""
    told = _SAYS["told"].match(words)
    if told:
        words = trim_marks(told["seen"] or told["seen_en"])
    looked = _SAYS["looked"].match(words)
    if looked and not _SAYS["guess"].search(words):
        groups = looked.groupdict()
        where = next(trim_marks(value) for key, value in groups.items() if key.startswith("method") and value)
        seen = next(trim_marks(value) for key, value in groups.items() if key.startswith("seen") and value)
        if not _SAYS["after_doing"].search(words):
            return where[:_LONGEST_METHOD], _stripped(seen)
    if piece.opens and re.match(r"查|检查|看|登录|通过|使用|check|look|query|run", words, re.IGNORECASE):
        return words[:_LONGEST_METHOD], ""
    return "", _stripped(words)


def _stripped(words: str) -> str:
    return trim_marks(_SAYS["found"].sub("", words, count=1))


def _clauses(words: str) -> Iterator[str]:
    """The parts of a sentence that say something of their own."""
    if any(rule.search(words) for rule in _OPINIONS):
        # One conclusion colours a sentence, but for what stands before it after a comma.
        first = _SAYS["comma"].split(words, maxsplit=1)[0]
        if first != words and not any(rule.search(first) for rule in _OPINIONS):
            yield from _clauses(trim_marks(first))
        return
    if _SAYS["after_doing"].search(words):
        yield words
        return
    for part in _SAYS["turn"].split(words):
        yield from _by_commas(trim_marks(part))


def _by_commas(words: str) -> Iterator[str]:
    if len(words) > _LONGEST_SENTENCE:
        yield from map(trim_marks, _SAYS["comma"].split(words))
        return
    start = 0
    for match in _SAYS["comma"].finditer(words):
        left, right = words[start : match.start()], trim_marks(words[match.end() :])
        if _inside_a_message(words, match.start(), right):
            continue
        first = _SAYS["comma"].split(right, maxsplit=1)[0]
        drops = _SAYS["normal"].search(first) or _SAYS["action"].match(first) or _SAYS["over"].match(first)
        if _SAYS["all_right"].match(first):
            start = match.end() + words[match.end() :].find(first) + len(first)
            continue
        if _SAYS["normal"].search(first) and not _SAYS["normal"].search(left):
            yield trim_marks(left)
            start = match.end()
            continue
        told = (
            _SAYS["normal"].search(left)
            or _SAYS["action"].match(trim_marks(left))
            or _SAYS["process"].match(trim_marks(left))
        )
        if told or (_own(left) and (drops or (_own(first) and not _SAYS["goes_on"].match(right)))):
            yield trim_marks(left)
            start = match.end()
    yield trim_marks(words[start:])


def _inside_a_message(words: str, comma: int, right: str) -> bool:
    """An English error message in a Chinese sentence keeps its commas."""
    latin = re.match(r"[A-Za-z'\")]", words[comma - 1 : comma]) and re.match(r"[A-Za-z]", right)
    return words[comma] == "," and bool(latin) and bool(re.search(r"[\u4e00-\u9fff]", words))


def _own(clause: str) -> bool:
    """A thing is named, and something is said of it."""
    concepts = concepts_of(normalise(clause))
    named = any(concept.startswith("thing:") for concept in concepts)
    return named and (bool(re.search(r"\d", clause)) or any(concept.startswith("state:") for concept in concepts))


def _tells(clause: str, looked: bool) -> bool:
    """The clause is an observation of something unusual; one that somebody looked for needs no known word in it."""
    if len(clause) < 4 or not re.search(r"[\u4e00-\u9fff]{2}|[A-Za-z]{2}.*[\s\d]", clause):
        return False
    effect = _SAYS["after_doing"].search(clause)
    if effect:
        seen = effect["effect"] or effect["effect_en"]
        telling = _SAYS["telling_action"].search(clause[: len(clause) - len(seen)]) and not _SAYS["over"].match(seen)
        return _own(seen) or bool(telling and (concepts_of(normalise(seen)) or re.search(r"\d", seen)))
    concepts = concepts_of(normalise(clause))
    done = (
        not looked
        and not _STATES_OF_SETTINGS & set(concepts)
        and (_SAYS["process"].match(clause) or _SAYS["action"].match(clause))
    )
    if done or _SAYS["over"].match(clause) or _SAYS["normal"].search(clause):
        return False
    return looked or bool(concepts) or bool(re.search(r"\d|error|fatal|panic|warning|报错|异常", clause, re.IGNORECASE))


@dataclass(frozen=True)
class Piece:
    """A stretch of the text. question: a question mark follows. opens: a colon follows, which announces more."""

    text: str
    question: bool = False
    opens: bool = False

    @property
    def code(self) -> bool:
        """It is a statement or a command, not a sentence."""
        return bool(_CODE.match(self.text)) and not _TOLD_OF_CODE.search(self.text)


def split_pieces(text: str) -> Iterator[Piece]:
    """The non-empty pieces in order."""
    for line in re.split(r"[\r\n\u2028\u0085\v\f]+", text):
        for item in _BEFORE_ITEM.split(line):
            yield from _sentences(item)


def trim_marks(text: str) -> str:
    """The text without the marks around it."""
    before = None
    while before != text:
        before = text
        text = _LEADING.sub("", text, count=1)
    return _TRAILING.sub("", text)


def _sentences(item: str) -> Iterator[Piece]:
    start = 0
    for match in _SENTENCE_END.finditer(item):
        if match[0] == "." and _NOT_AN_END.search(item[start : match.start()]):
            continue
        yield from _piece(item[start : match.start()], match[0])
        start = match.end()
    yield from _piece(item[start:], "")


def _piece(text: str, end: str) -> Iterator[Piece]:
    found = trim_marks(text)
    if found:
        yield Piece(found, "?" in end or "？" in end, text.rstrip().endswith((":", "：")))
