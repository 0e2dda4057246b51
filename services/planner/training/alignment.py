"""Labels for the pieces of a message whose plan is known: the likeliest ones that make the plan right."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np

from services.planner.model import SessionView, TurnPlan
from services.planner.understand.acts.labels import LABELS, Label
from services.planner.understand.acts.piece_features import own_features
from services.planner.understand.acts.tagger import Floats, Tagger
from services.planner.understand.pieces import pieces_of
from services.planner.understand.read import plan_of, prepared

# What every label is given beside its share, so that one that was never learned can be tried.
_PRIOR = 0.001
_TRIES = 250


def align(
    tagger: Tagger, original: str, view: SessionView, allowed: Sequence[Label], fits: Callable[[TurnPlan], bool]
) -> tuple[Label, ...] | None:
    """The likeliest labels of a message whose plan fits; None if none of the first 250 do.

    allowed: the labels that the plan leaves possible, which keeps the search small.
    """
    message = prepared(original)
    pieces = pieces_of(message, view)
    shares = [_shares(tagger.scores(*own_features(pieces, at, view))) for at in range(len(pieces))]
    places = [LABELS.index(label) for label in allowed]
    for chosen in islice(likely_sequences(shares, places), _TRIES):
        labels = tuple(LABELS[place] for place in chosen)
        if fits(plan_of(original, message, view, pieces, labels)):
            return labels
    return None


def likely_sequences(shares: Sequence[Floats], places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Sequences of places, the likeliest first, each piece taken by itself."""
    ranked = [sorted(places, key=lambda place: -share[place]) for share in shares]
    costs = [[-float(np.log(share[place])) for place in order] for share, order in zip(shares, ranked, strict=True)]
    first = (0,) * len(ranked)
    waiting, seen = [(sum(cost[0] for cost in costs), first)], {first}
    while waiting:
        total, chosen = heapq.heappop(waiting)
        yield tuple(ranked[at][rank] for at, rank in enumerate(chosen))
        for at, rank in enumerate(chosen):
            following = (*chosen[:at], rank + 1, *chosen[at + 1 :])
            if rank + 1 < len(places) and following not in seen:
                seen.add(following)
                heapq.heappush(waiting, (total - costs[at][rank] + costs[at][rank + 1], following))


def _shares(scores: Floats) -> Floats:
    shares = np.exp(scores - scores.max())
    return np.asarray((shares / shares.sum() + _PRIOR) / (1 + _PRIOR * len(scores)))
