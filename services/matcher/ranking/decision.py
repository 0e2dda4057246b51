"""The decision rule: scores to a match, a clarification, or no match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.matcher.model import Candidate, Clarification, ClarificationKind, Doubt, Match, NoMatch, Outcome, Verdict
from services.matcher.reading.polarity import Judgement

MAX_OPTIONS = 4


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Decision thresholds in [0, 1].

    sure: match without naming an alternative; match: match, naming the runner-up; gap: minimum lead over the runner-up,
    below it a clarification follows; denied: accept a denial; ask: minimum score for a clarification; option: minimum
    score of an option in it; inside: minimum probability that the text is about anything in the library.
    """

    sure: float = 0.8
    match: float = 0.6
    gap: float = 0.1
    denied: float = 0.5
    ask: float = 0.2
    option: float = 0.08
    inside: float = 0.35


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates by descending score; `inside` is the probability that the text is about anything in the library."""

    candidates: tuple[Candidate, ...]
    inside: float
    vague: bool = False


def decide(ranked: Ranked, judgement: Judgement | None, certainty: float, thresholds: Thresholds) -> Outcome:
    """The outcome for one observation. `judgement` belongs to the first candidate; None without candidates."""
    candidates = ranked.candidates
    vague = ranked.vague and bool(candidates) and candidates[0].score < thresholds.sure
    if judgement is None or not candidates or (ranked.inside < thresholds.inside and not vague):
        return NoMatch()
    first = candidates[0]
    second = candidates[1] if len(candidates) > 1 else None
    close = second is not None and first.score - second.score < thresholds.gap
    denied = judgement.verdict is Verdict.DENIED and not vague
    if denied and first.score < thresholds.denied:
        # "Memory is fine" needs no clarification.
        return NoMatch()
    if (denied or first.score >= thresholds.ask) and not vague and judgement.doubt is not Doubt.NONE:
        undecided = judgement.doubt is Doubt.UNDECIDED
        return Clarification(ClarificationKind.VAGUE, (first,)) if undecided else NoMatch()
    if denied or (first.score >= thresholds.match and not close and not vague):
        also = (
            second.phenomenon_id if second and first.score < thresholds.sure and second.score >= thresholds.ask else ""
        )
        score = round(first.score * certainty, 6)
        return Match(first.phenomenon_id, judgement.verdict, score, judgement.extracted_value, also)
    return _ask(candidates, close, vague, thresholds)


def _ask(candidates: Sequence[Candidate], close: bool, vague: bool, thresholds: Thresholds) -> Outcome:
    if candidates[0].score < thresholds.ask and not vague:
        return NoMatch()
    options = tuple(item for item in candidates if vague or item.score >= thresholds.option)[:MAX_OPTIONS]
    kind = ClarificationKind.MULTIPLE_MATCHES if close and not vague else ClarificationKind.VAGUE
    return Clarification(kind, options) if options else NoMatch()
