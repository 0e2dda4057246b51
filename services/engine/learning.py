"""The numbers of the model that tickets choose: noise, temper, and how far links and background are told apart.

Some tickets are left out and played, question by question, against the library without them. What was answered then is
judged by every number of a small grid: by how many bits the right cause was believed in too little, the log loss. One
number after another, as long as the next step helps, the mildest is taken whose loss is within one standard error of
the least, the mildest of all being the one that stands, so that a number moves only where tickets say so clearly.

The grid never makes an answer count for more than it does by default, because tickets tell nothing of the wrong answers
of a conversation. All is a function of the snapshot's bytes: tickets are picked by the digest of their ids.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from services.engine.answers import Answer
from services.engine.likelihood import Likelihoods, learn
from services.engine.model import Verdict
from services.engine.numerics import Floats, Indices, Places, exp2, log2
from services.engine.parameters import DEFAULT_PARAMETERS, Parameters
from services.engine.reasoner import Library, bayes, open_library
from services.engine.recommend import rank, with_answer
from services.engine.snapshot import Snapshot
from services.engine.told import weights_of

GRID: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("answer_noise", (0.01, 0.02, 0.04, 0.08)),
    ("temper", (0.9, 0.8, 0.7, 0.6, 0.5)),
    ("told_apart", (0.25, 0.5, 0.75, 1.0)),
)
# Rates told apart are sharper, and tickets say nothing of wrong answers: of the odds' power, this much a share is kept
# back.
_RESERVE = 0.2
# A ticket that recorded less than this says too little of what was not there for its silence to be taken for a no.
_TELLING = 4
# So many tickets are played, fewer of a library with more pairs of a phenomenon and a cause than this.
_PLAYED, _PLAYED_OF_LARGE = 240, 120
_LARGE = 250_000
# The share of all tickets that is left out of one library at once.
_LEFT_OUT = 0.125
_QUESTIONS = 10
_THRESHOLD = 0.95
# Above these, opening a library would take seconds longer.
_MOST_CAUSES, _MOST_EDGES = 2_000, 200_000


@dataclass(frozen=True, slots=True)
class Learned:
    """The chosen numbers, how many tickets were played, and their log loss by the numbers before and after."""

    parameters: Parameters
    tickets: int = 0
    bits_before: float = 0.0
    bits_after: float = 0.0

    def figures(self) -> dict[str, float]:
        """What was chosen and from how much, by name."""
        chosen = {name: float(getattr(self.parameters, name)) for name, _ in GRID}
        learned = {"learned_from_tickets": self.tickets, "held_out_bits_before": self.bits_before}
        return {**chosen, **learned, "held_out_bits_after": self.bits_after}


@dataclass(frozen=True, eq=False)
class _Fold:
    """States of the conversations about some tickets, by a library without these; tables are its own, all of them.

    phenomena, denied and weights (A,) are answers, those of one state after another; starts (S,) is where each state's
    begin, right (S,) its cause, ticket (S,) the number of its ticket.
    """

    snapshot: Snapshot
    tables: Likelihoods
    phenomena: Indices
    denied: npt.NDArray[np.bool_]
    weights: Floats
    starts: Indices
    right: Indices
    ticket: Indices


def open_learned(snapshot: Snapshot, parameters: Parameters = DEFAULT_PARAMETERS) -> Library:
    """The snapshot with the tables learned from it, by the numbers that its tickets choose."""
    return open_library(snapshot, choose(snapshot, parameters).parameters)


def is_enough(snapshot: Snapshot, parameters: Parameters) -> bool:
    """Whether tickets can choose: `fewest_tickets` that recorded enough, of two causes, and no huge library."""
    causes = int(np.count_nonzero(snapshot.ticket_counts))
    size = len(snapshot.cause_ids) <= _MOST_CAUSES and len(snapshot.edge_cause) <= _MOST_EDGES
    telling = sum(1 for ticket in snapshot.tickets if len(ticket.phenomena) >= _TELLING)
    return telling >= max(parameters.fewest_tickets, 1.0) and causes >= 2 and size


def choose(snapshot: Snapshot, parameters: Parameters = DEFAULT_PARAMETERS) -> Learned:
    """The numbers that the tickets choose; those given where the tickets do not suffice or do not say clearly."""
    if not is_enough(snapshot, parameters):
        return Learned(parameters)
    folds = list(_folds(snapshot, parameters))
    before = _losses(folds, parameters)
    chosen, losses = parameters, before
    for name, values in GRID:
        candidates, found = [chosen], [losses]
        for value in values:
            if not _counts_for_less(chosen, name, value):
                continue
            candidates.append(_with(chosen, name, value))
            found.append(_losses(folds, candidates[-1]))
            if _mean(found[-1]) > _mean(found[-2]):
                break
        place = mildest(np.array(found))
        chosen, losses = candidates[place], found[place]
    return Learned(chosen, len(before), _mean(before), _mean(losses))


def mildest(losses: Floats) -> int:
    """The first row of losses (candidates, tickets) whose mean is within one standard error of the least.

    The error is that of the tickets' differences, because the same tickets are judged by both.
    """
    best = int(np.argmin([_mean(row) for row in losses]))
    for place in range(best):
        more = losses[place] - losses[best]
        spread = float(np.add.reduce((more - _mean(more)) ** 2)) / max(len(more) - 1, 1)
        if _mean(more) <= math.sqrt(spread / len(more)):
            return place
    return best


def _counts_for_less(parameters: Parameters, name: str, value: float) -> bool:
    now = float(getattr(parameters, name))
    return value < now if name == "temper" else value > now


def _with(parameters: Parameters, name: str, value: float) -> Parameters:
    changes: dict[str, Any] = {name: value}
    if name == "told_apart":
        changes["temper"] = parameters.temper * (1.0 - _RESERVE * value)
    return replace(parameters, **changes)


def _mean(values: Floats) -> float:
    return float(np.add.reduce(values)) / max(len(values), 1)


def _folds(snapshot: Snapshot, parameters: Parameters) -> Iterator[_Fold]:
    """The tickets that are played, each part of them by a library without that part."""
    digests = _digests(snapshot)
    played = sorted(digests, key=lambda at: (digests[at], at))
    played = played[: _PLAYED_OF_LARGE if _is_large(snapshot) else _PLAYED]
    step = max(1, int(_LEFT_OUT * len(snapshot.tickets)))
    for begin in range(0, len(played), step):
        part = played[begin : begin + step]
        library = open_library(snapshot.without(*part), parameters)
        yield _fold(library, snapshot, part, [digests[at] for at in part], begin)


def _digests(snapshot: Snapshot) -> dict[int, int]:
    """What picks the tickets that tell enough, by their places."""
    tickets = enumerate(snapshot.tickets)
    return {at: _digest(ticket.ticket_id) for at, ticket in tickets if len(ticket.phenomena) >= _TELLING}


def _is_large(snapshot: Snapshot) -> bool:
    return len(snapshot.phenomenon_ids) * len(snapshot.cause_ids) > _LARGE


def _digest(ticket_id: str) -> int:
    return int.from_bytes(hashlib.sha256(ticket_id.encode("utf-8", "surrogatepass")).digest()[:8])


def _fold(library: Library, snapshot: Snapshot, part: Sequence[int], digests: Sequence[int], first: int) -> _Fold:
    answers: list[Answer] = []
    weights, starts, right, numbers = list[Floats](), list[int](), list[int](), list[int]()
    for number, (at, digest) in enumerate(zip(part, digests, strict=True), first):
        ticket = snapshot.tickets[at]
        said = _played(library, frozenset(ticket.phenomena), ticket.phenomena[digest % len(ticket.phenomena)])
        for length in sorted({(len(said) + 1) // 2, len(said)}):
            starts.append(len(answers))
            answers += said[:length]
            weights.append(weights_of(library.likelihoods.redundancy, said[:length]))
            right.append(ticket.cause)
            numbers.append(number)
    return _Fold(
        snapshot=library.snapshot,
        tables=learn(library.snapshot, replace(library.likelihoods.parameters, told_apart=1.0), library.likelihoods),
        phenomena=np.array([answer.phenomenon for answer in answers], dtype=np.int64),
        denied=np.array([answer.verdict is Verdict.DENIED for answer in answers], dtype=np.bool_),
        weights=np.concatenate(weights),
        starts=np.array(starts),
        right=np.array(right),
        ticket=np.array(numbers),
    )


def _played(library: Library, present: frozenset[int], complaint: int) -> tuple[Answer, ...]:
    """What is answered, in the order of the questions, until a conclusion; what is not present is answered no."""
    reasoner = bayes(library)
    said: tuple[Answer, ...] = (Answer(complaint, Verdict.CONFIRMED, 1.0),)
    answers = said
    for _ in range(_QUESTIONS):
        state = reasoner.posterior(answers)
        if reasoner.is_concluded(answers, state, state.leading(1)[0], _THRESHOLD):
            break
        asked = rank(reasoner, answers, state).best(1)
        if not asked:
            break
        verdict = Verdict.CONFIRMED if asked[0] in present else Verdict.DENIED
        answers = with_answer(answers, asked[0], verdict)
        said = (*said, Answer(asked[0], verdict, 1.0))
    return said


def _losses(folds: Sequence[_Fold], parameters: Parameters) -> Floats:
    """Of every ticket, the mean of -log2 of the belief in its cause over its states."""
    tickets = int(folds[-1].ticket[-1]) + 1
    lost, states = np.zeros(tickets), np.zeros(tickets)
    for fold in folds:
        tables = learn(fold.snapshot, parameters, fold.tables)
        lost += np.bincount(fold.ticket, weights=_lost(fold, tables), minlength=tickets)
        states += np.bincount(fold.ticket, minlength=tickets)
    return np.asarray(lost / states)


def _lost(fold: _Fold, tables: Likelihoods) -> Floats:
    """-log2 of the belief in the right cause in every state (S,); see belief."""
    snapshot = fold.snapshot
    phenomena, row = np.unique(fold.phenomena, return_inverse=True)
    size = len(phenomena)
    edges, rows = snapshot.edges_of_all(phenomena)
    leak = tables.answer_leak[phenomena]
    yes = np.concatenate((tables.answer_base[phenomena], leak, leak[rows] + tables.surplus.real[edges]))
    bits = np.concatenate(
        [
            _spread(told, size, rows, snapshot.edge_cause[edges], len(tables.prior))
            for told in (log2(yes), log2(1.0 - yes))
        ]
    )[row + size * fold.denied]
    levels = tables.prior_bits + np.add.reduceat(fold.weights[:, np.newaxis] * bits, fold.starts, axis=0)
    levels -= levels.max(axis=1)[:, np.newaxis]
    total = log2(np.add.reduce(exp2(levels), axis=1))
    return np.asarray(total - levels[np.arange(len(levels)), fold.right])


def _spread(bits: Floats, size: int, rows: Indices, causes: Places, columns: int) -> Floats:
    """Bits of OTHER, of the unlinked and of the linked, by phenomenon and cause (size, columns), OTHER last."""
    spread = bits[size : 2 * size, np.newaxis].repeat(columns, axis=1)
    spread[rows, causes] = bits[2 * size :]
    spread[:, -1] = bits[:size]
    return spread
