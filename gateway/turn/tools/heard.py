"""What was said or shown and is on record: whether it is, where it is from, and what it left of the belief in front."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from dbdiag.planner.v1.planner_types import (
    BeliefChange,
    EvidenceView,
    HistoryAnswer,
    HistoryEntry,
    QuestionStep,
    Speaker,
)
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.session.ledger import LedgerEntry, ProposedReading
from gateway.session.taken_back import one_a_facility
from gateway.turn.context import Turn
from lang import deferred_re as re
from lang.concepts.named_things import things_named
from lang.modality import tells_misheard

_Read = TypeVar("_Read", LedgerEntry, ProposedReading)
# "I pasted that already", where no other word names it: what rows showed, whose cells stand so apart.
_PASTES, _CELLS = ("paste", "贴"), "|"
# Whoever asks so asks of what was said in so many turns before.
_RECENT = 2
# A number of so many digits is one of its own.
_NUMBER, _TELLING = re.compile(r"(?<![\w.])\d+(?![\w.])", re.ASCII), 3


def tell_heard(turn: Turn, question: QuestionStep) -> HistoryAnswer:
    """The entries of what is asked about; where none is on record, with the number of the turn, what else was told.

    By no words at all, what this very message left of the belief in front.
    """
    subject, now = (question.subject.words or "" if question.subject is not None else ""), turn.session.turn
    if not subject:
        return HistoryAnswer((), now, heard=True, left=_left(turn, {now}))
    named = things_named(subject)
    told = [each for each in one_a_facility(_said_before(turn)) if each.retracted_turn is None and not each.collected]
    recent = [each for each in told if now - _RECENT <= each.turn]
    found = _sharing_most(turn, recent, named)
    if not named and any(word in subject.lower() for word in _PASTES):
        found = _of_last_turn([entry for entry in recent if _CELLS in entry.words])
    entries = [_entry(turn, entry) for entry in found] or [_open(turn, item) for item in _unsure(turn, named)]
    return HistoryAnswer(
        tuple(entries) or tuple(_entry(turn, each) for each in told), 0 if entries else now, heard=True
    )


def _unsure(turn: Turn, named: frozenset[str]) -> list[ProposedReading]:
    """What was read of the matter a short time ago and lacks something to count; what it lacks may be asked for now."""
    session = turn.session
    recent = [item for item in session.proposed if session.turn - _RECENT <= item.turn]
    asked, turn_before = session.clarification, session.turn - 1
    if asked is not None and len(asked.options) == 1 and not asked.proposed:
        read = asked.options[0].phenomenon_id, Verdict.UNKNOWN, asked.words, "", 0.0, ""
        recent.append(ProposedReading(session.case, turn_before, *read))
    return _sharing_most(turn, recent, named)


def _open(turn: Turn, item: ProposedReading) -> HistoryEntry:
    name, needs = turn.catalog.phenomenon_name(item.phenomenon_id), turn.catalog.test_of(item.phenomenon_id)
    return HistoryEntry(item.turn, name, Verdict.UNKNOWN, item.words, needs=needs)


def find_source(turn: Turn, question: QuestionStep) -> tuple[EvidenceView, ...]:
    """The entries whose source is asked for: those that share most of what is named, else the row with its number.

    Where nothing is named what is taken back now, else those of the last turn; of what was never said, none of them.
    """
    said = [each for each in _said_before(turn) if each.retracted_turn in (None, turn.session.turn)]
    named = things_named((question.subject.words if question.subject is not None else None) or question.text)
    active = {entry.phenomenon_id for entry in turn.session.active()}
    taken_back = [each for each in said if each.retracted_turn is not None and each.phenomenon_id not in active]
    if not named:
        return turn.views_of(taken_back or ([] if tells_misheard(question.text) else _of_last_turn(said)))
    return turn.views_of(_sharing_most(turn, said, named)) or tuple(_rows_with(turn, named))[:1]


def _rows_with(turn: Turn, named: frozenset[str]) -> Iterator[EvidenceView]:
    """The lines of the person's that have the number that is named, and nothing else is, the last one first."""
    numbers = [each for each in named if each.isdigit() and len(each) >= _TELLING and len(named) == 1]
    said = [each.text for each in turn.session.dialogue if each.speaker is Speaker.USER]
    for at, text in reversed([*enumerate(said, 1)]):
        for line in text.splitlines():
            found = next((each for each in numbers if each in _NUMBER.findall(line)), "")
            if found:
                yield EvidenceView(name=LocalizedText(found, found), words=line.strip(), turn=at)


def _sharing_most(turn: Turn, read: Sequence[_Read], named: frozenset[str]) -> list[_Read]:
    """Of what was read, that which shares most of the things that are named; none where nothing shares half of them."""
    shared = [len(named & _things_of(turn, each)) for each in read]
    most = max(shared, default=0)
    return [each for each, count in zip(read, shared, strict=True) if most and 2 * most >= len(named) and count == most]


def _said_before(turn: Turn) -> list[LedgerEntry]:
    """The entries of this case from earlier turns."""
    session = turn.session
    return [entry for entry in session.ledger if entry.case == session.case and entry.turn < session.turn]


def _of_last_turn(entries: list[LedgerEntry]) -> list[LedgerEntry]:
    last = max((entry.turn for entry in entries), default=0)
    return [entry for entry in entries if entry.turn == last]


def _things_of(turn: Turn, read: LedgerEntry | ProposedReading) -> frozenset[str]:
    lacking = read.lacking if isinstance(read, LedgerEntry) else None
    name = lacking or turn.catalog.phenomenon_name(read.phenomenon_id)
    return things_named("\n".join((read.words, name.zh, name.en)))


def _entry(turn: Turn, entry: LedgerEntry) -> HistoryEntry:
    name = entry.lacking or turn.catalog.phenomenon_name(entry.phenomenon_id)
    return HistoryEntry(entry.turn, name, entry.verdict, entry.words)


def _left(turn: Turn, turns: set[int]) -> BeliefChange:
    """The belief in the leading cause before the first of these turns and after the last."""
    points = turn.session.case_points()
    if not points or not points[-1].beliefs:
        return BeliefChange()
    leader = points[-1].beliefs[0]
    after = next((point for point in reversed(points) if point.turn <= max(turns)), points[-1])
    before = next((point for point in reversed(points) if point.turn < min(turns)), after)
    share = {
        at: next((each.confidence for each in point.beliefs if each.root_cause_id == leader.root_cause_id), 0.0)
        for at, point in (("before", before), ("after", after))
    }
    return BeliefChange(leader.root_cause_id, leader.name, share["before"], share["after"])
