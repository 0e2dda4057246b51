"""What all that was told sounds like, and readings weighed by how they fit it.

Words that hardly fit are mostly misread, and what pasted rows leave open counts where it fits.

    logit(right) = _OWN logit(own) + _FIT fit + _START - _LONG ln(words)

    fit = log2(P(yes | all that is told) / base rate)

own is the probability by which the words were read, words how many the message has: a sentence that is all of it was
said for what it says, a long story has many that can be misread. The numbers are those under which 117 labelled
readings of 99 incidents are likeliest.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from dbdiag.matcher.v1.matcher_types import CauseLikeness, Reading, Standing
from dbdiag.planner.v1.planner_types import (
    CorrectionStep,
    ObservationStep,
    PlanStep,
    ResetStep,
    Speaker,
    SuggestionStep,
)
from dbdiag.vocabulary import Verdict

from gateway.contracts.clients import MatcherClient, Services
from gateway.session.ledger import Session
from gateway.turn.context import Turn
from gateway.turn.contradictions import OUTCOME
from gateway.turn.findings import ToolResult
from gateway.turn.unread import is_unread, tells_more, unclaimed_words
from lang import deferred_re as re
from lang.modality import is_guessed
from services.chassis.errors import DbdiagError

_OWN, _FIT, _START, _LONG = 0.5, 0.63, 2.9, 0.85
# From this probability on a reading counts, and one that rows leave open; below the last one it is none.
_COUNTS, _ROWS_COUNT, _NONE = 0.59, 0.88, 0.3
# Rows are nothing that somebody says: what they leave open is weighed as words of a story this long.
_ROWS_LONG = 100
_SUREST = 0.999
_WORD = re.compile(r"[A-Za-z0-9]+")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_HAN_OF_WORD = 1.7
_TELLS_NOTHING = (ObservationStep, CorrectionStep, SuggestionStep, ResetStep)


def tells(turn: Turn) -> bool:
    """Whether a message tells how it is: answers by reference are the engine's, and a suspicion tells nothing."""
    steps = turn.plan.steps
    if turn.plan.pasted or any(_is_told(step) for step in steps):
        return True
    if any(isinstance(step, _TELLS_NOTHING) for step in steps):
        return False
    return is_unread(turn.message, turn.plan) and tells_more(unclaimed_words(turn.message, turn.plan))


def _is_told(step: PlanStep) -> bool:
    match step:
        case ObservationStep(text=text):
            return not is_guessed(text)
        case CorrectionStep(words=words):
            return words is not None
    return False


class Whole(NamedTuple):
    """What the messages of these turns sound like as a whole."""

    likeness: tuple[CauseLikeness, ...]
    heard: tuple[int, ...]


async def hear_whole(turn: Turn, matcher: MatcherClient) -> Whole:
    """What the messages of the case sound like as a whole, without those that were taken back or said again."""
    session = turn.session
    said = (each.text for each in reversed(session.dialogue) if each.speaker is Speaker.USER)
    texts = {session.turn: turn.message, **{session.turn - back: text for back, text in enumerate(said, 1)}}
    held = [each for each in session.telling if each in texts and not _is_taken_back(session, each, texts[each])]
    told = tuple({texts[each]: each for each in reversed(held)}.values())[::-1]
    if told != session.heard:
        # If it fails, it is heard in the next turn; what needs the matcher beside it reports that it failed.
        with contextlib.suppress(DbdiagError):
            return Whole(await matcher.liken(session.snapshot_id, [texts[each] for each in told]), told)
    return Whole(session.likeness, session.heard)


def _is_taken_back(session: Session, turn: int, text: str) -> bool:
    """Whether nothing stands of what was recorded of a message, and it says little else, or was taken back at once."""
    active = {(each.phenomenon_id, each.verdict, each.words) for each in session.active()}
    of_turn = (each for each in session.ledger if each.case == session.case and each.turn == turn)
    found = [each for each in of_turn if not (each.collected or each.disowned)]  # Misheard: the words stand.
    if not found or any((each.phenomenon_id, each.verdict, each.words) in active for each in found):
        return False
    replaced = {each.corrected_from for each in session.ledger}
    for each in found:
        text = text.replace(each.words, " ")
    at_once = all(each.retracted_turn == turn + 1 and each.entry_id not in replaced for each in found)
    return at_once or not tells_more(text)


async def weigh_by_context(turn: Turn, services: Services, result: ToolResult) -> ToolResult:
    """The result with what it reads in words weighed; as it is, where the whole tells too little for a fit."""
    asked = {item.phenomenon_id for item in (*turn.session.pending, *turn.session.earlier)}
    asked |= (
        {item.phenomenon_id for item in turn.session.clarification.options} if turn.session.clarification else set()
    )
    readings = [*result.readings, *(each for words in result.words for each in words.meaning.readings)]
    doubtful = sorted({each.phenomenon_id for each in readings if _is_weighed(each)} - asked)
    if not (doubtful and turn.sounds_clear()):
        return result
    expected = await services.engine.expect(turn.known(), doubtful)
    fits = {each.phenomenon_id: math.log2(each.probability / each.base_rate) for each in expected}
    length = _words_in(turn.message)
    return _weighed(result, lambda each: _weigh(each, fits, length))


def _is_weighed(reading: Reading) -> bool:
    """Whether a yes may be misread: of what was done, and what came of it, nobody knows but who tells it."""
    weighed = Standing.PROPOSED if reading.pasted else Standing.COUNTS
    return reading.standing is weighed and reading.verdict is Verdict.CONFIRMED and reading.kind != OUTCOME


def _words_in(message: str) -> float:
    """How many words a message has, at least one; a Chinese one is about so many characters."""
    return max(1.0, len(_WORD.findall(message)) + len(_HAN.findall(message)) / _HAN_OF_WORD)


def _weigh(reading: Reading, fits: Mapping[str, float], length: float) -> Reading | None:
    """The reading as it stands by what else is told; None for one that is misread. length: in words."""
    if not _is_weighed(reading) or reading.phenomenon_id not in fits:
        return reading
    long = _ROWS_LONG if reading.pasted else length
    right = probability_of(reading.probability, fits[reading.phenomenon_id], long)
    if right < _ROWS_COUNT and reading.pasted:
        return reading
    if right < _NONE:
        return None
    standing = Standing.COUNTS if right >= _COUNTS else Standing.PROPOSED
    return replace(reading, standing=standing, probability=min(reading.probability, round(right, 4)))


def probability_of(own: float, fit: float, length: float) -> float:
    """The probability that a reading is right, by its own, by how it fits, in bits, and by the words of the message."""
    sure = min(own, _SUREST)
    logit = _OWN * math.log(sure / (1 - sure)) + _FIT * fit + _START - _LONG * math.log(length)
    return 1 / (1 + math.exp(-logit))


def _weighed(result: ToolResult, weigh: Callable[[Reading], Reading | None]) -> ToolResult:
    def kept(readings: Iterable[Reading]) -> tuple[Reading, ...]:
        return tuple(found for each in readings if (found := weigh(each)) is not None)

    words = tuple(
        replace(each, meaning=replace(each.meaning, readings=kept(each.meaning.readings))) for each in result.words
    )
    return replace(result, readings=kept(result.readings), words=words)
