"""The engine as pure functions of a reasoning model and a request."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from services.chassis.errors import InvalidInput
from services.engine.inference.bayes import bind_bayes
from services.engine.inference.evidence import Answer, find_causes, find_phenomena, read_answers
from services.engine.inference.likeness import moved_by
from services.engine.inference.posterior import Posterior
from services.engine.inference.reasoner import Reasoner, ReasoningModel
from services.engine.inference.seed_rule import SeedReasoner
from services.engine.model import (
    DEFAULT_COUNT,
    ENGINE_VERSION,
    MAX_BOOST,
    MAX_HYPOTHESES,
    MAX_RECOMMENDATIONS,
    Conclusion,
    Contribution,
    DiagnoseRequest,
    Diagnosis,
    ExpectRequest,
    ExpectResponse,
    ExplainRequest,
    Explanation,
    Hint,
    Hypothesis,
    ScoringRule,
    WhatIfRequest,
    WhatIfResponse,
)
from services.engine.results.conclusion import conclude
from services.engine.results.expectation import expect
from services.engine.results.explanation import describe_contributions, explain
from services.engine.results.misfit import find_contradiction, surprise_bits
from services.engine.results.recommendation import Ranked, describe_questions, rank
from services.engine.results.what_if import compare
from services.engine.tables.numerics import round_all
from services.engine.tables.snapshot import Snapshot

DEFAULT_THRESHOLD = 0.95
_MAX_IDS = 100_000


def diagnose(model: ReasoningModel, request: DiagnoseRequest, threshold: float = DEFAULT_THRESHOLD) -> Diagnosis:
    """Computes beliefs, next questions and the conclusion; `threshold` applies if the request has none."""
    spoken, snapshot = _spoken(model, request), model.snapshot
    threshold = _threshold(threshold if request.threshold is None else request.threshold)
    hypothesis_count = _count("max_hypotheses", request.max_hypotheses, MAX_HYPOTHESES)
    recommendation_count = _count("max_recommendations", request.max_recommendations, MAX_RECOMMENDATIONS)
    fast = spoken.accelerator
    answers = (fast and fast.read(request.evidence)) or read_answers(snapshot, request.evidence)
    boosts = _boosts(snapshot, request.hints) if request.hints else {}
    closed = request.excluded_phenomenon_ids
    excluded = find_phenomena(snapshot, _limited(closed)) if closed else ()
    if fast and snapshot.cause_ids and request.rule is not ScoringRule.SEED and not boosts:
        return fast.diagnose(answers, excluded, hypothesis_count, recommendation_count, threshold)
    reasoner = bind_reasoner(spoken, request.rule)
    state = reasoner.posterior(answers)
    leader = state.leading(1)[0]
    found = conclude(reasoner, answers, state, threshold)
    alone = None if spoken is model or state.of(leader) < threshold else bind_reasoner(model, request.rule)
    if alone is not None:
        found = _borne_out(found, conclude(alone, answers, alone.posterior(answers), threshold))
    unshown = alone if found is None else None
    ranked = _rank(reasoner, answers, state, excluded, unshown, recommendation_count)
    return Diagnosis(
        snapshot_id=snapshot.snapshot_id,
        engine_version=ENGINE_VERSION,
        hypotheses=_hypotheses(reasoner, state, boosts, hypothesis_count),
        recommendations=describe_questions(reasoner, state, ranked),
        conclusion=found,
        other_confidence=state.other,
        entropy_bits=state.entropy_bits,
        surprise_bits=surprise_bits(state, leader),
        root_cause_count=len(snapshot.cause_ids),
        contradiction=find_contradiction(reasoner, state, leader),
    )


def expect_phenomena(model: ReasoningModel, request: ExpectRequest) -> ExpectResponse:
    """See expectation.expect."""
    return expect(bind_reasoner(_spoken(model, request), request.rule), request)


def _spoken(
    model: ReasoningModel, request: DiagnoseRequest | ExpectRequest | ExplainRequest | WhatIfRequest
) -> ReasoningModel:
    """The model as the words of the incident leave it; the baseline rule knows nothing of words."""
    return model if request.rule is ScoringRule.SEED else moved_by(model, request.likeness)


def _borne_out(found: Conclusion | None, alone: Conclusion | None) -> Conclusion | None:
    """A conclusion that the answers come to alone as well; the words are of its cause, and so of no second one."""
    if found is None or alone is None or found.root_cause_id != alone.root_cause_id:
        return None
    second = alone.second_root_cause_id, alone.second_confidence
    return found._replace(second_root_cause_id=second[0], second_confidence=second[1])


def _rank(
    reasoner: Reasoner,
    answers: Sequence[Answer],
    state: Posterior,
    excluded: Iterable[int],
    unshown: Reasoner | None,
    count: int,
) -> list[Ranked]:
    """The best questions. unshown: without the words, where these make sure of what no answer shows: it is asked."""
    ranking = rank(reasoner, answers, state, excluded)
    if unshown is None:
        return ranking.top(count)
    return [ranking.of(each) for each in rank(unshown, answers, unshown.posterior(answers), excluded).best(count)]


def explain_belief(model: ReasoningModel, request: ExplainRequest) -> Explanation:
    """See explanation.explain; what the words as a whole did is told beside the prior."""
    spoken = _spoken(model, request)
    found = explain(bind_reasoner(spoken, request.rule), request)
    if spoken is model:
        return found
    (cause,) = find_causes(model.snapshot, [found.root_cause_id])
    before = bind_reasoner(model, request.rule).prior_odds_bits(cause)
    return replace(found, prior_odds_bits=before, likeness_bits=found.prior_odds_bits - before)


def what_if(model: ReasoningModel, request: WhatIfRequest) -> WhatIfResponse:
    """See what_if.compare."""
    return compare(bind_reasoner(_spoken(model, request), request.rule), request)


def bind_reasoner(model: ReasoningModel, rule: ScoringRule) -> Reasoner:
    """The rule over the model. Raises InvalidInput for a model without causes."""
    if not model.snapshot.cause_ids:
        raise InvalidInput("invalid_request.no_root_causes", snapshot=model.snapshot.snapshot_id)
    return SeedReasoner(model) if rule is ScoringRule.SEED else bind_bayes(model)


def _hypotheses(
    reasoner: Reasoner, state: Posterior, boosts: Mapping[int, float], count: int
) -> tuple[Hypothesis, ...]:
    prior, snapshot = reasoner.prior(), reasoner.model.snapshot
    causes = _shown(state, boosts, count)

    def hypothesis(cause: int, confidence: float, parts: tuple[Contribution, ...]) -> Hypothesis:
        boost = boosts.get(cause, 0.0)
        return Hypothesis(
            root_cause_id=snapshot.cause_ids[cause],
            name=snapshot.cause_names[cause],
            confidence=confidence,
            effective_confidence=min(1.0, confidence + boost),
            boost=boost,
            prior=float(prior[cause]),
            contributions=parts,
        )

    beliefs = round_all(state.belief[causes]).tolist()
    return tuple(map(hypothesis, causes, beliefs, describe_contributions(reasoner, state, causes)))


def _shown(state: Posterior, boosts: Mapping[int, float], count: int) -> list[int]:
    """Up to `count` causes by falling belief: the leader first, then the suspected causes, then the others."""
    if not boosts:
        return state.leading(count)
    order = state.leading(len(state.causes))
    place = {cause: at for at, cause in enumerate(order)}
    wanted = sorted(order, key=lambda cause: (place[cause] > 0, cause not in boosts, place[cause]))
    return sorted(wanted[:count], key=lambda cause: place[cause])


def _boosts(snapshot: Snapshot, hints: Sequence[Hint]) -> dict[int, float]:
    causes = find_causes(snapshot, _limited([hint.root_cause_id for hint in hints]))
    boosts: dict[int, float] = {}
    for cause, hint in zip(causes, hints, strict=True):
        if not 0.0 <= hint.boost <= MAX_BOOST:
            raise InvalidInput("boost_out_of_range", ids=hint.root_cause_id, boost=hint.boost, most=MAX_BOOST)
        boosts[cause] = max(boosts.get(cause, 0.0), hint.boost + 0.0)
    return boosts


def _limited(ids: Sequence[str]) -> Sequence[str]:
    if len(ids) > _MAX_IDS:
        raise InvalidInput("invalid_request.too_many_ids", count=len(ids), most=_MAX_IDS)
    return ids


def _count(name: str, value: int, most: int) -> int:
    if not 0 <= value <= most:
        raise InvalidInput("invalid_request.too_many_results", field=name, value=value, most=most)
    return value or DEFAULT_COUNT


def _threshold(value: float) -> float:
    if not (math.isfinite(value) and 0.5 < value < 1.0):
        raise InvalidInput("threshold_out_of_range", threshold=value)
    return value
