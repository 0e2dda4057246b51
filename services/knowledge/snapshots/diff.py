"""The differences between two snapshots, entity by entity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.knowledge.model import Change, ChangeKind
from services.knowledge.snapshots.compile import read_snapshot

Entities = dict[str, dict[str, Any]]


def diff(before: bytes, after: bytes) -> tuple[Change, ...]:
    """The changes between two snapshots, by entity type (link, phenomenon, root_cause, subject, ...), then id."""
    old, new = _by_type(before), _by_type(after)
    return tuple(change for kind in sorted(old) for change in _changes(kind, old[kind], new[kind]))


def _by_type(content: bytes) -> dict[str, Entities]:
    value = read_snapshot(content)
    causes = [{**cause, "links": None} for cause in value["root_causes"]]
    links = {f"{cause['id']}/{link['phenomenon']}": link for cause in value["root_causes"] for link in cause["links"]}
    return {
        "phenomenon": {item["id"]: item for item in value["phenomena"]},
        "root_cause": {item["id"]: item for item in causes},
        "link": links,
        "subject": {item["id"]: item for kind in value.get("vocabulary", {}).values() for item in kind},
        "ticket": {item["id"]: item for item in value["tickets"]},
        "view": {item["id"]: item for item in value.get("views", ())},
    }


def _changes(entity_type: str, old: Entities, new: Entities) -> list[Change]:
    found = []
    for identity in sorted(old.keys() | new.keys()):
        if identity not in old:
            found.append(Change(ChangeKind.ADDED, entity_type, identity, strength_after=_strength(new[identity])))
        elif identity not in new:
            found.append(Change(ChangeKind.REMOVED, entity_type, identity, strength_before=_strength(old[identity])))
        elif fields := _fields(old[identity], new[identity]):
            strengths = _strength(old[identity]), _strength(new[identity])
            found.append(Change(ChangeKind.CHANGED, entity_type, identity, fields, *strengths))
    return found


def _strength(entity: Mapping[str, Any]) -> str:
    return str(entity.get("strength", ""))


def _fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key)))
