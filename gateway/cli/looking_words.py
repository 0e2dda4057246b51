"""A diagnosis report as a person reads it, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gateway.cli.conversation import printable
from gateway.cli.phrases import LanguageCode
from gateway.wording.error_words import why_in_language

_WORDS = {
    "zh": {
        "found": "结论：{name}（{cause}，把握 {confidence}）",
        "suspected": "还不能下结论，最可能的是：{leaders}",
        "healthy": "没有发现问题：看过的项目里没有一项异常。",
        "but_unseen": "有些没看到，不能排除，见下。",
        "unseen": "什么也没看到：{reason}",
        "also": "它解释不了的还有，另一个原因很可能是：{leaders}",
        "grounds": "依据：",
        "not_seen": "没看到的：",
        "actions": "可以先做（风险无或低）：",
        "decide": "要由人决定的步骤：",
        "mend": "请看一下：目标是否在运行，地址、用户、口令对不对，网络通不通。改好以后再来一次。",
        "ran": "{checks} 项检查，{rounds} 轮，{seconds:.1f} 秒；停止原因：{stop}。证据：{folder}",
    },
    "en": {
        "found": "Root cause: {name} ({cause}, {confidence} sure)",
        "suspected": "No conclusion yet; most likely: {leaders}",
        "healthy": "Nothing wrong was found: nothing that was looked at is out of order.",
        "but_unseen": "Some of it could not be seen, which rules nothing out; see below.",
        "unseen": "Nothing could be seen: {reason}",
        "also": "It does not explain all; another cause is likely: {leaders}",
        "grounds": "Grounds:",
        "not_seen": "Not seen:",
        "actions": "Can be done first (risk none or low):",
        "decide": "Steps for a person to decide:",
        "mend": "See that the target runs, that address, user and password are right, and that it can be reached from "
        "here; then try again.",
        "ran": "{checks} checks, {rounds} rounds, {seconds:.1f} s; ended by {stop}. Evidence: {folder}",
    },
}
_STOPS = {
    "zh": {
        "confident": "把握已够",
        "max_rounds": "轮数用完",
        "max_total_checks": "检查总数用完",
        "time_budget": "时间用完",
        "pool_exhausted": "能查的都查了",
        "nothing_found": "连着两轮没有新发现",
        "no_progress": "连着两轮没有进展",
        "target_unreachable": "连不上目标",
        "planner_stopped": "规划者叫停",
        "evidence_only": "只采集了证据",
    },
    "en": {
        "confident": "being sure enough",
        "max_rounds": "the limit of rounds",
        "max_total_checks": "the limit of checks",
        "time_budget": "the limit of time",
        "pool_exhausted": "having made every check that could tell something",
        "nothing_found": "two rounds without anything new",
        "no_progress": "two rounds without progress",
        "target_unreachable": "a target that cannot be reached",
        "planner_stopped": "the planner",
        "evidence_only": "having collected evidence alone",
    },
}
_LEADERS = 3
# A check that is not made for what the target is lacks nothing.
_NOT_FOR_IT = ("role_not_supported", "version_not_supported", "wrong_platform")
# Checks that brought nothing for one and the same reason are named so far.
_NAMED = 6


def told(report: Mapping[str, Any], folder: str, language: LanguageCode) -> str:
    """The report in a few lines."""
    words = _WORDS[language]
    lines = [_verdict(report, words, language)]
    unseen = _unseen(report, language)
    if report["verdict"] == "healthy" and unseen:
        lines.append(words["but_unseen"])
    if report["stop_reason"] == "target_unreachable":
        lines.append(words["mend"])
    if also := _named(report.get("also", []), language):
        lines.append(words["also"].format(leaders=also))
    # What the snapshot does not know counts for nothing in it and has no name here.
    grounds = [row for row in report["evidence_table"] if row["verdict"] == "confirmed" and row["name"]]
    lines += _listed(words["grounds"], [_ground(row, language) for row in grounds])
    lines += _listed(words["not_seen"], unseen)
    lines += _listed(words["actions"], [_step(step, language) for step in report["next_actions"]])
    lines += _listed(words["decide"], [_step(step, language) for step in report["to_be_decided"]])
    counted = {name: report[name] for name in ("checks", "rounds", "seconds")}
    stop = _STOPS[language].get(report["stop_reason"], report["stop_reason"])
    lines.append(words["ran"].format(**counted, stop=stop, folder=folder))
    return "\n".join(printable(line) for line in lines)


def _verdict(report: Mapping[str, Any], words: Mapping[str, str], language: LanguageCode) -> str:
    cause = report["root_cause"]
    if cause is not None:
        name, sure = cause["name"][language], _share(cause["confidence"])
        return words["found"].format(name=name, cause=cause["root_cause_id"], confidence=sure)
    best = report["hypotheses"][:_LEADERS]
    leaders = _named(best, language)
    reason = why_in_language(next((item["reason"] for item in report["not_seen"]), ""), language)
    return words[report["verdict"]].format(leaders=leaders, reason=reason)


def _named(causes: Sequence[Mapping[str, Any]], language: LanguageCode) -> str:
    return ", ".join(f"{item['name'][language]} {_share(item['confidence'])}" for item in causes)


def _unseen(report: Mapping[str, Any], language: LanguageCode) -> list[str]:
    """The checks by why they brought nothing; a reason that was told already stands for all."""
    by_reason: dict[str, list[str]] = {}
    for item in report["not_seen"]:
        if item["reason"].startswith(_NOT_FOR_IT):
            continue
        by_reason.setdefault(item["reason"], []).append(item["check_id"])
    if report["verdict"] == "unseen" and len(by_reason) == 1:
        return []
    return [f"{_counted(checks)}: {why_in_language(reason, language)}" for reason, checks in by_reason.items()]


def _counted(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" … ({len(names)})" if len(names) > _NAMED else "")


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
