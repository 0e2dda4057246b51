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
from dbdiag.matcher.v1.matcher_types import Reading
from dbdiag.planner.v1.planner_types import FeedbackStep
from dbdiag.vocabulary import Verdict

from gateway.session.ledger import ProposedReading
from gateway.turn.context import Turn
from lang import deferred_re as re
from lang.cues import telling_keys
from lang.modality import admits_mistake, is_negated

# So likely a reading has to be to be asked about, and a denial to count.
LIKELY, _DENIED = 0.8, 0.5
# From this probability on an answer that leans on what was asked counts as a denial.
_SURE = 0.9
# From this probability on it counts of what was shown, and while nothing is on record, if it is said again.
LIKELY_IF_ASKED = 0.6
# How readings are called of what was done before, also where that is hedged, and of what is said against an output.
DONE_BEFORE, _HEDGED, AGAINST = "done_before", "hedged_", "against"
# What rows of somebody's own query show: a statement in them is no talk.
OPEN = "pasted_open"  # They leave it open.
PASTED = ("pasted_view", OPEN, "pasted_rows")
# Kinds of readings that rest on a figure.
MEASURED = ("value", "reckoned", "zero", "multiple", "event_count", "pasted_rows", "pasted_no_rows")
# Words that lean on what was asked, and words that are recognised as something.
ANSWERED, RECOGNISED = "answered", "recognised"
# Kinds of readings whose words need not name the phenomenon.
_UNNAMED = (RECOGNISED, ANSWERED, "disagreement")

_QUOTES = "\"'“”「」『』‘’"
_FILE = Path(__file__).with_name("beginnings.yaml")
_SENTENCE_END = re.compile("[.。!！?？;；\n](?=\\s|$|[^\\x00-\\x7f])")
# What the trouble began with is told in the same sentence, or in the next one.
_SENTENCES = 2


def says_it_began(message: str, words: str) -> bool:
    """True if words about a thing, or what follows them, say that the trouble began with it."""
    told = _told_of(message, words)
    return bool(_pattern("began").search(told)) and not _pattern("not_began").search(told)


def says_it_did_not_begin(message: str, words: str) -> bool:
    """True if words about a thing, or what follows them, say that the trouble did not begin with it."""
    return bool(_pattern("not_began").search(_told_of(message, words)))


def tells_own_deed(message: str, words: str) -> bool:
    """True if the person says to have done a thing in person, or a mend stands beside it in the sentence."""
    start = max(message.find(words), 0)
    opened = max((each.end() for each in _SENTENCE_END.finditer(message, 0, start)), default=0)
    said = message[opened : start + len(words)]
    return bool(_pattern("own_deed").search(words) or _pattern("mend").search(said))


def shows_at_once(name: str) -> bool:
    """Whether what a beginning is named after changes things at once, as a release does, and not only under load."""
    return _pattern("at_once").search(name) is not None


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
    reading = replace(reading, kind=reading.kind.removeprefix(_HEDGED)) if DONE_BEFORE in reading.kind else reading
    session, recorded = turn.session, turn.session.active_for(reading.phenomenon_id)
    if recorded is not None and recorded.verdict == verdict:
        return
    if recorded is not None and reading.kind == DONE_BEFORE and admits_mistake(turn.message):
        # "There was a release after all, I was wrong": it was asked about, and answered the other way, before.
        _record(turn, reading, verdict)
        return
    if verdict is Verdict.DENIED:
        if recorded is None and _is_plain_denial(turn, reading):
            _record(turn, reading, verdict)
        if reading.kind != ANSWERED or recorded is not None or session.active_for(reading.phenomenon_id) is not None:
            return
    if reading.kind == DONE_BEFORE and _is_settled_beginning(turn, reading):
        return
    if _is_said_again(turn, reading):
        _record(turn, reading, verdict)
        return
    _keep(turn, reading, verdict)


def _record(turn: Turn, reading: Reading, verdict: Verdict) -> None:
    score = max(reading.probability, LIKELY)
    turn.note(turn.session.entry(reading.phenomenon_id, verdict, score, reading.words, "words"))


