"""The documents of a finished diagnosis, as functions of the case, the looks and the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from dbdiag.vocabulary import Verdict
from pydantic import TypeAdapter

from gateway.investigation.journal import read_document
from gateway.investigation.model import Case, CheckRun, Ending, Stop, Verdicts, as_document
from gateway.investigation.planning import find_verdict
from gateway.investigation.state import Shown, State, has_run
from services.chassis.errors import InvalidInput

REPORT, PACK = "dbdiag.report.v1", "dbdiag.evidence_pack.v1"
# Steps that change nothing or little may be proposed as they are; the rest need a person's decision first.
_PROPOSED_RISKS = ("none", "low")
_HYPOTHESES = 5
_CASE = TypeAdapter(Case)
_LOOKS = TypeAdapter(tuple[CheckRun, ...])
# Without these there is nothing to tell.
_PARTS = {"verdict", "stop_reason", "root_cause", "hypotheses", "evidence_table", "not_seen", "next_actions"}
_PARTS |= {"to_be_decided", "checks", "rounds", "seconds"}
_ORDER = {Verdict.CONFIRMED: 0, Verdict.DENIED: 1, Verdict.UNKNOWN: 2}


@dataclass(frozen=True)
class Words:
    """The library's entries by id: names of phenomena, and causes with their solutions."""

    phenomena: Mapping[str, Mapping[str, Any]]
    causes: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, snapshot: Mapping[str, Any]) -> Words:
        """From a snapshot's document."""
        return cls(
            {entry["id"]: entry for entry in snapshot["phenomena"]},
            {entry["id"]: entry for entry in snapshot["root_causes"]},
        )


def make_evidence_pack(case: Case, looks: Sequence[CheckRun]) -> dict[str, Any]:
    """The evidence pack: the case and its looks."""
    return {"format": PACK, "case": as_document(case), "looks": [as_document(look) for look in looks]}


def read_pack(text: str, name: str) -> tuple[Case, tuple[CheckRun, ...], float]:
    """The case of a pack, its looks, and the seconds they took. Raises InvalidInput for anything else."""
    body = read_document(text, name, PACK, "bad_pack")
    try:
        case, looks = _CASE.validate_python(body["case"]), _LOOKS.validate_python(body["looks"])
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput("bad_pack", name=name) from error
    return case, looks, round(sum(look.elapsed_seconds for look in looks), 4)


def read_report(text: str, name: str) -> dict[str, Any]:
    """A stored report. Raises InvalidInput for anything else."""
    body = read_document(text, name, REPORT, "bad_report")
    if lacking := _PARTS - body.keys():
        raise InvalidInput("bad_report.incomplete", name=name, parts=tuple(sorted(lacking)))
    return body


def make_report(case: Case, state: State, stop: Stop, words: Words) -> dict[str, Any]:
    """The report: verdict, evidence and next actions."""
    said = find_verdict(case, state)
    return {
        "format": REPORT,
        "session_id": case.session_id,
        "target_id": case.target_id,
        "snapshot_id": case.snapshot_id,
        "question": case.question,
        "verdict": said.value,
        "stop_reason": stop.value,
        "root_cause": _describe_cause(state, words) if said is Verdicts.FOUND else None,
        "hypotheses": [asdict(belief) for belief in state.judgement.beliefs[:_HYPOTHESES]],
        "also": [asdict(belief) for belief in state.also],
        "other_confidence": state.judgement.other,
        "standings": [asdict(standing) for standing in state.standings],
        "evidence_table": [_describe_finding(item, words) for item in sorted(state.shown, key=_rank)],
        "not_seen": [_describe_failure(look) for look in state.looks if look.ending is not Ending.DONE],
        **_list_actions(state, said, words),
        "checks": sum(1 for look in state.looks if has_run(look)),
        "rounds": state.rounds,
        "seconds": state.seconds,
    }


def _describe_cause(state: State, words: Words) -> dict[str, Any]:
    belief = state.judgement.beliefs[0]
    entry = words.causes.get(belief.root_cause_id, {})
    told = {name: entry.get(name) for name in ("category", "mechanism", "verify")}
    return {"root_cause_id": belief.root_cause_id, "name": asdict(belief.name), "confidence": belief.confidence, **told}


def _rank(item: Shown) -> tuple[int, str]:
    return _ORDER[item.finding.verdict], item.finding.phenomenon_id


def _describe_finding(item: Shown, words: Words) -> dict[str, Any]:
    found = item.finding
    return {
        "phenomenon_id": found.phenomenon_id,
        "name": words.phenomena.get(found.phenomenon_id, {}).get("name"),
        "verdict": found.verdict.value,
        "words": found.words,
        "check_id": item.check_id,
        "evidence_ref": item.evidence_ref,
    }


def _describe_failure(look: CheckRun) -> dict[str, Any]:
    document = as_document(look)
    names = ("check_id", "ending", "reason", "evidence_ref", "message")
    return {name: document[name] for name in names if name in document}


def _list_actions(state: State, said: Verdicts, words: Words) -> dict[str, Any]:
    """What stops the bleeding, then the steps of the solution, split by risk."""
    entry = words.causes.get(state.leader, {}) if said is Verdicts.FOUND else {}
    steps = entry.get("solution") or []
    return {
        "relief": list(entry.get("relief") or ()),
        "next_actions": [step for step in steps if step.get("risk") in _PROPOSED_RISKS],
        "to_be_decided": [step for step in steps if step.get("risk") not in _PROPOSED_RISKS],
    }
