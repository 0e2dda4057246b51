"""Progress of a long verb on stderr: a bar at a terminal, else a line a step."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

from gateway.cli.knowledge.files import say
from gateway.cli.knowledge.files import step as worded

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

# Shorter work shows no progress; lines are printed at most this often.
_PATIENCE_SECONDS = 1.0
_LINE_SECONDS = 5.0


class Bar:
    """Shows nothing for the first `patience` seconds."""

    def __init__(self, patience: float = _PATIENCE_SECONDS) -> None:
        self._patience = patience
        self._started = time.monotonic()
        self._told = 0.0
        self._step = ""
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            # Draws the last state, however short the work was.
            self._bar.refresh()
            self._bar.stop()

    def tell(self, step: str, done: int = 0, total: int = 0) -> None:
        """Reports `done` of `total` of this step; total 0: not known."""
        now = time.monotonic()
        if now - self._started < self._patience:
            return
        if sys.stderr.isatty():
            self._draw(step, done, total)
        elif step != self._step or now - self._told >= _LINE_SECONDS:
            self._told = now
            counted = " " + say("done_of", done=done, total=total) if total and done else ""
            click.echo(f"{worded(step)} ...{counted}", err=True)
        self._step = step

    def _draw(self, step: str, done: int, total: int) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            words = TextColumn("{task.description:<24}")
            self._bar = Progress(
                words,
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
        if self._task is None or step != self._step:
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._task = self._bar.add_task(worded(step), total=total or None)
        self._bar.update(self._task, completed=done, total=total or None)
