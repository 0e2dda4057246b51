"""The `details` of an answer over HTTP: the turn's results as plain data, texts in the answer's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from dbdiag.planner.v1.planner_types import (
    AppliedCorrection,
    AppliedSuggestion,
    Language,
    OutcomeView,
    RankedHypothesis,
    RankedRecommendation,
    Reply,
    Status,
    Tool,
)

from gateway.session.ledger import COLLECTED, LedgerEntry
from gateway.turn.context import Turn
from gateway.turn.details.conclusion_details import conclusion_of
from gateway.turn.details.investigation_details import look_of, offer_of, summary_of
from gateway.turn.proposed_readings import present_reading, readings_of_turn

Data = dict[str, Any]


def details_of(turn: Turn, reply: Reply) -> Data:
    """The turn's results for programs. Confidences in [0, 1], gains in bits."""
    language = turn.language
    session = turn.session
    status = session.status(turn.stuck_rounds)
    diagnosis = turn.diagnosis_view
    leader = next(iter(session.beliefs()), None)
    names = turn.catalog.names_in(language)
    return {
        # `diagnosis` carries the conclusion; the status has four values only.
        "status": Status.CONFIRMING.value if status is Status.CONCLUDED else status.value,
        "top_hypothesis": leader.name.say(language) if leader else None,
        "top_confidence": leader.confidence if leader else 0.0,
        "hypotheses": _hypotheses(turn, names),
        "recommendations": _recommendations(turn, names, language),
        "diagnosis": conclusion_of(turn, diagnosis.conclusion) if diagnosis and diagnosis.conclusion else None,
        "contradiction": _contradiction(turn),
        "other_confidence": diagnosis.other_confidence if diagnosis else None,
        "surprise_bits": diagnosis.surprise_bits if diagnosis else None,
        "clarification": _clarification(turn, language),
        "proposed": [present_reading(turn, item) for item in readings_of_turn(turn)] if session.proposed else [],
        "corrections": [_correction(item, language) for item in turn.corrections],
        "suggestions": [_suggestion(item, language) for item in turn.suggestions],
        "treatments": [vars(item) for item in session.treatments],
        "aftermath": session.aftermath,
        "evidence": [_evidence(names, entry) for entry in session.active()],
        "unmatched": turn.unmatched,
        "data": [asdict(figure) for figure in turn.figures],
        "look": look_of(turn) if turn.look else None,
        "look_offer": offer_of(turn) if turn.look_offer else None,
        "call_results": [_call_result(turn, item.tool) for item in turn.done if not item.failed],
        "call_errors": [
            {"tool": item.tool, "reason": item.reason, "error_message": item.detail} for item in turn.failures
        ],
        "language": language.value,
        "model_usage": {step: vars(usage) for step, usage in turn.usage.items()} | {"respond": vars(reply.usage)},
        "knowledge_version": session.snapshot_id,
        "engine_version": turn.diagnosis.engine_version if turn.diagnosis else None,
    }


def _hypotheses(turn: Turn, names: Mapping[str, str]) -> list[Data]:
    if turn.diagnosis_view is None or turn.diagnosis is None:
        return [
            _hypothesis(RankedHypothesis(item.root_cause_id, item.name, item.confidence, item.confidence), names)
            for item in turn.session.beliefs()[:5]
        ]
    contributions = {item.root_cause_id: item.contributions for item in turn.diagnosis.hypotheses}
    return [
        _hypothesis(item, names)
        | {
            "contributions": [
                {
                    "phenomenon_id": part.phenomenon_id,
                    "description": names.get(part.phenomenon_id, part.phenomenon_id),
                    "verdict": part.verdict,
                    "score": part.score,
                    "bits": part.bits,
                    "ticket_hits": part.ticket_hits,
                    "ticket_count": part.ticket_count,
                    "ticket_ids": list(part.ticket_ids),
                }
                for part in contributions.get(item.root_cause_id, ())
            ]
        }
        for item in turn.diagnosis_view.hypotheses
    ]


def _hypothesis(item: RankedHypothesis, names: Mapping[str, str]) -> Data:
    return {
        "root_cause_id": item.root_cause_id,
        "description": names.get(item.root_cause_id, item.root_cause_id),
        "confidence": item.confidence,
        "effective_confidence": item.effective_confidence,
        "boost": item.boost,
        "confidence_before": item.confidence_before,
        "contributions": [],
    }


