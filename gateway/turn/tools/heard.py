"""Whether something that was said is on record, and what it left of the belief in the leading cause."""

from __future__ import annotations

import re

from dbdiag.planner.v1.planner_types import BeliefChange, HistoryAnswer, HistoryEntry, QuestionStep
from dbdiag.vocabulary import Verdict

from gateway.session.ledger import LedgerEntry, ProposedReading
from gateway.turn.context import Turn

# Words of the matter that an entry has to share one of: longer English ones, and pairs of characters.
_WORD = re.compile(r"[a-z_]{4,}")
_HAN = re.compile(r"(?=([\u4e00-\u9fff]{2}))")
# Whoever asks so asks of what was said in so many turns before.
_RECENT = 2
_EMPTY = frozenset(("that", "this", "thing", "things", "part", "about", "what", "said", "told", "just", "stuff"))


def tell_heard(turn: Turn, question: QuestionStep) -> HistoryAnswer:
    """The entries of what is asked about; where nothing is named, those of the last turn that has any.

    Only what was said or taken back a short time ago.
    """
    case = [entry for entry in turn.session.ledger if entry.case == turn.session.case and not entry.collected]
    words = _words_of(question.subject.words or "" if question.subject is not None else "")
    now = turn.session.turn
    case = [entry for entry in case if now - _RECENT <= max(entry.turn, entry.retracted_turn or 0) and entry.turn < now]
    last = max((entry.turn for entry in case), default=0)
    found = [entry for entry in case if (_is_about(turn, entry, words) if words else entry.turn == last)]
    entries = [_entry(turn, entry) for entry in found] or [_open(turn, item) for item in _unsure(turn, words)]
    return HistoryAnswer(tuple(entries), heard=True, left=_left(turn, found))


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


def _words_of(text: str) -> frozenset[str]:
    said = text.casefold()
    return frozenset((*_WORD.findall(said), *_HAN.findall(said))) - _EMPTY


def _entry(turn: Turn, entry: LedgerEntry) -> HistoryEntry:
    name = turn.catalog.phenomenon_name(entry.phenomenon_id)
    return HistoryEntry(entry.turn, name, entry.verdict, entry.words, entry.retracted_turn is not None)


def _left(turn: Turn, found: list[LedgerEntry]) -> BeliefChange:
    """The belief in the leading cause before the first of these entries and after the last; as it is without any."""
    points = turn.session.case_points()
    if not points or not points[-1].beliefs:
        return BeliefChange()
    leader = points[-1].beliefs[0]
    turns = [each for entry in found for each in (entry.turn, entry.retracted_turn) if each is not None]
    after = next((point for point in reversed(points) if turns and point.turn <= max(turns)), points[-1])
    before = next((point for point in reversed(points) if turns and point.turn < min(turns)), after)
    share = {
        at: next((each.confidence for each in point.beliefs if each.root_cause_id == leader.root_cause_id), 0.0)
        for at, point in (("before", before), ("after", after))
    }
    return BeliefChange(leader.root_cause_id, leader.name, share["before"], share["after"])
