"""How often something happens: amounts with their period before, behind, or behind what is counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.judging.judge import Judge
from lang.judging.rulings import Standing
from lang.says import Says
from lang.statements import Reader
from lang.vocabulary import Name, Predicate, Quantity, State, Terms, Unit, Vocabulary
from tests.support.cases import for_each

_NAME = Name(zh="名", en="name")
VOCABULARY = Vocabulary(
    quantities=(
        Quantity(id="rate", name=_NAME, unit=Unit.PER_SECOND, say=Terms(zh=("multixact",), en=("multixacts",))),
        Quantity(id="write_time", name=_NAME, unit=Unit.SECONDS, say=Terms(zh=("写入",), en=("writes",))),
    ),
    states=(State(id="limit", name=_NAME, say=Terms(en=("timeout",)), bad=Terms(), good=Terms(en=("sets",))),),
)
PREDICATES = {
    "FAST": [Predicate(quantity="rate", test=">= 600 per minute")],
    "SLOW": [Predicate(quantity="write_time", test=">= 3 times the usual")],
    "UNSET": [Predicate(state="limit")],
}


def counted(message: str) -> dict[str, str]:
    """What counts at once of a message: verdicts by phenomenon."""
    found = Judge(PREDICATES, VOCABULARY).judge(Reader(VOCABULARY).read(message))
    return {each.phenomenon_id: each.verdict.value for each in found if each.standing is Standing.COUNTS}


FORMS = ["{n} multixacts a minute", "{n} new multixacts per minute", "multixacts went up by {n} in a minute"]
HAN_FORMS = ["multixact 一分钟 {n} 次", "multixact 一分钟新增 {n} 个", "multixact 一分钟建了 {n} 个"]


@pytest.mark.parametrize("form", [*FORMS, *HAN_FORMS])
@given(number=st.sampled_from([3, 40, 500, 700, 6000]))
def test_a_period_belongs_to_the_amount_across_its_noun(form: str, number: int) -> None:
    """Whichever of amount, noun and period stands first, they are one rate."""
    assert counted(form.format(n=number)) == {"FAST": "confirmed" if number >= 600 else "denied"}


@for_each("thousands", ["50k times a minute", "50k in one minute", "300k in five minutes"])
def test_thousands_of_times_are_no_kilobytes(thousands: str) -> None:
    """A k before a word for a count, or before a period, is a thousand."""
    assert counted(f"multixacts {thousands}") == {"FAST": "confirmed"}


@pytest.mark.parametrize("apart", ["700 multixacts after a minute", "700 multixacts for a minute"])
def test_a_time_after_an_amount_is_no_period(apart: str) -> None:
    """What happens after, within or for a minute does not happen each minute."""
    assert counted(apart) == counted("700 multixacts")


@for_each("many", ["大量写入", "lots of writes", "写入很多"])
def test_many_of_something_are_no_multiple_of_its_usual_time(many: str) -> None:
    """A limit of three times the usual is no three of something: many writes are not slow ones."""
    assert counted(many) == {}


def test_neither_and_nor_are_one_negation() -> None:
    """ "Neither the app nor the job sets it" denies once."""
    assert counted("neither the app nor the job sets a timeout") == {"UNSET": "confirmed"}
    assert counted("the app sets a timeout") == {"UNSET": "denied"}


def test_a_table_of_orders_is_not_in_order() -> None:
    """ "In orders" names a table, "in order" says that all is well."""
    assert counted("slow writes in orders") == counted("slow writes in customers")


@for_each("said", ["没设 timeout", "没有设 timeout", "都没有设 timeout"])
def test_a_word_with_a_negation_of_its_own_is_turned_by_no_longer_one(said: str) -> None:
    """都没有 before 没有设 is one negation, which the word for the state has already."""
    state = State(id="limit", name=_NAME, say=Terms(en=("timeout",)), bad=Terms(zh=("没设", "没有设")))
    found = Reader(Vocabulary(states=(state,))).read(said)
    assert [statement.says for statement in found.statements] == [Says.STATE_BAD]
