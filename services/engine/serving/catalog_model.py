"""The contents of a snapshot as listed to callers. Fields are named as on the wire."""

from __future__ import annotations

from dataclasses import dataclass

from services.engine.model import LocalizedText


@dataclass(frozen=True, slots=True)
class ListPhenomenaRequest:
    """No ids mean all."""

    snapshot_id: str = ""
    phenomenon_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """Something a person can observe, how to check it, and its base rate over all causes."""

    phenomenon_id: str
    name: LocalizedText
    description: LocalizedText
    observe_kind: str
    observation_method: str
    present_when: LocalizedText
    versions: str
    cost: int
    base_rate: float
    ticket_count: int
    complaint: bool
    how: LocalizedText


@dataclass(frozen=True, slots=True)
class PhenomenonList:
    """Phenomena in id order."""

    snapshot_id: str
    phenomena: tuple[Phenomenon, ...]


@dataclass(frozen=True, slots=True)
class ListRootCausesRequest:
    """No ids mean all."""

    snapshot_id: str = ""
    root_cause_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SolutionStep:
    """One step of a remedy, with its risk and how to undo it."""

    action: LocalizedText
    how: str
    risk: str
    undo: LocalizedText
    helps: str
    prevents: bool


@dataclass(frozen=True, slots=True)
class TicketReference:
    """A closed case of a cause."""

    ticket_id: str
    description: str


@dataclass(frozen=True, slots=True)
class RootCause:
    """A fault a person can fix; `prior` is the belief in it before any evidence."""

    root_cause_id: str
    name: LocalizedText
    category: str
    mechanism: LocalizedText
    solution: tuple[SolutionStep, ...]
    verify: LocalizedText
    references: tuple[str, ...]
    prior: float
    tickets: tuple[TicketReference, ...]


@dataclass(frozen=True, slots=True)
class RootCauseList:
    """Causes in id order."""

    snapshot_id: str
    root_causes: tuple[RootCause, ...]


@dataclass(frozen=True, slots=True)
class ListRelationsRequest:
    """The links of one phenomenon, of one cause, or all; at most one of the two ids is set."""

    snapshot_id: str = ""
    phenomenon_id: str = ""
    root_cause_id: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """A link: theta_pr, the stated strength and reason if any, and the number of supporting tickets."""

    phenomenon_id: str
    root_cause_id: str
    likelihood: float
    strength: str
    reason: LocalizedText
    ticket_hits: int
    ticket_count: int


@dataclass(frozen=True, slots=True)
class RelationList:
    """Links by falling likelihood, ties by phenomenon id, then cause id."""

    snapshot_id: str
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class ListSnapshotsRequest:
    """Requests the list of loaded snapshots."""


@dataclass(frozen=True, slots=True)
class LoadedSnapshot:
    """The size of a loaded snapshot, and the parameters that its tickets chose; see learning."""

    snapshot_id: str
    current: bool
    phenomenon_count: int
    root_cause_count: int
    link_count: int
    ticket_count: int
    answer_noise: float
    temper: float
    told_apart: float


@dataclass(frozen=True, slots=True)
class SnapshotList:
    """Loaded snapshots, most recently used first."""

    snapshots: tuple[LoadedSnapshot, ...]
    engine_version: str
