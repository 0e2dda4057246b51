"""Small libraries for tests, random ones from hypothesis, and the reference that the engine is compared with."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from services.engine.inference.reasoner import ReasoningModel, open_model
from services.engine.kernel.binding import ACCELERATE
from services.engine.model import Evidence, Verdict
from services.engine.tables.parameters import DEFAULT_PARAMETERS, STRENGTHS, Parameters
from services.engine.tables.snapshot import read_snapshot, snapshot_id_of

# Without redundancy an answer's weight is 1, and gains are those of one more independent answer.
INDEPENDENT = replace(DEFAULT_PARAMETERS, redundancy_floor=2.0)


def text(words: str) -> dict[str, str]:
    return {"zh": f"{words} 中文", "en": words}


def document(
    links: Mapping[str, Mapping[str, str]], tickets: Sequence[tuple[str, Sequence[str]]], phenomena: int = 0
) -> dict[str, Any]:
    """A snapshot document. links: cause -> phenomenon -> strength; tickets: cause and what it recorded."""
    named = {name for stated in links.values() for name in stated} | {name for _, names in tickets for name in names}
    named |= {f"P-{index:04d}" for index in range(phenomena)}
    return {
        "format": "dbdiag.snapshot.v1",
        "phenomena": [
            {"id": name, "name": text(name), "description": text(f"about {name}"), "aliases": {"zh": [], "en": []},
             "observe": {"kind": "sql", "how": "SELECT 1", "present_when": text("a row"), "versions": ">=14"},
             "cost": 1}
            for name in sorted(named)
        ],
        "root_causes": [
            {"id": cause, "name": text(cause), "category": "TEST", "mechanism": text(f"how {cause} works"),
             "aliases": {"zh": [], "en": []}, "verify": None, "references": ["a manual"],
             "solution": [{"do": text("fix"), "how": None, "risk": "none", "undo": None, "helps": None,
                           "prevents": True}],
             "links": [{"phenomenon": name, "strength": strength, "why": text("because")}
                       for name, strength in sorted(stated.items())]}
            for cause, stated in sorted(links.items())
        ],
        "tickets": [
            {"id": f"TK-{index:04d}", "root_cause": cause, "phenomena": sorted(names), "description": f"case {index}"}
            for index, (cause, names) in enumerate(tickets)
        ],
    }  # fmt: skip


def encoded(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def library(content: Mapping[str, Any], parameters: Parameters = DEFAULT_PARAMETERS) -> ReasoningModel:
    """The model of a document, with the kernel if there is one."""
    data = encoded(content)
    return open_model(read_snapshot(data, snapshot_id_of(data)), parameters, ACCELERATE)


def three_causes() -> dict[str, Any]:
    """Three causes that one complaint cannot tell apart, and two questions that can."""
    return document(
        {
            "RC-0001": {"P-0001": "always", "P-0002": "always", "P-0003": "rarely"},
            "RC-0002": {"P-0001": "always", "P-0003": "always", "P-0004": "usually"},
            "RC-0003": {"P-0001": "usually", "P-0004": "always", "P-0005": "sometimes"},
        },
        [
            ("RC-0001", ["P-0001", "P-0002"]),
            ("RC-0001", ["P-0001", "P-0002", "P-0005"]),
            ("RC-0002", ["P-0001", "P-0003"]),
            ("RC-0002", ["P-0003", "P-0004"]),
            ("RC-0003", ["P-0004", "P-0001"]),
        ],
    )


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Random libraries: up to 8 causes, 10 phenomena, 6 links a cause, 25 tickets.

    Hypothesis draws the sizes, so that a failure shrinks; links and tickets come from a seed, in one draw instead of
    hundreds.
    """
    causes = [f"RC-{index:04d}" for index in range(draw(st.integers(1, 8)))]
    phenomena = [f"P-{index:04d}" for index in range(draw(st.integers(1, 10)))]
    count, chance = draw(st.integers(0, 25)), random.Random(draw(_SEEDS))
    links = {cause: {name: chance.choice(STRENGTHS) for name in _some(chance, phenomena, 6)} for cause in causes}
    tickets = [(chance.choice(causes), _some(chance, phenomena, 5)) for _ in range(count)]
    return document(links, tickets, len(phenomena))


def _some(chance: random.Random, names: Sequence[str], most: int) -> list[str]:
    return chance.sample(names, chance.randint(0, min(most, len(names))))


_SEEDS = st.integers(0, 2**32 - 1)
_VERDICTS = (Verdict.CONFIRMED, Verdict.DENIED, Verdict.UNKNOWN)


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, Any], list[Evidence]]:
    """A random library with random evidence about it, in any order."""
    content = draw(documents())
    names = [entry["id"] for entry in content["phenomena"]]
    count, chance = draw(st.integers(0, len(names))), random.Random(draw(_SEEDS))
    scores = st.one_of(st.just(1.0), st.floats(0.0, 1.0))
    return content, [Evidence(name, chance.choice(_VERDICTS), draw(scores)) for name in chance.sample(names, count)]


def theta(opened: ReasoningModel, phenomenon: int, cause: int) -> float:
    """P(yes | cause), noise included; the cause after the last one is OTHER."""
    if cause == len(opened.snapshot.cause_ids):
        return float(opened.likelihoods.answer_base[phenomenon])
    return opened.likelihoods.answer_rate(opened.snapshot, phenomenon, cause)


def brute_force(
    opened: ReasoningModel, evidence: Sequence[Evidence], weights: Mapping[str, float] | None = None
) -> list[float]:
    """The belief by the formulas of docs/engine.md, one cause after another, OTHER last."""
    total = []
    for cause in range(len(opened.snapshot.cause_ids) + 1):
        belief = math.log(opened.likelihoods.prior[cause])
        for item in evidence:
            phenomenon = opened.snapshot.phenomenon_index[item.phenomenon_id]
            yes, base = theta(opened, phenomenon, cause), float(opened.likelihoods.answer_base[phenomenon])
            if item.verdict is Verdict.DENIED:
                yes, base = 1 - yes, 1 - base
            if item.verdict is not Verdict.UNKNOWN:
                factor = item.score * yes + (1 - item.score) * base
                belief += (weights or {}).get(item.phenomenon_id, 1.0) * math.log(factor / base)
        total.append(belief)
    top = max(total)
    return [math.exp(value - top) / sum(math.exp(other - top) for other in total) for value in total]


def entropy(belief: Sequence[float]) -> float:
    return -sum(share * math.log2(share) for share in belief if share > 0)
