"""What a question of whether something has to do with the trouble is about, and what the case knows of it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from dbdiag.engine.v1.engine_types import DiagnoseResponse, Relation
from dbdiag.matcher.v1.matcher_types import MatchPhenomenaRequest, Observation, SearchPhenomenaResponse
from dbdiag.planner.v1.planner_types import HypothesisView, MatterView, QuestionStep, Timing
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.contracts.clients import Services
from gateway.turn.context import Turn
from gateway.turn.findings import Exchange
from gateway.turn.suspected.suspects import NAMES_A_CAUSE_FROM, areas_of, names_only_area, tells_change
from gateway.turn.suspected.timing import asks_why
from gateway.turn.suspected.weighing import leader_of, weigh, with_change
from gateway.turn.tools.leading import find_bearing

_SEARCHED = 8
# What is on record is meant from less likeness than what is not.
_ON_RECORD_FROM = 0.2
# A sign is mostly of the cause that has it so much more often than any other.
_MOSTLY = 0.4
# A cause that shows a sign rarely has a reason why not: the sign does not speak for it.
_RARELY = "rarely"


async def find_matter(
    turn: Turn, services: Services, question: QuestionStep, diagnosis: DiagnoseResponse, exchanges: list[Exchange]
) -> MatterView:
    """What a question names: by its own words, else by those that it points at.

    Something that was changed is weighed by the times; an area by its causes; else what the words say or are like.
    """
    words = _words_of(question)
    stated = await _said(turn, services, words, exchanges)
    reply = await services.matcher.search(turn.session.snapshot_id, words, limit=_SEARCHED)
    exchanges.append(("search_phenomena", words, reply))
    on_record = [each for each in stated if turn.session.active_for(each) is not None]
    changed = with_change(turn, MatterView(words, leader=leader_of(diagnosis)))
    area = next(iter(areas_of(words)), "")
    if changed.timing is Timing.FITS and not on_record:
        return changed
    if area and not on_record and not asks_why(words) and names_only_area(words, _names(reply)):
        return await weigh(turn, services.engine, diagnosis, words, area=area)
    found = await _by_likeness(turn, services, words, _Heard((*stated,), reply), diagnosis)
    of_sign = found.phenomenon_id and (found.verdict is not None or found.points_to.root_cause_id)
    if changed.timing is Timing.FITS and of_sign:
        return replace(found, change=changed.change, onset=changed.onset, timing=changed.timing)
    return changed if changed.change and not of_sign else found


class _Heard(NamedTuple):
    """What words state, and what they are like."""

    stated: tuple[str, ...]
    alike: SearchPhenomenaResponse


async def _by_likeness(
    turn: Turn, services: Services, words: str, heard: _Heard, diagnosis: DiagnoseResponse
) -> MatterView:
    """The phenomenon or cause that words state or are like; what the message tells, where they name none."""
    leading = leader_of(diagnosis)
    liked = tuple(found.phenomenon_id for found in heard.alike.candidates if found.score >= _ON_RECORD_FROM)
    known = next((each for each in (*heard.stated, *liked) if turn.session.active_for(each) is not None), "")
    leaders = [each.root_cause_id for each in diagnosis.hypotheses]
    bearing = {} if known else await find_bearing(turn, services, leaders)
    pointed = next((each for each in (*heard.stated, *liked) if each in bearing), "")
    phenomenon_id = known or pointed or next(iter(heard.stated), "")
    root_cause_id = ""
    if not phenomenon_id:
        phenomenon_id, root_cause_id = _named(heard.alike)
    if not (phenomenon_id or root_cause_id):
        phenomenon_id = _told_now(turn)
    if phenomenon_id:
        return await _phenomenon(turn, services, words, phenomenon_id, leading, diagnosis, bearing.get(phenomenon_id))
    return await weigh(turn, services.engine, diagnosis, words, cause=root_cause_id)


def _words_of(question: QuestionStep) -> str:
    """The words of a question, where they name something themselves; else with those that it points at."""
    own, pointed = question.text, question.subject.words if question.subject is not None else None
    return own if not pointed or areas_of(own) or tells_change(own) else pointed


def _names(reply: SearchPhenomenaResponse) -> str:
    """The names of the cause that words are like."""
    best = next((each for each in reply.root_causes if each.score >= NAMES_A_CAUSE_FROM), None)
    return f"{best.name.zh}\n{best.name.en}" if best is not None else ""


def _told_now(turn: Turn) -> str:
    """What the same message told, where its question names nothing: "a batch began at nine, could that be it?"."""
    told = (each for each in reversed(turn.session.active()) if each.turn == turn.session.turn)
    return next((each.phenomenon_id for each in told if each.verdict is Verdict.CONFIRMED), "")


async def find_named_cause(turn: Turn, services: Services, question: QuestionStep, exchanges: list[Exchange]) -> str:
    """The cause whose remedy a question names: by its own words, else by a sign that hardly another cause has."""
    reply = await services.matcher.search(turn.session.snapshot_id, question.text, limit=1)
    exchanges.append(("search_phenomena", question.text, reply))
    phenomenon_id, _ = _named(replace(reply, root_causes=()))
    cause = next((each.root_cause_id for each in reply.root_causes if each.score >= NAMES_A_CAUSE_FROM), "")
    if cause or not phenomenon_id:
        return cause
    links = await services.engine.relations(turn.session.snapshot_id, phenomenon_id=phenomenon_id)
    first, second, *_ = (*links, Relation(), Relation())
    return first.root_cause_id if first.likelihood >= _MOSTLY + second.likelihood else ""


async def _said(turn: Turn, services: Services, words: str, exchanges: list[Exchange]) -> tuple[str, ...]:
    """The phenomena that words state."""
    request = MatchPhenomenaRequest(turn.session.snapshot_id, (Observation(words),))
    reply = await services.matcher.match(request)
    exchanges.append(("match_phenomena", request, reply))
    return tuple(reading.phenomenon_id for item in reply.interpretations for reading in item.readings)


def _named(reply: SearchPhenomenaResponse) -> tuple[str, str]:
    """The (phenomenon id, cause id) that words are like; at most one is not empty."""
    best = next((found for found in reply.candidates if found.score >= NAMES_A_CAUSE_FROM), None)
    cause = next((found for found in reply.root_causes if found.score >= NAMES_A_CAUSE_FROM), None)
    if best is not None and (cause is None or best.score >= cause.score):
        return best.phenomenon_id, ""
    return "", cause.root_cause_id if cause is not None else ""


async def _phenomenon(
    turn: Turn,
    services: Services,
    words: str,
    phenomenon_id: str,
    leader: HypothesisView,
    diagnosis: DiagnoseResponse,
    bears_on: Relation | None,
) -> MatterView:
    entry = turn.session.active_for(phenomenon_id)
    related = await services.engine.relations(turn.session.snapshot_id, phenomenon_id=phenomenon_id)
    links = [each for each in related if each.strength != _RARELY]
    link = next((each for each in links if each.root_cause_id == leader.root_cause_id), None)
    pointing = next((each for each in links if bears_on and each.root_cause_id == bears_on.root_cause_id), None)
    other = (pointing or next(iter(links), None)) if link is None and entry is None else None
    pointed = other.root_cause_id if other is not None else ""
    weighed = [item for each in diagnosis.hypotheses[:1] for item in each.contributions]
    bits = next((item.bits for item in weighed if item.phenomenon_id == phenomenon_id), 0.0)
    return MatterView(
        words,
        phenomenon_id=phenomenon_id,
        name=turn.catalog.phenomenon_name(phenomenon_id),
        verdict=entry.verdict if entry is not None else None,
        leader=leader,
        bits=bits,
        reason=_reason(link or other),
        points_to=HypothesisView(pointed, turn.catalog.root_cause_name(pointed)) if pointed else HypothesisView(),
    )


def _reason(link: Relation | None) -> LocalizedText:
    return link.reason if link is not None else LocalizedText()
