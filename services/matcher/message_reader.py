"""Reads a message by a snapshot's vocabulary and checks: what its statements and its pasted outputs say."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lang import judge as judging
from lang import pastes
from lang.modality import Meaning
from lang.pastes import Check, CheckIndex
from lang.pastes.model import Span
from lang.statements import Reader
from lang.vocabulary import Vocabulary
from services.matcher.index.entries import Entry, Library
from services.matcher.model import LocalizedText, Reading, Standing, Verdict

_PROBABILITIES = Path(__file__).parent / "reading_probabilities.json"
# A reading that is right less often is proposed, whatever the judge makes of it.
COUNTS_FROM = 0.9
_UNMEASURED = 0.6
_STANDINGS = {
    judging.Standing.COUNTS: Standing.COUNTS,
    judging.Standing.PROPOSED: Standing.PROPOSED,
    judging.Standing.NEEDS_VALUE: Standing.NEEDS_VALUE,
    judging.Standing.NEEDS_BASE: Standing.NEEDS_BASE,
}
_VERDICTS = {"confirmed": Verdict.CONFIRMED, "denied": Verdict.DENIED, "unknown": Verdict.UNKNOWN}


@dataclass(frozen=True)
class Placed:
    """A reading, and where its words stand in the message."""

    reading: Reading
    start: int
    end: int


@dataclass(frozen=True)
class Note:
    """Words that nothing in the vocabulary covers. claims: they say how this system is now."""

    words: str
    start: int
    end: int
    claims: bool


@dataclass(frozen=True)
class MessageReading:
    """What a message says: readings in the order of the message, words left over, and the spans that are understood."""

    readings: tuple[Placed, ...]
    notes: tuple[Note, ...]
    understood: tuple[tuple[int, int], ...]

    def within(self, start: int, end: int) -> MessageReading:
        """The part of the reading whose words stand between two offsets, in whole or in part."""
        return MessageReading(
            tuple(item for item in self.readings if item.start < end and start < item.end),
            tuple(note for note in self.notes if note.start < end and start < note.end),
            tuple(span for span in self.understood if span[0] < end and start < span[1]),
        )


class MessageReader:
    """The reader of one snapshot. Pure: one message in one context, one reading."""

    def __init__(self, library: Library) -> None:
        self._names = {entry.id: entry.name for entry in library.phenomena}
        self._vocabulary = library.vocabulary
        self._subjects = {subject.id: subject for subject in library.vocabulary.subjects}
        self._reader = Reader(library.vocabulary)
        self._judge = judging.Judge({entry.id: entry.means for entry in library.phenomena}, library.vocabulary)
        self._checks = CheckIndex.of(_checks(library.phenomena))

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary that messages are read by."""
        return self._vocabulary

    def read(self, message: str, pending: Collection[str] = ()) -> MessageReading:
        """What the message says. pending: the phenomena that were asked about last."""
        paste = pastes.judge_paste(message, self._checks, tuple(pending), (), self._vocabulary)
        readings = [self._pasted(message, finding) for finding in paste.findings]
        notes: list[Note] = []
        understood: list[tuple[int, int]] = []
        context = judging.Context(frozenset(pending))
        said, offsets = _joined(paste.prose)
        text = self._reader.read(said)
        for finding in self._judge.judge(text, context):
            readings.append(self._stated(finding, said, offsets))
        for statement in text.statements:
            start, end = statement.span
            understood.append((offsets[start], offsets[max(end - 1, start)] + 1))
        notes += [_note(note.words, note.span, note.meaning, offsets) for note in text.notes]
        ordered = sorted(_without_repeated(readings), key=lambda item: (item.start, item.reading.phenomenon_id))
        return MessageReading(tuple(ordered), tuple(notes), tuple(understood))

    def _stated(self, finding: judging.Finding, said: str, offsets: Sequence[int]) -> Placed:
        start, end = finding.span
        probability = _probability_of(finding.kind)
        standing = _STANDINGS[finding.standing]
        if standing is Standing.COUNTS and probability < COUNTS_FROM:
            standing = Standing.PROPOSED
        lacking = standing in (Standing.NEEDS_VALUE, Standing.NEEDS_BASE)
        reading = Reading(
            phenomenon_id=finding.phenomenon_id,
            name=self._names[finding.phenomenon_id],
            verdict=None if lacking else _VERDICTS[finding.verdict.value],
            standing=standing,
            probability=probability,
            words=said[start:end],
            kind=finding.kind,
            missing=self._missing(finding) if lacking else LocalizedText(),
        )
        return Placed(reading, offsets[start], offsets[max(end - 1, start)] + 1)

    def _missing(self, finding: judging.Finding) -> LocalizedText:
        subject = self._subjects.get(str(finding.why.details.get("subject", "")))
        return LocalizedText(subject.name.zh, subject.name.en) if subject else LocalizedText()

    def _pasted(self, message: str, finding: pastes.Finding) -> Placed:
        probability = _probability_of(f"pasted_{finding.why}")
        counts = finding.standing == "counts" and probability >= COUNTS_FROM
        lacking = finding.standing == "needs_second_reading"
        standing = Standing.COUNTS if counts else Standing.NEEDS_BASE if lacking else Standing.PROPOSED
        start = max(message.find(finding.words), 0)
        reading = Reading(
            phenomenon_id=finding.phenomenon_id,
            name=self._names[finding.phenomenon_id],
            verdict=_VERDICTS[finding.verdict],
            standing=standing,
            probability=probability,
            words=finding.words,
            value=finding.value,
            kind=f"pasted_{finding.why}",
            pasted=True,
        )
        return Placed(reading, start, start + len(finding.words))


def _checks(entries: Iterable[Entry]) -> list[Check]:
    return [
        Check(phenomenon_id=entry.id, how=entry.hows, rows=entry.rows, means=entry.means)
        for entry in entries
        if entry.hows
    ]


def _joined(prose: Sequence[Span]) -> tuple[str, list[int]]:
    """The person's own words as one text, and for each of its characters the offset in the message."""
    parts: list[str] = []
    offsets: list[int] = []
    for span in prose:
        if parts:
            parts.append("\n")
            offsets.append(span.start)
        parts.append(span.words)
        offsets.extend(range(span.start, span.start + len(span.words)))
    return "".join(parts), offsets


def _note(words: str, span: tuple[int, int], meaning: Meaning, offsets: Sequence[int]) -> Note:
    start, end = span
    return Note(words, offsets[start], offsets[max(end - 1, start)] + 1, meaning.is_fact)


def _without_repeated(readings: Iterable[Placed]) -> Iterable[Placed]:
    """One reading a phenomenon: what a pasted output shows outranks what is said about it."""
    found: dict[str, Placed] = {}
    for item in readings:
        found.setdefault(item.reading.phenomenon_id, item)
    return found.values()


@cache
def _probabilities() -> dict[str, float]:
    return {str(kind): float(value) for kind, value in json.loads(_PROBABILITIES.read_text("utf-8")).items()}


def _probability_of(kind: str) -> float:
    """How often readings of a kind were right on labelled messages; a kind that was not measured is not sure."""
    return _probabilities().get(kind, _UNMEASURED)
