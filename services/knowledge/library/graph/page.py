"""Renders a snapshot as a self-contained HTML file that needs neither network nor server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from services.knowledge.library.lint.structure import bits_apart, what_tells
from services.knowledge.snapshots.compile import read_snapshot

_FOLDER = Path(__file__).parent
_NEAREST = 5
Data = dict[str, Any]


def render_page(content: bytes, snapshot_id: str, rates: Mapping[str, float]) -> str:
    """The page of a snapshot; equal snapshots give equal pages. `rates`: see graph_of."""
    text = _part("page.html")
    for name, part in (
        ("STYLE", _part("page.css")),
        ("SCRIPT", _part("page.js")),
        ("DATA", _embedded(content, snapshot_id, rates)),
    ):
        text = text.replace(f"/*{name}*/", part)
    return text


def graph_of(content: bytes, rates: Mapping[str, float]) -> Data:
    """The data of the page: phenomena, root causes with links and nearest neighbours, tickets; in id order.

    `rates` are the engine's: how often a phenomenon shows, by the strength of its link.
    """
    snapshot = read_snapshot(content)
    causes = snapshot["root_causes"]
    seen = _seen(snapshot["tickets"])
    shares = {cause["id"]: {link["phenomenon"]: rates[link["strength"]] for link in cause["links"]} for cause in causes}
    return {
        "phenomena": [_phenomenon(entry) for entry in snapshot["phenomena"]],
        "causes": [_cause(entry, seen) | {"near": _near(entry["id"], shares)} for entry in causes],
        "tickets": [
            {
                "id": ticket["id"],
                "cause": ticket["root_cause"],
                "seen": ticket["phenomena"],
                "text": ticket["description"],
            }
            for ticket in snapshot["tickets"]
        ],
    }


def _embedded(content: bytes, snapshot_id: str, rates: Mapping[str, float]) -> str:
    """JSON that is safe inside a script element: every `<` is escaped."""
    data = graph_of(content, rates) | {"snapshot": snapshot_id}
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _part(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _phenomenon(entry: Mapping[str, Any]) -> Data:
    how = entry["observe"]["how"]
    return {
        "id": entry["id"],
        "name": entry["name"],
        "text": entry["description"],
        "when": entry["observe"]["present_when"],
        "kind": entry["observe"]["kind"],
        "how": how if isinstance(how, dict) else {"zh": how, "en": how},
    }


def _cause(entry: Mapping[str, Any], seen: Mapping[tuple[str, str], int]) -> Data:
    links = [
        {
            "to": link["phenomenon"],
            "strength": link["strength"],
            "why": link["why"],
            "tickets": seen.get((entry["id"], link["phenomenon"]), 0),
        }
        for link in entry["links"]
    ]
    return {
        "id": entry["id"],
        "name": entry["name"],
        "category": entry["category"],
        "text": entry["mechanism"],
        "links": links,
    }


def _seen(tickets: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], int]:
    """The number of tickets of a cause that recorded a phenomenon."""
    counts: dict[tuple[str, str], int] = {}
    for ticket in tickets:
        for phenomenon in ticket["phenomena"]:
            pair = (ticket["root_cause"], phenomenon)
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def _near(name: str, shares: Mapping[str, Mapping[str, float]]) -> list[Data]:
    """The causes that are hardest to distinguish from this one, each with the phenomenon that does it best."""
    others = sorted((bits_apart(shares[name], shares[other]), other) for other in shares if other != name)
    return [
        {"id": other, "bits": round(bits, 2), "told": what_tells(shares[name], shares[other])}
        for bits, other in others[:_NEAREST]
    ]
