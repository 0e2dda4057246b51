"""Words inside longer ones: dots of identifiers, negations inside names, short words inside longer ones."""

from __future__ import annotations

import pytest

from lang.modality import When
from lang.says import Says
from lang.statements import Reader, Statement
from lang.vocabulary import Event, Name, Quantity, State, Terms, Unit, Vocabulary
from tests.support.cases import for_each

_NAME = Name(zh="名", en="name")
VOCABULARY = Vocabulary(
    quantities=(
        Quantity(id="cgroup", name=_NAME, unit=Unit.PERCENT, say=Terms(en=("memory.max", "container memory"))),
    ),
    events=(
        Event(id="fork", name=_NAME, say=Terms(en=("could not fork", "fork + cannot allocate memory"))),
        Event(id="hung", name=_NAME, say=Terms(zh=("卡死的进程",), en=("hung tasks",))),
    ),
    states=(State(id="speed", name=_NAME, say=Terms(zh=("数据库",)), bad=Terms(zh=("慢",)), good=Terms(zh=("快",))),),
)


def statements_of(message: str) -> dict[str, Statement]:
    return {each.subject: each for each in Reader(VOCABULARY).read(message).statements}


@for_each("message", ["memory.max is 99% used", "memory.max 用到 99%", "99% of memory.max"])
def test_a_term_goes_across_the_dot_of_an_identifier(message: str) -> None:
    """The dot of "memory.max" ends no sentence where a term of the vocabulary holds it."""
    assert statements_of(message)["cgroup"].says is Says.VALUE


@pytest.mark.parametrize("message", ["it was the memory. max is 99%", "it was the memory . max is 99%"])
def test_a_dot_with_a_space_ends_the_sentence(message: str) -> None:
    """No term goes across the end of a sentence."""
    assert statements_of(message) == {}


@for_each("rest", ["", ": cannot allocate memory", " new process for connection: cannot allocate memory"])
def test_a_negation_in_a_name_denies_nothing(rest: str) -> None:
    """The negation inside the name of an event denies it no more where other words name the event, too."""
    assert statements_of(f"could not fork{rest}")["fork"].says is Says.MENTION


@pytest.mark.parametrize("message", ["数据库快照太旧", "数据库做了快照"])
def test_a_short_word_in_a_longer_one_is_no_state(message: str) -> None:
    """The 快 of 快照 tells no speed."""
    assert statements_of(message)["speed"].says is Says.MENTION


@for_each("message", ["也没有卡死的进程", "都没有卡死的进程", "没有卡死的进程"])
def test_none_either_is_none(message: str) -> None:
    """ "Nor is there" denies like "there is none"."""
    assert statements_of(message)["hung"].says is Says.NONE


@pytest.mark.parametrize("message", ["container memory 99%, the host has 3 GB free", "container memory 99%, lots free"])
def test_what_is_free_has_not_recovered(message: str) -> None:
    """ "Free" tells how much is left, not that something was freed up."""
    assert statements_of(message)["cgroup"].meaning.when is When.NOW


@pytest.mark.parametrize("message", ["hung tasks every few minutes", "hung tasks, more than last week"])
def test_an_interval_or_a_comparison_is_no_small_number(message: str) -> None:
    """ "Every few minutes" tells how often, not that there are few; "than last week" is no word for the past."""
    statement = statements_of(message)["hung"]
    assert (statement.says, statement.meaning.when) == (Says.MENTION, When.NOW)


@pytest.mark.parametrize("rest", ["涨了不回落", "一直 99%，没有缓解"])
def test_what_does_not_fall_back_has_not_recovered(rest: str) -> None:
    """A denied recovery is none."""
    assert statements_of(f"container memory {rest}")["cgroup"].meaning.when is When.NOW


@pytest.mark.parametrize(
    "message", ['could not fork "pool.1804": cannot allocate memory', "could not fork pool.17, yes"]
)
def test_the_dot_of_a_numbered_name_ends_no_sentence(message: str) -> None:
    """A file or segment such as "PostgreSQL.1804" stands in one clause with what is said of it."""
    statement = statements_of(message)["fork"]
    assert "." in statement.words


def test_nothing_in_a_list_is_none() -> None:
    """ "Nothing in" denies what follows."""
    assert statements_of("nothing in hung tasks")["hung"].says is Says.NONE


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_names_as_long_the_one_in_more_parts_counts(order: int) -> None:
    """Which of two names takes a shared word depends on the names alone, never on the order of the vocabulary."""
    events = (
        Event(id="workers", name=_NAME, say=Terms(en=("vacuum process",))),
        Event(id="duration", name=_NAME, say=Terms(en=("vacuum + hours",))),
    )[::order]
    found = Reader(Vocabulary(events=events)).read("a vacuum process runs for hours").statements
    assert [each.subject for each in found] == ["duration"]


@pytest.mark.parametrize("message", ["memory.max limit is 97", "上周改了 container memory limit 97%没改回来"])
def test_the_limit_in_a_name_makes_no_threshold(message: str) -> None:
    """A word for a threshold inside a name leaves the number after it a value, and what was never undone holds now."""
    vocabulary = Vocabulary(
        quantities=(
            Quantity(
                id="limit",
                name=_NAME,
                unit=Unit.PERCENT,
                say=Terms(en=("memory.max limit", "container memory limit")),
            ),
        )
    )
    (statement,) = Reader(vocabulary).read(message).statements
    assert (statement.says, statement.meaning.when) == (Says.VALUE, When.NOW)
