"""Turns a snapshot into one HTML file that needs nothing else: no network, no server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from services.knowledge.compile import read_snapshot
from services.knowledge.lint.structure import SHARES, bits_apart, what_tells

_FOLDER = Path(__file__).parent
_NEAREST = 5
Data = dict[str, Any]


def page(content: bytes, snapshot_id: str) -> str:
    """The page of a snapshot; equal snapshots give equal pages."""
    text = _part("page.html")
    for name, part in (
        ("STYLE", _part("page.css")),
        ("SCRIPT", _part("page.js")),
        ("DATA", _embedded(content, snapshot_id)),
    ):
        text = text.replace(f"/*{name}*/", part)
    return text


def graph_of(content: bytes) -> Data:
    """What the page shows: phenomena, root causes with their links and nearest neighbours, tickets; in id order."""
    snapshot = read_snapshot(content)
    causes = snapshot["root_causes"]
    seen = _seen(snapshot["tickets"])
    shares = {
        cause["id"]: {link["phenomenon"]: SHARES[link["strength"]] for link in cause["links"]} for cause in causes
    }
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


def _embedded(content: bytes, snapshot_id: str) -> str:
    """JSON that no text in it can leave: `<` never stands in it as such."""
    data = graph_of(content) | {"snapshot": snapshot_id}
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
    """How many tickets of a cause recorded a phenomenon."""
    counts: dict[tuple[str, str], int] = {}
    for ticket in tickets:
        for phenomenon in ticket["phenomena"]:
            pair = (ticket["root_cause"], phenomenon)
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def _near(name: str, shares: Mapping[str, Mapping[str, float]]) -> list[Data]:
    """The causes that are hardest to tell from one, with what tells them apart most."""
    others = sorted((bits_apart(shares[name], shares[other]), other) for other in shares if other != name)
    return [
        {"id": other, "bits": round(bits, 2), "told": what_tells(shares[name], shares[other])}
        for bits, other in others[:_NEAREST]
    ]
