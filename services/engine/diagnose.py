"""The engine as pure functions of a library and a request."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from services.chassis.errors import InvalidInput
from services.engine.answers import known_causes, known_phenomena, read_answers
from services.engine.belief import Posterior
from services.engine.conclude import conclude
from services.engine.contradict import contradiction
from services.engine.explain import contributions, explain
from services.engine.model import (
    DEFAULT_COUNT,
    ENGINE_VERSION,
    MAX_BOOST,
    MAX_HYPOTHESES,
    MAX_RECOMMENDATIONS,
    Comparison,
    Contribution,
    DiagnoseRequest,
    Diagnosis,
    ExplainRequest,
    Explanation,
    Hint,
    Hypothesis,
    ScoringRule,
    WhatIfRequest,
)
from services.engine.numerics import shown
from services.engine.reasoner import Library, Reasoner, bayes
from services.engine.recommend import questions, rank
from services.engine.seed_rule import SeedReasoner
from services.engine.snapshot import Snapshot
from services.engine.surprise import surprise_bits
from services.engine.what_if import compare

DEFAULT_THRESHOLD = 0.95
_MAX_IDS = 100_000


def diagnose(library: Library, request: DiagnoseRequest, threshold: float = DEFAULT_THRESHOLD) -> Diagnosis:
    """Beliefs, next questions and the conclusion; `threshold` applies when the request states none."""
    snapshot = library.snapshot
    threshold = _threshold(threshold if request.threshold is None else request.threshold)
    hypothesis_count = _count("max_hypotheses", request.max_hypotheses, MAX_HYPOTHESES)
    recommendation_count = _count("max_recommendations", request.max_recommendations, MAX_RECOMMENDATIONS)
    answers = read_answers(snapshot, request.evidence)
    boosts = _boosts(snapshot, request.hints)
    excluded = known_phenomena(snapshot, _limited(request.excluded_phenomenon_ids))
    reasoner = reasoner_of(library, request.rule)
    if library.kernel is not None and request.rule is not ScoringRule.SEED and not boosts:
        return library.kernel.diagnose(answers, excluded, hypothesis_count, recommendation_count, threshold)
    state = reasoner.posterior(answers)
    leader = state.leading(1)[0]
    ranked = rank(reasoner, answers, state, excluded).top(recommendation_count)
    return Diagnosis(
        snapshot_id=snapshot.snapshot_id,
        engine_version=ENGINE_VERSION,
        hypotheses=_hypotheses(reasoner, state, boosts, hypothesis_count),
        recommendations=questions(reasoner, state, ranked),
        conclusion=conclude(reasoner, answers, state, threshold),
        other_confidence=state.other,
        entropy_bits=state.entropy_bits,
        surprise_bits=surprise_bits(state, leader),
        root_cause_count=len(snapshot.cause_ids),
        contradiction=contradiction(reasoner, state, leader),
    )


def explain_belief(library: Library, request: ExplainRequest) -> Explanation:
    """See explain.explain."""
    return explain(reasoner_of(library, request.rule), request)


def what_if(library: Library, request: WhatIfRequest) -> Comparison:
    """See what_if.compare."""
    return compare(reasoner_of(library, request.rule), request)


def reasoner_of(library: Library, rule: ScoringRule) -> Reasoner:
    """The rule bound to the library. Raises InvalidInput for a library without causes."""
    if not library.snapshot.cause_ids:
        raise InvalidInput(f"reasoning over {library.snapshot.snapshot_id}: it has no root causes; publish some")
    return SeedReasoner(library) if rule is ScoringRule.SEED else bayes(library)


def _hypotheses(
    reasoner: Reasoner, state: Posterior, boosts: Mapping[int, float], count: int
) -> tuple[Hypothesis, ...]:
    prior, snapshot = reasoner.prior(), reasoner.library.snapshot
    causes = _shown(state, boosts, count)

    def hypothesis(cause: int, told: tuple[Contribution, ...]) -> Hypothesis:
        confidence, boost = shown(state.of(cause)), boosts.get(cause, 0.0)
        return Hypothesis(
            root_cause_id=snapshot.cause_ids[cause],
            name=snapshot.cause_names[cause],
            confidence=confidence,
            effective_confidence=min(1.0, confidence + boost),
            boost=boost,
            prior=float(prior[cause]),
            contributions=told,
        )

    return tuple(map(hypothesis, causes, contributions(reasoner, state, causes)))


def _shown(state: Posterior, boosts: Mapping[int, float], count: int) -> list[int]:
    """The leader, then suspected causes, then the rest, cut to `count`; by falling belief."""
    if not boosts:
        return state.leading(count)
    order = state.leading(len(state.causes))
    place = {cause: at for at, cause in enumerate(order)}
    wanted = sorted(order, key=lambda cause: (place[cause] > 0, cause not in boosts, place[cause]))
    return sorted(wanted[:count], key=lambda cause: place[cause])


def _boosts(snapshot: Snapshot, hints: Sequence[Hint]) -> dict[int, float]:
    causes = known_causes(snapshot, _limited([hint.root_cause_id for hint in hints]))
    boosts: dict[int, float] = {}
    for cause, hint in zip(causes, hints, strict=True):
        if not 0.0 <= hint.boost <= MAX_BOOST:
            raise InvalidInput(
                f"reading the hint at {hint.root_cause_id}: its boost is {hint.boost}, boosts are in [0, {MAX_BOOST}]",
                reason="boost_out_of_range",
                details={"ids": hint.root_cause_id},
            )
        boosts[cause] = max(boosts.get(cause, 0.0), hint.boost + 0.0)
    return boosts


def _limited(ids: Sequence[str]) -> Sequence[str]:
    if len(ids) > _MAX_IDS:
        raise InvalidInput(f"reading ids: {len(ids)} in one list, at most {_MAX_IDS} are taken")
    return ids


def _count(name: str, value: int, most: int) -> int:
    if not 0 <= value <= most:
        raise InvalidInput(f"reading {name}: {value}, at most {most} are returned")
    return value or DEFAULT_COUNT


def _threshold(value: float) -> float:
    if not (math.isfinite(value) and 0.5 < value < 1.0):
        raise InvalidInput(
            f"reading the threshold: {value}, thresholds are between 0.5 and 1", reason="threshold_out_of_range"
        )
    return value
