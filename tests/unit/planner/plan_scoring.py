"""Scores plans against labelled messages: exact on ids and kinds, approximate on words, strict on numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rapidfuzz import fuzz

from services.planner.labelled_cases import CaseContext, PlanForm, form_of, view_of
from services.planner.model import Text, TurnPlan
from services.planner.understand.read import understand

_SETS = ("confirmed", "denied", "unknown", "questions")
_WORDS = ("observations", "suggestions")
_FLAGS = ("clarify", "smalltalk", "reset")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
NEAR = 55.0
# A verdict in one language or the other.
_VERDICTS = {"yes": 1, "有": 1, "no": 2, "没有": 2, "unknown": 3, "看不了": 3}


@dataclass(frozen=True)
class Case:
    """A labelled message."""

    id: str
    message: str
    context: CaseContext
    expect: PlanForm
    accept: tuple[dict[str, Any], ...]


def read_cases(path: Path) -> list[Case]:
    """The cases of a file with one JSON object a line."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Case(
            row["id"],
            row["message"],
            CaseContext.model_validate(row.get("context") or {}),
            PlanForm.model_validate(row["expect"]),
            tuple(row.get("accept") or ()),
        )
        for row in rows
    ]


def planned(case: Case, known: Mapping[str, Text] = MappingProxyType({})) -> tuple[TurnPlan, PlanForm]:
    """The plan of a case by rules, and its form; `known` has the library's names by id."""
    view = view_of(case.context, known)
    plan = understand(case.message, view)
    return plan, form_of(plan, view, known)


def names_in(cases: Sequence[Case]) -> dict[str, Text]:
    """The names of the items that cases were asked about, by id, in the languages that the cases have between them."""
    found: dict[str, Text] = {}
    for case in cases:
        told = view_of(case.context)
        for item in (*told.pending, *told.options, *(item for said in told.history for item in said.items)):
            name = item.name.zh or item.name.en
            chinese = re.search("[\u4e00-\u9fff]", name) is not None
            was = found.get(item.phenomenon_id, Text())
            found[item.phenomenon_id] = replace(was, zh=was.zh or name) if chinese else replace(was, en=was.en or name)
    return found


def claims_too_much(case: Case, form: PlanForm) -> bool:
    """Whether a plan that is not right confirms or denies something that was not said."""
    wanted = [case.expect, *(case.expect.model_copy(update=_typed(over)) for over in case.accept)]
    said = [(set(expected.confirmed), set(expected.denied)) for expected in wanted]
    within = any(set(form.confirmed) <= yes and set(form.denied) <= no for yes, no in said)
    return not is_right(case, form) and not within


def is_right(case: Case, form: PlanForm) -> bool:
    """Whether the whole plan fits `expect`, or `expect` with one of `accept` laid over it."""
    wanted = [case.expect, *(case.expect.model_copy(update=_typed(over)) for over in case.accept)]
    return any(_fits(expected, form) for expected in wanted)


def _typed(over: dict[str, Any]) -> dict[str, Any]:
    return {name: getattr(PlanForm.model_validate(over), name) for name in over}


def _fits(expected: PlanForm, form: PlanForm) -> bool:
    return (
        all(set(getattr(expected, name)) == set(getattr(form, name)) for name in _SETS)
        and all(getattr(expected, name) == getattr(form, name) for name in _FLAGS)
        and all(_same_words(getattr(expected, name), getattr(form, name)) for name in _WORDS)
        and _same_corrections(expected, form)
    )


def _same_words(expected: Sequence[str], found: Sequence[str]) -> bool:
    return len(expected) == len(found) and all(_near(left, right) for left, right in zip(expected, found, strict=True))


def _near(expected: str, found: str) -> bool:
    same_numbers = set(_NUMBER.findall(expected)) <= set(_NUMBER.findall(found))
    left, right = expected.lower(), found.lower()
    return same_numbers and max(fuzz.ratio(left, right), fuzz.partial_ratio(left, right) * 0.9) >= NEAR


def _same_corrections(expected: PlanForm, form: PlanForm) -> bool:
    if len(expected.corrections) != len(form.corrections):
        return False
    return all(
        _same_original(wanted.original, got.original) and _same_corrected(wanted.corrected, got.corrected)
        for wanted, got in zip(expected.corrections, form.corrections, strict=True)
    )


def _same_original(expected: str, found: str) -> bool:
    return expected == found or (not expected.startswith("P-") and _near(expected, found))


def _same_corrected(expected: str | None, found: str | None) -> bool:
    if expected is None or found is None:
        return expected == found
    return _near(expected, found) or (_VERDICTS.get(expected.lower()) == _VERDICTS.get(found.lower(), ""))
