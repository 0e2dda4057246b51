"""The decision rule: from scores to what to ask about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.matcher.model import Candidate, Clarification, ClarificationKind

MAX_OPTIONS = 4
# Scores in [0, 1]: the least of a clarification, of an option in it, and of a first candidate asked about alone.
LEAST_ASKED, _LEAST_OPTION, _LEAST_ALONE = 0.6, 0.3, 0.6
# With a lower lead over the runner-up both are options; from this score on words are no longer vague.
_LEAST_LEAD, _SURE = 0.1, 0.8
# Of recognised phenomena the least probability of an option, and of the first one.
_LEAST_RECOGNISED, _LEAST_FIRST = 0.2, 0.3
# Words of which the best is less likely are talk.
_TALK = 0.02
# The least probability that the text is about anything in the library.
_LEAST_INSIDE = 0.35


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates by descending score; `inside` is the probability that the text is about anything in the library."""

    candidates: tuple[Candidate, ...]
    inside: float
    vague: bool = False


def decide_between(recognised: Sequence[Candidate], alike: Ranked) -> Clarification | None:
    """The phenomena to be asked about: those that words are recognised as, first one with almost these words."""
    backed = tuple(item for item in alike.candidates if _is_backed(item, recognised))
    liked = decide(replace(alike, candidates=backed))
    options = tuple(item for item in recognised if item.score >= _LEAST_RECOGNISED)[:MAX_OPTIONS]
    if not options or options[0].score < _LEAST_FIRST:
        return liked
    known = {item.phenomenon_id for item in options}
    named = () if liked is None or liked.kind is ClarificationKind.VAGUE else liked.options[:1]
    named = tuple(item for item in named if item.score >= _SURE and item.phenomenon_id not in known)
    return Clarification(ClarificationKind.MULTIPLE_MATCHES, (*named, *options)[:MAX_OPTIONS])


def _is_backed(alike: Candidate, recognised: Sequence[Candidate]) -> bool:
    """True if words are almost those of a phenomenon, or not plain talk as far as it is known."""
    return alike.score >= _SURE or not recognised or recognised[0].score >= _TALK


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
