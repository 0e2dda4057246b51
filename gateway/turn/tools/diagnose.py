"""The tool diagnose: evaluates the whole active evidence and builds the view of the diagnosis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dbdiag.engine.v1.engine_types import DiagnoseRequest, DiagnoseResponse, Hypothesis, Recommendation
from dbdiag.planner.v1.planner_types import (
    AppliedSuggestion,
    ConclusionView,
    DiagnosisView,
    HypothesisView,
    Item,
    Mover,
    OutcomeView,
    OverturnView,
    RankedHypothesis,
    RankedRecommendation,
)
from dbdiag.vocabulary import LocalizedText

from gateway.contracts.engine_client import EngineClient
from gateway.session.belief_points import KEPT_BELIEFS, idle_turns, point_of
from gateway.turn.context import Turn
from gateway.turn.findings import Evaluation, ToolResult
from gateway.turn.tools.belief_history import find_changes, has_brought_evidence, replay_points
from gateway.turn.tools.caveats import contradiction_view, overturn_view, second_cause
from gateway.turn.tools.hints import add_confidence, add_suspected, steered
from gateway.turn.tools.leading import clearly_against, tell_sure_lead
from gateway.turn.tools.reach import beyond, limits_of, not_asked, other_scopes, out_of_reach
from gateway.turn.tools.told_words import Near, add_near, left_untied
from gateway.turn.tools.worth_asking import is_idle, leads_surely, stands_out, turns_since_shown, worth_asking

SHOWN_HYPOTHESES = 5
# Of so many checks that tell most, those are asked for that belong to the case.
ASKED, _WEIGHED = 3, 8
# So many are weighed while no cause stands out, and all tell about as much.
_WEIGHED_FIRST = 24
# Weaker evidence is not given as the reason for a move.
MOVES_FROM_BITS = 0.3
_SHOWN_CHANGES = 3


async def diagnose(turn: Turn, engine: EngineClient) -> ToolResult:
    """Evaluates the evidence; builds belief history and diagnosis view. All or nothing if a call fails."""
    request = _request(turn)
    diagnosis = await _evaluate(turn, engine, request)
    suggestions = tuple([await add_confidence(turn, engine, diagnosis, item) for item in turn.suggestions])
    asked = await steered(turn, engine, diagnosis, suggestions) if suggestions else ()
    near: Mapping[str, Near] = {}
    if not asked:
        asked, near = await add_near(turn, engine, diagnosis)
        asked = worth_asking(asked, diagnosis.hypotheses, {name: each.likely for name, each in near.items()})
    diagnosis = replace(diagnosis, recommendations=asked[:ASKED])
    session = turn.session
    points = session.case_points()
    last = points[-1] if points else None
    new = point_of(diagnosis, session.case, session.turn, request.evidence != turn.evidence_before)
    repeated = last is not None and last.concluded == new.concluded != ""
    overturn = await find_overturn(turn, engine) if new.concluded and not repeated else None
    history, corrections = session.points, tuple(turn.corrections)
    if corrections:
        changes = await find_changes(turn, engine, _SHOWN_CHANGES)
        corrections = (*corrections[:-1], replace(corrections[-1], changes=changes))
        history = await replay_points(turn, engine)
        new = replace(new, evidence_changed=has_brought_evidence(turn))
    history = [*history, new]
    view = replace(
        _view(turn, diagnosis, suggestions, session.beliefs(), near),
        conclusion=_make_conclusion(turn, diagnosis, repeated, overturn),
        idle_turns=idle_turns([point for point in history if point.case == session.case]),
        contradiction=contradiction_view(turn, diagnosis, last) if diagnosis.contradiction else None,
        surprise_bits_before=max((point.surprise_bits for point in points), default=None),
    )
    pending = _make_items(turn, () if new.concluded else diagnosis.recommendations)
    evaluation = Evaluation(diagnosis, view, tuple(history), pending, corrections, suggestions)
    told = tell_sure_lead(turn, diagnosis) if leads_surely(diagnosis.hypotheses) and _is_shown(diagnosis) else ()
    return ToolResult(answers=told, evaluation=evaluation, exchanges=(("diagnose", request, diagnosis),))


def _is_shown(diagnosis: DiagnoseResponse) -> bool:
    """Whether something on record speaks for the leading cause: on how words sound alone nobody acts."""
    return any(item.bits >= MOVES_FROM_BITS for each in diagnosis.hypotheses[:1] for item in each.contributions)


def _request(turn: Turn) -> DiagnoseRequest:
    return DiagnoseRequest(
        snapshot_id=turn.session.snapshot_id,
        evidence=turn.active_evidence(),
        max_hypotheses=KEPT_BELIEFS,
        max_recommendations=_WEIGHED_FIRST,
        threshold=turn.threshold,
        # A person is not asked for what a check can decide, what was just taken back, or what they cannot reach.
        excluded_phenomenon_ids=not_asked(turn),
        likeness=turn.known().likeness,
    )


async def _evaluate(turn: Turn, engine: EngineClient, request: DiagnoseRequest) -> DiagnoseResponse:
    """The engine's answer; includes questions that a check could decide, or somebody else, only if no other is left."""
    diagnosis = await engine.diagnose(request)
    unreached = out_of_reach(turn)
    scopes = other_scopes(turn)
    for excluded in dict.fromkeys(((*scopes, *unreached), scopes)):
        if diagnosis.conclusion or _has_more(diagnosis, bool(unreached)):
            break
        if excluded == request.excluded_phenomenon_ids:
            continue
        wider = await engine.diagnose(replace(request, excluded_phenomenon_ids=excluded))
        diagnosis = wider if _has_more(wider, bool(unreached)) else diagnosis
    if stands_out(diagnosis.hypotheses):
        diagnosis = replace(diagnosis, recommendations=diagnosis.recommendations[:_WEIGHED])
    return diagnosis


