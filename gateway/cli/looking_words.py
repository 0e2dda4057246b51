"""A diagnosis report as a person reads it, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gateway.cli.conversation import printable
from gateway.cli.phrases import LanguageCode

_WORDS = {
    "zh": {
        "found": "结论：{name}（{cause}，把握 {confidence}）",
        "suspected": "还不能下结论，最可能的是：{leaders}",
        "healthy": "没有发现问题：看过的项目里没有一项异常。",
        "unseen": "什么也没看到：{reason}",
        "also": "它解释不了的还有，另一个原因很可能是：{leaders}",
        "grounds": "依据：",
        "not_seen": "没看到的：",
        "actions": "可以先做（风险无或低）：",
        "decide": "要由人决定的步骤：",
        "ran": "{checks} 项检查，{rounds} 轮，{seconds:.1f} 秒；停止原因：{stop}。证据：{folder}",
    },
    "en": {
        "found": "Root cause: {name} ({cause}, {confidence} sure)",
        "suspected": "No conclusion yet; most likely: {leaders}",
        "healthy": "Nothing wrong was found: nothing that was looked at is out of order.",
        "unseen": "Nothing could be seen: {reason}",
        "also": "It does not explain all; another cause is likely: {leaders}",
        "grounds": "Grounds:",
        "not_seen": "Not seen:",
        "actions": "Can be done first (risk none or low):",
        "decide": "Steps for a person to decide:",
        "ran": "{checks} checks, {rounds} rounds, {seconds:.1f} s; ended by {stop}. Evidence: {folder}",
    },
}
_LEADERS = 3


def told(report: Mapping[str, Any], folder: str, language: LanguageCode) -> str:
    """The report in a few lines."""
    words = _WORDS[language]
    lines = [_verdict(report, words, language)]
    if also := _named(report.get("also", []), language):
        lines.append(words["also"].format(leaders=also))
    # What the snapshot does not know counts for nothing in it and has no name here.
    grounds = [row for row in report["evidence_table"] if row["verdict"] == "confirmed" and row["name"]]
    lines += _listed(words["grounds"], [_ground(row, language) for row in grounds])
    lines += _listed(words["not_seen"], [f"{item['check_id']}: {item['reason']}" for item in report["not_seen"]])
    lines += _listed(words["actions"], [_step(step, language) for step in report["next_actions"]])
    lines += _listed(words["decide"], [_step(step, language) for step in report["to_be_decided"]])
    counted = {name: report[name] for name in ("checks", "rounds", "seconds")}
    lines.append(words["ran"].format(**counted, stop=report["stop_reason"], folder=folder))
    return "\n".join(printable(line) for line in lines)


def _verdict(report: Mapping[str, Any], words: Mapping[str, str], language: LanguageCode) -> str:
    cause = report["root_cause"]
    if cause is not None:
        name, sure = cause["name"][language], _share(cause["confidence"])
        return words["found"].format(name=name, cause=cause["root_cause_id"], confidence=sure)
    best = report["hypotheses"][:_LEADERS]
    leaders = _named(best, language)
    reason = next((item["reason"] for item in report["not_seen"]), "")
    return words[report["verdict"]].format(leaders=leaders, reason=reason)


def _named(causes: Sequence[Mapping[str, Any]], language: LanguageCode) -> str:
    return ", ".join(f"{item['name'][language]} {_share(item['confidence'])}" for item in causes)


def _listed(heading: str, items: list[str]) -> list[str]:
    return [heading, *(f"  - {item}" for item in items)] if items else []


def _ground(row: Mapping[str, Any], language: LanguageCode) -> str:
    return f"{row['name'][language]}: {row['words']} [{row['evidence_ref']}]"


def _step(step: Mapping[str, Any], language: LanguageCode) -> str:
    return _within(step["do"], language) + (f"  `{_within(step['how'], language)}`" if step.get("how") else "")


def _within(text: Any, language: LanguageCode) -> str:
    said = text.get(language) or next(iter(text.values())) if isinstance(text, dict) else text
    return " ".join(str(said).split())


def _share(confidence: float) -> str:
    return ">99%" if confidence > 0.99 else f"{confidence:.0%}"
