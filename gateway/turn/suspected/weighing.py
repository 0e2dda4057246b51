"""What the case says of a suspected cause or area: the belief now and before, and the facts for it and against it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dbdiag.engine.v1.engine_types import Contribution, DiagnoseResponse
from dbdiag.planner.v1.planner_types import EvidenceView, HypothesisView, MatterView, Timing
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.contracts.engine_client import EngineClient
from gateway.turn.context import Turn
from gateway.turn.suspected.suspects import causes_in, is_about
from gateway.turn.suspected.timing import began_with, compare, is_of_change, said_change, said_onset

# From this weight on a fact speaks for a cause; so much more for another it speaks against it.
_SPEAKS, _OPPOSES = 0.3, 1.0
_MOST, _MISSING = 2, 2


def leader_of(diagnosis: DiagnoseResponse) -> HypothesisView:
    """The leading cause with its belief."""
    leader = next(iter(diagnosis.hypotheses), None)
    return HypothesisView(leader.root_cause_id, leader.name, leader.confidence) if leader else HypothesisView()


async def weigh(
    turn: Turn, engine: EngineClient, diagnosis: DiagnoseResponse, words: str, *, area: str = "", cause: str = ""
) -> MatterView:
    """How the case stands to an area or to a cause; to the change that is asked about, where that is neither."""
    leader = leader_of(diagnosis)
    matter = with_change(turn, MatterView(words, area=area, leader=leader))
    causes = causes_in(area, turn.catalog) if area else [cause] if cause else []
    if not causes:
        seen = [each for each in turn.session.active() if each.verdict is Verdict.CONFIRMED and area]
        about = [each for each in seen if is_about(area, turn.catalog.phenomenon_name(each.phenomenon_id).en)]
        return replace(matter, speaking=turn.views_of(about)[:_MOST])
    believed = {each.root_cause_id: each.confidence for each in diagnosis.hypotheses}
    known = turn.catalog.root_causes
    likeliest = max(causes, key=lambda each: (believed.get(each, 0.0), known[each].prior if each in known else 0.0))
    explained = await engine.explain(turn.known(), likeliest)
    others = sum(believed.get(each, 0.0) for each in causes if each != likeliest)
    own = explained.contributions
    described = known.get(likeliest)
    return replace(
        matter,
        root_cause_id=likeliest,
        name=explained.name,
        confidence=explained.confidence + others,
        prior=sum(known[each].prior for each in causes if each in known),
        bits=max((each.bits for each in own), default=0.0),
        reason=described.mechanism if described is not None else LocalizedText(),
        missing=tuple(turn.catalog.phenomenon_name(each.phenomenon_id) for each in explained.unchecked[:_MISSING]),
        speaking=_views(turn, (each for each in own if each.bits >= _SPEAKS and each.verdict is Verdict.CONFIRMED)),
        opposing=_views(turn, _opposing(own, diagnosis, likeliest)),
    )


def with_change(turn: Turn, matter: MatterView) -> MatterView:
    """A matter with the change that its words ask about, and how that lies to the beginning."""
    change = said_change(turn.session, turn.message, matter.words)
    if not change:
        return matter
    if began_with(change):
        return replace(matter, change=change, onset=change, timing=Timing.FITS)
    onset = said_onset(turn.session, turn.message)
    timing = compare(change, onset)
    if timing is None and (recorded := _on_record(turn, change)):
        return replace(matter, change=recorded, onset=recorded, timing=Timing.FITS)
    return replace(matter, change=change, onset=onset, timing=timing)


def _on_record(turn: Turn, change: str) -> str:
    """The words on record by which it began with a change like this; "" if there are none."""
    seen = [each for each in turn.session.active() if each.verdict is Verdict.CONFIRMED]
    return next((each.words for each in seen if is_of_change(each.words, change)), "")


def _opposing(own: Iterable[Contribution], diagnosis: DiagnoseResponse, cause: str) -> list[Contribution]:
    """What lowers the belief in a cause, or speaks so much more for the leader; most first."""
    leader = next((each for each in diagnosis.hypotheses[:1] if each.root_cause_id != cause), None)
    for_leader = {each.phenomenon_id: each.bits for each in leader.contributions} if leader is not None else {}
    weighed = [(for_leader.get(each.phenomenon_id, 0.0) - each.bits, each) for each in own]
    against = [(bits, each) for bits, each in weighed if bits >= _OPPOSES]
    against.sort(key=lambda each: (each[1].verdict is not Verdict.CONFIRMED, -each[0]))
    return [each for _, each in against]


def _views(turn: Turn, weighed: Iterable[Contribution]) -> tuple[EvidenceView, ...]:
    """The facts on record behind what was weighed, at most two."""
    entries = [turn.session.active_for(each.phenomenon_id) for each in weighed]
    return turn.views_of([each for each in entries if each is not None and not each.lacking])[:_MOST]
