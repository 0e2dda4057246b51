"""The numbers of the model that tickets choose: how far links and background are told apart, noise and temper.

Some tickets are left out and played, question by question, against the library without them. What was answered then is
judged by every number of a small grid: by how many bits the right cause was believed in too little, the log loss. One
number after another, the mildest is taken whose loss is within one standard error of the least, the mildest of all
being the one that stands, so that a number moves only where tickets say so clearly.

The grid never makes an answer count for more than it does by default, because tickets tell nothing of the wrong answers
of a conversation. All is a function of the snapshot's bytes: tickets are picked by the digest of their ids.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from services.engine.answers import Answer
from services.engine.likelihood import Likelihoods, learn
from services.engine.model import Verdict
from services.engine.numerics import Floats, Indices, exp2, log2
from services.engine.parameters import DEFAULT_PARAMETERS, Parameters
from services.engine.reasoner import Library, bayes, open_library
from services.engine.recommend import rank, with_answer
from services.engine.snapshot import Snapshot
from services.engine.told import weights_of

GRID: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("told_apart", (0.25, 0.5, 0.75, 1.0)),
    ("answer_noise", (0.01, 0.02, 0.04, 0.08)),
    ("temper", (0.9, 0.8, 0.7, 0.6, 0.5)),
)
# More than so many are not played; their share of all tickets that is left out of one library at once.
_PLAYED = 240
_LEFT_OUT = 0.125
_QUESTIONS = 12
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


@dataclass(frozen=True, eq=False)
class _Fold:
    """States of the conversations about some tickets, by a library without these.

    phenomena, denied and weights (A,) are answers, those of one state after another; starts (S,) is where each state's
    begin, right (S,) its cause, ticket (S,) the number of its ticket.
    """

    library: Library
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
    """Whether the tickets can choose: so many as `fewest_tickets`, of two causes, and no huge library."""
    causes = int(np.count_nonzero(snapshot.ticket_counts))
    size = len(snapshot.cause_ids) <= _MOST_CAUSES and len(snapshot.edge_cause) <= _MOST_EDGES
    return len(snapshot.tickets) >= parameters.fewest_tickets and causes >= 2 and size


def choose(snapshot: Snapshot, parameters: Parameters = DEFAULT_PARAMETERS) -> Learned:
    """The numbers that the tickets choose; those given where the tickets do not suffice or do not say clearly."""
    if not is_enough(snapshot, parameters):
        return Learned(parameters)
    folds = list(_folds(snapshot, parameters))
    before = _losses(folds, parameters)
    chosen, losses = parameters, before
    for name, values in GRID:
        candidates = [
            chosen,
            *(replace(chosen, **{name: value}) for value in values if _is_milder(chosen, name, value)),
        ]
        found = [losses, *(_losses(folds, candidate) for candidate in candidates[1:])]
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
        if _mean(more) <= (spread / len(more)) ** 0.5:
            return place
    return best


def _is_milder(parameters: Parameters, name: str, value: float) -> bool:
    now = float(getattr(parameters, name))
    return value < now if name == "temper" else value > now


def _mean(values: Floats) -> float:
    return float(np.add.reduce(values)) / max(len(values), 1)


def _folds(snapshot: Snapshot, parameters: Parameters) -> Iterator[_Fold]:
    """The tickets that are played, each part of them by a library without that part."""
    digests = {at: _digest(ticket.ticket_id) for at, ticket in enumerate(snapshot.tickets) if ticket.phenomena}
    played = sorted(digests, key=lambda at: (digests[at], at))[:_PLAYED]
    step = max(1, int(_LEFT_OUT * len(snapshot.tickets)))
    for begin in range(0, len(played), step):
        part = played[begin : begin + step]
        library = open_library(snapshot.without(*part), parameters)
        yield _fold(library, snapshot, part, [digests[at] for at in part], begin)


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
        library=library,
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
        tables = learn(fold.library.snapshot, parameters, fold.library.likelihoods.redundancy)
        lost += np.bincount(fold.ticket, weights=_lost(fold, tables), minlength=tickets)
        states += np.bincount(fold.ticket, minlength=tickets)
    return np.asarray(lost / states)


def _lost(fold: _Fold, tables: Likelihoods) -> Floats:
    """-log2 of the belief in the right cause in every state (S,); see belief."""
    snapshot = fold.library.snapshot
    phenomena, row = np.unique(fold.phenomena, return_inverse=True)
    edges, rows = snapshot.edges_of_all(phenomena)
    yes = tables.answer_leak[phenomena][:, np.newaxis].repeat(len(tables.prior), axis=1)
    yes[rows, snapshot.edge_cause[edges]] += tables.surplus.real[edges]
    yes[:, -1] = tables.answer_base[phenomena]
    bits = log2(np.concatenate((yes, 1.0 - yes)))[row + len(phenomena) * fold.denied]
    levels = tables.prior_bits + np.add.reduceat(fold.weights[:, np.newaxis] * bits, fold.starts, axis=0)
    levels -= levels.max(axis=1)[:, np.newaxis]
    total = log2(np.add.reduce(exp2(levels), axis=1))
    return np.asarray(total - levels[np.arange(len(levels)), fold.right])
