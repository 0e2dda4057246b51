"""The names and texts of a snapshot, fetched from the engine once: snapshots are immutable."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from dbdiag.engine.v1.engine_types import Phenomenon, RootCause
from dbdiag.planner.v1.planner_types import HypothesisView, Language
from dbdiag.vocabulary import LocalizedText

from gateway.contracts.engine_client import EngineClient
from services.chassis.errors import NotFound

_KEPT = 8


class Named(Protocol):
    """Something of a phenomenon."""

    @property
    def phenomenon_id(self) -> str:
        """The id of the phenomenon."""


@dataclass(frozen=True)
class Catalog:
    """Phenomena and causes of one snapshot, by id."""

    snapshot_id: str
    phenomena: dict[str, Phenomenon]
    root_causes: dict[str, RootCause]
    _spoken: dict[str, dict[str, str]] = field(default_factory=dict, compare=False, repr=False)

    def causes(self, *listed: Iterable[tuple[str, float]]) -> list[tuple[HypothesisView, ...]]:
        """For each list of causes by their ids, with the beliefs in them, the causes with their names as well."""
        known = self.root_causes
        return [
            tuple(
                [
                    HypothesisView(found, known[found].name if found in known else LocalizedText(found, found), belief)
                    for found, belief in beliefs
                ]
            )
            for beliefs in listed
        ]

    @cached_property
    def engines(self) -> tuple[str, ...]:
        """The databases that its queries are for."""
        return tuple(sorted({found.engine for found in self.phenomena.values()} - {""}))

    @property
    def engine(self) -> str:
        """The one database that its statements are for; empty where they are for several."""
        return self.engines[0] if len(self.engines) == 1 else ""

    def names_in(self, language: Language) -> Mapping[str, str]:
        """The names of all phenomena and causes in a language, by id."""
        if language not in self._spoken:
            known: dict[str, Phenomenon | RootCause] = {**self.root_causes, **self.phenomena}
            self._spoken[language] = {each: found.name.say(language) for each, found in known.items()}
        return self._spoken[language]

    def phenomenon_name(self, phenomenon_id: str) -> LocalizedText:
        """The name, or the id itself if the snapshot lacks it."""
        found = self.phenomena.get(phenomenon_id)
        return found.name if found else LocalizedText(phenomenon_id, phenomenon_id)

    def describe(self, items: Iterable[Named]) -> list[tuple[LocalizedText, bool]]:
        """For each item the name of its phenomenon, and whether users notice it."""
        return [(self.phenomenon_name(each.phenomenon_id), self.is_complaint(each.phenomenon_id)) for each in items]

    def is_complaint(self, phenomenon_id: str) -> bool:
        """True for what users notice."""
        found = self.phenomena.get(phenomenon_id)
        return found is not None and found.complaint

    def test_of(self, phenomenon_id: str) -> LocalizedText:
        """The test of a phenomenon's presence; empty for an id the snapshot lacks."""
        found = self.phenomena.get(phenomenon_id)
        return found.present_when if found else LocalizedText()

    def root_cause_name(self, root_cause_id: str) -> LocalizedText:
        """The name, or the id itself if the snapshot lacks it."""
        found = self.root_causes.get(root_cause_id)
        return found.name if found else LocalizedText(root_cause_id, root_cause_id)

    def complaints(self) -> list[str]:
        """The common opening complaints, most frequent first; all phenomena if none is marked."""
        marked = [item for item in self.phenomena.values() if item.complaint] or list(self.phenomena.values())
        ranked = sorted(marked, key=lambda item: (-item.base_rate, item.phenomenon_id))
        return [item.phenomenon_id for item in ranked]


def absent(name: LocalizedText) -> LocalizedText:
    """The name of a phenomenon's absence."""
    return LocalizedText(f"没有“{name.zh}”", f'no "{name.en}"')


class Catalogs:
    """A cache of the most recently used catalogs."""

    def __init__(self, engine: EngineClient) -> None:
        self._engine = engine
        self._kept: OrderedDict[str, Catalog] = OrderedDict()

    async def of(self, snapshot_id: str) -> Catalog:
        """The catalog of a snapshot. Raises NotFound if no engine has it."""
        found = self._kept.get(snapshot_id)
        if found is None:
            phenomena = {item.phenomenon_id: item for item in await self._engine.phenomena(snapshot_id)}
            causes = {item.root_cause_id: item for item in await self._engine.root_causes(snapshot_id)}
            found = self._kept[snapshot_id] = Catalog(snapshot_id, phenomena, causes)
        self._kept.move_to_end(snapshot_id)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found

    async def current_id(self) -> str:
        """The snapshot of new conversations."""
        for snapshot in await self._engine.snapshots():
            if snapshot.current:
                return snapshot.snapshot_id
        raise NotFound("not_found.snapshot")
