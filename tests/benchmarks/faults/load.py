"""The cost of a diagnosis to the server: processor time of the reader's backends, from /proc, during a block."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType

from faultlab.server import Server
from faultlab.shop import READER

_PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")
_EVERY_SECONDS = 0.02


class Load:
    """Use as `with Load(server) as load`; afterwards `own` and `all` are seconds of processor time."""

    def __init__(self, server: Server) -> None:
        self._postmaster = int((server.data / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._watched, daemon=True)
        self._own: dict[int, float] = {}
        self._others: set[int] = set()
        self.own = 0.0
        self.all = 0.0

    def __enter__(self) -> Load:
        self.all = -self._everything()
        self._watch.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ended.set()
        self._watch.join()
        self.own = sum(self._own.values())
        self.all += self._everything()

    def _watched(self) -> None:
        """Samples often, because a backend's last moments are lost with it."""
        while not self._ended.wait(_EVERY_SECONDS):
            for child in self._children():
                if child not in self._others:
                    self._look(child)

    def _look(self, child: int) -> None:
        try:
            title = (_PROC / str(child) / "cmdline").read_bytes().decode(errors="replace")
            seconds = int((_PROC / str(child) / "schedstat").read_text().split()[0]) / 1e9
        except (OSError, ValueError, IndexError):
            return
        if f" {READER} " in title:
            self._own[child] = seconds
        elif child not in self._own and "[local]" in title:
            self._others.add(child)

    def _children(self) -> list[int]:
        try:
            return [
                int(pid) for pid in (_PROC / f"{self._postmaster}/task/{self._postmaster}/children").read_text().split()
            ]
        except OSError:
            return []

    def _everything(self) -> float:
        """The processor time of the postmaster, of its children that live, and of those that ended."""
        return _used(self._postmaster, 4) + sum(_used(child, 2) for child in self._children())


def _used(pid: int, fields: int) -> float:
    """utime and stime; with four fields those of ended children as well."""
    try:
        values = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[11 : 11 + fields]
    except OSError:
        return 0.0
    return sum(map(int, values)) / _TICKS
