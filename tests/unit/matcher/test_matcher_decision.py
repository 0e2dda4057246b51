"""The decision rule of the matcher."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.matcher.model import Candidate, ClarificationKind, LocalizedText
from services.matcher.ranking.decision import LEAST_ASKED, MAX_OPTIONS, Ranked, decide

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=6).map(lambda found: sorted(found, reverse=True))


def rank(scores: list[float], vague: bool = False, inside: float = 1.0) -> Ranked:
    candidates = tuple(
        Candidate(f"P-{number:04d}", LocalizedText("名", "name"), score, 0.0, 0.0)
        for number, score in enumerate(scores)
    )
    return Ranked(candidates, inside, vague)


@given(SCORES, st.booleans())
def test_likeness_is_asked_about_by_falling_score(scores: list[float], vague: bool) -> None:
    """The options are the first candidates, at most four; below the least score nothing is asked of a clear text."""
    asked = decide(rank(scores, vague))
    if asked is None:
        assert not vague
        assert scores[0] < LEAST_ASKED
    else:
        names = [option.phenomenon_id for option in asked.options]
        assert names == [f"P-{number:04d}" for number in range(len(names))]
        assert 1 <= len(names) <= MAX_OPTIONS


@given(SCORES)
def test_a_clear_leader_is_asked_about_alone(scores: list[float]) -> None:
    """A likely candidate far ahead of the others is the only option."""
    scores = [0.9, *(score * 0.5 for score in scores)]
    asked = decide(rank(scores))
    assert asked is not None
    assert (asked.kind, len(asked.options)) == (ClarificationKind.MULTIPLE_MATCHES, 1)


@given(SCORES)
def test_words_about_something_else_are_not_asked_about(scores: list[float]) -> None:
    """A text that is about nothing in the library leads to no question."""
    assert decide(rank(scores, inside=0.1)) is None