def _is_said_again(turn: Turn, reading: Reading) -> bool:
    """Whether words that name a thing say once more what waits for a yes since an earlier message: that is one."""
    before = turn.session.proposed_for(reading.phenomenon_id)
    waits = before is not None and before.turn < turn.session.turn and before.verdict is Verdict.CONFIRMED
    least = LIKELY if reading.kind in _UNNAMED else LIKELY_IF_ASKED
    likely = reading.kind == DONE_BEFORE or reading.probability >= least
    return waits and likely and not reading.pasted


def dispute(turn: Turn, reading: Reading) -> None:
    """Keeps a reading that says the opposite of an output for the person to confirm; a quoted name says nothing."""
    name, said = turn.catalog.phenomenon_name(reading.phenomenon_id), reading.words.lstrip()
    if said[:1] in _QUOTES and (said.strip(_QUOTES) in name.en or said.strip(_QUOTES) in name.zh):
        return
    _keep(turn, replace(reading, kind=AGAINST), reading.verdict or Verdict.CONFIRMED)


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
    began = says_it_began(turn.message, reading.words) or reading.phenomenon_id in shown_to(turn)
    if began:
        _record(turn, reading, Verdict.CONFIRMED)
    return began


def readings_of_turn(turn: Turn) -> tuple[ProposedReading, ...]:
    """The readings of this turn that wait for a yes or no: what rows show first, then by likelihood."""
    now = [item for item in turn.session.proposed if item.turn == turn.session.turn]
    return tuple(sorted(now, key=lambda item: (item.why not in PASTED, -item.probability, item.phenomenon_id)))


def belongs(turn: Turn, phenomenon_id: str) -> bool:
    """Whether a phenomenon was shown, or speaks for one of the causes in front; at first nothing is in front."""
    opens = not (turn.evidence_before or turn.session.clarified)
    return opens or phenomenon_id in turn.bearing or phenomenon_id in shown_to(turn)


def shown_to(turn: Turn) -> set[str]:
    """The phenomena that the person was asked about, and may answer."""
    asked = turn.session.clarification
    options = asked.options if asked is not None else ()
    return {item.phenomenon_id for item in (*options, *turn.session.pending, *turn.session.earlier)}


def _is_plain_denial(turn: Turn, reading: Reading) -> bool:
    """Whether words deny a thing that they name, or that was asked; a question denies nothing."""
    named = reading.kind not in _UNNAMED or _leans(turn, reading)
    least = _SURE if reading.kind == ANSWERED and not _is_refused(turn, reading.phenomenon_id) else _DENIED
    return named and not asks_of(turn, reading.words) and reading.probability >= least and is_negated(reading.words)


def asks_of(turn: Turn, words: str) -> bool:
    """Whether a question mark follows words of the message."""
    return bool(words) and turn.message.partition(words)[2].lstrip()[:1] in ("?", "？")


def _leans(turn: Turn, reading: Reading) -> bool:
    """Whether words that need not name a thing answer one that was shown: the only one, or one that they name."""
    shown, name = shown_to(turn), turn.catalog.phenomenon_name(reading.phenomenon_id)
    if reading.kind not in (RECOGNISED, ANSWERED) or reading.phenomenon_id not in shown:
        return False
    return len(shown) == 1 or not telling_keys(reading.words).isdisjoint(telling_keys(name.zh) | telling_keys(name.en))


def _is_refused(turn: Turn, phenomenon_id: str) -> bool:
    """Whether the message says no to this one: "no, not an hour" then denies it, and not only that it was meant."""
    answers = (step for step in turn.plan.steps if isinstance(step, FeedbackStep))
    return any(step.reference.id == phenomenon_id and step.verdict is Verdict.DENIED for step in answers)


def leaves_open(turn: Turn) -> bool:
    """Whether what was pasted now leaves something open, which is worth more than another look."""
    return any(item.why == OPEN for item in readings_of_turn(turn))


def present_reading(turn: Turn, item: ProposedReading) -> dict[str, Any]:
    """A reading that waits for a yes or no, as the details of an answer have it."""
    return {
        "phenomenon_id": item.phenomenon_id,
        "description": turn.catalog.names_in(turn.language).get(item.phenomenon_id, item.phenomenon_id),
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
