"""What would be believed after one more answer.

    belief_r after a yes = belief_r theta'_pr / yes_p          after a no: (1 - theta'_pr) / (1 - yes_p)

Bayes again, from the belief that stands: only the causes linked to the phenomenon change their order among themselves,
so nothing else is worked out. Where the new answer would change the weights of those given, all are weighed anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from services.engine.answers import Answer
from services.engine.belief import Posterior, posterior
from services.engine.likelihood import Likelihoods
from services.engine.model import Verdict
from services.engine.numerics import Floats, falling
from services.engine.snapshot import Snapshot


class After(Protocol):
    """A belief of which only some causes are asked for."""

    def of(self, cause: int) -> float:
        """The belief in one cause."""

    def leading(self, count: int) -> list[int]:
        """The causes of the greatest belief, ties by id."""


@dataclass(frozen=True, slots=True)
class Shifted:
    """A belief by Bayes from another: `linked` causes as they stand now, all others times `factor`."""

    before: Posterior
    linked: Mapping[int, float]
    factor: float

    def of(self, cause: int) -> float:
        """See After."""
        found = self.linked.get(cause)
        return self.before.of(cause) * self.factor if found is None else found

    def leading(self, count: int) -> list[int]:
        """See After."""
        ahead = self.before.leading(count + len(self.linked))
        others = [cause for cause in ahead if cause not in self.linked][:count]
        pool = sorted((*self.linked, *others))
        return [pool[at] for at in falling([self.of(cause) for cause in pool], count)]


def with_answer(answers: Sequence[Answer], phenomenon: int, verdict: Verdict) -> tuple[Answer, ...]:
    """The answers and one more about an open phenomenon, by phenomenon."""
    added = (*answers, Answer(phenomenon, verdict, 1.0))
    return tuple(sorted(added, key=lambda answer: answer.phenomenon))


def after_answers(
    snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Sequence[int], yes: Floats
) -> list[tuple[After, After]]:
    """The belief after a yes and after a no to each of some open phenomena; `yes` is the probability of each yes."""
    at = np.array(phenomena, dtype=np.int64)
    edges, rows = snapshot.edges_of_all(at)
    leak = likelihoods.answer_leak[at]
    causes = snapshot.edge_cause[edges]
    rates, held, no = leak[rows] + likelihoods.surplus.real[edges], state.belief[causes], 1.0 - yes
    names, ends = causes.tolist(), np.searchsorted(rows, np.arange(len(at) + 1)).tolist()
    sides = [
        ((held * rates / yes[rows]).tolist(), (leak / yes).tolist()),
        ((held * (1.0 - rates) / no[rows]).tolist(), ((1.0 - leak) / no).tolist()),
    ]

    def shifted(place: int, beliefs: list[float], factors: list[float]) -> After:
        span = slice(ends[place], ends[place + 1])
        return Shifted(state, dict(zip(names[span], beliefs[span], strict=True)), factors[place])

    def anew(phenomenon: int, verdict: Verdict) -> After:
        return posterior(snapshot, likelihoods, with_answer(state.answers, phenomenon, verdict))

    found: list[tuple[After, After]] = []
    for place, phenomenon in enumerate(phenomena):
        if likelihoods.redundancy.alone(phenomenon, state.told.phenomena):
            found.append((shifted(place, *sides[0]), shifted(place, *sides[1])))
        else:
            found.append((anew(phenomenon, Verdict.CONFIRMED), anew(phenomenon, Verdict.DENIED)))
    return found
