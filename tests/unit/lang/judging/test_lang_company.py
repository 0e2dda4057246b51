"""What the words around a subject and a number make of them: times since, falls, and longer words over shorter ones."""

from __future__ import annotations

import pytest

from lang.judging.judge import Judge
from lang.judging.rulings import Standing
from lang.modality import When
from lang.statements import Reader
from lang.terms import Terms as SearchTerms
from lang.tokens import read_text
from lang.vocabulary import Event, Name, Predicate, Quantity, Terms, Unit, Vocabulary
from tests.support.cases import for_each

_NAME = Name(zh="名", en="name")
VOCABULARY = Vocabulary(
    quantities=(
        Quantity(
            id="vacuum_age", name=_NAME, unit=Unit.SECONDS, since=True,
            say=Terms(zh=("上次清理",), en=("last vacuum",)),
        ),
        Quantity(id="dump_time", name=_NAME, unit=Unit.SECONDS, say=Terms(zh=("导出耗时",), en=("dump time",))),
        Quantity(
            id="memory", name=_NAME, unit=Unit.PERCENT, say=Terms(zh=("内存",), en=("memory",)),
            beside=Terms(zh=("共享内存",), en=("shared memory",)),
        ),
        Quantity(id="throughput", name=_NAME, unit=Unit.PER_SECOND, bad="down", say=Terms(zh=("吞吐",), en=("tps",))),
    ),
    events=(Event(id="conflict", name=_NAME, say=Terms(zh=("恢复冲突",), en=("recovery conflict",))),),
)  # fmt: skip
PREDICATES = {
    "OLD": [Predicate(quantity="vacuum_age", test="> 1 d")],
    "SLOW": [Predicate(quantity="dump_time", test="> 1 d")],
    "FULL": [Predicate(quantity="memory", test="> 90 %")],
    "FELL": [Predicate(quantity="throughput", test="< 0.5 times the usual")],
    "CONFLICT": [Predicate(event="conflict", bare="counts")],
}


def counted(message: str) -> dict[str, str]:
    """What counts at once of a message: verdicts by phenomenon."""
    found = Judge(PREDICATES, VOCABULARY).judge(Reader(VOCABULARY).read(message))
    return {each.phenomenon_id: each.verdict.value for each in found if each.standing is Standing.COUNTS}


@for_each("form", ["上次清理是 {n} 天前", "上次清理在{n}天以前", "last vacuum was {n} days ago"])
@for_each(("days", "verdict"), [(3, "confirmed"), (0.5, "denied")])
def test_a_time_ago_is_the_age_of_what_is_counted_since(form: str, days: float, verdict: str) -> None:
    """ "3 days ago" is a value of a quantity that is the time since something."""
    assert counted(form.format(n=days)) == {"OLD": verdict}


@for_each("message", ["导出耗时 3 天前", "dump time 3 days ago", "3 天前导出耗时很长"])
def test_a_time_ago_is_no_value_of_anything_else(message: str) -> None:
    """ "3 days ago" is the past for a quantity that is not counted from a time on."""
    assert counted(message) == {}


@for_each("form", ["吞吐掉了 {n}%", "吞吐下降了{n}%", "tps fell by {n}%", "tps is down {n} percent"])
@for_each(("share", "verdict"), [(80, "confirmed"), (20, "denied")])
def test_a_share_that_something_fell_by_leaves_a_multiple(form: str, share: int, verdict: str) -> None:
    """What fell by 80 % is at a fifth of what it was."""
    assert counted(form.format(n=share)) == {"FELL": verdict}


@for_each("message", ["共享内存 97%", "共享内存用了 97%", "shared memory is at 97 %"])
def test_a_longer_word_makes_a_subject_something_else(message: str) -> None:
    """A term of `beside` that holds the whole name of a subject drops the subject."""
    assert counted(message) == {}
    assert counted(message.replace("共享", "").replace("shared ", "")) == {"FULL": "confirmed"}


@for_each("message", ["没有恢复冲突", "没恢复冲突", "no recovery conflict"])
def test_a_subject_takes_no_negation_with_it(message: str) -> None:
    """A word of the lexicon that a subject takes ("没有恢复") leaves the negation in it."""
    assert counted(message) == {"CONFLICT": "denied"}


@pytest.mark.parametrize(("text", "known"), [("idle in transaction (aborted) again", True), ("idle, aborted", False)])
def test_a_term_may_go_on_in_brackets(text: str, known: bool) -> None:
    """An opening bracket does not end a term, as any other mark between its words does."""
    terms: SearchTerms[str] = SearchTerms()
    for term in ("idle in transaction (aborted)", "idle aborted"):
        terms.add(term, term)
    assert bool(terms.find(read_text(text))) is known


TIED = (
    Event(id="workers", name=_NAME, say=Terms(zh=("清理进程",))),
    Event(id="long_run", name=_NAME, say=Terms(zh=("清理 + 小时",))),
    Event(id="process", name=_NAME, say=Terms(zh=("进程 + 小时",))),
)


@for_each("events", [TIED, TIED[::-1], (TIED[1], TIED[0], TIED[2])])
def test_of_terms_of_one_length_the_one_of_several_parts_stays(events: tuple[Event, ...]) -> None:
    """Which of two overlapping terms is taken depends neither on the order of the library nor on the run."""
    found = Reader(Vocabulary(events=events)).read("清理进程跑了 5 小时")
    assert [statement.subject for statement in found.statements] == ["long_run"]


@for_each("words", ["tps 40, some slots are free", "tps 40, it has to resolve every name", "tps 40, solve it"])
def test_what_is_free_or_to_be_resolved_has_not_recovered(words: str) -> None:
    """ "Freed" and "resolved" tell that it is over, "free" and "resolve" do not."""
    (statement,) = Reader(VOCABULARY).read(words).statements
    assert statement.meaning.when is When.NOW
    (statement,) = Reader(VOCABULARY).read("tps 40, it is resolved").statements
    assert statement.meaning.when is When.RECOVERED
