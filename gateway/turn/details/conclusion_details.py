"""The details of a conclusion: what it rests on, what stops the bleeding, the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dbdiag.planner.v1.planner_types import ConclusionView, Language, OverturnView
from dbdiag.vocabulary import LocalizedText, ReliefStep, SolutionStep, Verdict

from gateway.turn.context import Turn
from lang.objects import bind, names_to_bind, object_of, objects_in

Data = dict[str, Any]


def _second_cause(turn: Turn) -> Data | None:
    conclusion = turn.diagnosis.conclusion if turn.diagnosis else None
    if conclusion is None or (second := conclusion.second_root_cause_id) is None:
        return None
    name = turn.catalog.root_cause_name(second).say(turn.language)
    return {"root_cause_id": second, "description": name, "confidence": conclusion.second_confidence}


def _overturn(item: OverturnView | None, language: Language) -> Data | None:
    """The answer that would overturn a new conclusion, or None."""
    if item is None:
        return None
    return {
        "description": item.name.say(language),
        "verdict_now": item.verdict_now,
        "verdict_then": item.verdict_then,
        "leader_then": item.leader_then.say(language),
        "confidence_then": item.confidence_then,
    }


def conclusion_of(turn: Turn, item: ConclusionView) -> Data:
    """A conclusion in the language of the turn."""
    language = turn.language
    confirmed = (entry for entry in turn.session.active() if entry.verdict is Verdict.CONFIRMED)
    evidence = (each for entry in confirmed for text in (entry.value, entry.words) for each in objects_in(text))
    named = (object_of(each.kind, each.name, each.role, each.said) for each in turn.session.objects)
    seen = names_to_bind((*(each._replace(said=True) for each in evidence), *named))

    def said(texts: tuple[LocalizedText, ...]) -> list[str]:
        return [text.say(language) for text in texts]

    return {
        "root_cause_id": item.root_cause_id,
        "description": item.name.say(language),
        "confidence": item.confidence,
        "mechanism": item.mechanism.say(language) or None,
        "observed_phenomena": said(item.supporting),
        "conflicting_phenomena": said(item.conflicting),
        "unchecked_phenomena": said(item.unchecked),
        "unexplained_phenomena": said(item.unexplained),
        "second_cause": _second_cause(turn),
        "overturn": _overturn(item.overturn, language),
        "relief": [_relief(step, language, seen) for step in item.relief],
        "solution": [_step(step, language, seen) for step in item.solution],
        "verify": item.verify.say(language) or None,
        "reference_tickets": [vars(ticket) for ticket in item.tickets],
    }


def _relief(step: ReliefStep, language: Language, seen: Mapping[str, str]) -> Data:
    return {
        "action": step.action.say(language),
        "how": bind(step.how, seen),
        "risk": step.risk,
        "costs": step.costs.say(language) or None,
        "not_when": step.not_when.say(language) or None,
    }


def _step(step: SolutionStep, language: Language, seen: Mapping[str, str]) -> Data:
    return {
        "action": step.action.say(language),
        "how": bind(step.how, seen),
        "risk": step.risk,
        "undo": bind(step.undo.say(language), seen) or None,
        "helps": step.helps,
        "prevents": step.prevents,
    }
