"""Which readings that are not sure count, which the person is asked about, and which are left as words."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Candidate, Untied
from dbdiag.planner.v1.planner_types import Clarification, ClarificationOption, ClarifyKind
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.session.case_talk import keep_untied
from gateway.session.ledger import ProposedReading
from gateway.turn.context import Turn
from gateway.turn.proposed_readings import (
    AGAINST,
    ANSWERED,
    DONE_BEFORE,
    LIKELY,
    LIKELY_IF_ASKED,
    OPEN,
    PASTED,
    RECOGNISED,
    asks_of,
    belongs,
    readings_of_turn,
    shown_to,
)
from gateway.turn.tools.worth_asking import STANDS_OUT
from lang import deferred_re as re
from lang.modality import is_negated, is_out_of_reach
from lang.numbers.values import read_values
from lang.tokens import read_text

# From this probability on words count as what they are recognised as: who is told may object.
_PLAINLY_SAID = 0.88
# What is said against an output, is near a limit, or is left open by a paste, is asked about in any case.
_PLAIN = (AGAINST, "value_near_limit", OPEN)
# Words that are recognised as something: they count or are left, but never are asked back. From this probability on
# they were right as often as not, unasked.
_KEPT_FROM = 0.78
# Readings that rest on a name, a degree or a sign.
_BARE = ("mention", "degree", "event_count", "hedged_event")
# One output of two that a check compares.
_ONE_READING = "pasted_one_reading"
# A statement in the words of a person: what it says is no description of the trouble.
_STATEMENT = re.compile(r"\b(?:SELECT|UPDATE|INSERT INTO|DELETE FROM|ALTER|CREATE)\s+\S+.*(?:[=(*]|\bSET\b)")
# What a phenomenon has a single one of: "one table", 同一张表. And words of all of such things.
_ONE = re.compile(r"(?i)\b(?:one|single|same)\s+([a-z]{4,})|(?:同一|某一?|[单一])[个张条]?([\u4e00-\u9fff])")
_ALL = "(?i)\\b(?:every|all|any|each|whichever|different|not (?:just )?one)\\s+(?:(?:of|the|our|my) )*{en}s?\\b"
_ALL_ZH = "(?:每|所有|全部|任何|各|不同|不止一|不是一)[个张条的]*{zh}"


def ask_about(turn: Turn) -> None:
    """Records what is plainly said; asks of the likeliest other reading of this turn, unless something else is asked.

    The words of all others are left as they are: a question that is beside the point costs more than it tells.
    No such question follows another, but for one about what was done before while nothing is on record.
    """
    _note_plainly_said(turn)
    found = readings_of_turn(turn)
    asked = next((item for item in found if _is_worth_asking(turn, item, found)), None)
    first, before = not turn.session.active(), turn.session.clarification
    if asked is not None and turn.clarification is None and (first or not (before and before.proposed)):
        turn.ask(Clarification(ClarifyKind.PROPOSED, asked.words, (_option(turn, 1, asked),)))
    if turn.clarification is None:
        _set_aside(turn, found)
    for item in found:
        if not (_is_worth_keeping(turn, item) or _is_asked(turn, item)):
            _leave_as_words(turn, item)


def _note_plainly_said(turn: Turn) -> None:
    """Records the readings that are so likely, the only ones of their words, and of something the case is about."""
    found = readings_of_turn(turn)
    for item in found:
        plain = _is_plain(turn, item) and not turn.session.active_for(item.phenomenon_id)
        if plain and _is_of_case(turn, item, found):
            turn.session.withdraw(item.phenomenon_id)
            said = turn.session.entry(item.phenomenon_id, Verdict.CONFIRMED, item.probability, item.words, "words")
            turn.note(replace(said, value=item.value))


def _is_plain(turn: Turn, item: ProposedReading) -> bool:
    """Whether words are recognised to say plainly that something is so, and do not ask of it."""
    sure = item.why == RECOGNISED and item.probability >= _PLAINLY_SAID  # What is only alike is no evidence.
    likely = sure and item.verdict is Verdict.CONFIRMED
    figure = bool(read_values(read_text(item.words)))  # It is for the rules to judge.
    return likely and not figure and not asks_of(turn, item.words)


def _is_worth_keeping(turn: Turn, item: ProposedReading) -> bool:
    """Whether a reading that nobody is asked about may wait for a yes: it is more often right than not.

    Of bare names hardly one was in talks of persons on call, nor of what is recognised once the trouble was treated.
    """
    if item.why in _BARE:
        return False
    denies = item.why == ANSWERED and item.verdict is Verdict.CONFIRMED and is_negated(item.words)
    if denies and not is_negated(turn.catalog.phenomenon_name(item.phenomenon_id).en):
        return False  # "Writes aren't slow" is no yes to slow writes.
    settled = turn.session.treatments or turn.session.concluded()
    return item.why != RECOGNISED or (item.probability >= _KEPT_FROM and not settled)


def _is_asked(turn: Turn, item: ProposedReading) -> bool:
    asked = turn.clarification
    return asked is not None and any(each.phenomenon_id == item.phenomenon_id for each in asked.options)


def _leave_as_words(turn: Turn, item: ProposedReading) -> None:
    """Makes of a reading words again, which tell no more than which check is asked next."""
    turn.session.withdraw(item.phenomenon_id)
    near = () if item.verdict is Verdict.DENIED else (Candidate(item.phenomenon_id, score=item.probability),)
    keep_untied(turn.session, turn.plan, [Untied(item.words, near)] if near else [])


def _set_aside(turn: Turn, found: tuple[ProposedReading, ...]) -> None:
    """Leaves the words of readings that are not asked about as words; before any evidence they are no readings.

    One reading of a counter stays: the second may come later.
    """
    for item in found:
        if not turn.session.active() and item.why != _ONE_READING:
            _leave_as_words(turn, item)
        if item.words not in turn.unmatched:
            turn.unmatched.append(item.words)


def _is_worth_asking(turn: Turn, item: ProposedReading, found: tuple[ProposedReading, ...]) -> bool:
    """Whether a reading is asked about: of what was done before while no cause stands out, of what names a thing."""
    if item.why == DONE_BEFORE:
        return all(each.confidence < STANDS_OUT for each in turn.session.beliefs())
    if item.why in _PLAIN:
        return True
    return item.why not in (RECOGNISED, ANSWERED) and _is_of_case(turn, item, found)


def _is_of_case(turn: Turn, item: ProposedReading, found: tuple[ProposedReading, ...]) -> bool:
    """Whether a reading is likely, the only one of its words, and of something that the case is about."""
    typed = item.why not in PASTED and _STATEMENT.search(item.words)
    if is_out_of_reach(item.words) or typed:
        return False  # "No permission on prod" is of the person, and no error of the system.
    if any(_overlap(item.words, noted.words) for noted in turn.noted if noted.matched_from_words):
        return False
    if _is_of_all(item.words, turn.catalog.phenomenon_name(item.phenomenon_id)):
        return False
    # Rows may speak of several things at once, words that may mean several mean none for sure.
    rivals = (other for other in found if other is not item and item.why not in PASTED)
    alone = not any(_overlap(item.words, other.words) for other in rivals)
    alone_in_turn = not turn.noted and (item.phenomenon_id in shown_to(turn) or not turn.session.active())
    least = LIKELY_IF_ASKED if alone_in_turn else LIKELY
    return item.probability >= least and alone and belongs(turn, item.phenomenon_id)


def _is_of_all(words: str, name: LocalizedText) -> bool:
    """Whether words say of every thing what a phenomenon says of one: "every table" of "one table"."""
    found = [match.groups() for text in (name.zh, name.en) for match in _ONE.finditer(text)]
    return any(
        re.compile(_ALL.format(en=en) if en else _ALL_ZH.format(zh=zh)).search(words) is not None for en, zh in found
    )


def _overlap(one: str, other: str) -> bool:
    return bool(one and other) and (one in other or other in one)


def _option(turn: Turn, ordinal: int, item: ProposedReading) -> ClarificationOption:
    name = turn.catalog.phenomenon_name(item.phenomenon_id)
    why = f"{item.why}_no" if item.verdict is Verdict.DENIED else item.why
    return ClarificationOption(ordinal, item.phenomenon_id, name, reading=why)
