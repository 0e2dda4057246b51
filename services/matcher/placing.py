"""Findings as readings, each with its place in the message and how sure it is; and what needs no further question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from lang import pastes
from lang.judging import judge as judging
from lang.judging import rulings
from lang.statements import Reading as TextReading
from lang.statements import Statement
from lang.vocabulary import Quantity, Subject
from services.matcher.model import LocalizedText, Reading, Standing, Verdict
from services.matcher.probabilities import kind_of, probability_of

# A reading that is right less often is proposed, whatever the judge makes of it.
COUNTS_FROM = 0.9
LACKING = (Standing.NEEDS_VALUE, Standing.NEEDS_BASE)
_BETWEEN_CELLS = " | "
SECOND = "needs_second_reading"
_STANDINGS = {
    rulings.Standing.COUNTS: Standing.COUNTS,
    rulings.Standing.PROPOSED: Standing.PROPOSED,
    rulings.Standing.NEEDS_VALUE: Standing.NEEDS_VALUE,
    rulings.Standing.NEEDS_BASE: Standing.NEEDS_BASE,
}
Spans = tuple[tuple[int, int], ...]
_VERDICTS = {"confirmed": Verdict.CONFIRMED, "denied": Verdict.DENIED, "unknown": Verdict.UNKNOWN}


@dataclass(frozen=True)
class Placed:
    """A reading, and where its words stand in the message."""

    reading: Reading
    start: int
    end: int


class Placer:
    """Makes readings of findings, with the names of a snapshot's phenomena and the subjects of its vocabulary."""

    def __init__(self, names: Mapping[str, LocalizedText], subjects: Mapping[str, Subject]) -> None:
        self._names, self._subjects = names, subjects

    def state(self, finding: judging.Finding, said: str, offsets: Sequence[int]) -> Placed:
        """What words say; offsets: the place in the message of each character of `said`."""
        start, end = finding.span
        probability = probability_of(kind_of(finding))
        standing = _STANDINGS[finding.standing]
        if standing is Standing.COUNTS and probability < COUNTS_FROM:
            standing = Standing.PROPOSED
        lacking = standing in LACKING
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
        return Placed(reading, *placed((start, end), offsets))

    def paste(self, message: str, finding: pastes.Finding) -> Placed:
        """What an output in the message shows."""
        probability = probability_of(f"pasted_{finding.why}")
        counts = finding.standing == "counts" and (probability >= COUNTS_FROM or finding.why == "sign")
        lacking = finding.standing == SECOND
        standing = Standing.COUNTS if counts else Standing.NEEDS_BASE if lacking else Standing.PROPOSED
        start, end = _place_of(finding.words, message)
        reading = Reading(
            phenomenon_id=finding.phenomenon_id,
            name=self._names[finding.phenomenon_id],
            verdict=_VERDICTS[finding.verdict],
            standing=standing,
            probability=probability,
            words=_with_names(finding.words, message[start:end]),
            value=finding.value,
            kind=f"pasted_{finding.why}",
            pasted=True,
        )
        return Placed(reading, start, end)

    def _missing(self, finding: judging.Finding) -> LocalizedText:
        """What the value is of, or what it is to be compared with."""
        subject = self._subjects.get(str(finding.why.details.get("subject", "")))
        if finding.standing is rulings.Standing.NEEDS_BASE and isinstance(subject, Quantity) and subject.whole:
            subject = self._subjects[subject.whole]
        return LocalizedText(subject.name.zh, subject.name.en) if subject else LocalizedText()


def _place_of(words: str, message: str) -> tuple[int, int]:
    """Where words stand in a message; the cells of a row, which words join, as its first line that holds them all."""
    start = message.find(words)
    if start >= 0:
        return start, start + len(words)
    cells, start = words.split(_BETWEEN_CELLS), 0
    for line in message.split("\n"):
        if len(cells) > 1 and all(cell in line for cell in cells):
            return start, start + len(line)
        start += len(line) + 1
    return 0, len(words)


def _with_names(words: str, line: str) -> str:
    """The words, or the line that they stand in where only that names what the values are of."""
    named = any(map(str.isalpha, line)) and all(cell in line for cell in words.split(_BETWEEN_CELLS))
    return line.strip() if named and not any(map(str.isalpha, words)) else words


def placed(span: tuple[int, int], offsets: Sequence[int]) -> tuple[int, int]:
    """The place in a message of a span of what was said in it."""
    start, end = span
    return offsets[start], offsets[max(end - 1, start)] + 1


def parted(
    statements: Iterable[Statement], found: Iterable[judging.Finding], joined: Set[str], offsets: Sequence[int]
) -> tuple[Spans, Spans]:
    """The spans in which nothing is left to ask about (judged, no claim about the present, or without other words);
    and those in which words beside a known subject say what nothing judges.

    joined: the subjects of which what was found needs several.
    """
    judged = {finding.span for finding in found}
    understood: dict[tuple[int, int], bool] = {}
    for statement in statements:
        span = placed(statement.span, offsets)
        told = statement.span in judged or statement.subject in joined
        settled = told or not statement.meaning.is_fact or not statement.leftover
        understood[span] = understood.get(span, False) or settled
    return (
        tuple(span for span, settled in understood.items() if settled),
        tuple(span for span, settled in understood.items() if not settled),
    )


def unclaimed(text: TextReading, offsets: Sequence[int]) -> tuple[Spans, Spans]:
    """The spans of what is no claim about this system as it is now; and those of what is one about its past."""
    every = [(each.meaning, each.span) for each in text.statements]
    every += [(each.meaning, each.span) for each in text.notes]
    beside = [(meaning, placed(span, offsets)) for meaning, span in every if not meaning.is_fact]
    return (
        tuple(span for meaning, span in beside if not meaning.is_past_fact),
        tuple(span for meaning, span in beside if meaning.is_past_fact),
    )
