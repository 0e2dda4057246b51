"""A run of digits that begins with zeros is a name, not an amount."""

from __future__ import annotations

from lang.numbers.values import read_values
from lang.tokens import read_text
from tests.support.cases import for_each


def values_of(text: str) -> int:
    return len(read_values(read_text(text), frozenset()))


@for_each(
    "text",
    [
        'could not fsync file "pg_wal/0000"',
        "requested WAL segment 0000 has already been removed",
        "备库要的段 00000001 没了",
        "文件 0000 读不出来",
    ],
)
def test_digits_behind_zeros_name_a_file(text: str) -> None:
    """No error of a WAL segment is denied since its name is read as zero."""
    assert values_of(text) == 0


@for_each("text", ["0 waiters", "0.05 s", "1,000 rows", "200 个会话", "锁等待 0 个"])
def test_zero_and_fractions_stay_amounts(text: str) -> None:
    """A single zero, a fraction and zeros inside a number count as before."""
    assert values_of(text) == 1
