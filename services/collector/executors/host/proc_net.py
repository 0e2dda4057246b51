"""Sockets and network cards from /proc and /sys, as rows of named numbers."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from lang.expressions import Row

MOST_SOCKETS = 100_000
# States of /proc/net/tcp that tell something, by their number there.
_STATES = {"01": "established", "02": "syn_sent", "06": "time_wait", "08": "close_wait", "0A": "listening"}


def sockets(proc: Path) -> Iterable[Row]:
    """How many TCP sockets stand in each state, and how many local ports there are for calls to others."""
    states: Counter[str] = Counter()
    for line in islice(_sockets(proc), MOST_SOCKETS):
        states[_STATES.get(line.split()[3], "other")] += 1
    row: dict[str, float] = {name: float(states[name]) for name in (*_STATES.values(), "other")}
    first, last = (proc / "sys/net/ipv4/ip_local_port_range").read_text().split()
    return (row | {"ports": float(last) - float(first) + 1},)


def _sockets(proc: Path) -> Iterator[str]:
    with (proc / "net/tcp").open() as lines:
        yield from islice(lines, 1, None)
    with contextlib.suppress(FileNotFoundError), (proc / "net/tcp6").open() as lines:
        yield from islice(lines, 1, None)


def interfaces(proc: Path) -> Iterable[Row]:
    """Counters of each network card but the loopback; its speed in bytes a second, where it tells one."""
    for line in (proc / "net/dev").read_text().splitlines()[2:]:
        name, _, numbers = line.partition(":")
        counters = [float(number) for number in numbers.split()]
        if name.strip() != "lo" and len(counters) >= 12:
            yield {
                "interface": name.strip(),
                "received": counters[0],
                "sent": counters[8],
                "packets": counters[1] + counters[9],
                "lost": counters[2] + counters[3] + counters[10] + counters[11],
                "speed": _speed(proc.parent / "sys/class/net" / name.strip() / "speed"),
            }


def _speed(file: Path) -> float | None:
    """Cards of virtual machines often tell none, or -1."""
    with contextlib.suppress(OSError, ValueError):
        megabits = float(file.read_text())
        return megabits * 125_000 if megabits > 0 else None
    return None
