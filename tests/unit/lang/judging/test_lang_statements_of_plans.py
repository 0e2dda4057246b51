"""How people write of SQL and its plan: brackets in a name, the star of a call, and a plan that nobody intends."""

from __future__ import annotations

import pytest

from lang.judging.judge import Judge
from lang.judging.rulings import Standing
from lang.statements import Reader
from lang.vocabulary import Event, Name, Predicate, Terms, Vocabulary
from tests.support.cases import for_each

_NAME = Name(zh="名", en="name")
VOCABULARY = Vocabulary(
    events=(
        Event(id="aborted", name=_NAME, say=Terms(zh=("idle in transaction (aborted)",))),
        Event(id="counting", name=_NAME, say=Terms(zh=("count(*) + 每次",), en=("count(*) + every",))),
        Event(id="seq_scan", name=_NAME, say=Terms(zh=("全表扫描",), en=("seq scan",))),
        Event(id="per_row", name=_NAME, say=Terms(zh=("每行调用",), en=("called per row",))),
    ),
)
PREDICATES = {subject.id: [Predicate(event=subject.id, bare="counts")] for subject in VOCABULARY.events}


def counted(message: str) -> dict[str, str]:
    """What counts at once of a message: verdicts by phenomenon."""
    found = Judge(PREDICATES, VOCABULARY).judge(Reader(VOCABULARY).read(message))
    return {each.phenomenon_id: each.verdict.value for each in found if each.standing is Standing.COUNTS}


@pytest.mark.parametrize("form", ["idle in transaction (aborted)", "idle in transaction ( aborted )"])
def test_a_bracket_inside_a_term_leaves_it_whole(form: str) -> None:
    """A term that has a bracket is found with it, and a bracket ends a thought anywhere else."""
    assert counted(f"6 sessions sit in {form}") == {"aborted": "confirmed"}
    assert counted("6 sessions sit idle in transaction (none aborted)") == {}


@for_each("message", ["每次翻页都 count(*)", "every page runs count(*) on it", "every page: count(*)"])
def test_the_star_of_a_call_is_part_of_its_name(message: str) -> None:
    """count(*) is a name of its own, other than the word count."""
    assert counted(message.replace(":", "")) == {"counting": "confirmed"}
    assert counted(message.replace("(*)", "")) == {}


@pytest.mark.parametrize("call", ["get_price()", "get_price"])
def test_the_brackets_of_a_call_end_no_clause(call: str) -> None:
    """A function is spoken of with its brackets or without."""
    assert counted(f"{call} is called per row") == {"per_row": "confirmed"}
    assert counted(f"没有 {call} 每行调用") == counted("没有 get_price 每行调用")


@for_each("message", ["计划里有全表扫描", "计划是全表扫描", "explain shows a seq scan", "explain 里 seq scan"])
def test_the_plan_of_a_statement_is_no_intention(message: str) -> None:
    """What a plan or EXPLAIN shows is a fact, neither planned nor asked."""
    assert counted(message) == {"seq_scan": "confirmed"}


@pytest.mark.parametrize("message", ["计划明天做全表扫描", "explain a seq scan"])
def test_a_plan_and_a_wish_to_have_it_explained_stay_what_they_are(message: str) -> None:
    """An intention and a question record nothing."""
    assert counted(message) == {}


@pytest.mark.parametrize("message", ["语句没有用全表扫描", "没用全表扫描"])
def test_not_using_something_denies_it(message: str) -> None:
    """没用 before a thing is a negation, not the outcome of a remedy."""
    assert counted(message) == {"seq_scan": "denied"}


@for_each("name", ["app_log.conf", "auto_explain.log_analyze", "report.sql"])
def test_the_dot_in_a_name_ends_no_sentence(name: str) -> None:
    """What is said of a file or a setting by its full name is said of one thing; elsewhere a dot ends a thought."""
    assert counted(f"每次 {name} 里都 count(*)") == {"counting": "confirmed"}
    assert counted("每次都这样. 昨天才 count(*)") == {}
    assert counted("each time it is slow.every page has a count(*)") == {"counting": "confirmed"}
