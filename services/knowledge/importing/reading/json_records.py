"""A JSON record under its own keys or those of a mapping, as a ticket."""

from __future__ import annotations

from collections.abc import Mapping as Keyed
from typing import Any

from services.knowledge.importing.reading.mapping import Mapping, shipped_mappings


def by_own_keys(value: Keyed[str, Any], given: Mapping | None) -> tuple[Keyed[str, Any], Keyed[str, str]]:
    """The record as a ticket, and each field's path with the key it came from where that is another one."""
    mapping = given if given is not None else _known(value)
    if mapping is None:
        return value, {}
    keys = [str(key) for key in value]
    places = mapping.columns(keys)
    titles = {path: keys[place] for path, place in places.items()}
    ticket: dict[str, Any] = {name: _plain(value[key]) for name, key in titles.items() if "." not in name}
    metadata = {path.partition(".")[2]: _plain(value[key]) for path, key in titles.items() if path.startswith("meta")}
    ticket["metadata"] = mapping.constants | {name: text for name, text in metadata.items() if text is not None}
    if "anomalies" in value:
        ticket["anomalies"] = value["anomalies"]
    return {name: item for name, item in ticket.items() if item is not None}, titles


def _known(value: Keyed[str, Any]) -> Mapping | None:
    if "ticket_id" in value:
        return None
    keys = [str(key) for key in value]
    fitting = (mapping for name, mapping in shipped_mappings().items() if name != "own" and mapping.fits(keys))
    return next(fitting, None)


def _plain(value: Any) -> Any:
    """Numbers as text, since exports write ids as either; everything else as it is, for the validation to judge."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