def _recommendations(turn: Turn, names: Mapping[str, str], language: Language) -> list[Data]:
    if turn.diagnosis_view is not None and turn.diagnosis is not None:
        raw = {item.phenomenon_id: item for item in turn.diagnosis.recommendations}
        return [
            _recommendation(item, names, language)
            | {
                "confidence_if_yes": raw[item.phenomenon_id].confidence_if_yes,
                "confidence_if_no": raw[item.phenomenon_id].confidence_if_no,
            }
            for item in turn.diagnosis_view.recommendations
        ]
    pending = []
    for item in turn.session.pending:
        found = turn.catalog.phenomena.get(item.phenomenon_id)
        how = found.how.say(language) if found else ""
        view = RankedRecommendation(item.ordinal, item.phenomenon_id, item.name, observation_method=how)
        pending.append(_recommendation(view, names, language) | {"confidence_if_yes": None, "confidence_if_no": None})
    return pending


def _recommendation(item: RankedRecommendation, names: Mapping[str, str], language: Language) -> Data:
    return {
        "ordinal": item.ordinal,
        "phenomenon_id": item.phenomenon_id,
        "description": names.get(item.phenomenon_id, item.phenomenon_id),
        "observation_method": item.observation_method,
        "observe_kind": item.observe_kind,
        "present_when": item.present_when.say(language) or None,
        "reason": _reason(item, names, language),
        "related_hypotheses": [view.root_cause_id for view in item.related],
        "information_gain": item.information_gain_bits,
    }


def _reason(item: RankedRecommendation, names: Mapping[str, str], language: Language) -> str:
    """The reason for a question in one line: the causes that it separates, and the effect of each answer."""
    related = [names.get(view.root_cause_id, view.root_cause_id) for view in item.related[:3]]
    chinese = language is Language.ZH
    parts = []
    if related:
        parts.append("能区分：" + "、".join(related) if chinese else "tells apart: " + "; ".join(related))
    if item.if_yes.beliefs and item.if_no.beliefs:
        yes, no = _leader(item.if_yes, names), _leader(item.if_no, names)
        parts.append(f"有 → {yes}；没有 → {no}" if chinese else f"yes → {yes}; no → {no}")
    return ("。" if chinese else ". ").join(parts)


def _leader(outcome: OutcomeView, names: Mapping[str, str]) -> str:
    best = outcome.beliefs[0]
    return f"{names.get(best.root_cause_id, best.root_cause_id)} {best.confidence:.0%}"


def _contradiction(turn: Turn) -> list[Data] | None:
    """The two most contradictory answers, or None."""
    found = turn.diagnosis_view.contradiction if turn.diagnosis_view else None
    names = (found.first.phenomenon_id, found.second.phenomenon_id) if found else ()
    return [
        {"phenomenon_id": name, "description": turn.evidence_name(name).say(turn.language)} for name in names
    ] or None


def _clarification(turn: Turn, language: Language) -> Data | None:
    asked = turn.clarification
    if asked is None:
        return None
    return {
        "kind": asked.kind,
        "words": asked.words,
        "earlier_words": asked.earlier_words or None,
        "options": [
            {"ordinal": option.ordinal, "phenomenon_id": option.phenomenon_id, "description": option.name.say(language)}
            for option in asked.options
        ],
    }


def _correction(item: AppliedCorrection, language: Language) -> Data:
    name = item.name.say(language)
    return {
        "description": name,
        "original": item.original or name,
        "corrected": item.corrected or None,
        "verdict_before": item.verdict_before,
        "verdict_after": item.verdict_after,
        "changes": [
            {
                "root_cause_id": change.root_cause_id,
                "description": change.name.say(language),
                "confidence_before": change.confidence_before,
                "confidence_after": change.confidence_after,
            }
            for change in item.changes
        ],
    }


def _suggestion(item: AppliedSuggestion, language: Language) -> Data:
    return {
        "text": item.text,
        "root_cause_id": item.root_cause_id or None,
        "description": item.name.say(language) or None,
        "confidence": item.confidence,
        "boost": item.boost,
        "effective_confidence": item.effective_confidence,
    }


def _evidence(names: Mapping[str, str], entry: LedgerEntry) -> Data:
    return {
        "phenomenon_id": entry.phenomenon_id,
        "description": names.get(entry.phenomenon_id, entry.phenomenon_id),
        "verdict": entry.verdict,
        "score": entry.score,
        "words": entry.words,
        "turn": entry.turn,
        "source": COLLECTED if entry.origin == COLLECTED else "person",
        "check_id": entry.check_id or None,
        "evidence_ref": entry.evidence_ref or None,
        "output_sha256": entry.output_sha256 or None,
    }


def _call_result(turn: Turn, tool: Tool) -> Data:
    match tool:
        case Tool.COLLECT_EVIDENCE:
            summary = summary_of(turn)
        case Tool.MATCH_PHENOMENA:
            summary = f"{len(turn.noted)} noted, {len(turn.unmatched)} not in the library"
        case Tool.DIAGNOSE:
            summary = f"{len(turn.session.active())} pieces of evidence evaluated"
        case _:
            summary = f"{len(turn.answers)} answered"
    return {"tool": tool.value, "summary": summary}
