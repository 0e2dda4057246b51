"""What only resembles a fact, and what mocks the assistant, goes on no record."""

from __future__ import annotations

import pytest

from tests.support.talks import House

PLAN = """ Nested Loop  (cost=1.13..17.18 rows=1 width=46)
   ->  Index Scan using idx_batch on detail d  (cost=0.56..8.58 rows=1 width=38)
         Index Cond: (batch_date = '2024-05-31'::date)
   ->  Index Scan using idx_orders_date on orders o  (cost=0.57..8.59 rows=1 width=16)"""


@pytest.mark.parametrize(
    "heading", ["没带 analyze 的先贴你：", "the one without analyze, here:", "这份是不带analyze的："]
)
def test_words_that_head_an_output_are_no_fact(running: House, heading: str) -> None:
    """A plan "without analyze" says nothing of what a manual ANALYZE did."""
    talk = running.told("reconciliation query hangs since today", "analyze跑不完啊", f"{heading}\n{PLAN}")
    assert talk.session.active_for("P-0082") is None


def test_a_retort_is_no_answer(running: House) -> None:
    """Who asks whether the assistant cannot reckon has not said that the check cannot be made."""
    talk = running.told("整个系统都慢，MySQL 8.0", "iowait 一直 60%")
    before = {each.phenomenon_id for each in talk.session.active()}
    talk.say("1 拿四百除一下你不会吗？")
    assert {each.phenomenon_id for each in talk.session.active()} == before
