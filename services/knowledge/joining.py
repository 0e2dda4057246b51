"""Two snapshots as one: a database's and its host's. What both know under ids of their own counts once.

Else a fact that the host's library calls by another name than the database's would speak for the causes of either as if
it were two, and what one library explains would stand unexplained beside the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.knowledge.compile import FORMAT, canonical, read_snapshot

# Goes up when equal snapshots join to other bytes than before.
MARK = "joined-1"
# What the host's library calls so, and what the databases' libraries call the same thing. Of one target's processes
# the database's own are left out, so that one which takes the CPU is another one.
SAME: Mapping[str, tuple[str, ...]] = {
    "P-3001": ("P-0008",),
    "P-3002": ("P-0156",),
    "P-3004": ("P-0154",),
    "P-3005": ("P-0155",),
    "P-3010": ("P-0381",),
    "P-3016": ("P-2059",),
    "P-3017": ("P-0011",),
    "P-3021": ("P-0016", "P-2060"),
    "P-3022": ("P-0368",),
    "P-3027": ("P-0146",),
    "P-3028": ("P-2050",),
    "P-3051": ("P-0159", "P-2089"),
    "P-3055": ("P-0387",),
    "RC-3011": ("RC-0056",),
    "RC-3012": ("RC-0062",),
    "RC-3013": ("RC-0046",),
    "RC-3019": ("RC-0053", "RC-2026"),
    "RC-3033": ("RC-0063", "RC-2062"),
    "RC-3043": ("RC-0097",),
}
_Entry = dict[str, Any]


def join(first: bytes, other: bytes) -> bytes:
    """The canonical bytes of both snapshots as one. Of an id that both have the first's entry counts; a cause that the
    first knows under another id gets the other's links as well, and keeps its own words.

    Raises InvalidInput when one of them is no snapshot.
    """
    one, two = read_snapshot(first), read_snapshot(other)
    known = {entry["id"] for kind in ("phenomena", "root_causes") for entry in one[kind]}
    names = {name: same for name, others in SAME.items() for same in others if same in known and name not in known}
    causes = _by_id(one["root_causes"])
    for cause in two["root_causes"]:
        _add_cause(causes, cause, names)
    tickets = [_renamed(ticket, names) for ticket in two["tickets"]]
    phenomena = [entry for entry in two["phenomena"] if entry["id"] not in names]
    body = {
        "phenomena": _by_id(phenomena) | _by_id(one["phenomena"]),
        "root_causes": causes,
        "tickets": _by_id(tickets) | _by_id(one["tickets"]),
    }
    return canonical({"format": FORMAT} | {kind: [body[kind][name] for name in sorted(body[kind])] for kind in body})


def _by_id(entries: list[_Entry]) -> dict[str, _Entry]:
    return {entry["id"]: entry for entry in entries}


def _add_cause(causes: dict[str, _Entry], cause: _Entry, names: Mapping[str, str]) -> None:
    links = {names.get(link["phenomenon"], link["phenomenon"]): link for link in cause["links"]}
    identity = names.get(cause["id"], cause["id"])
    if cause["id"] in causes:
        return
    own = causes.get(identity, cause | {"links": []})
    linked = {name: link | {"phenomenon": name} for name, link in links.items()}
    linked |= {link["phenomenon"]: link for link in own["links"]}
    causes[identity] = own | {"links": [linked[name] for name in sorted(linked)]}


def _renamed(ticket: _Entry, names: Mapping[str, str]) -> _Entry:
    """A past case by the names that stand in the joined snapshot."""
    phenomena = sorted({names.get(name, name) for name in ticket["phenomena"]})
    return ticket | {"root_cause": names.get(ticket["root_cause"], ticket["root_cause"]), "phenomena": phenomena}
