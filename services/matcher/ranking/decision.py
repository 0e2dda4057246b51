"""The decision rule: from scores to what to ask about."""

from __future__ import annotations

from dataclasses import dataclass

from services.matcher.model import Candidate, Clarification, ClarificationKind

MAX_OPTIONS = 4


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Decision thresholds in [0, 1].

    sure: no longer vague; match: ask about the first alone; gap: minimum lead over the runner-up, below it both are
    options; ask: minimum score for a clarification; option: minimum score of an option in it; inside: minimum
    probability that the text is about anything in the library.
    """

    sure: float = 0.8
    match: float = 0.6
    gap: float = 0.1
    ask: float = 0.6
    option: float = 0.3
    inside: float = 0.35


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates by descending score; `inside` is the probability that the text is about anything in the library."""

    candidates: tuple[Candidate, ...]
    inside: float
    vague: bool = False


def decide(ranked: Ranked, thresholds: Thresholds) -> Clarification | None:
    """The phenomena that words may mean, to be asked about; None if they are near nothing. Likeness is no evidence."""
    candidates = ranked.candidates
    vague = ranked.vague and bool(candidates) and candidates[0].score < thresholds.sure
    if not candidates or (ranked.inside < thresholds.inside and not vague):
        return None
    if candidates[0].score < thresholds.ask and not vague:
        return None
    close = len(candidates) > 1 and candidates[0].score - candidates[1].score < thresholds.gap
    if candidates[0].score >= thresholds.match and not close and not vague:
        return Clarification(ClarificationKind.MULTIPLE_MATCHES, candidates[:1])
    options = tuple(item for item in candidates if vague or item.score >= thresholds.option)[:MAX_OPTIONS]
    kind = ClarificationKind.MULTIPLE_MATCHES if close and not vague else ClarificationKind.VAGUE
    return Clarification(kind, options) if options else None
