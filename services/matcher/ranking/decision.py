"""The decision rule: from scores to what to ask about."""

from __future__ import annotations

from dataclasses import dataclass

from services.matcher.model import Candidate, Clarification, ClarificationKind

MAX_OPTIONS = 4
# Scores in [0, 1]: the least of a clarification, of an option in it, and of a first candidate asked about alone.
LEAST_ASKED, _LEAST_OPTION, _LEAST_ALONE = 0.6, 0.3, 0.6
# With a lower lead over the runner-up both are options; from this score on words are no longer vague.
_LEAST_LEAD, _SURE = 0.1, 0.8
# The least probability that the text is about anything in the library.
_LEAST_INSIDE = 0.35


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates by descending score; `inside` is the probability that the text is about anything in the library."""

    candidates: tuple[Candidate, ...]
    inside: float
    vague: bool = False


def decide(ranked: Ranked) -> Clarification | None:
    """The phenomena that words may mean, to be asked about; None if they are near nothing. Likeness is no evidence."""
    candidates = ranked.candidates
    vague = ranked.vague and bool(candidates) and candidates[0].score < _SURE
    if not candidates or (ranked.inside < _LEAST_INSIDE and not vague):
        return None
    if candidates[0].score < LEAST_ASKED and not vague:
        return None
    close = len(candidates) > 1 and candidates[0].score - candidates[1].score < _LEAST_LEAD
    if candidates[0].score >= _LEAST_ALONE and not close and not vague:
        return Clarification(ClarificationKind.MULTIPLE_MATCHES, candidates[:1])
    options = tuple(item for item in candidates if vague or item.score >= _LEAST_OPTION)[:MAX_OPTIONS]
    kind = ClarificationKind.MULTIPLE_MATCHES if close and not vague else ClarificationKind.VAGUE
    return Clarification(kind, options) if options else None
