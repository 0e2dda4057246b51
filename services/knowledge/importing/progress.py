"""How an import tells how far it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Progress(Protocol):
    """Told at each step of the work, and within a long one."""

    def __call__(self, step: str, done: int = 0, total: int = 0) -> None:
        """done of total in this step; total 0 when the step cannot be counted."""


def silent(step: str, done: int = 0, total: int = 0) -> None:
    """Tells nobody."""


def counted(items: Iterable[Item], total: int, step: str, progress: Progress) -> Iterator[Item]:
    """The items, telling how many are done."""
    for done, item in enumerate(items):
        progress(step, done, total)
        yield item
    progress(step, total, total)
