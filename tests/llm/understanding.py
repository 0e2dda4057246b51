"""Whole plans of labelled messages, by rules alone and with a model where the rules are unsure."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from services.planner.labelled_cases import PlanForm, form_of, view_of
from services.planner.llm.understand import select_parts
from services.planner.model import Text
from services.planner.planner import Planner
from services.planner.understand.read import read_message
from tests.llm.remembering import Remembering
from tests.unit.planner.plan_scoring import Case, is_right, read_cases

HERE = Path(__file__).parent.parent / "unit" / "planner" / "cases"
_IDS = ("confirmed", "denied", "unknown")
_WORDED = ("observations", "corrections", "suggestions", "questions")
_FLAGS = ("clarify", "smalltalk", "reset")


@dataclass
class Figures:
    """Counts over messages."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, case: Case, form: PlanForm) -> None:
        """Counts one message's plan."""
        allowed = [case.expect, *(case.expect.model_copy(update=over) for over in case.accept)]
        claims = any(
            set(form.confirmed) <= set(may.confirmed) and set(form.denied) <= set(may.denied) for may in allowed
        )
        self.counts.update(messages=1, right=is_right(case, form), wrong_evidence=not claims)
        if any(getattr(case.expect, name) for name in _IDS):
            exact = any(all(set(getattr(form, name)) == set(getattr(may, name)) for name in _IDS) for may in allowed)
            self.counts.update(named=1, exact=exact)
        wanted, found = kinds_of(case.expect), kinds_of(form)
        self.counts.update(both=len(wanted & found), wanted=len(wanted), found=len(found))
        self.counts.update(
            asked_both=case.expect.clarify and form.clarify, asked_wanted=case.expect.clarify, asked_found=form.clarify
        )

    def rows(self) -> dict[str, float]:
        """The figures by name; higher is better but for wrong evidence."""
        count = self.counts
        return {
            "whole plan right": _share(count["right"], count["messages"]),
            "wrong evidence": _share(count["wrong_evidence"], count["messages"]),
            "id sets exact": _share(count["exact"], count["named"]),
            "intent kinds, F1": _share(2 * count["both"], count["wanted"] + count["found"]),
            "clarification, F1": _share(2 * count["asked_both"], count["asked_wanted"] + count["asked_found"]),
        }


def kinds_of(form: PlanForm) -> set[str]:
    """The kinds of what a plan holds; a question counts by what it asks for."""
    kinds = {"answer"} if any(getattr(form, name) for name in _IDS) else set()
    kinds |= {name for name in _WORDED[:3] if getattr(form, name)}
    return kinds | {f"question {kind}" for kind in form.questions} | {name for name in _FLAGS if getattr(form, name)}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def known_names(world: Path | None) -> dict[str, Text]:
    """The names of all phenomena by id, of a world file; empty without one."""
    if world is None:
        return {}
    rows = json.loads(world.read_text(encoding="utf-8"))["phenomena"]
    return {row["id"]: Text(**row["description"]) for row in rows}


def unsure_cases(files: Sequence[Path], known: Mapping[str, Text]) -> tuple[list[Case], int]:
    """The cases of which a model is asked anything, in file order, and how many cases there are."""
    cases = [case for path in files for case in read_cases(path)]
    return [case for case in cases if _is_asked(case, known)], len(cases)


def _is_asked(case: Case, known: Mapping[str, Text]) -> bool:
    view = view_of(case.context, known)
    plan, unsure = read_message(case.message, view)
    return bool(select_parts(plan, unsure, case.message, view))


def sampled(cases: Sequence[Case], count: int) -> list[Case]:
    """At most `count` of the cases, always the same ones, in their order."""
    chosen = set(random.Random(7).sample(range(len(cases)), min(count, len(cases))))
    return [case for at, case in enumerate(cases) if at in chosen]


@dataclass
class Compared:
    """Both columns over the same messages, what the model's cost was, and the cases that it changed."""

    rules: Figures = field(default_factory=Figures)
    model: Figures = field(default_factory=Figures)
    cost: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    changed: list[str] = field(default_factory=list)


async def compared(model: Remembering, cases: Sequence[Case], known: Mapping[str, Text]) -> Compared:
    """The cases by rules alone and with the model."""
    alone, helped, found = Planner(), Planner(model), Compared()
    for case in cases:
        view = view_of(case.context, known)
        forms = []
        for planner, figures in ((alone, found.rules), (helped, found.model)):
            decision = await planner.decide(view, case.message)
            forms.append(form_of(decision.plan, view, known))
            figures.add(case, forms[-1])
        usage = decision.usage
        found.cost.update(calls=usage.calls, prompt=usage.prompt_tokens, completion=usage.completion_tokens)
        found.cost[usage.fallback_reason or "used"] += 1
        if forms[0] != forms[1]:
            found.changed.append(told(case, *forms))
    found.seconds = model.seconds
    return found


def told(case: Case, rules: PlanForm, model: PlanForm) -> str:
    """What a model changed, in one line."""
    mark = {(False, True): "better", (True, False): "WORSE"}.get(
        (is_right(case, rules), is_right(case, model)), "as good"
    )
    ruled, read = (
        {name: value for name, value in form.model_dump().items() if value and value != other.model_dump()[name]}
        for form, other in ((rules, model), (model, rules))
    )
    return f"{mark}: {case.id} {case.message[:80]!r}: {ruled} -> {read}"
