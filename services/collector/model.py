"""The collector's words are its contract's; and the kinds of targets, the risks of checks, the values of signals.

Glossary: a check is a read-only query with an id in the catalogue; a signal is one named value that it yields; a
finding is what the signals say about a phenomenon of the library.
"""

from __future__ import annotations

from enum import StrEnum

from dbdiag.collector.v1.collector_types import *
from dbdiag.collector.v1.collector_types import Signal


class TargetKind(StrEnum):
    """The kinds of targets."""

    POSTGRES = "postgres"
    HOST = "host"
    SSH = "ssh"
    PROMETHEUS = "prometheus"
    MYSQL = "mysql"


class Risk(StrEnum):
    """How much load or intrusion a check means for a target."""

    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"


def signal_of(name: str, value: float | bool | str, unit: str = "") -> Signal:
    """One value that a check yielded."""
    if isinstance(value, bool):
        return Signal(name, boolean=value, unit=unit)
    return Signal(name, text=value, unit=unit) if isinstance(value, str) else Signal(name, number=value, unit=unit)


def value_of(signal: Signal) -> float | bool | str:
    """The value of a signal, empty where it has none."""
    return next((item for item in (signal.number, signal.boolean, signal.text) if item is not None), "")
