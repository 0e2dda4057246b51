"""From scores to an outcome."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.matcher.decide import Ranked, Thresholds, decide
from services.matcher.model import Candidate, Clarification, LocalizedText, Match, Verdict
from services.matcher.polarity import Judgement

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=6).map(lambda found: sorted(found, reverse=True))


def ranked(scores: list[float], vague: bool = False) -> Ranked:
    candidates = tuple(
        Candidate(f"P-{number:04d}", LocalizedText("名", "name"), score, 0.0, 0.0)
        for number, score in enumerate(scores)
    )
    return Ranked(candidates, 1.0, vague)


@given(SCORES)
def test_a_denial_is_never_asked_back(scores: list[float]) -> None:
    """What somebody says is fine is taken as said or set aside; nobody is asked in which way it is fine."""
    outcome = decide(ranked(scores), Judgement(Verdict.DENIED, ""), 1.0, Thresholds())
    assert not isinstance(outcome, Clarification)
    assert isinstance(outcome, Match) == (scores[0] >= Thresholds().denied)


@given(SCORES, st.floats(0.1, 1))
def test_a_match_weighs_its_likeness_times_the_certainty(scores: list[float], certainty: float) -> None:
    """Whatever is matched is the first candidate, and its weight is its score times how surely it was said."""
    outcome = decide(ranked(scores), Judgement(Verdict.CONFIRMED, ""), certainty, Thresholds())
    if isinstance(outcome, Match):
        assert outcome.phenomenon_id == "P-0000"
        assert abs(outcome.score - scores[0] * certainty) < 1e-6
