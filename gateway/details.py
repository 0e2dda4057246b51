"""The `details` of an answer over HTTP: the turn's results as plain data, texts in the answer's language."""

from __future__ import annotations

from typing import Any

from gateway.language import Language, LocalizedText, Status
from gateway.look_details import look_of, offer_of, summary_of
from gateway.plan import Tool
from gateway.results import AppliedCorrection, AppliedSuggestion, Reply
from gateway.session import COLLECTED
from gateway.turn import Turn
from gateway.views import ConclusionView, OutcomeView, OverturnView, RankedHypothesis, RankedRecommendation

Data = dict[str, Any]


def details_of(turn: Turn, reply: Reply) -> Data:
    """What a program wants to know of this turn. Confidences in [0, 1], gains in bits."""
    language = turn.language
    session = turn.session
    status = session.status(turn.stuck_rounds)
    beliefs = session.beliefs()
    diagnosis = turn.diagnosis_view
    leader = beliefs[0] if beliefs else None
    return {
        # A conclusion is told by `diagnosis`; the status keeps to its four words.
        "status": Status.CONFIRMING.value if status is Status.CONCLUDED else status.value,
        "top_hypothesis": leader.name.within(language) if leader else None,
        "top_confidence": leader.confidence if leader else 0.0,
        "hypotheses": _hypotheses(turn, language),
        "recommendations": _recommendations(turn, language),
        "diagnosis": _conclusion(turn, diagnosis.conclusion) if diagnosis and diagnosis.conclusion else None,
        "contradiction": _contradiction(turn),
        "other_confidence": diagnosis.other_confidence if diagnosis else None,
        "surprise_bits": diagnosis.surprise_bits if diagnosis else None,
        "clarification": _clarification(turn, language),
        "corrections": [_correction(item, language) for item in turn.corrections],
        "suggestions": [_suggestion(item, language) for item in turn.suggestions],
        "evidence": [_evidence(turn, index) for index in range(len(turn.session.active()))],
        "unmatched": turn.unmatched,
        "look": look_of(turn),
        "look_offer": offer_of(turn),
        "call_results": [_call_result(turn, item.tool) for item in turn.done if not item.failed],
        "call_errors": [
            {"tool": item.tool.value, "reason": item.reason, "error_message": item.detail} for item in turn.failures
        ],
        "language": language.value,
        "model_usage": {step: vars(usage) for step, usage in turn.usage.items()} | {"respond": vars(reply.usage)},
        "knowledge_version": session.snapshot_id,
        "engine_version": turn.diagnosis.engine_version if turn.diagnosis else None,
    }


