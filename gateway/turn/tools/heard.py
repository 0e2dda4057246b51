"""What was said or shown and is on record: whether it is, where it is from, and what it left of the belief in front."""

from __future__ import annotations

import re

from dbdiag.planner.v1.planner_types import BeliefChange, EvidenceView, HistoryAnswer, HistoryEntry, QuestionStep
from dbdiag.vocabulary import Verdict

from gateway.session.ledger import LedgerEntry, ProposedReading
from gateway.turn.context import Turn
from lang.concepts.named_things import things_named

# Words of the matter that an entry has to share one of: longer English ones, and pairs of characters.
_WORD = re.compile(r"[a-z_]{4,}")
_HAN = re.compile(r"(?=([\u4e00-\u9fff]{2}))")
# "I pasted that already", where no other word names it: what rows showed, whose cells stand so apart.
_PASTES, _CELLS = ("paste", "贴"), "|"
# Whoever asks so asks of what was said in so many turns before.
_RECENT = 2
_EMPTY = frozenset(("that", "this", "thing", "things", "part", "about", "what", "said", "told", "just", "stuff"))


def tell_heard(turn: Turn, question: QuestionStep) -> HistoryAnswer:
    """The entries of what is asked about; where nothing is named, those of the last turn that has any.

    Only what was said or taken back a short time ago. By no words at all, what this very message changed.
    """
    subject = question.subject.words or "" if question.subject is not None else ""
    if not subject:
        now = turn.session.turn
        return HistoryAnswer((), now, heard=True, left=_left(turn, {now}))
    words = _words_of(subject)
    since = turn.session.turn - _RECENT
    recent = [each for each in _said_before(turn) if since <= max(each.turn, each.retracted_turn or 0)]
    recent = [entry for entry in recent if not entry.collected]
    found = [entry for entry in recent if _is_about(turn, entry, words)] if words else _of_last_turn(recent)
    if not found and any(word in subject.lower() for word in _PASTES):
        found = _of_last_turn([entry for entry in recent if _CELLS in entry.words])
    entries = [_entry(turn, entry) for entry in found] or [_open(turn, item) for item in _unsure(turn, words)]
    turns = {each for entry in found for each in (entry.turn, entry.retracted_turn) if each is not None}
    return HistoryAnswer(tuple(entries), heard=True, left=_left(turn, turns or {turn.session.turn}))


def _is_about(turn: Turn, item: LedgerEntry | ProposedReading, words: frozenset[str]) -> bool:
    """Whether what was read shares a word with what is asked about: one that was said of it, or one of its name."""
    name = turn.catalog.phenomenon_name(item.phenomenon_id)
    return bool(words & _words_of(f"{item.words} {name.zh} {name.en}"))


def _unsure(turn: Turn, words: frozenset[str]) -> list[ProposedReading]:
    """What was read of the matter a short time ago and lacks something to count; where nothing is named, the latest."""
    recent = [item for item in turn.session.proposed if turn.session.turn - _RECENT <= item.turn]
    named = [item for item in recent if _is_about(turn, item, words)]
    return named if words else recent[-1:]


def _open(turn: Turn, item: ProposedReading) -> HistoryEntry:
    name, needs = turn.catalog.phenomenon_name(item.phenomenon_id), turn.catalog.test_of(item.phenomenon_id)
    return HistoryEntry(item.turn, name, Verdict.UNKNOWN, item.words, needs=needs)


def find_source(turn: Turn, question: QuestionStep) -> tuple[EvidenceView, ...]:
    """The entries whose source is asked for: those that share most of what is named, else those of the last turn.

    With what this very message takes back.
    """
    said = [each for each in _said_before(turn) if each.retracted_turn in (None, turn.session.turn)]
    named = things_named((question.subject.words if question.subject is not None else None) or question.text)
    shared = [len(named & _things_of(turn, entry)) for entry in said]
    most = max(shared, default=0)
    found = [entry for entry, count in zip(said, shared, strict=True) if most and count == most]
    taken_back = [entry for entry in said if entry.retracted_turn is not None]
    return turn.views_of(found if named else taken_back or _of_last_turn(said))


def _said_before(turn: Turn) -> list[LedgerEntry]:
    """The entries of this case from earlier turns."""
    session = turn.session
    return [entry for entry in session.ledger if entry.case == session.case and entry.turn < session.turn]


def _of_last_turn(entries: list[LedgerEntry]) -> list[LedgerEntry]:
    last = max((entry.turn for entry in entries), default=0)
    return [entry for entry in entries if entry.turn == last]


def _things_of(turn: Turn, entry: LedgerEntry) -> frozenset[str]:
    name = turn.catalog.phenomenon_name(entry.phenomenon_id)
    return things_named("\n".join((entry.words, entry.value, name.zh, name.en)))


def _words_of(text: str) -> frozenset[str]:
    said = text.casefold()
    return frozenset((*_WORD.findall(said), *_HAN.findall(said))) - _EMPTY


def _entry(turn: Turn, entry: LedgerEntry) -> HistoryEntry:
    name = turn.catalog.phenomenon_name(entry.phenomenon_id)
    return HistoryEntry(entry.turn, name, entry.verdict, entry.words, entry.retracted_turn is not None)


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
