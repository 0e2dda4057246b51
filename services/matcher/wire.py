"""Codec between dbdiag.matcher.v1 and the domain types; `from_wire(to_wire(x)) == x` for every pair."""

from __future__ import annotations

from dbdiag.matcher.v1 import matcher_pb2 as pb

from services.chassis.errors import InvalidInput
from services.matcher.model import (
    Candidate,
    Clarification,
    ClarificationKind,
    Interpretation,
    Language,
    LocalizedText,
    Match,
    MatchAnswer,
    MatchContext,
    MatchRequest,
    ModelUsage,
    NoMatch,
    Observation,
    RootCauseHit,
    SearchAnswer,
    SearchRequest,
    Verdict,
)

DEFAULT_LIMIT, MAX_LIMIT = 5, 50
_VERDICTS = {
    Verdict.CONFIRMED: pb.VERDICT_CONFIRMED,
    Verdict.DENIED: pb.VERDICT_DENIED,
    Verdict.UNKNOWN: pb.VERDICT_UNKNOWN,
}
_KINDS = {
    ClarificationKind.VAGUE: pb.CLARIFICATION_KIND_VAGUE,
    ClarificationKind.MULTIPLE_MATCHES: pb.CLARIFICATION_KIND_MULTIPLE_MATCHES,
}
_VERDICT_OF = {number: verdict for verdict, number in _VERDICTS.items()}
_KIND_OF = {number: kind for kind, number in _KINDS.items()}


def match_request_from_wire(message: pb.MatchPhenomenaRequest) -> MatchRequest:
    """The request of a message. Raises InvalidInput without observations or for a language other than zh or en."""
    if not message.observations:
        raise InvalidInput("empty_text.no_observation")
    return MatchRequest(
        snapshot_id=message.snapshot_id,
        observations=tuple(
            Observation(item.text, item.certainty if item.HasField("certainty") else 1.0)
            for item in message.observations
        ),
        context=MatchContext(
            pending=tuple(message.pending_phenomenon_ids),
            evidence=tuple(message.evidence_phenomenon_ids),
            options=tuple(message.option_phenomenon_ids),
            language=_language(message.language),
            max_candidates=_limit(message.max_candidates),
        ),
    )


def match_request_to_wire(request: MatchRequest) -> pb.MatchPhenomenaRequest:
    """The request as a message."""
    return pb.MatchPhenomenaRequest(
        snapshot_id=request.snapshot_id,
        observations=[pb.Observation(text=item.text, certainty=item.certainty) for item in request.observations],
        pending_phenomenon_ids=request.context.pending,
        evidence_phenomenon_ids=request.context.evidence,
        option_phenomenon_ids=request.context.options,
        language=request.context.language,
        max_candidates=request.context.max_candidates,
    )


def match_answer_to_wire(answer: MatchAnswer) -> pb.MatchPhenomenaResponse:
    """The answer as a message."""
    usage = answer.usage
    return pb.MatchPhenomenaResponse(
        snapshot_id=answer.snapshot_id,
        interpretations=[_interpretation_to_wire(item) for item in answer.interpretations],
        usage=pb.ModelUsage(
            calls=usage.calls,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            fallback_reason=usage.fallback_reason,
        ),
    )


def match_answer_from_wire(message: pb.MatchPhenomenaResponse) -> MatchAnswer:
    """The answer of a message."""
    usage = message.usage
    return MatchAnswer(
        snapshot_id=message.snapshot_id,
        interpretations=tuple(_interpretation_from_wire(item) for item in message.interpretations),
        usage=ModelUsage(usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.fallback_reason),
    )


def search_request_from_wire(message: pb.SearchPhenomenaRequest) -> SearchRequest:
    """The request of a message; a limit of 0 means 5. Raises InvalidInput above 50."""
    return SearchRequest(message.snapshot_id, message.text, _limit(message.limit), message.include_root_causes)


