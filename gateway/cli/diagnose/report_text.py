"""Renders a diagnosis report as text, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gateway.cli.chat.conversation import strip_controls
from gateway.cli.language import LanguageCode, Texts
from gateway.investigation.reasons import render_reason

TEXTS = Texts("diagnose")
say = TEXTS.say
_LEADERS = 3
# A check for another kind of target is not missing.
_NOT_FOR_IT = ("role_not_supported", "version_not_supported", "wrong_platform")
# What a relief costs, and when it must not be done.
_PRICE = {"costs": "relief_costs", "not_when": "relief_not_when"}
# The most checks named for one reason.
_NAMED = 6


def render_report(report: Mapping[str, Any], folder: str, language: LanguageCode) -> str:
    """The report in a few lines."""
    lines = [_verdict(report, language)]
    unseen = _list_failures(report, language)
    if report["verdict"] == "healthy" and unseen:
        lines.append(say("but_unseen", language))
    if report["stop_reason"] == "target_unreachable":
        lines.append(say("mend", language))
    if also := _list_causes(report.get("also", []), language):
        lines.append(say("also", language, leaders=also))
    # Phenomena that the snapshot does not know have no weight and no name.
    grounds = [row for row in report["evidence_table"] if row["verdict"] == "confirmed" and row["name"]]
    lines += _list_section(say("grounds", language), [_ground(row, language) for row in grounds])
    lines += _list_section(say("not_seen", language), unseen)
    relief = [_relief(step, language) for step in report.get("relief", [])]
    lines += _list_section(say("relief", language), relief)
    lines += _list_section(say("actions", language), [_step(step, language) for step in report["next_actions"]])
    lines += _list_section(say("decide", language), [_step(step, language) for step in report["to_be_decided"]])
    counted = {name: report[name] for name in ("checks", "rounds", "seconds")}
    stop = say(key, language) if (key := f"stop_{report['stop_reason']}") in TEXTS.table else report["stop_reason"]
    lines.append(say("ran", language, **counted, stop=stop, folder=folder))
    return "\n".join(strip_controls(line) for line in lines)


def _verdict(report: Mapping[str, Any], language: LanguageCode) -> str:
    cause = report["root_cause"]
    if cause is not None:
        name, sure = cause["name"][language], _share(cause["confidence"])
        return say("found", language, name=name, cause=cause["root_cause_id"], confidence=sure)
    best = report["hypotheses"][:_LEADERS]
    leaders = _list_causes(best, language)
    reason = next((_reason(item, language) for item in report["not_seen"]), "")
    return say(report["verdict"], language, leaders=leaders, reason=reason)


def _list_causes(causes: Sequence[Mapping[str, Any]], language: LanguageCode) -> str:
    return ", ".join(f"{item['name'][language]} {_share(item['confidence'])}" for item in causes)


def _list_failures(report: Mapping[str, Any], language: LanguageCode) -> list[str]:
    """The failed checks by reason; a single reason is already part of the verdict."""
    by_reason: dict[str, list[str]] = {}
    for item in report["not_seen"]:
        if item["reason"].startswith(_NOT_FOR_IT):
            continue
        by_reason.setdefault(_reason(item, language), []).append(item["check_id"])
    if report["verdict"] == "unseen" and len(by_reason) == 1:
        return []
    return [f"{_list_names(checks)}: {reason}" for reason, checks in by_reason.items()]


def _reason(item: Mapping[str, Any], language: LanguageCode) -> str:
    return render_reason(item["reason"], item.get("message"), language)


def _list_names(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" … ({len(names)})" if len(names) > _NAMED else "")


def _list_section(heading: str, items: list[str]) -> list[str]:
    return [heading, *(f"  - {item}" for item in items)] if items else []


def _ground(row: Mapping[str, Any], language: LanguageCode) -> str:
    return f"{row['name'][language]}: {row['words']} [{row['evidence_ref']}]"


def _relief(step: Mapping[str, Any], language: LanguageCode) -> str:
    parts = [say(key, language, text=_within(step[name], language)) for name, key in _PRICE.items() if step.get(name)]
    return _step(step, language) + "".join(parts)


def _step(step: Mapping[str, Any], language: LanguageCode) -> str:
    return _within(step["do"], language) + (f"  `{_within(step['how'], language)}`" if step.get("how") else "")


def _within(text: Any, language: LanguageCode) -> str:
    said = text.get(language) or next(iter(text.values())) if isinstance(text, dict) else text
    return " ".join(str(said).split())


def _share(confidence: float) -> str:
    return ">99%" if confidence > 0.99 else f"{confidence:.0%}"
