"""The faults, in the order of faults.yaml, by the part of the server that they affect."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from faultlab.fault import Act, Fault
from faultlab.faults import replication, settings
from faultlab.scenario import Scenario, act

# What is more than the steps of a scenario.
_CODED: Mapping[str, Mapping[str, Act]] = {
    "orphaned_prepared": {"release": settings.roll_back_prepared},
    "connection_exhaustion": {"start": settings.exhaust_connections},
    "connection_churn": {"start": settings.churn_connections},
    "n_plus_one": {"start": settings.list_one_by_one},
    "small_shared_buffers": {"start": settings.shrink_cache, "restore": settings.restore_cache},
    "useless_indexes": {"start": settings.build_useless_indexes},
    "wraparound": {
        "start": settings.use_up_ids,
        "restore": settings.freeze_ids,
        "release": settings.roll_back_prepared,
    },
    "log_growth": {"start": settings.log_everything, "restore": settings.empty_logs},
    "paused_replay": {"start": replication.pause_replay, "restore": replication.remove_standby},
    "replay_conflict": {"start": replication.delay_replay, "restore": replication.remove_standby},
    "dead_standby": {"start": replication.kill_standby, "restore": replication.remove_standby},
    "sync_standby_down": {
        "start": replication.kill_synchronous_standby,
        "restore": replication.remove_standby,
        "release": replication.release_commits,
    },
}


def _read() -> dict[str, Fault]:
    file = Path(__file__).parent.with_name("faults.yaml")
    entries: Mapping[str, Any] = yaml.load(file.read_bytes(), yaml.CSafeLoader)
    return {name: _fault(name, Scenario.model_validate(entry)) for name, entry in entries.items()}


def _fault(name: str, entry: Scenario) -> Fault:
    acts: dict[str, Act] = {"start": act(entry.start), "restore": act(entry.restore), **_CODED.get(name, {})}
    return Fault(
        name,
        entry.visible_after,
        **acts,
        needs=entry.needs,
        database=entry.database,
        title={"zh": entry.zh, "en": entry.en},
        root_cause=entry.root_cause,
        exact=entry.exact,
    )


FAULTS = _read()
