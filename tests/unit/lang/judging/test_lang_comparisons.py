"""Numbers that compare: a multiple of the usual, what grew by a share, a share of all, thousands of a rate."""

from __future__ import annotations

import random

import pytest

from lang.clauses import split_clauses
from lang.judging.judge import Judge
from lang.judging.rulings import Standing
from lang.statements import Reader
from lang.subjects import SubjectFinder, find_mentions
from lang.terms import Terms as SearchTerms
from lang.tokens import read_text
from lang.vocabulary import Event, Name, Predicate, Quantity, State, Terms, Unit, Vocabulary
from tests.support.cases import for_each

_NAME = Name(zh="名", en="name")
VOCABULARY = Vocabulary(
    quantities=(
        Quantity(id="traffic", name=_NAME, unit=Unit.PER_SECOND, say=Terms(zh=("请求量",), en=("requests",))),
        Quantity(id="commits", name=_NAME, unit=Unit.PER_SECOND, say=Terms(en=("commits per second",))),
        Quantity(id="disk", name=_NAME, unit=Unit.PERCENT, say=Terms(zh=("磁盘",), en=("disk",))),
    ),
    events=(
        Event(id="extend", name=_NAME, say=Terms(zh=("扩展锁等待",), en=("extension waits",))),
        Event(id="missing", name=_NAME, say=Terms(en=("function + does not exist",))),
        Event(id="wait", name=_NAME, say=Terms(en=("waits for locks", "locks + storage"))),
    ),
)
PREDICATES = {
    "SURGE": [Predicate(quantity="traffic", test=">= 2 times the usual")],
    "COMMITS": [Predicate(quantity="commits", test=">= 1000 /s")],
    "FULL": [Predicate(quantity="disk", test="> 90 %")],
    "WAITS": [Predicate(event="extend", test=">= 20 %", bare="counts")],
    "MISSING": [Predicate(event="missing", bare="counts")],
}


def counted(message: str) -> dict[str, str]:
    """What counts at once of a message: verdicts by phenomenon."""
    found = Judge(PREDICATES, VOCABULARY).judge(Reader(VOCABULARY).read(message))
    return {each.phenomenon_id: each.verdict.value for each in found if each.standing is Standing.COUNTS}


@for_each(
    "message", ["twice as many requests as usual", "requests are 3x what we normally get", "请求量比上周多了三倍",
                "requests tripled compared to last week", "three times as many requests as yesterday"],
)  # fmt: skip
def test_what_a_multiple_is_compared_with_is_no_value_and_no_past(message: str) -> None:
    """ "As usual" and "than last week" beside a multiple name its base: the multiple is of now."""
    assert counted(message) == {"SURGE": "confirmed"}


@pytest.mark.parametrize("message", ["requests are the same as usual", "请求量跟平时一样"])
def test_as_usual_alone_is_a_multiple_of_one(message: str) -> None:
    """Without another multiple, "as usual" is the value."""
    assert counted(message) == {"SURGE": "denied"}


@for_each("form", ["磁盘涨了 {n}%", "disk went up by {n} %"])
@for_each("share", [20, 95])
def test_the_share_that_something_grew_by_is_not_its_level(form: str, share: int) -> None:
    """How full a disk is does not follow from how much it grew."""
    assert counted(form.format(n=share)) == {}


@pytest.mark.parametrize(("level", "verdict"), [(20, "denied"), (95, "confirmed")])
def test_the_share_that_something_grew_to_is_its_level(level: int, verdict: str) -> None:
    """What a share has become is its value."""
    assert counted(f"磁盘涨到 {level}%") == {"FULL": verdict}


@for_each("form", ["扩展锁等待占了 {n}%", "extension waits are {n} % of all"])
@for_each(("share", "verdict"), [(40, "confirmed"), (2, "denied")])
def test_an_event_can_be_asked_for_by_its_share(form: str, share: int, verdict: str) -> None:
    """A test in percent compares the share of all that an event has; a mention without a share is worth its `bare`."""
    assert counted(form.format(n=share)) == {"WAITS": verdict}
    assert counted("extension waits everywhere") == {"WAITS": "confirmed"}


