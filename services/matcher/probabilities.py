"""How often each kind of reading was right on labelled sentences; `services.matcher.training` fits it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from lang.judging import judge as judging
from lang.judging import rulings

PROBABILITIES = Path(__file__).parent / "reading_probabilities.json"
# Forms of a kind that are never surer than the kind itself.
WEAKER = ("proposed_", "hedged_", "misspelt_")


@cache
def _probabilities() -> dict[str, float]:
    return {str(kind): float(value) for kind, value in json.loads(PROBABILITIES.read_text("utf-8")).items()}


def kind_of(finding: judging.Finding) -> str:
    """The kind by which the probability of a finding is measured: what is only proposed is a kind of its own."""
    return finding.kind if finding.standing is rulings.Standing.COUNTS else f"proposed_{finding.kind}"


def probability_of(kind: str) -> float:
    """How often readings of a kind were right on labelled sentences; of an unmeasured one, those worth as much."""
    known = _probabilities()
    return known.get(kind, known[group_of(kind)])


def group_of(kind: str) -> str:
    """What an unmeasured kind is as sure as."""
    return "proposed" if kind.startswith(WEAKER) else "counted"
