"""What all that was told sounds like, and readings weighed by how they fit it.

Words that hardly fit are mostly misread, and what pasted rows leave open counts where it fits.

    logit(right) = _OWN logit(own) + _FIT fit + _START        fit = log2(P(yes | all that is told) / base rate)

own is the probability by which the words were read. The three numbers are those under which 192 labelled readings of 99
incidents are likeliest; docs/hearing.md has the figures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading, Standing
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
from lang.modality import is_guessed
from services.chassis.errors import DbdiagError

_OWN, _FIT, _START = 0.5, 0.45, -1.9
# From this probability on a reading counts; below the other one it is none.
_COUNTS, _NONE = 0.59, 0.3
_SUREST = 0.999
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


async def hear_whole(turn: Turn, matcher: MatcherClient) -> None:
    """Keeps what the messages of the case sound like as a whole, without those that were taken back."""
    session = turn.session
    said = (each.text for each in reversed(session.dialogue) if each.speaker is Speaker.USER)
    texts = {session.turn: turn.message, **{session.turn - back: text for back, text in enumerate(said, 1)}}
    told = tuple(each for each in session.telling if each in texts and not _is_taken_back(session, each, texts[each]))
    if told == session.heard:
        return
    try:
        session.likeness = await matcher.liken(session.snapshot_id, [texts[each] for each in told])
    except DbdiagError:
        return  # The whole is heard in the next turn; what needs the matcher beside it reports that it failed.
    session.heard = told


def _is_taken_back(session: Session, turn: int, text: str) -> bool:
    """Whether nothing stands of what was recorded of a message, and it says little else, or was taken back at once."""
    active = {(each.phenomenon_id, each.verdict, each.words) for each in session.active()}
    found = [each for each in session.ledger if each.case == session.case and each.turn == turn and not each.collected]
    if not found or any(each.disowned or (each.phenomenon_id, each.verdict, each.words) in active for each in found):
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
    return _weighed(result, lambda each: _weigh(each, fits))


def _is_weighed(reading: Reading) -> bool:
    """Whether a yes may be misread: of what was done, and what came of it, nobody knows but who tells it."""
    weighed = Standing.PROPOSED if reading.pasted else Standing.COUNTS
    return reading.standing is weighed and reading.verdict is Verdict.CONFIRMED and reading.kind != OUTCOME


def _weigh(reading: Reading, fits: Mapping[str, float]) -> Reading | None:
    """The reading as it stands by what else is told; None for one that is misread."""
    if not _is_weighed(reading) or reading.phenomenon_id not in fits:
        return reading
    right = probability_of(reading.probability, fits[reading.phenomenon_id])
    if right < _COUNTS and reading.pasted:
        return reading
    if right < _NONE:
        return None
    standing = Standing.COUNTS if right >= _COUNTS else Standing.PROPOSED
    return replace(reading, standing=standing, probability=min(reading.probability, round(right, 4)))


def probability_of(own: float, fit: float) -> float:
    """The probability that a reading is right, by its own and by how it fits, in bits."""
    sure = min(own, _SUREST)
    return 1 / (1 + math.exp(-(_OWN * math.log(sure / (1 - sure)) + _FIT * fit + _START)))


def _weighed(result: ToolResult, weigh: Callable[[Reading], Reading | None]) -> ToolResult:
    def kept(readings: Iterable[Reading]) -> tuple[Reading, ...]:
        return tuple(found for each in readings if (found := weigh(each)) is not None)

    words = tuple(
        replace(each, meaning=replace(each.meaning, readings=kept(each.meaning.readings))) for each in result.words
    )
    return replace(result, readings=kept(result.readings), words=words)
