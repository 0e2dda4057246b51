"""What a case tells of its settings, its memory, its disk and its queries, as numbers that rules reckon with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lang.numbers.filling import Measure
from lang.objects.servers_and_clients import CONNECTIONS
from lang.objects.settings_said import SETTING, amount_of
from services.planner.treatment.bearing import FIGURE, RUNTIME
from services.planner.treatment.durations import longest_of

# The names of figures of a disk and of queries in rules.
_OF_DISK = {Measure.FREE: "disk_free", Measure.SIZE: "disk_size"}
_LONGEST, _MINUTE = "longest_query", 60.0
# The server, where it is known: its number says that it is this one.
ENGINE, ON = "engine", "on_"
Told = Mapping[str, tuple[str, ...]]


def known_numbers(told: Told) -> Mapping[str, float]:
    """The numbers by their names. told: what was told, by its kind."""
    settings = _of_settings(told.get(SETTING, ()))
    # Where the limit was not told, the connections that there are stand for it.
    at_least = {"max_connections": settings[CONNECTIONS]} if CONNECTIONS in settings else {}
    server = {f"{ON}{engine}": 1.0 for engine in told.get(ENGINE, ()) if engine}
    return {**_of_disk(told.get(FIGURE, ())), **at_least, **settings, **_of_queries(told), **server}


def values_of(told: Told, kind: str) -> Mapping[str, str]:
    """The settings of a kind with their values; the last one of each holds."""
    return dict(each.split("=", 1) for each in told.get(kind, ()) if "=" in each)


def _of_settings(told: Iterable[str]) -> Mapping[str, float]:
    amounts = ((name, amount_of(value)) for name, value in (each.split("=", 1) for each in told))
    return {name: amount for name, amount in amounts if amount is not None}


def _of_disk(told: Iterable[str]) -> Mapping[str, float]:
    """What is free on the disk, told or left by what is used of it, else how large it is, as it was told last."""
    figures = sorted((each.split() for each in told), key=lambda each: int(each[0]))
    amounts = {Measure(measure): float(amount) for _, measure, amount in figures}
    of_disk = [Measure(measure) for _, measure, _ in figures if Measure(measure) in _OF_DISK]
    size, used = amounts.get(Measure.SIZE, 0.0), amounts.get(Measure.USED, 0.0)
    if of_disk[-1:] == [Measure.SIZE] and 0.0 < used < size:
        return {_OF_DISK[Measure.FREE]: size - used}
    return {_OF_DISK[measure]: amounts[measure] for measure in of_disk[-1:]}


def _of_queries(told: Told) -> Mapping[str, float]:
    longest = longest_of(told.get(RUNTIME, ()))
    return {_LONGEST: longest * _MINUTE} if longest else {}
