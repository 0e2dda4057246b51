"""Libraries of any size for the engine's measurements, drawn from a seed.

A graph has R causes, P phenomena and E links. Which phenomenon a link ends at is skewed (a few are shown by many
causes, most by few), which cause is even. Nine links of ten carry an expert's strength; tickets record about six of
their cause's phenomena, each as often as its strength says; a link without a strength is one that a ticket shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from services.engine.model import DiagnoseRequest, Evidence, Verdict
from services.engine.tables.numerics import Indices
from services.engine.tables.parameters import DEFAULT_PARAMETERS, STRENGTHS
from services.engine.tables.snapshot import NO_STRENGTH, Snapshot, Ticket, from_document, from_edges

# Beyond this, a snapshot is put together from arrays: as parsed JSON it would not fit into memory.
MOST_LINKS_AS_JSON = 100_000
_RECORDED = 6
_SKEW = 1.5
_STATED = 0.9
_SHARES = (0.15, 0.35, 0.35, 0.15)


@dataclass(frozen=True)
class Size:
    """How large a graph is; `tickets` is the mean number a cause has."""

    causes: int
    phenomena: int
    links: int
    tickets: int

    @property
    def name(self) -> str:
        """The size as shown in tables."""
        return f"{_short(self.causes)} x {_short(self.phenomena)} x {_short(self.links)}"


def _short(count: int) -> str:
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if count >= unit:
            return f"{count / unit:g}{sign}"
    return str(count)


SMALL = Size(60, 300, 1_200, 10)
MIDDLE = Size(1_000, 5_000, 30_000, 5)
LARGE = Size(10_000, 50_000, 500_000, 3)
HUGE = Size(100_000, 500_000, 5_000_000, 1)


@dataclass(frozen=True, eq=False)
class Graph:
    """Links sorted by phenomenon, then cause (E,): ends, strength and k_pr. ticket_causes (T,); a ticket's phenomena
    stand in `recorded` between its `ticket_starts` (T+1,). costs (P,)."""

    size: Size
    phenomenon: Indices
    cause: Indices
    strength: Indices
    hits: Indices
    ticket_causes: Indices
    ticket_starts: Indices
    recorded: Indices
    costs: Indices

    def ticket_counts(self) -> Indices:
        """n_r (R,)."""
        return np.bincount(self.ticket_causes, minlength=self.size.causes)

    def hit_counts(self) -> Indices:
        """k_p (P,)."""
        return np.bincount(self.recorded, minlength=self.size.phenomena)


def phenomenon_id(position: int) -> str:
    """The id at a position; ids sort as positions do."""
    return f"P-{position:06d}"


def cause_id(position: int) -> str:
    """The id at a position."""
    return f"RC-{position:06d}"


def draw(size: Size, seed: int = 1) -> Graph:
    """The graph of a size and a seed."""
    dice = np.random.default_rng(seed)
    keys = _pairs(size, dice)
    phenomenon, cause = np.divmod(keys, size.causes)
    strength = dice.choice(len(STRENGTHS), len(keys), p=_SHARES)
    ticket_causes = np.repeat(np.arange(size.causes), dice.integers(1, 2 * size.tickets, size.causes))
    ticket, link = _recorded(size, cause, strength, ticket_causes, dice)
    hits = np.bincount(link, minlength=len(keys))
    silent = (hits > 0) & (dice.random(len(keys)) > _STATED)
    return Graph(
        size=size,
        phenomenon=phenomenon,
        cause=cause,
        strength=np.where(silent, NO_STRENGTH, strength),
        hits=hits,
        ticket_causes=ticket_causes,
        ticket_starts=np.concatenate(([0], np.cumsum(np.bincount(ticket, minlength=len(ticket_causes))))),
        recorded=phenomenon[link],
        costs=dice.integers(1, 4, size.phenomena),
    )


def _pairs(size: Size, dice: np.random.Generator) -> Indices:
    """Distinct pairs as phenomenon * R + cause, sorted; every phenomenon and every cause has one."""
    shuffled = dice.permutation(size.phenomena)
    keys = np.arange(size.phenomena) * size.causes + np.arange(size.phenomena) % size.causes
    while len(keys) < size.links:
        missing = size.links - len(keys)
        ends = shuffled[(dice.random(missing) ** _SKEW * size.phenomena).astype(np.int64)]
        keys = np.unique(np.concatenate((keys, ends * size.causes + dice.integers(0, size.causes, missing))))
    return keys


def _recorded(
    size: Size, cause: Indices, strength: Indices, ticket_causes: Indices, dice: np.random.Generator
) -> tuple[Indices, Indices]:
    """Which ticket recorded which link, by ticket, then link."""
    rates = np.array([DEFAULT_PARAMETERS.expert_rates[name] for name in STRENGTHS])[strength]
    order = np.argsort(cause, kind="stable")
    counts = np.bincount(cause, minlength=size.causes)
    starts = np.concatenate(([0], np.cumsum(counts)))
    looked = np.minimum(1.0, _RECORDED / np.bincount(cause, weights=rates, minlength=size.causes))
    lengths = counts[ticket_causes]
    ticket = np.repeat(np.arange(len(ticket_causes)), lengths)
    within = np.arange(len(ticket)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    link = order[starts[ticket_causes[ticket]] + within]
    seen = dice.random(len(link)) < (rates * looked[cause])[link]
    return ticket[seen], link[seen]


def snapshot_of(graph: Graph) -> Snapshot:
    """The graph as the engine holds it: through the reader of documents while it is small, else from its arrays."""
    return from_document(document_of(graph), _NAME) if graph.size.links <= MOST_LINKS_AS_JSON else from_arrays(graph)


def from_arrays(graph: Graph) -> Snapshot:
    """The graph as the engine holds it, built without a document."""
    return from_edges(
        _NAME,
        Entries(phenomenon_id, graph.size.phenomena, graph.costs),
        Entries(cause_id, graph.size.causes, None),
        tuple(_tickets(graph)),
        keys=graph.phenomenon * graph.size.causes + graph.cause,
        hits=graph.hits,
        strengths=graph.strength,
        ticket_counts=graph.ticket_counts(),
    )


_NAME = "sha256:" + "0" * 64


def _tickets(graph: Graph) -> list[Ticket]:
    recorded, starts = graph.recorded.tolist(), graph.ticket_starts.tolist()
    return [
        Ticket(f"T-{at:07d}", cause, tuple(recorded[starts[at] : starts[at + 1]]), "")
        for at, cause in enumerate(graph.ticket_causes.tolist())
    ]


class Entries(Sequence[Mapping[str, Any]]):
    """Entries generated on access, so that memory shows the engine's tables rather than a library's texts."""

    def __init__(self, named: Any, size: int, costs: Indices | None) -> None:
        self._named, self._size, self._costs = named, size, costs

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> list[Mapping[str, Any]]: ...
    def __getitem__(self, at: int | slice) -> Mapping[str, Any] | list[Mapping[str, Any]]:
        if isinstance(at, slice):
            return [self[position] for position in range(*at.indices(self._size))]
        if not 0 <= at < self._size:
            raise IndexError(at)
        name = self._named(at)
        cost = 1 if self._costs is None else int(self._costs[at])
        return {"id": name, "name": {"zh": name, "en": name}, "cost": cost}


def document_of(graph: Graph) -> dict[str, Any]:
    """The graph as a parsed snapshot."""
    links: list[list[dict[str, Any]]] = [[] for _ in range(graph.size.causes)]
    ends = zip(graph.phenomenon.tolist(), graph.cause.tolist(), graph.strength.tolist(), strict=True)
    for phenomenon, cause, strength in ends:
        if strength != NO_STRENGTH:
            links[cause].append({"phenomenon": phenomenon_id(phenomenon), "strength": STRENGTHS[strength]})
    causes = [{**entry, "links": links[at]} for at, entry in enumerate(Entries(cause_id, graph.size.causes, None))]
    tickets = [
        {
            "id": ticket.ticket_id,
            "root_cause": cause_id(ticket.cause),
            "phenomena": [phenomenon_id(at) for at in ticket.phenomena],
        }
        for ticket in _tickets(graph)
    ]
    phenomena = list(Entries(phenomenon_id, graph.size.phenomena, graph.costs))
    return {"phenomena": phenomena, "root_causes": causes, "tickets": tickets}


@dataclass(frozen=True)
class Case:
    """The answers: positions of the confirmed and of the denied phenomena."""

    confirmed: tuple[int, ...]
    denied: tuple[int, ...]

    @property
    def answered(self) -> frozenset[int]:
        """Every phenomenon with an answer."""
        return frozenset(self.confirmed + self.denied)

    def request(self) -> DiagnoseRequest:
        """The case as a request to the engine."""
        said = [(at, Verdict.CONFIRMED) for at in self.confirmed] + [(at, Verdict.DENIED) for at in self.denied]
        return DiagnoseRequest(evidence=tuple(Evidence(phenomenon_id(at), verdict) for at, verdict in said))


def cases(graph: Graph, count: int, seed: int = 2) -> list[Case]:
    """Five answers each, from a drawn cause: three of what its tickets recorded confirmed; denied one more phenomenon
    that it has, no stronger than "sometimes", and one that it has not."""
    dice, found = np.random.default_rng(seed), list[Case]()
    while len(found) < count:
        links = np.flatnonzero(graph.cause == dice.integers(graph.size.causes))
        recorded = graph.phenomenon[links[graph.hits[links] > 0]]
        weak = graph.phenomenon[links[graph.strength[links] >= STRENGTHS.index("sometimes")]]
        confirmed = dice.permutation(recorded)[:3]
        denied = np.setdiff1d(weak, confirmed)
        other = int(dice.integers(graph.size.phenomena))
        if len(confirmed) == 3 and len(denied) and other not in graph.phenomenon[links]:
            found.append(Case(tuple(map(int, confirmed)), (int(dice.choice(denied)), other)))
    return found
