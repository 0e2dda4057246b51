"""The baseline's pseudo-code in plain Python, loop by loop: beliefs, then the expected gain of every open phenomenon.

It keeps the pseudo-code's shape: hypotheses are objects, each simulated answer makes a new list of them, and rates are
looked up pair by pair. Rates are counted from tickets; experts and OTHER are unknown to it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.benchmarks.engines.graphs import Case, Graph, cause_id

_STRONG = 0.5


@dataclass
class Hypothesis:
    """A cause and the belief in it, with what it is called and which answers speak of it."""

    root_cause: int
    description: str
    confidence: float
    contributing: list[int]


class SeedGraph:
    """Counts of causes, and of causes together with phenomena."""

    def __init__(self, graph: Graph) -> None:
        self.root_causes = range(graph.size.causes)
        self.descriptions = [cause_id(cause) for cause in self.root_causes]
        self.total_tickets = len(graph.ticket_causes)
        self.ticket_count: Counter[int] = Counter(graph.ticket_causes.tolist())
        hits = zip(graph.phenomenon.tolist(), graph.cause.tolist(), graph.hits.tolist(), strict=True)
        self.together: dict[tuple[int, int], int] = {(at, cause): count for at, cause, count in hits if count}

    def co_occurrence(self, phenomenon: int, cause: int) -> float:
        """The share of the cause's tickets that recorded the phenomenon."""
        return self.together.get((phenomenon, cause), 0) / self.ticket_count[cause]


def calculate_confidence(graph: SeedGraph, case: Case) -> list[Hypothesis]:
    """Every cause with its belief, the most believed first."""
    hypotheses = []
    for cause in graph.root_causes:
        likelihood = 1.0
        for phenomenon in case.confirmed:
            likelihood *= 1 + (graph.co_occurrence(phenomenon, cause) - 1) * 1.0
        for phenomenon in case.denied:
            rate = graph.co_occurrence(phenomenon, cause)
            if rate > _STRONG:
                likelihood *= 1 - rate
        hypotheses.append(
            Hypothesis(
                root_cause=cause,
                description=graph.descriptions[cause],
                confidence=graph.ticket_count[cause] / graph.total_tickets * likelihood,
                contributing=[at for at in case.confirmed if graph.co_occurrence(at, cause) > 0],
            )
        )
    return sorted(_normalised(hypotheses), key=lambda hypothesis: hypothesis.confidence, reverse=True)


def information_gain(graph: SeedGraph, phenomenon: int, hypotheses: Sequence[Hypothesis]) -> float:
    """The entropy now less the expected entropy after an answer."""
    p_confirm = sum(one.confidence * graph.co_occurrence(phenomenon, one.root_cause) for one in hypotheses)
    if_confirmed = entropy(simulate_confirmation(graph, phenomenon, hypotheses))
    if_denied = entropy(simulate_denial(graph, phenomenon, hypotheses))
    return entropy(hypotheses) - (p_confirm * if_confirmed + (1 - p_confirm) * if_denied)


def simulate_confirmation(graph: SeedGraph, phenomenon: int, hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    """The hypotheses were the phenomenon confirmed."""
    simulated = []
    for one in hypotheses:
        confidence = one.confidence * graph.co_occurrence(phenomenon, one.root_cause)
        simulated.append(Hypothesis(one.root_cause, one.description, confidence, one.contributing))
    return _normalised(simulated)


def simulate_denial(graph: SeedGraph, phenomenon: int, hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    """The hypotheses were it denied."""
    simulated = []
    for one in hypotheses:
        rate = graph.co_occurrence(phenomenon, one.root_cause)
        confidence = one.confidence * (1 - rate if rate > _STRONG else 1)
        simulated.append(Hypothesis(one.root_cause, one.description, confidence, one.contributing))
    return _normalised(simulated)


def entropy(hypotheses: Iterable[Hypothesis]) -> float:
    """In bits."""
    return -sum(one.confidence * math.log2(one.confidence) for one in hypotheses if one.confidence > 0)


def _normalised(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    total = sum(one.confidence for one in hypotheses)
    if total > 0:
        for one in hypotheses:
            one.confidence /= total
    return hypotheses