@for_each(("number", "verdict"), [("2k", "confirmed"), ("2000", "confirmed"), ("20", "denied")])
def test_thousands_of_a_rate_are_no_bytes(number: str, verdict: str) -> None:
    """ "2k commits" are two thousand, whatever else k stands for."""
    assert counted(f"we do {number} commits per second") == {"COMMITS": verdict}


@pytest.mark.parametrize(("text", "clauses"), [("function tax(numeric) does not exist", 1), ("slow (again) today", 3)])
def test_brackets_of_a_call_end_no_clause(text: str, clauses: int) -> None:
    """A bracket right behind a Latin word belongs to a name; any other one is a mark of punctuation."""
    assert len(split_clauses(read_text(text), (), frozenset())) == clauses


@for_each(
    ("text", "clauses"),
    [("no restart no failover", 2), ("and no no failover here", 2), ("no there is no failover", 2), ("no failover", 1)],
)
def test_each_no_of_a_row_denies_by_itself(text: str, clauses: int) -> None:
    """Two denials in a row are no denial of a denial."""
    assert len(split_clauses(read_text(text), (), frozenset())) == clauses


def test_mentions_do_not_depend_on_the_order_in_which_they_are_found() -> None:
    """Of mentions that share words and are of one length the same one is kept each time."""
    found = SubjectFinder(VOCABULARY).find(
        read_text("requests: disk waits for locks of storage, function does not exist")
    )
    expected = find_mentions(found, frozenset())
    for seed in range(20):
        assert find_mentions(random.Random(seed).sample(found, len(found)), frozenset()) == expected


@for_each("message", ["磁盘很慢", "磁盘太慢了", "a slow disk", "磁盘很快"])
def test_a_speed_says_nothing_of_a_share(message: str) -> None:
    """A slow disk is not full, and a fast one not empty."""
    assert counted(message) == {}


@for_each(("message", "verdict"), [("归档没报错", "denied"), ("归档报错", "confirmed"), ("归档从没停过", "denied")])
def test_a_negation_that_reaches_into_a_word_turns_it_round(message: str, verdict: str) -> None:
    """没报 denies 报错, though the two share a character."""
    archiving = State(
        id="archiving", name=_NAME, say=Terms(zh=("归档",)), bad=Terms(zh=("报错", "停")), good=Terms(zh=("没停",))
    )
    vocabulary = Vocabulary(states=(archiving,))
    judge = Judge({"FAILS": [Predicate(state="archiving")]}, vocabulary)
    assert [each.verdict.value for each in judge.judge(Reader(vocabulary).read(message))] == [verdict]


@for_each(("text", "known"), [("pg_toast_16384", True), ("pg_toast", True), ("pg_toast_valid", False)])
def test_a_name_may_go_on_with_a_number(text: str, known: bool) -> None:
    """A term ends before the number in an identifier, not before another word of it."""
    terms: SearchTerms[str] = SearchTerms()
    terms.add("pg_toast", "toast")
    assert bool(terms.find(read_text(text))) is known


@for_each(
    ("test", "heard"), [("> 3", True), ("> 4 of cores", False), (">= 2 times the usual", False), ("> 100", False)]
)
def test_many_is_more_than_a_few_only(test: str, heard: bool) -> None:
    """ "A lot of sessions" are more than three; whether they are four times the cores is open."""
    sessions = Quantity(id="sessions", name=_NAME, unit=Unit.COUNT, say=Terms(zh=("会话",), en=("sessions",)))
    cores = Quantity(id="cores", name=_NAME, unit=Unit.COUNT, bad=None, say=Terms(en=("cores",)))
    vocabulary = Vocabulary(quantities=(sessions, cores))
    judge = Judge({"MANY": [Predicate(quantity="sessions", test=test)]}, vocabulary)
    for message in ("会话一堆", "a lot of sessions"):
        found = judge.judge(Reader(vocabulary).read(message))
        assert any(each.standing is Standing.COUNTS for each in found) is heard