def _has_more(diagnosis: DiagnoseResponse, telling: bool) -> bool:
    """Whether there is a check to ask for; telling: one that may change something."""
    leading = diagnosis.hypotheses
    return any(not (telling and is_idle(item, leading)) for item in diagnosis.recommendations)


async def find_overturn(turn: Turn, engine: EngineClient) -> OverturnView | None:
    """The answer that would change the leading cause, asked of the engine; None if there is none."""
    explained = await engine.explain(turn.known())
    return overturn_view(turn.catalog, explained.overturns)


def _make_items(turn: Turn, recommendations: tuple[Recommendation, ...]) -> tuple[Item, ...]:
    tests = [turn.catalog.test_of(item.phenomenon_id) for item in recommendations]
    numbered = enumerate(zip(recommendations, tests, strict=True), 1)
    return tuple([Item(number, item.phenomenon_id, item.name, test) for number, (item, test) in numbered])


def _view(
    turn: Turn,
    diagnosis: DiagnoseResponse,
    suggestions: tuple[AppliedSuggestion, ...],
    before: tuple[HypothesisView, ...],
    near: Mapping[str, Near],
) -> DiagnosisView:
    causes = rank_causes(diagnosis, {belief.root_cause_id: belief.confidence for belief in before})
    causes = add_suspected(causes, suggestions) if suggestions else causes
    shown = select_shown(causes, SHOWN_HYPOTHESES)
    suspected = {each.root_cause_id for each in suggestions if not each.matter.area}
    return DiagnosisView(
        # A suspected cause may take an extra place.
        hypotheses=(*shown, *(each for each in causes if each.root_cause_id in suspected and each not in shown)),
        recommendations=tuple(
            [
                make_recommendation(turn, item, number, diagnosis.hypotheses, near.get(item.phenomenon_id))
                for number, item in enumerate(() if diagnosis.conclusion else diagnosis.recommendations, 1)
            ]
        ),
        other_confidence=diagnosis.other_confidence,
        surprise_bits=diagnosis.surprise_bits,
        movers=_movers(turn, diagnosis),
        root_cause_count=diagnosis.root_cause_count,
        untied=left_untied(turn),
    )


def rank_causes(diagnosis: DiagnoseResponse, before: Mapping[str, float]) -> tuple[RankedHypothesis, ...]:
    """The causes of a diagnosis with their beliefs of the previous turn."""
    return tuple(
        [
            RankedHypothesis(
                h.root_cause_id, h.name, h.confidence, h.effective_confidence, h.boost, before.get(h.root_cause_id)
            )
            for h in diagnosis.hypotheses
        ]
    )


def select_shown(hypotheses: tuple[RankedHypothesis, ...], most: int) -> tuple[RankedHypothesis, ...]:
    """The leading causes, including the previous leader."""
    first = hypotheses[:most]
    before = [item.confidence_before or 0.0 for item in hypotheses]
    led = before.index(max(before)) if any(before) else 0
    return first if led < most else (*first[:-1], hypotheses[led])


def _make_conclusion(
    turn: Turn, diagnosis: DiagnoseResponse, repeated: bool, overturn: OverturnView | None
) -> ConclusionView | None:
    if diagnosis.conclusion is None:
        return None
    view = replace(make_conclusion_view(turn, diagnosis, repeated), overturn=overturn)
    # What else may be wrong is told with the conclusion, and not each time that it comes back.
    before = {point.concluded for point in turn.session.case_points()}
    told = not repeated and view.root_cause_id in before
    return replace(view, second_cause=None) if told else view


