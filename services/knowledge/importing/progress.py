"""Progress reports of an import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Progress(Protocol):
    """Called at each step of the work, and repeatedly during long ones."""

    def __call__(self, step: str, done: int = 0, total: int = 0) -> None:
        """`done` of `total` in this step; total is 0 if the step cannot be counted."""


def ignore_progress(step: str, done: int = 0, total: int = 0) -> None:
    """Reports nothing."""


def report_progress(items: Iterable[Item], total: int, step: str, progress: Progress) -> Iterator[Item]:
    """Yields the items and reports how many are done."""
    for done, item in enumerate(items):
        progress(step, done, total)
        yield item
    progress(step, total, total)
