"""Clauses that only lead in to the next: what it is about, or that it is not sworn to."""

from __future__ import annotations

import re

from services.planner.understand.answers.turn import Turn
from services.planner.understand.classifier.acts import Act
from services.planner.understand.judging import arbitration
from services.planner.understand.judging.classified import Heard, hear, without_items
from services.planner.understand.text.clauses import Clause
from services.planner.understand.text.segments import Segment, pointers_of, segments_of
from services.planner.understand.text.tokens import Kind

# A choice in own words is short, and no denial.
_CHOICE = 30
_DENIED = 0.4


def doubts_ahead(turn: Turn, clause: Clause) -> bool:
    """Whether a clause that is not the last only says that what comes is not sworn to; what comes is heard so."""
    if turn.sentence_answered or not arbitration.doubts(clause.text, hear(clause.text, turn.asked_list)):
        return False
    turn.doubted = turn.doubted or bool(turn.asked_list.items)
    return turn.doubted


def chooses(turn: Turn, clause: Clause, heard: Heard) -> bool:
    """Whether a clause only names an option in the person's own words: "when we commit", "the writing side"."""
    if not turn.view.options or heard.names is None or pointers_of(clause.text) or clause.asks or heard.of_item is None:
        return False
    said = any(segment.verdict or segment.hedged or segment.excepted for segment in segments_of(clause.text))
    if said or len(clause.text) > _CHOICE or heard.of_item.of(Act.NO) >= _DENIED:
        return False
    turn.named = heard.names.item.ordinal
    return True


def introduces(turn: Turn, clause: Clause, heard: Heard) -> bool:
    """Whether a clause only tells which item the next one is about: "the second one of the last round, I counted"."""
    segments = segments_of(heard.text)
    refs = tuple(token for segment in segments for token in segment.refs if token.kind not in (Kind.ALL, Kind.REST))
    plain = all(
        segment.verdict is None and not (segment.hedged or segment.excepted or segment.only) for segment in segments
    )
    if clause.asks or not plain or re.search(r"\d", without_items(heard.masked)):
        return False
    if turn.listed is None and not arbitration.only_points(clause.text, heard):
        return False
    if heard.names is not None and heard.text != clause.text and heard.likely.of(Act.YES, Act.NO) >= arbitration.LIKELY:
        return False
    if not refs and turn.listed is not None and (heard.names or not turn.answers.held):
        ordinal = heard.names.item.ordinal if heard.names else turn.named
        refs = pointers_of(f"#{ordinal}") if ordinal else ()
    if heard.names and refs and all(token.kind is Kind.JUST for token in refs):
        refs = pointers_of(f"#{heard.names.item.ordinal}")
    if not refs:
        return False
    turn.answers.answer(Segment(refs=refs), turn.words(clause), turn.asked_list)
    held = turn.answers.held
    turn.named = turn.asked_list.place_of(held[0]) if len(held) == 1 else None
    return True
