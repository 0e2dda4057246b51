"""Chooses parameters from tickets: noise, temper, and the separation of links from background.

Some tickets are held out and played, question by question, against the model without them. Every value of a small grid
is scored by its log loss, in bits, on the answers given. One parameter after another, as long as the next value helps,
the mildest value is chosen whose loss is within one standard error of the minimum. The current value is the mildest, so
a parameter changes only if the tickets support the change clearly.

No value of the grid makes an answer count for more than it does by default, because tickets contain none of the wrong
answers of a conversation. The result depends only on the bytes of the snapshot: tickets are picked by the digest of
their ids.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from services.engine.inference.answer_bits import weights_of
from services.engine.inference.bayes import bind_bayes
from services.engine.inference.evidence import Answer
from services.engine.inference.lookahead import add_answer
from services.engine.inference.reasoner import Accelerate, ReasoningModel, open_model
from services.engine.model import Verdict
from services.engine.results.recommendation import rank
from services.engine.tables.likelihoods import Likelihoods, learn_likelihoods
from services.engine.tables.numerics import Floats, Indices, Places, exp2, log2
from services.engine.tables.parameters import DEFAULT_PARAMETERS, Parameters
from services.engine.tables.snapshot import Snapshot

GRID: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("answer_noise", (0.01, 0.02, 0.04, 0.08)),
    ("temper", (0.9, 0.8, 0.7, 0.6, 0.5)),
    ("told_apart", (0.25, 0.5, 0.75, 1.0)),
)
# Separated rates are sharper, but tickets contain no wrong answers, so a share s of separation also lowers the temper:
# it is multiplied by 1 - _RESERVE s.
_RESERVE = 0.2
# A ticket that recorded fewer phenomena is too short for its silence about others to count as a no.
_TELLING = 4
# The number of tickets played; fewer for models with more than _LARGE pairs of phenomenon and cause.
_PLAYED, _PLAYED_OF_LARGE = 240, 120
_LARGE = 250_000
# The share of all tickets that is held out of one model at a time.
_LEFT_OUT = 0.125
_QUESTIONS = 10
_THRESHOLD = 0.95
# Above these limits, opening a model would take seconds longer.
_MOST_CAUSES, _MOST_EDGES = 2_000, 200_000


@dataclass(frozen=True, slots=True)
class Learned:
    """The chosen parameters, the number of tickets played, and their log loss in bits before and after the choice."""

    parameters: Parameters
    tickets: int = 0
    bits_before: float = 0.0
    bits_after: float = 0.0

    def figures(self) -> dict[str, float]:
        """The chosen parameters and the figures behind the choice, by name."""
        chosen = {name: float(getattr(self.parameters, name)) for name, _ in GRID}
        learned = {"learned_from_tickets": self.tickets, "held_out_bits_before": self.bits_before}
        return {**chosen, **learned, "held_out_bits_after": self.bits_after}


@dataclass(frozen=True, eq=False)
class _Fold:
    """States of conversations about held-out tickets, with the model without them; `tables` are that model's.

    phenomena, denied and weights (A,) describe the answers, one state after another; starts (S,) is the first answer of
    each state, right (S,) its true cause, ticket (S,) the number of its ticket.
    """

    snapshot: Snapshot
    tables: Likelihoods
    phenomena: Indices
    denied: npt.NDArray[np.bool_]
    weights: Floats
    starts: Indices
    right: Indices
    ticket: Indices


def open_learned(
    snapshot: Snapshot, parameters: Parameters = DEFAULT_PARAMETERS, accelerate: Accelerate | None = None
) -> ReasoningModel:
    """Builds the tables of a snapshot with the parameters that its tickets choose; see ReasoningModel."""
    return open_model(snapshot, choose_parameters(snapshot, parameters, accelerate).parameters, accelerate)


def is_enough(snapshot: Snapshot, parameters: Parameters) -> bool:
    """True if the tickets suffice: `fewest_tickets` that recorded enough, two causes, and a model that is not huge."""
    causes = int(np.count_nonzero(snapshot.ticket_counts))
    size = len(snapshot.cause_ids) <= _MOST_CAUSES and len(snapshot.edge_cause) <= _MOST_EDGES
    telling = sum(1 for ticket in snapshot.tickets if len(ticket.phenomena) >= _TELLING)
    return telling >= max(parameters.fewest_tickets, 1.0) and causes >= 2 and size


def choose_parameters(
    snapshot: Snapshot, parameters: Parameters = DEFAULT_PARAMETERS, accelerate: Accelerate | None = None
) -> Learned:
    """The parameters that the tickets choose; those given if the tickets do not suffice or do not support a change."""
    if not is_enough(snapshot, parameters):
        return Learned(parameters)
    folds = list(_folds(snapshot, parameters, accelerate))
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
        place = choose_mildest(np.array(found))
        chosen, losses = candidates[place], found[place]
    return Learned(chosen, len(before), _mean(before), _mean(losses))


def choose_mildest(losses: Floats) -> int:
    """The first row of losses (candidates, tickets) whose mean is within one standard error of the minimum.

    The error is that of the differences by ticket, because all candidates are scored on the same tickets.
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