def search_request_to_wire(request: SearchRequest) -> pb.SearchPhenomenaRequest:
    """The request as a message."""
    return pb.SearchPhenomenaRequest(
        snapshot_id=request.snapshot_id,
        text=request.text,
        limit=request.limit,
        include_root_causes=request.include_root_causes,
    )


def search_answer_to_wire(answer: SearchAnswer) -> pb.SearchPhenomenaResponse:
    """The answer as a message."""
    return pb.SearchPhenomenaResponse(
        snapshot_id=answer.snapshot_id,
        candidates=[_candidate_to_wire(item) for item in answer.candidates],
        root_causes=[
            pb.RootCauseHit(root_cause_id=hit.root_cause_id, name=_text_to_wire(hit.name), score=hit.score)
            for hit in answer.root_causes
        ],
    )


def search_answer_from_wire(message: pb.SearchPhenomenaResponse) -> SearchAnswer:
    """The answer of a message."""
    return SearchAnswer(
        snapshot_id=message.snapshot_id,
        candidates=tuple(map(_candidate_from_wire, message.candidates)),
        root_causes=tuple(
            RootCauseHit(hit.root_cause_id, LocalizedText(hit.name.zh, hit.name.en), hit.score)
            for hit in message.root_causes
        ),
    )


def _interpretation_to_wire(item: Interpretation) -> pb.Interpretation:
    message = pb.Interpretation(
        observation_index=item.observation_index, candidates=[_candidate_to_wire(one) for one in item.candidates]
    )
    outcome = item.outcome
    if isinstance(outcome, Match):
        message.match.CopyFrom(
            pb.Match(
                phenomenon_id=outcome.phenomenon_id,
                verdict=_VERDICTS[outcome.verdict],
                score=outcome.score,
                extracted_value=outcome.extracted_value,
                also_possible_id=outcome.also_possible_id,
            )
        )
    elif isinstance(outcome, Clarification):
        options = [_candidate_to_wire(one) for one in outcome.options]
        message.clarification.CopyFrom(pb.Clarification(kind=_KINDS[outcome.kind], options=options))
    else:
        message.no_match.SetInParent()
    return message


def _interpretation_from_wire(message: pb.Interpretation) -> Interpretation:
    chosen = message.WhichOneof("outcome")
    outcome: Match | Clarification | NoMatch = NoMatch()
    if chosen == "match":
        match = message.match
        verdict = _VERDICT_OF[match.verdict]
        outcome = Match(match.phenomenon_id, verdict, match.score, match.extracted_value, match.also_possible_id)
    elif chosen == "clarification":
        options = tuple(map(_candidate_from_wire, message.clarification.options))
        outcome = Clarification(_KIND_OF[message.clarification.kind], options)
    candidates = tuple(map(_candidate_from_wire, message.candidates))
    return Interpretation(message.observation_index, outcome, candidates)


def _candidate_to_wire(item: Candidate) -> pb.Candidate:
    return pb.Candidate(
        phenomenon_id=item.phenomenon_id,
        name=_text_to_wire(item.name),
        score=item.score,
        dense_score=item.dense_score,
        sparse_score=item.sparse_score,
    )


def _candidate_from_wire(message: pb.Candidate) -> Candidate:
    name = LocalizedText(message.name.zh, message.name.en)
    return Candidate(message.phenomenon_id, name, message.score, message.dense_score, message.sparse_score)


def _text_to_wire(text: LocalizedText) -> pb.LocalizedText:
    return pb.LocalizedText(zh=text.zh, en=text.en)


def _language(given: str) -> Language:
    if given in ("", "en"):
        return "en"
    if given == "zh":
        return "zh"
    raise InvalidInput("invalid_request.match_language", language=repr(given))


def _limit(given: int) -> int:
    if given > MAX_LIMIT:
        raise InvalidInput("invalid_request.candidate_limit", count=given, most=MAX_LIMIT)
    return given or DEFAULT_LIMIT
