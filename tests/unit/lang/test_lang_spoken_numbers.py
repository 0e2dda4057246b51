"""Numbers as people say them in passing: whose they are, what they are compared with, and that none is nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.cases import for_each
from tests.support.hearing import Judged


@for_each("form", ["deadlock count stays at zero", "deadlocks: zero", "zero deadlocks", "死锁一直是零"])
def test_zero_is_a_number_like_any_other(form: str, evidence: Judged) -> None:
    """A count of zero denies, whatever words stand between it and what is counted."""
    assert evidence(form)["DEADLOCK"] == "denied"


@for_each("size", ["small", "tiny", "little", "huge", "big"])
def test_a_size_says_nothing_of_times_and_shares(size: str, evidence: Judged) -> None:
    """A small insert is no quick one, and little RAM is not little of it in use."""
    assert evidence(f"a {size} insert does it") == {}
    assert evidence(f"a {size} instance with {size} ram") == {}


@for_each("left", ["no connections left", "not a single connection slot free", "连接没有剩"])
def test_none_of_the_rest_is_all_of_the_whole(left: str, evidence: Judged) -> None:
    """Where none is left, all of it is in use."""
    assert evidence(left) == {"CONNECTIONS": "confirmed"}


@for_each("reached", ["connections hit max_connections", "连接数涨到最大连接数 800", "连接数到最大连接数了"])
def test_what_has_come_up_to_its_whole_is_all_of_it(reached: str, evidence: Judged) -> None:
    """A part that has reached its whole is at a hundred per cent, without a number of its own."""
    assert evidence(reached)["CONNECTIONS"] == "confirmed"
    assert "CONNECTIONS" not in evidence(reached.replace("hit", "never hit").replace("到", "没到"))


@given(before=st.integers(1, 400), now=st.integers(1, 400))
def test_a_number_before_now_is_what_it_was(before: int, now: int, evidence: Judged) -> None:
    """Of two times with "now" between them the second decides, compared with the first."""
    found = evidence(f"a {before} ms commit now takes {now} ms")
    assert found.get("WRITES") == ("confirmed" if now >= 3 * before else "denied")


@for_each("usual", ["normally it's around 35%", "usually 35 %", "平时也就35%", "平常35%左右"])
def test_a_usual_value_is_no_second_value(usual: str, evidence: Judged) -> None:
    """What is usual is what the value is compared with, also in a clause of its own."""
    assert evidence(f"cpu is at 99%, {usual}") == {"CPU": "confirmed"}


@for_each("other", ["us 20", "total 20", "别的 20"])
def test_a_number_with_a_name_of_its_own_is_of_that(other: str, evidence: Judged) -> None:
    """A further clause with another name before its number gives no second value to the subject before."""
    assert evidence(f"cpu 97%, {other}") == {"CPU": "confirmed"}


ESTIMATES = ["explain says rows={}, actual {}", "估算 {} 行，实际 {} 行", "estimates are {} rows but there are {}"]


@pytest.mark.parametrize("form", ESTIMATES)
@given(estimated=st.integers(1, 5_000_000), actual=st.integers(1, 5_000_000))
def test_an_estimate_and_what_it_came_to_are_one_factor(
    form: str, estimated: int, actual: int, evidence: Judged
) -> None:
    """What was estimated and what it came to are compared with each other, in either direction."""
    factor = max(estimated, actual) / min(estimated, actual)
    found = evidence(form.format(estimated, actual)).get("ESTIMATE")
    assert found == ("confirmed" if factor >= 10 else "denied") or 9 < factor < 10


@for_each(("said", "count"), [("tens of", 10), ("hundreds of", 100), ("好几千个", 3000), ("上万个", 10000)])
def test_words_for_many_are_numbers(said: str, count: int, evidence: Judged) -> None:
    """A word for so many is at least as many as it says."""
    assert (evidence(f"{said} ready files").get("READY") == "confirmed") is (count > 50)


@for_each("asked", ["你没回答我锁等待多不多", "那死锁有没有", "会不会死锁，锁不锁表", "连接数满不满"])
def test_a_question_of_x_or_not_x_claims_nothing(asked: str, evidence: Judged) -> None:
    """What is asked as X-not-X is neither claimed nor denied."""
    assert evidence(asked) == {}


@pytest.mark.parametrize("plan", ["执行计划里 {}", "the query plans show {}"])
def test_a_plan_of_a_query_is_no_intention(plan: str, evidence: Judged) -> None:
    """Execution plans are things that are there, not what somebody means to do."""
    assert evidence(plan.format("deadlock detected")) == {"DEADLOCK": "confirmed"}


@pytest.mark.parametrize("words", ["sessions wait for locks", "有会话在等锁"])
def test_what_is_named_alone_is_proposed_where_a_few_are_enough(words: str, standings: Judged) -> None:
    """Of a low count the bare name is a question of yes or no, and no demand for a number."""
    assert standings(words) == {"LOCKS": "proposed"}


@for_each("form", ["deadlock ip 0000", "死锁 0000 号会话", "the always-zero deadlock line"])
def test_a_part_of_a_name_is_no_count(form: str, evidence: Judged) -> None:
    """Zeros of an address, and a number word tied to the word before it, count nothing."""
    assert evidence(form).get("DEADLOCK") != "denied"


@for_each("line", ["一条直线", "两天了", "一直这样"])
def test_a_chinese_digit_does_not_go_on_from_digits(line: str, evidence: Judged) -> None:
    """What stands behind digits is another word: 16/16 一条直线 is all of the sixteen."""
    assert evidence(f"连接数 16/16 {line}")["CONNECTIONS"] == "confirmed"
