"""Words around an output by which it is told apart or settled: lists in `marks.yaml`, which says what each is for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import yaml

from lang.pastes.model import Finding, Span, Verdict

_SENTENCE = re.compile(r"(?:[^.。!！?？\n]|\.(?=\S))+[.。!！?？\n]?")
_CLAUSE = re.compile(r"[^,，.。;；!！?？\n]+[?？]?")


class Marks(NamedTuple):
    """The lists of `marks.yaml`, in lower case."""

    foreign: tuple[str, ...]
    now: tuple[str, ...]
    cannot_tell: tuple[str, ...]
    firing: tuple[str, ...]
    resolved: tuple[str, ...]
    value: tuple[str, ...]
    beside: tuple[str, ...]
    commands: tuple[str, ...]
    tells: tuple[str, ...]
    empty: tuple[str, ...]
    nothing: tuple[str, ...]
    ran: tuple[str, ...]
    it_is: tuple[str, ...]
    it_is_not: tuple[str, ...]
    doubts: tuple[str, ...]
    unchanged: tuple[str, ...]
    twice: tuple[str, ...]
    around_readings: tuple[str, ...]
    around_results: tuple[str, ...]
    of_standbys: tuple[str, ...]
    standby_hosts: tuple[str, ...]
    articles: tuple[str, ...]
    at_place: tuple[str, ...]
    not_at_place: tuple[str, ...]
    of_place: tuple[str, ...]


def _load() -> Marks:
    found = yaml.load(Path(__file__).with_name("marks.yaml").read_text("utf-8"), yaml.CSafeLoader)
    return Marks(**{name: tuple(found[name]) for name in Marks._fields})


MARKS = _load()


def has_mark(words: str, marks: Iterable[str]) -> bool:
    """True if one of the marks stands in the words, in whatever case; a Latin one as a word of its own."""
    said = words.lower()
    return any(_stands_in(mark, said) for mark in marks if mark in said)


def tells_foreign(prose: Sequence[Span]) -> bool:
    """True if the sentences next to an output tell that it is of another system or time.

    What they ask tells nothing of it, nor does what is told further from it.
    """
    said = "\n".join(span.words for span in prose)
    sentences = [_SENTENCE.findall(span.words.strip()) for span in prose]
    clauses = (clause for each in sentences for near in (*each[:1], *each[-1:]) for clause in _CLAUSE.findall(near))
    stated = "\n".join(clause for clause in clauses if not clause.rstrip().endswith(MARKS.doubts))
    return has_mark(stated, MARKS.foreign) and not has_mark(said, MARKS.now)


def _stands_in(mark: str, said: str) -> bool:
    before, after = (r"(?<![a-z0-9])" if _is_latin(mark[0]) else ""), (r"(?![a-z0-9])" if _is_latin(mark[-1]) else "")
    return re.search(before + re.escape(mark) + after, said) is not None


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def settle(finding: Finding, prose: Sequence[Span], value: str = "") -> Finding:
    """The finding as the words beside it decide it, where its output leaves it open and they are of one mind.

    value: what its rows show.
    """
    told = set(_judged(prose)) if finding.why == "open" else set()
    if len(told) != 1:
        return finding
    return replace(finding, verdict=told.pop(), standing="counts", why="rows", value=value)


def worth_asking(finding: Finding, likely: bool) -> Iterator[Finding]:
    """The finding, unless it only is that rows which were asked for decide nothing: hardly ever were they trouble."""
    if finding.why != "open" or finding.verdict == "denied" or likely:
        yield finding


def _judged(prose: Sequence[Span]) -> Iterator[Verdict]:
    for span in prose:
        for said in _CLAUSE.findall(span.words):
            if said.rstrip().endswith(MARKS.doubts):
                continue
            if has_mark(said, MARKS.it_is_not):
                yield "denied"
            elif has_mark(said, MARKS.it_is):
                yield "confirmed"


def merged(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """One finding a phenomenon: of several the surest, and confirmed before denied."""
    ranks = {"counts": 0, "proposed": 1, "needs_second_reading": 2}
    verdicts = {"confirmed": 0, "denied": 1, "unknown": 2}
    best: dict[str, Finding] = {}
    for finding in sorted(
        findings, key=lambda one: (one.verdict == "unknown", ranks[one.standing], verdicts[one.verdict])
    ):
        best.setdefault(finding.phenomenon_id, finding)
    return tuple(best[identity] for identity in dict.fromkeys(one.phenomenon_id for one in findings))
