"""What is "not zero" is more than nothing, while "none, 0" is none."""

from __future__ import annotations

from lang.judging.judge import Judge
from lang.judging.rulings import Standing
from lang.statements import Reader
from lang.vocabulary import Event, Name, Predicate, Quantity, Terms, Unit, Vocabulary
from tests.support.cases import for_each

_SWAP = Quantity(id="swap", name=Name(zh="名", en="name"), unit=Unit.COUNT, say=Terms(zh=("换页",), en=("swap rate",)))
VOCABULARY = Vocabulary(quantities=(_SWAP,))
PREDICATES = {"SWAPS": [Predicate(quantity="swap", test="> 0")], "MANY": [Predicate(quantity="swap", test="> 50")]}


def counted(message: str) -> dict[str, str]:
    found = Judge(PREDICATES, VOCABULARY).judge(Reader(VOCABULARY).read(message))
    return {each.phenomenon_id: each.verdict.value for each in found if each.standing is Standing.COUNTS}


@for_each("message", ["换页不为 0", "换页一直不是 0", "换页非 0", "swap rate is not 0", "swap rate isn't 0"])
def test_not_zero_is_more_than_nothing(message: str) -> None:
    """A denied zero passes "above 0" and decides nothing about any other limit."""
    assert counted(message) == {"SWAPS": "confirmed"}


@for_each("message", ["换页是 0", "没有换页，0", "swap rate is 0", "no swap rate, 0"])
def test_zero_said_twice_is_zero(message: str) -> None:
    """A zero beside "none" is none."""
    assert counted(message) == {"SWAPS": "denied", "MANY": "denied"}


_DEADLOCK = Event(id="deadlock", name=Name(zh="死锁", en="a deadlock"), say=Terms(zh=("死锁",), en=("deadlocks",)))
COUNTED = Vocabulary(events=(_DEADLOCK,))
DEADLOCKS = {"DEADLOCK": [Predicate(event="deadlock", bare="counts")]}


def events(message: str) -> dict[str, str]:
    found = Judge(DEADLOCKS, COUNTED).judge(Reader(COUNTED).read(message))
    return {each.phenomenon_id: each.verdict.value for each in found if each.standing is Standing.COUNTS}


@for_each("message", ["0 死锁", "0死锁", "看了一下午，0 死锁", "0 deadlocks", "looked all day, 0 deadlocks"])
def test_a_zero_before_its_noun_is_none(message: str) -> None:
    """A zero that opens a clause counts what follows, with or without a space between them."""
    assert events(message) == {"DEADLOCK": "denied"}


@for_each("message", ["有死锁，值班表上零操作记录", "CPU 0 有死锁", "出现死锁，计数全清零"])
def test_a_zero_of_something_else_denies_nothing(message: str) -> None:
    """A zero of what its own clause names, and the words for setting to zero, say nothing of the clause before."""
    assert events(message) == {"DEADLOCK": "confirmed"}
