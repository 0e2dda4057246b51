"""The names and texts of a snapshot, read from the engine once; a snapshot never changes."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from gateway.clients import EngineClient
from gateway.language import LocalizedText
from gateway.reasoning import Phenomenon, RootCause
from services.chassis.errors import NotFound

_KEPT = 8


@dataclass(frozen=True)
class Catalog:
    """Phenomena and causes of one snapshot, by id."""

    snapshot_id: str
    phenomena: dict[str, Phenomenon]
    root_causes: dict[str, RootCause]

    def phenomenon_name(self, phenomenon_id: str) -> LocalizedText:
        """The name; an id the snapshot lacks names itself."""
        found = self.phenomena.get(phenomenon_id)
        return found.name if found else LocalizedText(phenomenon_id, phenomenon_id)

    def test_of(self, phenomenon_id: str) -> LocalizedText:
        """The test of a phenomenon's presence; empty for an id the snapshot lacks."""
        found = self.phenomena.get(phenomenon_id)
        return found.present_when if found else LocalizedText()

    def root_cause_name(self, root_cause_id: str) -> LocalizedText:
        """The name; an id the snapshot lacks names itself."""
        found = self.root_causes.get(root_cause_id)
        return found.name if found else LocalizedText(root_cause_id, root_cause_id)

    def complaints(self) -> list[str]:
        """What people open a case with, the commonest first; where nothing is marked so, all phenomena."""
        marked = [item for item in self.phenomena.values() if item.complaint] or list(self.phenomena.values())
        ranked = sorted(marked, key=lambda item: (-item.base_rate, item.phenomenon_id))
        return [item.phenomenon_id for item in ranked]


class Catalogs:
    """The catalogs used last."""

    def __init__(self, engine: EngineClient) -> None:
        self._engine = engine
        self._kept: OrderedDict[str, Catalog] = OrderedDict()

    async def of(self, snapshot_id: str) -> Catalog:
        """The catalog of a snapshot; raises NotFound when no engine has it."""
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
        """The snapshot new conversations are pinned to."""
        for snapshot in await self._engine.snapshots():
            if snapshot.current:
                return snapshot.snapshot_id
        raise NotFound("the engine has no current snapshot; publish one with `dbdiag knowledge publish`")
