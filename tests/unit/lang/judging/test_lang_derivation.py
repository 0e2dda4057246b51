"""Phenomena without predicates get a subject and a predicate from their names, aliases and presence tests."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lang.derivation import Derived, Described, derive, extend
from lang.judging.judge import Judge
from lang.judging.rulings import Standing, Verdict
from lang.statements import Reader
from lang.vocabulary import Predicate, Quantity, Unit, Vocabulary
from tests.support.cases import for_each

LIMITS = [
    ("数据盘使用超过 90%", "Data disk more than 90 % full", Unit.PERCENT, ">= 90 %", "up"),
    ("缓存命中率低于 90%", "Buffer cache hit ratio below 90 %", Unit.PERCENT, "<= 90 %", "down"),
    ("提交耗时超过 20 毫秒", "Commits take more than 20 ms", Unit.SECONDS, ">= 0.02 s", "up"),
    ("临时文件超过 2 GB", "Temporary files larger than 1 and above 2 GB", Unit.BYTES, ">= 2147483648 B", "up"),
    ("空闲在事务中超过 5 分钟", "Idle in transaction for more than 5 minutes", Unit.SECONDS, ">= 300 s", "up"),
]


def derived(zh: str, en: str, aliases: tuple[str, ...] = (), tests: tuple[str, ...] = ()) -> Derived:
    found = derive(Described("P-0001", (zh, en), aliases, tests))
    assert found is not None
    return found


def verdicts(found: Derived, message: str) -> list[tuple[Verdict, Standing]]:
    vocabulary = extend(Vocabulary(), [found])
    reading = Reader(vocabulary).read(message)
    findings = Judge({"P-0001": found.means}, vocabulary).judge(reading)
    return [(finding.verdict, finding.standing) for finding in findings]


@for_each(("zh", "en", "unit", "test", "bad"), LIMITS)
def test_a_limit_in_the_name_becomes_a_test(zh: str, en: str, unit: Unit, test: str, bad: str) -> None:
    """A name with a limit gives a quantity in its unit, bad in its direction."""
    found = derived(zh, en)
    quantity = found.subjects[0]
    assert isinstance(quantity, Quantity)
    assert (quantity.unit, quantity.bad, found.means[0].test) == (unit, bad, test)


def test_a_limit_in_the_presence_test_counts_where_the_name_has_none() -> None:
    """The presence test gives the limit of a name without one."""
    found = derived("会话在等锁", "Lock waits", tests=("waiting is at least 3 sessions",))
    assert found.means[0].test == ">= 3"


@given(st.integers(0, 100).filter(lambda share: not 83 < share < 90))
def test_a_value_gets_the_verdict_of_its_side(share: int) -> None:
    """A stated share decides at once, and so does what is left of the whole."""
    found = derived("数据盘使用超过 90%", "Data disk more than 90 % full")
    wanted = [(Verdict.CONFIRMED if share >= 90 else Verdict.DENIED, Standing.COUNTS)]
    assert verdicts(found, f"数据盘 {share}%") == wanted
    assert verdicts(found, f"data disk: {100 - share} % free") == wanted


def test_an_amount_is_a_part_of_its_whole() -> None:
    """A count or a size with its whole is compared as a share."""
    connections = derived("连接数达到上限的 90% 以上", "Connections at 90 % or more of the limit")
    assert verdicts(connections, "490 of 500 connections") == [(Verdict.CONFIRMED, Standing.COUNTS)]
    disk = derived("数据盘使用超过 90%", "Data disk more than 90 % full", ("disk",))
    assert verdicts(disk, "disk 980 GB of 1000 GB") == [(Verdict.CONFIRMED, Standing.COUNTS)]


def test_an_event_is_proposed_and_denied() -> None:
    """Without a limit the mere mention is proposed; that it does not happen denies at once."""
    found = derived("日志中出现死锁", "Deadlocks in the log", ("deadlock detected", "死锁"))
    assert verdicts(found, "死锁") == [(Verdict.CONFIRMED, Standing.PROPOSED)]
    assert verdicts(found, "没有死锁") == [(Verdict.DENIED, Standing.COUNTS)]


def test_an_alias_of_a_quantity_without_a_number_is_proposed() -> None:
    """An alias that says more than the quantity is proposed; the quantity's own name asks for a value."""
    found = derived("数据盘使用超过 90%", "Data disk more than 90 % full", ("low disk space",))
    assert verdicts(found, "low disk space") == [(Verdict.CONFIRMED, Standing.PROPOSED)]
    assert verdicts(found, "the disk space") == [(Verdict.CONFIRMED, Standing.NEEDS_VALUE)]


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_name_is_read(name: str, alias: str) -> None:
    """Any text gives a valid vocabulary, or nothing at all."""
    found = derive(Described("X 1", ("", name), (alias,)))
    if found is not None:
        ids = {subject.id for subject in extend(Vocabulary(), [found]).subjects}
        assert all(isinstance(each, Predicate) and each.subject in ids for each in found.means)