def _folds(snapshot: Snapshot, parameters: Parameters, accelerate: Accelerate | None) -> Iterator[_Fold]:
    """The tickets that are played, in parts; each part is played against the model without it."""
    digests = _digests(snapshot)
    played = sorted(digests, key=lambda at: (digests[at], at))
    played = played[: _PLAYED_OF_LARGE if _is_large(snapshot) else _PLAYED]
    step = max(1, int(_LEFT_OUT * len(snapshot.tickets)))
    for begin in range(0, len(played), step):
        part = played[begin : begin + step]
        model = open_model(snapshot.without(*part), parameters, accelerate)
        yield _fold(model, snapshot, part, [digests[at] for at in part], begin)


def _digests(snapshot: Snapshot) -> dict[int, int]:
    """The digest of each ticket that recorded enough, by position; the smallest digests are picked."""
    tickets = enumerate(snapshot.tickets)
    return {at: _digest(ticket.ticket_id) for at, ticket in tickets if len(ticket.phenomena) >= _TELLING}


def _is_large(snapshot: Snapshot) -> bool:
    return len(snapshot.phenomenon_ids) * len(snapshot.cause_ids) > _LARGE


def _digest(ticket_id: str) -> int:
    return int.from_bytes(hashlib.sha256(ticket_id.encode("utf-8", "surrogatepass")).digest()[:8])


def _fold(model: ReasoningModel, snapshot: Snapshot, part: Sequence[int], digests: Sequence[int], first: int) -> _Fold:
    answers: list[Answer] = []
    weights, starts, right, numbers = list[Floats](), list[int](), list[int](), list[int]()
    for number, (at, digest) in enumerate(zip(part, digests, strict=True), first):
        ticket = snapshot.tickets[at]
        said = _played(model, frozenset(ticket.phenomena), ticket.phenomena[digest % len(ticket.phenomena)])
        for length in sorted({(len(said) + 1) // 2, len(said)}):
            starts.append(len(answers))
            answers += said[:length]
            weights.append(weights_of(model.likelihoods.redundancy, said[:length]))
            right.append(ticket.cause)
            numbers.append(number)
    return _Fold(
        snapshot=model.snapshot,
        tables=learn_likelihoods(
            model.snapshot, replace(model.likelihoods.parameters, told_apart=1.0), model.likelihoods
        ),
        phenomena=np.array([answer.phenomenon for answer in answers], dtype=np.int64),
        denied=np.array([answer.verdict is Verdict.DENIED for answer in answers], dtype=np.bool_),
        weights=np.concatenate(weights),
        starts=np.array(starts),
        right=np.array(right),
        ticket=np.array(numbers),
    )


def _played(model: ReasoningModel, present: frozenset[int], complaint: int) -> tuple[Answer, ...]:
    """The answers in the order of the questions, until a conclusion; absent phenomena are answered with no."""
    reasoner = bind_bayes(model)
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
        answers = add_answer(answers, asked[0], verdict)
        said = (*said, Answer(asked[0], verdict, 1.0))
    return said


def _losses(folds: Sequence[_Fold], parameters: Parameters) -> Floats:
    """The mean over the states of each ticket of -log2 of the belief in its cause."""
    tickets = int(folds[-1].ticket[-1]) + 1
    lost, states = np.zeros(tickets), np.zeros(tickets)
    for fold in folds:
        tables = learn_likelihoods(fold.snapshot, parameters, fold.tables)
        lost += np.bincount(fold.ticket, weights=_lost(fold, tables), minlength=tickets)
        states += np.bincount(fold.ticket, minlength=tickets)
    return np.asarray(lost / states)


def _lost(fold: _Fold, tables: Likelihoods) -> Floats:
    """-log2 of the belief in the true cause in every state (S,); see posterior."""
    snapshot = fold.snapshot
    phenomena, row = np.unique(fold.phenomena, return_inverse=True)
    size = len(phenomena)
    edges, rows = snapshot.edges_of_all(phenomena)
    leak = tables.answer_leak[phenomena]
    yes = np.concatenate((tables.answer_base[phenomena], leak, leak[rows] + tables.surplus.real[edges]))
    bits = np.concatenate(
        [
            _spread(logs, size, rows, snapshot.edge_cause[edges], len(tables.prior))
            for logs in (log2(yes), log2(1.0 - yes))
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