def _hypotheses(turn: Turn, language: Language) -> list[Data]:
    if turn.diagnosis_view is None or turn.diagnosis is None:
        return [
            _hypothesis(RankedHypothesis(item.root_cause_id, item.name, item.confidence, item.confidence), language)
            for item in turn.session.beliefs()[:5]
        ]
    contributions = {item.root_cause_id: item.contributions for item in turn.diagnosis.hypotheses}
    return [
        _hypothesis(item, language)
        | {
            "contributions": [
                {
                    "phenomenon_id": part.phenomenon_id,
                    "description": turn.catalog.phenomenon_name(part.phenomenon_id).within(language),
                    "verdict": part.verdict.value,
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


def _hypothesis(item: RankedHypothesis, language: Language) -> Data:
    return {
        "root_cause_id": item.root_cause_id,
        "description": item.name.within(language),
        "confidence": item.confidence,
        "effective_confidence": item.effective_confidence,
        "boost": item.boost,
        "confidence_before": item.confidence_before,
        "contributions": [],
    }


def _recommendations(turn: Turn, language: Language) -> list[Data]:
    if turn.diagnosis_view is not None and turn.diagnosis is not None:
        raw = {item.phenomenon_id: item for item in turn.diagnosis.recommendations}
        return [
            _recommendation(item, language)
            | {
                "confidence_if_yes": raw[item.phenomenon_id].confidence_if_yes,
                "confidence_if_no": raw[item.phenomenon_id].confidence_if_no,
            }
            for item in turn.diagnosis_view.recommendations
        ]
    pending = []
    for item in turn.session.pending:
        found = turn.catalog.phenomena.get(item.phenomenon_id)
        how = found.how.within(language) if found else ""
        view = RankedRecommendation(item.ordinal, item.phenomenon_id, item.name, observation_method=how)
        pending.append(_recommendation(view, language) | {"confidence_if_yes": None, "confidence_if_no": None})
    return pending


def _recommendation(item: RankedRecommendation, language: Language) -> Data:
    return {
        "ordinal": item.ordinal,
        "phenomenon_id": item.phenomenon_id,
        "description": item.name.within(language),
        "observation_method": item.observation_method,
        "observe_kind": item.observe_kind,
        "present_when": item.present_when.within(language) if item.present_when else None,
        "reason": reason(item, language),
        "related_hypotheses": [view.root_cause_id for view in item.related],
        "information_gain": item.information_gain_bits,
    }


def reason(item: RankedRecommendation, language: Language) -> str:
    """Why a question is asked, in a line: what it tells apart and what each answer would mean."""
    names = [view.name.within(language) for view in item.related[:3]]
    chinese = language is Language.ZH
    parts = []
    if names:
        parts.append("能区分：" + "、".join(names) if chinese else "tells apart: " + "; ".join(names))
    if item.if_yes and item.if_no and item.if_yes.beliefs and item.if_no.beliefs:
        yes, no = _leader(item.if_yes, language), _leader(item.if_no, language)
        parts.append(f"有 → {yes}；没有 → {no}" if chinese else f"yes → {yes}; no → {no}")
    return ("。" if chinese else ". ").join(parts)


def _leader(outcome: OutcomeView, language: Language) -> str:
    best = outcome.beliefs[0]
    return f"{best.name.within(language)} {best.confidence:.0%}"


def _contradiction(turn: Turn) -> list[Data] | None:
    """The two answers that contradict each other most; None when none do."""
    found = turn.diagnosis.contradiction if turn.diagnosis else None
    if found is None:
        return None
    return [
        {"phenomenon_id": phenomenon_id, "description": turn.evidence_name(phenomenon_id).within(turn.language)}
        for phenomenon_id in (found.first_phenomenon_id, found.second_phenomenon_id)
    ]


def _second_cause(turn: Turn) -> Data | None:
    conclusion = turn.diagnosis.conclusion if turn.diagnosis else None
    if conclusion is None or conclusion.second_root_cause_id is None:
        return None
    return {
        "root_cause_id": conclusion.second_root_cause_id,
        "description": turn.catalog.root_cause_name(conclusion.second_root_cause_id).within(turn.language),
        "confidence": conclusion.second_confidence,
    }


def _overturn(item: OverturnView | None, language: Language) -> Data | None:
    """The answer that would overturn a new conclusion; None when none was found, or the conclusion is not new."""
    if item is None:
        return None
    return {
        "description": item.name.within(language),
        "verdict_now": item.verdict_now.value if item.verdict_now else None,
        "verdict_then": item.verdict_then.value,
        "leader_then": item.leader_then.within(language),
        "confidence_then": item.confidence_then,
    }


def _conclusion(turn: Turn, item: ConclusionView) -> Data:
    language = turn.language

    def said(texts: tuple[LocalizedText, ...]) -> list[str]:
        return [text.within(language) for text in texts]

    return {
        "root_cause_id": item.root_cause_id,
        "description": item.name.within(language),
        "confidence": item.confidence,
        "mechanism": item.mechanism.within(language) if item.mechanism else None,
        "observed_phenomena": said(item.supporting),
        "conflicting_phenomena": said(item.conflicting),
        "unchecked_phenomena": said(item.unchecked),
        "unexplained_phenomena": said(item.unexplained),
        "second_cause": _second_cause(turn),
        "overturn": _overturn(item.overturn, language),
        "solution": [
            {
                "action": step.action.within(language),
                "how": step.how,
                "risk": step.risk,
                "undo": step.undo.within(language) if step.undo else None,
                "helps": step.helps,
                "prevents": step.prevents,
            }
            for step in item.solution
        ],
        "verify": item.verify.within(language) if item.verify else None,
        "reference_tickets": [vars(ticket) for ticket in item.tickets],
    }


def _clarification(turn: Turn, language: Language) -> Data | None:
    asked = turn.clarification
    if asked is None:
        return None
    return {
        "kind": asked.kind.value,
        "words": asked.words,
        "earlier_words": asked.earlier_words or None,
        "options": [
            {
                "ordinal": option.ordinal,
                "phenomenon_id": option.phenomenon_id,
                "description": option.name.within(language),
            }
            for option in asked.options
        ],
    }


def _correction(item: AppliedCorrection, language: Language) -> Data:
    return {
        "description": item.name.within(language),
        "original": item.original or item.name.within(language),
        "corrected": item.corrected or None,
        "verdict_before": item.verdict_before.value if item.verdict_before else None,
        "verdict_after": item.verdict_after.value if item.verdict_after else None,
        "changes": [
            {
                "root_cause_id": change.root_cause_id,
                "description": change.name.within(language),
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
        "description": item.name.within(language) if item.name else None,
        "confidence": item.confidence,
        "boost": item.boost,
        "effective_confidence": item.effective_confidence,
    }


def _evidence(turn: Turn, index: int) -> Data:
    entry = turn.session.active()[index]
    return {
        "phenomenon_id": entry.phenomenon_id,
        "description": turn.catalog.phenomenon_name(entry.phenomenon_id).within(turn.language),
        "verdict": entry.verdict.value,
        "score": entry.score,
        "words": entry.words,
        "turn": entry.turn,
        "source": COLLECTED if entry.collected else "person",
        "check_id": entry.check_id or None,
        "evidence_ref": entry.evidence_ref or None,
        "output_sha256": entry.output_sha256 or None,
    }


def _call_result(turn: Turn, tool: Tool) -> Data:
    counts = {
        Tool.COLLECT_EVIDENCE: summary_of(turn),
        Tool.MATCH_PHENOMENA: f"{len(turn.noted)} noted, {len(turn.unmatched)} not in the library",
        Tool.DIAGNOSE: f"{len(turn.active_evidence())} pieces of evidence evaluated",
    }
    return {"tool": tool.value, "summary": counts.get(tool, f"{len(turn.answers)} answered")}
