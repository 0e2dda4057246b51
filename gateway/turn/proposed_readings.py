"""Readings that are not sure: kept without weight, confirmed or refused by the person, who is asked about few of them.

That something is not there is asked back only of what was just asked: said plainly it counts, else nothing is made of
it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from re import Pattern
from typing import Any

import yaml
from dbdiag.matcher.v1.matcher_types import Candidate, Reading, Untied
from dbdiag.planner.v1.planner_types import Clarification, ClarificationOption, ClarifyKind, FeedbackStep
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.session.case_talk import keep_untied
from gateway.session.ledger import ProposedReading
from gateway.turn.context import Turn
from gateway.turn.tools.worth_asking import STANDS_OUT
from lang import deferred_re as re
from lang.cues import telling_keys
from lang.modality import admits_mistake, is_negated, is_out_of_reach

# So likely a reading has to be to be asked about, and a denial to count.
_LIKELY, _DENIED = 0.8, 0.5
# From this probability on an answer that leans on what was asked counts as a denial.
_SURE = 0.9
# From this probability on it counts of what was shown, and while nothing is on record, if it is said again.
_LIKELY_IF_ASKED = 0.6
# From this probability on words count as what they are recognised as: who is told may object.
_PLAINLY_SAID = 0.85
# What was done before, is said against an output, is near a limit, or is likely by an output that leaves it open, is
# asked about in any case.
_DONE_BEFORE, _HEDGED, _AGAINST = "done_before", "hedged_", "against"
_PLAIN = (_DONE_BEFORE, _AGAINST, "value_near_limit", "pasted_open")
# Words that are recognised as something, or are alike: they count or are left, but never are asked back.
_RECOGNISED = ("recognised", "alike")
# One output of two that a check compares.
_ONE_READING = "pasted_one_reading"
# What rows of somebody's own query show: a statement in them is no talk.
_OPEN = "pasted_open"  # They leave it open.
_PASTED = ("pasted_view", _OPEN, "pasted_rows")
# Kinds of readings that rest on a figure.
MEASURED = ("value", "zero", "multiple", "event_count", "pasted_rows", "pasted_no_rows")
# Words that lean on what was asked.
ANSWERED = "answered"
# Kinds of readings whose words need not name the phenomenon.
_UNNAMED = ("recognised", ANSWERED, "alike", "disagreement")
# A statement in the words of a person: what it says is no description of the trouble.
_STATEMENT = re.compile(r"\b(?:SELECT|UPDATE|INSERT INTO|DELETE FROM|ALTER|CREATE)\s+\S+.*(?:[=(*]|\bSET\b)")

# What a phenomenon has a single one of: "one table", 同一张表. And words of all of such things.
_ONE = re.compile(r"(?i)\b(?:one|single|same)\s+([a-z]{4,})|(?:同一|某一?|[单一])[个张条]?([\u4e00-\u9fff])")
_ALL = "(?i)\\b(?:every|all|any|each|whichever|different|not (?:just )?one)\\s+(?:(?:of|the|our|my) )*{en}s?\\b"
_ALL_ZH = "(?:每|所有|全部|任何|各|不同|不止一|不是一)[个张条的]*{zh}"
_FILE = Path(__file__).with_name("beginnings.yaml")
_SENTENCE_END = re.compile("[.。!！?？;；\n](?=\\s|$|[^\\x00-\\x7f])")
# What the trouble began with is told in the same sentence, or in the next one.
_SENTENCES = 2


def says_it_began(message: str, words: str) -> bool:
    """True if words about a thing, or what follows them, say that the trouble began with it."""
    told = _told_of(message, words)
    return bool(_pattern("began").search(told)) and not _pattern("not_began").search(told)


def is_remark(words: str) -> bool:
    """True if words only say what somebody thinks of a kind of thing, or of what was said: "I hate migrations"."""
    return _pattern("remark").search(words) is not None


def _told_of(message: str, words: str) -> str:
    """The words and the rest of their sentence, with the next one."""
    start = max(message.find(words), 0)
    ends = [each.end() for each in _SENTENCE_END.finditer(message, start + len(words))]
    return message[start : ends[:_SENTENCES][-1] if len(ends) >= _SENTENCES else len(message)]


@cache
def _pattern(name: str) -> Pattern[str]:
    return re.compile("(?i)" + "|".join(yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)[name]))


def propose(turn: Turn, reading: Reading) -> None:
    """Keeps a reading for the person to confirm, unless what it says is on record already; a plain denial counts."""
    verdict = reading.verdict or Verdict.CONFIRMED
    # "I think" beside a time of the day is no doubt that something was done.
    reading = replace(reading, kind=reading.kind.removeprefix(_HEDGED)) if _DONE_BEFORE in reading.kind else reading
    session, recorded = turn.session, turn.session.active_for(reading.phenomenon_id)
    if recorded is not None and recorded.verdict == verdict:
        return
    if recorded is not None and reading.kind == _DONE_BEFORE and admits_mistake(turn.message):
        # "There was a release after all, I was wrong": it was asked about, and answered the other way, before.
        score = max(reading.probability, _LIKELY)
        turn.note(session.entry(reading.phenomenon_id, verdict, score, reading.words, "words"))
        return
    if verdict is Verdict.DENIED:
        if recorded is None and _is_plain_denial(turn, reading):
            score = max(reading.probability, _LIKELY)
            turn.note(session.entry(reading.phenomenon_id, verdict, score, reading.words, "words"))
        if reading.kind != ANSWERED or recorded is not None or session.active_for(reading.phenomenon_id) is not None:
            return
    if reading.kind == _DONE_BEFORE and _is_settled_beginning(turn, reading):
        return
    if _is_said_again(turn, reading):
        turn.note(
            session.entry(reading.phenomenon_id, verdict, max(reading.probability, _LIKELY), reading.words, "words")
        )
        return
    _keep(turn, reading, verdict)


def _is_said_again(turn: Turn, reading: Reading) -> bool:
    """Whether words that name a thing say once more what waits for a yes since an earlier message: that is one."""
    before = turn.session.proposed_for(reading.phenomenon_id)
    waits = before is not None and before.turn < turn.session.turn and before.verdict is Verdict.CONFIRMED
    least = _LIKELY if reading.kind in _UNNAMED else _LIKELY_IF_ASKED
    likely = reading.kind == _DONE_BEFORE or reading.probability >= least
    return waits and likely and not reading.pasted


def dispute(turn: Turn, reading: Reading) -> None:
    """Keeps a reading that says the opposite of an output for the person to confirm."""
    _keep(turn, replace(reading, kind=_AGAINST), reading.verdict or Verdict.CONFIRMED)


def _keep(turn: Turn, reading: Reading, verdict: Verdict) -> None:
    now = turn.session
    of = (now.case, now.turn, reading.phenomenon_id, verdict)
    now.propose(ProposedReading(*of, reading.words, reading.value, reading.probability, reading.kind))


def _is_settled_beginning(turn: Turn, reading: Reading) -> bool:
    """Whether nothing is to ask of something done before: it is a remark, or the trouble began with it.

    That is so if the words say it, or if they are the answer to the very thing that was shown as open.
    """
    if is_remark(reading.words):
        return True
    began = says_it_began(turn.message, reading.words) or reading.phenomenon_id in _shown(turn)
    if began:
        score = max(reading.probability, _LIKELY)
        turn.note(turn.session.entry(reading.phenomenon_id, Verdict.CONFIRMED, score, reading.words, "words"))
    return began


def readings_of_turn(turn: Turn) -> tuple[ProposedReading, ...]:
    """The readings of this turn that wait for a yes or no: what rows show first, then by likelihood."""
    now = [item for item in turn.session.proposed if item.turn == turn.session.turn]
    return tuple(sorted(now, key=lambda item: (item.why not in _PASTED, -item.probability, item.phenomenon_id)))


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


def _note_plainly_said(turn: Turn) -> None:
    """Records the readings that are so likely, the only ones of their words, and of something the case is about."""
    found = readings_of_turn(turn)
    for item in found:
        plain = item.why in _RECOGNISED and item.probability >= _PLAINLY_SAID and item.verdict is Verdict.CONFIRMED
        if plain and _is_of_case(turn, item, found):
            turn.session.withdraw(item.phenomenon_id)
            said = turn.session.entry(item.phenomenon_id, Verdict.CONFIRMED, item.probability, item.words, "words")
            turn.note(replace(said, value=item.value))


def _set_aside(turn: Turn, found: tuple[ProposedReading, ...]) -> None:
    """Leaves the words of readings that are not asked about as words; before any evidence they are no readings.

    One reading of a counter stays: the second may come later.
    """
    for item in found:
        if not turn.session.active() and item.why != _ONE_READING:
            turn.session.withdraw(item.phenomenon_id)
            near = () if item.verdict is Verdict.DENIED else (Candidate(item.phenomenon_id, score=item.probability),)
            keep_untied(turn.session, turn.plan, [Untied(item.words, near)] if near else [])
        if item.words not in turn.unmatched:
            turn.unmatched.append(item.words)


def _is_worth_asking(turn: Turn, item: ProposedReading, found: tuple[ProposedReading, ...]) -> bool:
    """Whether a reading is asked about: of what was done before while no cause stands out, of what names a thing."""
    if item.why == _DONE_BEFORE:
        return all(each.confidence < STANDS_OUT for each in turn.session.beliefs())
    if item.why in _PLAIN:
        return True
    return item.why not in (*_RECOGNISED, ANSWERED, _OPEN) and _is_of_case(turn, item, found)


def _is_of_case(turn: Turn, item: ProposedReading, found: tuple[ProposedReading, ...]) -> bool:
    """Whether a reading is likely, the only one of its words, and of something that the case is about."""
    typed = item.why not in _PASTED and _STATEMENT.search(item.words)
    if is_out_of_reach(item.words) or typed:
        return False  # "No permission on prod" is of the person, and no error of the system.
    if any(_overlap(item.words, noted.words) for noted in turn.noted if noted.matched_from_words):
        return False
    if _is_of_all(item.words, turn.catalog.phenomenon_name(item.phenomenon_id)):
        return False
    # Rows may speak of several things at once, words that may mean several mean none for sure.
    rivals = (other for other in found if other is not item and item.why not in _PASTED)
    alone = not any(_overlap(item.words, other.words) for other in rivals)
    alone_in_turn = not turn.noted and (item.phenomenon_id in _shown(turn) or not turn.session.active())
    least = _LIKELY_IF_ASKED if alone_in_turn else _LIKELY
    return item.probability >= least and alone and belongs(turn, item.phenomenon_id)


def _is_of_all(words: str, name: LocalizedText) -> bool:
    """Whether words say of every thing what a phenomenon says of one: "every table" of "one table"."""
    found = [match.groups() for text in (name.zh, name.en) for match in _ONE.finditer(text)]
    return any(
        re.compile(_ALL.format(en=en) if en else _ALL_ZH.format(zh=zh)).search(words) is not None for en, zh in found
    )


def belongs(turn: Turn, phenomenon_id: str) -> bool:
    """Whether a phenomenon was shown, or speaks for one of the causes in front; at first nothing is in front."""
    opens = not (turn.evidence_before or turn.session.clarified)
    return opens or phenomenon_id in turn.bearing or phenomenon_id in _shown(turn)


def _shown(turn: Turn) -> set[str]:
    asked = turn.session.clarification
    options = asked.options if asked is not None else ()
    return {item.phenomenon_id for item in (*options, *turn.session.pending, *turn.session.earlier)}


def _is_plain_denial(turn: Turn, reading: Reading) -> bool:
    """Whether words deny a thing that they name, or that was asked; a question denies nothing."""
    at = turn.message.find(reading.words)
    asks = at >= 0 and turn.message[at + len(reading.words) :].lstrip()[:1] in ("?", "？")
    named = reading.kind not in _UNNAMED or _leans(turn, reading)
    least = _SURE if reading.kind == ANSWERED and not _is_refused(turn, reading.phenomenon_id) else _DENIED
    return named and not asks and reading.probability >= least and is_negated(reading.words)


def _leans(turn: Turn, reading: Reading) -> bool:
    """Whether words that need not name a thing answer one that was shown: the only one, or one that they name."""
    shown, name = _shown(turn), turn.catalog.phenomenon_name(reading.phenomenon_id)
    if reading.kind not in ("recognised", ANSWERED) or reading.phenomenon_id not in shown:
        return False
    return len(shown) == 1 or not telling_keys(reading.words).isdisjoint(telling_keys(name.zh) | telling_keys(name.en))


def _is_refused(turn: Turn, phenomenon_id: str) -> bool:
    """Whether the message says no to this one: "no, not an hour" then denies it, and not only that it was meant."""
    answers = (step for step in turn.plan.steps if isinstance(step, FeedbackStep))
    return any(step.reference.id == phenomenon_id and step.verdict is Verdict.DENIED for step in answers)


def _overlap(one: str, other: str) -> bool:
    return bool(one and other) and (one in other or other in one)


def present_reading(turn: Turn, item: ProposedReading) -> dict[str, Any]:
    """A reading that waits for a yes or no, as the details of an answer have it."""
    return {
        "phenomenon_id": item.phenomenon_id,
        "description": turn.catalog.phenomena_in(turn.language).get(item.phenomenon_id, item.phenomenon_id),
        "verdict": item.verdict,
        "words": item.words,
        "value": item.value or None,
        "probability": item.probability,
        "why": item.why,
    }


def settle_proposal(turn: Turn, phenomenon_id: str, verdict: Verdict, alone: bool) -> bool:
    """Applies a yes or no to a proposed reading. Returns False if none is open for the phenomenon.

    A yes records what the reading says. A no says that the words meant something else; alone, with nothing else said,
    it denies as well what is being asked anyway.
    """
    found = turn.session.proposed_for(phenomenon_id)
    if found is None:
        return False
    turn.session.withdraw(phenomenon_id)
    if verdict is Verdict.CONFIRMED:
        entry = turn.session.entry(phenomenon_id, found.verdict, 1.0, found.words, "answer")
        turn.note(replace(entry, value=found.value))
    pending = alone and any(item.phenomenon_id == phenomenon_id for item in turn.session.pending)
    if verdict is Verdict.DENIED and found.verdict is Verdict.CONFIRMED and pending:
        turn.note(turn.session.entry(phenomenon_id, verdict, 1.0, turn.message, "answer"))
    return True


def _option(turn: Turn, ordinal: int, item: ProposedReading) -> ClarificationOption:
    name = turn.catalog.phenomenon_name(item.phenomenon_id)
    why = f"{item.why}_no" if item.verdict is Verdict.DENIED else item.why
    return ClarificationOption(ordinal, item.phenomenon_id, name, reading=why)
