"""The beliefs after one more answer.

    belief_r after a yes = belief_r theta'_pr / yes_p          after a no: (1 - theta'_pr) / (1 - yes_p)

This is Bayes' rule applied to the current belief. Causes that are not linked to a question keep their order, so it is
enough to evaluate the linked causes and a few leaders, or all causes of a small model. If the new answer would change
the weights of given ones, bayes.py computes both posteriors in full.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from services.engine.inference.evidence import Answer
from services.engine.inference.posterior import Posterior
from services.engine.model import Verdict
from services.engine.tables.likelihoods import Likelihoods
from services.engine.tables.numerics import Floats, Indices, Places, order_descending_few, round_all, round_reported
from services.engine.tables.snapshot import Snapshot

SHOWN = 3
# A question separates those of the first _LEADING causes whose beliefs after yes and no differ by at least _MOVED.
_LEADING = 5
_MOVED = 0.01
# Questions with more links in total are evaluated one by one, so that their table stays small.
_MOST_LINKS = 1024

# Causes by falling belief, ties by id, with the reported belief in each.
Leaders: TypeAlias = list[tuple[int, float]]


class Outlook(NamedTuple):
    """The effect of a question: the three leading causes after a yes and after a no, the belief in the current leader
    after either, and the current leaders that it separates, by falling difference."""

    yes: Leaders
    no: Leaders
    leader: tuple[float, float]
    separated: list[int]


def add_answer(answers: Sequence[Answer], phenomenon: int, verdict: Verdict) -> tuple[Answer, ...]:
    """The answers with one more about an open phenomenon, by phenomenon."""
    added = (*answers, Answer(phenomenon, verdict, 1.0))
    return tuple(sorted(added, key=lambda answer: answer.phenomenon))


def outlooks(
    snapshot: Snapshot, likelihoods: Likelihoods, state: Posterior, phenomena: Sequence[int], yes: Floats
) -> list[Outlook]:
    """The outlook of each of these open questions; `yes` is the probability of each yes."""
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
    return outlooks_from_rates(state, columns.tolist(), state.belief[columns], rates, yes)


def outlook_between(state: Posterior, yes: Posterior, no: Posterior) -> Outlook:
    """The outlook of a question from the posteriors after its two answers."""
    leading = state.leading(_LEADING)
    ordered = sorted(leading)
    moved = [abs(yes.of(cause) - no.of(cause)) for cause in ordered]
    return Outlook(
        yes=[(cause, round_reported(yes.of(cause))) for cause in yes.leading(SHOWN)],
        no=[(cause, round_reported(no.of(cause))) for cause in no.leading(SHOWN)],
        leader=(round_reported(yes.of(leading[0])), round_reported(no.of(leading[0]))),
        separated=[ordered[at] for at in order_descending_few(moved) if moved[at] >= _MOVED],
    )


def outlooks_from_rates(
    state: Posterior, names: Sequence[int], belief: Floats, rates: Floats, yes: Floats
) -> list[Outlook]:
    """The outlooks of some questions. `names` are the causes of the columns, in order, and include all that may lead;
    belief is that in each; rates (questions, columns) is P(yes | cause)."""
    # Two tables, after a yes and after a no, each (questions, columns).
    beliefs = np.empty((2, *rates.shape))
    np.multiply(rates, belief, out=beliefs[0])
    np.multiply(1.0 - rates, belief, out=beliefs[1])
    beliefs /= np.array((yes, 1.0 - yes))[:, :, np.newaxis]
    leading = state.leading(_LEADING)
    ordered = sorted(leading)
    ahead = ordered if len(names) == len(state.causes) else [bisect_left(names, cause) for cause in ordered]
    moved, apart = _separate(beliefs.take(ahead, axis=2))
    first, second = round_all(beliefs[:, :, ahead[ordered.index(leading[0])]]).tolist()
    best, count = _greatest(beliefs.reshape(-1, len(names)), names), len(rates)
    return [
        Outlook(
            yes=best[place],
            no=best[count + place],
            leader=(first[place], second[place]),
            separated=[ordered[at] for at in apart[place] if moved[place][at]],
        )
        for place in range(count)
    ]


def _separate(beliefs: Floats) -> tuple[list[list[bool]], list[list[int]]]:
    """The leaders that each question moves, and the leaders by falling difference; beliefs (2, questions, leaders)."""
    moved = np.abs(beliefs[0] - beliefs[1])
    order: list[list[int]] = (-round_all(moved)).argsort(axis=1, kind="stable").tolist()
    return (moved >= _MOVED).tolist(), order


def _greatest(beliefs: Floats, names: Sequence[int]) -> list[Leaders]:
    """The leaders of each row of beliefs (rows, columns); `names` are the causes of the columns."""
    left = round_all(beliefs)
    flat, begins = left.reshape(-1), np.arange(0, left.size, len(names))
    found: list[Iterable[tuple[int, float]]] = []
    for _ in range(min(SHOWN, len(names))):
        columns = left.argmax(axis=1)
        at = begins + columns
        found.append(zip([names[column] for column in columns.tolist()], flat[at].tolist(), strict=True))
        flat[at] = -1.0
    return [list(row) for row in zip(*found, strict=True)]


def _columns(state: Posterior, causes: Places, most: int) -> Indices:
    """The causes that may lead after an answer, in order: the linked ones, and enough leaders that some are unlinked.

    `most` is the greatest number of links of one question.
    """
    chosen = np.zeros(len(state.causes), dtype=np.bool_)
    chosen[causes] = True
    chosen[state.leading(max(_LEADING, SHOWN + most))] = True
    return chosen.nonzero()[0]
