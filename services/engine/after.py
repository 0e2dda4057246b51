"""What would be believed after one more answer.

    belief_r after a yes = belief_r theta'_pr / yes_p          after a no: (1 - theta'_pr) / (1 - yes_p)

Bayes again, from the belief that stands. Causes that a question is not linked to keep their order among themselves, so
it is enough to look at those linked to it and at a few of the leaders, or at all of a small library. Where the new
answer would change the weights of those given, all are weighed anew.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from services.engine.answers import Answer
from services.engine.belief import Posterior
from services.engine.likelihood import Likelihoods
from services.engine.model import Verdict
from services.engine.numerics import Floats, Indices, Places, falling, rounded, shown
from services.engine.snapshot import Snapshot

SHOWN = 3
# Causes that a question is to tell apart: as many of the leaders, when an answer moves them by so much.
_LEADING = 5
_MOVED = 0.01
# Questions with more links than this are looked at one by one, so that their table stays small.
_MOST_LINKS = 1024

# Causes by falling belief, ties by id, with the belief in each as it is reported.
Leaders: TypeAlias = list[tuple[int, float]]


class Outlook(NamedTuple):
    """A question's two answers: the three leading causes after each, the present leader's beliefs then, and which of
    the present leaders it tells apart, by falling difference."""

    yes: Leaders
    no: Leaders
    leader: tuple[float, float]
    told_apart: list[int]


def with_answer(answers: Sequence[Answer], phenomenon: int, verdict: Verdict) -> tuple[Answer, ...]:
    """The answers and one more about an open phenomenon, by phenomenon."""
    added = (*answers, Answer(phenomenon, verdict, 1.0))
    return tuple(sorted(added, key=lambda answer: answer.phenomenon))


def outlooks(
    snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Sequence[int], yes: Floats
) -> list[Outlook]:
    """The outlook of each of some open questions by Bayes; `yes` is the probability of each yes."""
    at = np.array(phenomena, dtype=np.int64)
    edges, rows = snapshot.edges_of_all(at)
    if len(phenomena) > 1 and len(edges) > _MOST_LINKS:
        return [
            found
            for place, phenomenon in enumerate(phenomena)
            for found in outlooks(snapshot, likelihoods, state, [phenomenon], yes[place : place + 1])
        ]
    causes = snapshot.edge_cause[edges]
    columns = _columns(state, causes, int(np.bincount(rows, minlength=1).max()))
    rates = likelihoods.answer_leak[at][:, np.newaxis].repeat(len(columns), axis=1)
    rates[rows, columns.searchsorted(causes)] += likelihoods.surplus.real[edges]
    return by_bayes(state, columns.tolist(), state.belief[columns], rates, yes)


def anew(state: Posterior, yes: Posterior, no: Posterior) -> Outlook:
    """The outlook between two beliefs that were worked out in full."""
    leading = state.leading(_LEADING)
    ordered = sorted(leading)
    moved = [abs(yes.of(cause) - no.of(cause)) for cause in ordered]
    return Outlook(
        yes=[(cause, shown(yes.of(cause))) for cause in yes.leading(SHOWN)],
        no=[(cause, shown(no.of(cause))) for cause in no.leading(SHOWN)],
        leader=(shown(yes.of(leading[0])), shown(no.of(leading[0]))),
        told_apart=[ordered[at] for at in falling(moved) if moved[at] >= _MOVED],
    )


def by_bayes(state: Posterior, names: Sequence[int], belief: Floats, rates: Floats, yes: Floats) -> list[Outlook]:
    """The outlooks of some questions. A column is of one of the causes `names`, in order, among which all that may lead
    are, with the belief in it; rates (questions, columns) is P(yes | cause)."""
    # Two rows of tables: after a yes and after a no; in each a row for a question and a column for a cause.
    beliefs = np.empty((2, *rates.shape))
    np.multiply(rates, belief, out=beliefs[0])
    np.multiply(1.0 - rates, belief, out=beliefs[1])
    beliefs /= np.array((yes, 1.0 - yes))[:, :, np.newaxis]
    leading = state.leading(_LEADING)
    ordered = sorted(leading)
    ahead = ordered if len(names) == len(state.causes) else [bisect_left(names, cause) for cause in ordered]
    moved, apart = _told_apart(beliefs.take(ahead, axis=2))
    first, second = rounded(beliefs[:, :, ahead[ordered.index(leading[0])]]).tolist()
    best, count = _greatest(beliefs.reshape(-1, len(names)), names), len(rates)
    return [
        Outlook(
            yes=best[place],
            no=best[count + place],
            leader=(first[place], second[place]),
            told_apart=[ordered[at] for at in apart[place] if moved[place][at]],
        )
        for place in range(count)
    ]


def _told_apart(beliefs: Floats) -> tuple[list[list[bool]], list[list[int]]]:
    """Which of the leaders each question moves, and all of them by falling difference; (2, questions, leaders)."""
    moved = np.abs(beliefs[0] - beliefs[1])
    order: list[list[int]] = (-rounded(moved)).argsort(axis=1, kind="stable").tolist()
    return (moved >= _MOVED).tolist(), order


def _greatest(beliefs: Floats, names: Sequence[int]) -> list[Leaders]:
    """The leaders of every row (rows, columns), named after their columns."""
    left = rounded(beliefs)
    flat, begins = left.reshape(-1), np.arange(0, left.size, len(names))
    found: list[Iterable[tuple[int, float]]] = []
    for _ in range(min(SHOWN, len(names))):
        columns = left.argmax(axis=1)
        at = begins + columns
        found.append(zip([names[column] for column in columns.tolist()], flat[at].tolist(), strict=True))
        flat[at] = -1.0
    return [list(row) for row in zip(*found, strict=True)]


def _columns(state: Posterior, causes: Places, most: int) -> Indices:
    """The causes that may lead after an answer, in order: the linked, and leaders enough for no question to link all.

    `most` is the greatest number of links that one question has.
    """
    chosen = np.zeros(len(state.causes), dtype=np.bool_)
    chosen[causes] = True
    chosen[state.leading(max(_LEADING, SHOWN + most))] = True
    return chosen.nonzero()[0]
