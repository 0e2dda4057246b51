"""Suspicions of a whole area: "硬件问题", "IO 瓶颈", "the app's fault" lift the likeliest causes of it for a turn."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml
from dbdiag.planner.v1.planner_types import AppliedSuggestion

from gateway.turn.context import Turn
from lang.terms import Terms
from lang.tokens import read_text

_AREAS = Path(__file__).with_name("areas.yaml")
_LIFTED = 3
_BOOST = 0.1


def suspect_area(turn: Turn, text: str) -> list[AppliedSuggestion]:
    """The likeliest causes of the areas that a suspicion names, each with its boost; empty if it names none."""
    categories = categories_of(text)
    believed = {view.root_cause_id: view.confidence for view in turn.session.beliefs()}
    causes = [cause for cause in turn.catalog.root_causes.values() if cause.category in categories]
    causes.sort(key=lambda cause: (-believed.get(cause.root_cause_id, 0.0), -cause.prior, cause.root_cause_id))
    return [AppliedSuggestion(text, cause.root_cause_id, cause.name, boost=_BOOST) for cause in causes[:_LIFTED]]


def categories_of(text: str) -> frozenset[str]:
    """The categories of the causes in the areas that words name."""
    return frozenset(category for found in _terms().find(read_text(text)) for category in _areas()[found.payload])


@cache
def _areas() -> dict[str, tuple[str, ...]]:
    return {name: tuple(area["categories"]) for name, area in yaml.load(_AREAS.read_bytes(), yaml.CSafeLoader).items()}


@cache
def _terms() -> Terms[str]:
    terms: Terms[str] = Terms()
    for name, area in yaml.load(_AREAS.read_bytes(), yaml.CSafeLoader).items():
        for word in area["words"]:
            terms.add(str(word), name)
    return terms
