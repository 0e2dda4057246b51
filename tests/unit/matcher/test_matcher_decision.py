"""The decision rule of the matcher."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.matcher.model import Candidate, Clarification, LocalizedText, Match, Verdict
from services.matcher.ranking.decision import Ranked, Thresholds, decide
from services.matcher.reading.polarity import Judgement

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=6).map(lambda found: sorted(found, reverse=True))


def ranked(scores: list[float], vague: bool = False) -> Ranked:
    candidates = tuple(
        Candidate(f"P-{number:04d}", LocalizedText("名", "name"), score, 0.0, 0.0)
        for number, score in enumerate(scores)
    )
    return Ranked(candidates, 1.0, vague)


@given(SCORES)
def test_a_denial_never_leads_to_a_clarification(scores: list[float]) -> None:
    """A denial is a match from the threshold on, and otherwise no match; never a clarification."""
    outcome = decide(ranked(scores), Judgement(Verdict.DENIED, ""), 1.0, Thresholds())
    assert not isinstance(outcome, Clarification)
    assert isinstance(outcome, Match) == (scores[0] >= Thresholds().denied)


@given(SCORES, st.floats(0.1, 1))
def test_a_match_scores_probability_times_certainty(scores: list[float], certainty: float) -> None:
    """A match is the first candidate, and its score is the candidate's times the certainty."""
    outcome = decide(ranked(scores), Judgement(Verdict.CONFIRMED, ""), certainty, Thresholds())
    if isinstance(outcome, Match):
        assert outcome.phenomenon_id == "P-0000"
        assert abs(outcome.score - scores[0] * certainty) < 1e-6
