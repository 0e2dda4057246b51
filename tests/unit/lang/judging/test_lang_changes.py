"""What became of a state, how often an event happened, and what the slash of a path does not join."""

from __future__ import annotations

import pytest

from lang.judging.judge import Judge
from lang.judging.rulings import Standing
from lang.says import Says
from lang.statements import Reader
from lang.vocabulary import Event, Name, Predicate, Quantity, State, Terms, Unit, Vocabulary
from tests.support.cases import for_each

_NAME = Name(zh="名", en="name")
VOCABULARY = Vocabulary(
    states=(
        State(
            id="policy",
            name=_NAME,
            say=Terms(zh=("策略",), en=("policy",)),
            bad=Terms(zh=("直写",), en=("write-through",)),
            good=Terms(zh=("回写",), en=("write-back",)),
        ),
    ),
    events=(
        Event(id="failover", name=_NAME, say=Terms(zh=("切换",), en=("failed over",))),
        Event(id="no_space", name=_NAME, say=Terms(en=("no space left",)), beside=Terms(en=("shared memory segment",))),
    ),
)
PREDICATES = {
    "OFTEN": [Predicate(event="failover", test=">= 2", bare="nothing")],
    "FULL": [Predicate(event="no_space", bare="counts")],
}


def says(message: str) -> dict[str, Says]:
    return {each.subject: each.says for each in Reader(VOCABULARY).read(message).statements}


def counted(message: str) -> dict[str, str]:
    found = Judge(PREDICATES, VOCABULARY).judge(Reader(VOCABULARY).read(message))
    return {each.phenomenon_id: each.verdict.value for each in found if each.standing is Standing.COUNTS}


@for_each(
    ("message", "became"),
    [
        ("策略从回写变成直写", Says.STATE_BAD),
        ("策略从直写变成回写", Says.STATE_GOOD),
        ("policy went from write-back to write-through", Says.STATE_BAD),
        ("policy went from write-through to write-back", Says.STATE_GOOD),
    ],
)
def test_a_state_is_what_it_became(message: str, became: Says) -> None:
    """Of "from one to the other" the other holds now."""
    assert says(message)["policy"] is became


@for_each("message", ["切换了三次", "failed over four times", "failed over 3 times"])
def test_how_many_times_is_a_count_of_an_event(message: str) -> None:
    """ "Four times" counts an event."""
    assert counted(message) == {"OFTEN": "confirmed"}


@pytest.mark.parametrize("message", ["failed over once", "切换了一次"])
def test_once_is_not_often(message: str) -> None:
    """One time is below two."""
    assert counted(message).get("OFTEN") != "confirmed"


@for_each("name", ['"/PostgreSQL.18"', '"/PostgreSQL.1804289383"', "segment"])
def test_the_slash_of_a_path_joins_no_list(name: str) -> None:
    """What stands beside a path still tells what an error is about."""
    assert counted(f"could not resize shared memory segment {name}: no space left") == {}


@pytest.mark.parametrize("message", ["切换从来没有成功：failed over", "it never arrives: failed over"])
def test_a_colon_ends_what_a_negation_reaches(message: str) -> None:
    """What a colon introduces is not denied by what stands before it."""
    assert says(message)["failover"] is Says.MENTION


@for_each("word", ["没有", "都没有", "也没有"])
def test_a_longer_negation_denies_once(word: str) -> None:
    """ "None at all" says what "none" says."""
    keys = State(id="keys", name=_NAME, say=Terms(zh=("主键",)), bad=Terms(zh=("没有",)), good=Terms(zh=("有",)))
    (statement,) = Reader(Vocabulary(states=(keys,))).read(f"这些表主键{word}").statements
    assert statement.says is Says.STATE_BAD


@pytest.mark.parametrize("message", ["audit table has 12 columns", "the share of it is 12 columns wide"])
def test_what_is_counted_is_no_share(message: str) -> None:
    """A number with a noun of its own is no percentage of the subject before it."""
    share = Quantity(id="share", name=_NAME, unit=Unit.PERCENT, say=Terms(en=("audit table", "share of it")))
    (statement,) = Reader(Vocabulary(quantities=(share,))).read(message).statements
    assert statement.value is None
