"""The targets that the collector lists, and the one that a session means."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dbdiag.collector.v1.collector_types import ListChecksResponse, Target

from gateway.contracts.clients import CollectorClient
from services.chassis import logs
from services.chassis.errors import DbdiagError, DependencyDown, NotOffered, Precondition

# How long a list, or its absence, is cached.
_KEPT_SECONDS = 30.0
# Hosts are investigated with their database; on their own they are chosen by name only.
_HOSTS = ("host", "ssh", "prometheus")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class CannotLook(Precondition):
    """No target can be investigated, for a reason that the person can fix."""


class LiveTargets:
    """The collector's targets, cached for a while. `clock` is monotonic, in seconds."""

    def __init__(self, collector: CollectorClient | None, clock: Callable[[], float]) -> None:
        self._collector = collector
        self._clock = clock
        self._listed: tuple[Target, ...] = ()
        self._away = False
        self._until = float("-inf")
        self._checks: dict[str, ListChecksResponse] = {}

    async def all(self) -> tuple[Target, ...]:
        """Every target, in id order. Raises CannotLook, no_collector, if no collector answers."""
        if self._clock() >= self._until:
            await self._renew()
        if self._away:
            raise CannotLook("no_collector")
        return self._listed

    async def checks(self, target_id: str) -> ListChecksResponse:
        """The checks of a listed target, with their routing."""
        assert self._collector is not None
        if target_id not in self._checks:
            self._checks[target_id] = await self._collector.checks(target_id)
        return self._checks[target_id]

    async def of_session(self, chosen: str, words: str) -> Target:
        """The target named in the words, else the chosen one, else the one database. Raises CannotLook."""
        targets = await self.all()
        known = {target.target_id: target for target in targets}
        named = [known[word] for word in _WORD.findall(words) if word in known]
        if named:
            return named[0]
        if chosen:
            if chosen not in known:
                raise CannotLook("target_not_found.listed", target=chosen, targets=_list_names(targets))
            return known[chosen]
        databases = [target for target in targets if target.kind not in _HOSTS]
        if len(databases) == 1:
            return databases[0]
        raise CannotLook("several_targets", targets=_list_names(databases)) if databases else CannotLook("no_target")

    async def offered(self, chosen: str) -> Target | None:
        """The chosen target, else the one database; None where there is none to offer to look at."""
        try:
            targets = await self.all()
        except DbdiagError:
            # Nobody asked to look: that it cannot be done matters to the person who does.
            return None
        named = [target for target in targets if target.target_id == chosen]
        databases = [target for target in targets if target.kind not in _HOSTS]
        found = named if chosen else databases
        return found[0] if len(found) == 1 else None

    async def _renew(self) -> None:
        self._checks = {}
        try:
            self._listed = await self._collector.targets() if self._collector is not None else ()
            self._away = self._collector is None
        except (DependencyDown, NotOffered) as error:
            self._away = True
            logs.logger("gateway").warning("no_collector", reason=error.reason, error=error.message)
        except DbdiagError:
            self._away = True
            raise
        finally:
            self._until = self._clock() + _KEPT_SECONDS


def _list_names(targets: Sequence[Target]) -> str:
    return ", ".join(target.target_id for target in targets) or "-"