def _movers(turn: Turn, diagnosis: DiagnoseResponse) -> tuple[Mover, ...]:
    """The effect of this turn's evidence on the leader, strongest first."""
    new = {noted.phenomenon_id for noted in turn.noted if not noted.facility}
    new |= {seen.phenomenon_id for seen in (turn.look.seen if turn.look else ())}
    leader = diagnosis.hypotheses[:1]
    moved = [
        item
        for hypothesis in leader
        for item in hypothesis.contributions
        if item.phenomenon_id in new and abs(item.bits) >= MOVES_FROM_BITS
    ]
    named = [(turn.catalog.phenomenon_name(item.phenomenon_id), item) for item in moved[:3]]
    movers = [Mover(name, item.bits, item.ticket_hits, item.ticket_count, item.verdict) for name, item in named]
    movers += [_moved_by_words(turn, hypothesis.root_cause_id) for hypothesis in leader]
    return tuple(sorted(movers, key=lambda item: -abs(item.bits)))


def _moved_by_words(turn: Turn, cause: str) -> Mover:
    """What this message changed about how much the whole sounds like a cause."""
    now, before = (
        next((each.bits for each in heard if each.root_cause_id == cause), 0.0)
        for heard in (turn.session.likeness, turn.likeness_before)
    )
    return Mover(bits=now - before, words=turn.session.words_like(cause))


def make_recommendation(
    turn: Turn, item: Recommendation, ordinal: int, leading: tuple[Hypothesis, ...], near: Near | None = None
) -> RankedRecommendation:
    """A recommendation with its check and the effect of each answer; near: the person's words that it is near to."""
    catalog = turn.catalog
    phenomenon = catalog.phenomena.get(item.phenomenon_id)
    how = phenomenon.how.say(turn.language) if phenomenon else ""
    beliefs = {hypothesis.root_cause_id: hypothesis.confidence for hypothesis in leading}
    related, after_yes, after_no = catalog.causes(
        [(found, beliefs.get(found, 0.0)) for found in item.related_root_cause_ids],
        *([(each.root_cause_id, each.confidence) for each in after.beliefs] for after in (item.if_yes, item.if_no)),
    )
    return RankedRecommendation(
        ordinal,
        item.phenomenon_id,
        item.name,
        observe_kind=phenomenon.observe_kind if phenomenon else "",
        observation_method=how,
        present_when=catalog.test_of(item.phenomenon_id),
        information_gain_bits=item.information_gain_bits,
        if_yes=OutcomeView(item.if_yes.probability, after_yes),
        if_no=OutcomeView(item.if_no.probability, after_no),
        related=related,
        cost=item.cost,
        idle=not turn.suggestions and is_idle(item, leading),
        shown=turns_since_shown(turn, how) is not None,
        beyond=beyond(phenomenon, limits_of(turn.session)) if phenomenon else (),
        words=near.of(item.if_yes.probability) if near is not None else "",
    )


def make_conclusion_view(turn: Turn, diagnosis: DiagnoseResponse, repeated: bool) -> ConclusionView:
    """The concluded cause with its remedy and the most similar past cases. Raises ValueError without a conclusion."""
    catalog, conclusion = turn.catalog, diagnosis.conclusion
    if conclusion is None:
        raise ValueError("nothing is concluded")
    found = (each for each in diagnosis.hypotheses if each.root_cause_id == conclusion.root_cause_id)
    against = clearly_against(next(found, None))
    conflicting = [each for each in conclusion.conflicting_phenomenon_ids if each in against]
    cause = catalog.root_causes.get(conclusion.root_cause_id)
    tickets = {ticket.ticket_id: ticket for ticket in cause.tickets} if cause else {}
    name = catalog.phenomenon_name
    return ConclusionView(
        conclusion.root_cause_id,
        conclusion.name,
        conclusion.confidence,
        mechanism=cause.mechanism if cause else LocalizedText(),
        plain=cause.plain if cause else LocalizedText(),
        supporting=turn.evidence_names(conclusion.supporting_phenomenon_ids, lacks=False),
        conflicting=turn.evidence_names(conflicting),
        unchecked=tuple(map(name, conclusion.unchecked_phenomenon_ids)),
        unexplained=tuple(map(name, conclusion.unexplained_phenomenon_ids)),
        relief=cause.relief if cause else (),
        solution=cause.solution if cause else (),
        verify=cause.verify if cause else LocalizedText(),
        tickets=tuple(tickets[ticket_id] for ticket_id in conclusion.ticket_ids if ticket_id in tickets),
        repeated_conclusion=repeated,
        second_cause=second_cause(catalog, conclusion),
    )
