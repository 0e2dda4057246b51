"""What an action made better is recognised only where the words tell what became of it."""

from __future__ import annotations

import asyncio

import pytest

from services.matcher.matcher import Matcher
from services.matcher.model import MatchPhenomenaRequest, Observation, Standing
from tests.support.matching import standings

ANALYZE, RESTART = "P-0082", "P-0263"


def heard(matcher: Matcher, message: str) -> dict[str, Standing]:
    request = MatchPhenomenaRequest("", (Observation(message),))
    return standings(asyncio.run(matcher.match(request)).interpretations[0])


@pytest.mark.parametrize(
    ("message", "phenomenon"),
    [
        ("ran analyze orders", ANALYZE),
        ("ran analyze on orders; took 20 secs", ANALYZE),
        ("analyze 跑了 orders", ANALYZE),
        ("restarted the app at 10", RESTART),
        ("应用重启过一次", RESTART),
    ],
)
def test_an_action_without_its_outcome_tells_no_outcome(
    curated_matcher: Matcher, message: str, phenomenon: str
) -> None:
    """That something was done is no word on what it did."""
    assert phenomenon not in heard(curated_matcher, message)


@pytest.mark.parametrize(
    ("message", "phenomenon"),
    [
        ("ran analyze and the query is fast again", ANALYZE),
        ("analyze 跑完立刻快了", ANALYZE),
        ("restarting the app helps for an hour", RESTART),
        ("重启应用能撑一会儿", RESTART),
    ],
)
def test_an_action_with_its_outcome_counts(curated_matcher: Matcher, message: str, phenomenon: str) -> None:
    """Together they do."""
    assert heard(curated_matcher, message)[phenomenon] is Standing.COUNTS
