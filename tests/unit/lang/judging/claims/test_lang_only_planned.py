"""What is planned, supposed or asked is no fact: by its place in an order, a tag behind it, or a choice of readings."""

from __future__ import annotations

from lang.judging.unclaimed import claims
from tests.support.cases import for_each


def claimed(message: str, words: str) -> bool:
    """Whether these words of a message claim something."""
    return claims(message, message.index(words))


@for_each(
    ("message", "words"),
    [
        ("so kill 20817 first then alter w lock_timeout, thats the order?", "alter w lock_timeout"),
        ("ok cancel the ddl first", "cancel the ddl"),
        ("先杀 20817，再加 lock_timeout 跑 alter，是这个顺序吗", "加 lock_timeout"),
        ("locks are held by the dump, right?", "locks are held"),
        ("if i rerun the alter while the bi tx is still open, same mess again?", "the bi tx is still open"),
        ("如果杀了它，然后锁还在，怎么办", "锁还在"),
        ("ill cancel the backup first", "cancel the backup"),
        ("lemme kill the vacuum", "kill the vacuum"),
        ("yes it dies or yes it stays", "it dies"),
        ("是会断还是会留着", "会留着"),
        ("signal 11, seriously? nothing crashed", "signal 11"),
        ("disk full, really?", "disk full"),
        ("死锁，真的假的？库没崩过", "死锁"),
        ("how long on 80 mio rows and does it hurt the disks more", "hurt the disks"),
    ],
)
def test_what_is_only_planned_or_asked_claims_nothing(message: str, words: str) -> None:
    """An order of steps, a supposition with all that goes on from it, and what a tag asks about."""
    assert not claimed(message, words)


@for_each(
    ("message", "words"),
    [
        ("cancelled the ddl first, then it was fine", "it was fine"),
        ("cancel helped", "cancel helped"),
        ("disk is at 97%, is that normal?", "disk is at 97%"),
        ("disk is at 97% and is growing", "is growing"),
        ("deadlock detected, really bad", "deadlock detected"),
        ("死锁了，真的很多", "死锁了"),
        ("if it is the lock, but now nothing waits", "nothing waits"),
        ("重启了还是慢", "还是慢"),
        ("replication lag is 3 hours, why?", "lag is 3 hours"),
    ],
)
def test_what_is_told_stays_a_claim(message: str, words: str) -> None:
    """What happened, and what is set against a supposition, is told, whatever is asked beside it."""
    assert claimed(message, words)
