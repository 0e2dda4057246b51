"""The trace of a diagnosis: every recorded step, from which it can be replayed without a target."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from gateway.investigation.model import Batch, BatchResult, Case, Collector
from services.chassis.errors import InvalidInput, Precondition
from services.chassis.problems import system_problem

FORMAT = "dbdiag.trace.v1"
Event = Mapping[str, Any]
_reads_case = cache(lambda: TypeAdapter(Case))
_reads_collected = cache(lambda: TypeAdapter(BatchResult))


def to_canonical(body: object) -> str:
    """The canonical text of a JSON value."""
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def read_case(event: Event) -> Case:
    """The case that a trace starts with. Raises InvalidInput for anything but a trace."""
    try:
        if event["event"] != "began":
            raise KeyError("began")
        return _reads_case().validate_python(event["case"])
    except (KeyError, TypeError, ValidationError) as error:
        raise InvalidInput("bad_trace.no_case", problem=str(error)) from error


class RecordedCollector:
    """Repeats the recorded calls; beyond them it collects with `then`, if given."""

    def __init__(self, events: Sequence[Event], then: Collector | None = None) -> None:
        self._calls = [event for event in events if event.get("event") == "collected"]
        self._then = then

    async def collect(self, batch: Batch) -> BatchResult:
        """See Collector. Raises Precondition when the record ends, InvalidInput if it is corrupt."""
        if not self._calls:
            if self._then is None:
                raise Precondition("trace_incomplete")
            return await self._then.collect(batch)
        call = self._calls.pop(0)
        if to_canonical(call.get("batch")) != to_canonical(asdict(batch)):
            raise _make_divergence(call, asdict(batch))
        try:
            return _reads_collected().validate_python(call["collected"])
        except (KeyError, ValidationError) as error:
            raise InvalidInput("bad_trace.step", problem=str(error)) from error


class Journal:
    """Takes the steps of a diagnosis: recorded ones must repeat exactly, later ones are appended."""

    def __init__(self, recorded: Sequence[Event], append: Callable[[Event], object] | None) -> None:
        self._recorded = list(recorded)
        self._append = append
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        """Records one step. Raises Precondition if it differs from the record."""
        place = len(self.events)
        self.events.append(event)
        if place < len(self._recorded):
            if to_canonical(event) != to_canonical(self._recorded[place]):
                raise _make_divergence(self._recorded[place], event)
        elif self._append is not None:
            self._append(event)
        else:
            raise Precondition("trace_incomplete")


def _make_divergence(recorded: Event, now: Event) -> Precondition:
    return Precondition("replay_differs", recorded=_shorten(recorded), now=_shorten(now))


def _shorten(event: Event) -> str:
    text = to_canonical(event)
    return text if len(text) <= 160 else f"{text[:160]}…"


def make_document(events: Sequence[Event]) -> dict[str, Any]:
    """The trace as one JSON document."""
    return {"format": FORMAT, "events": [dict(event) for event in events]}


def read_events(text: str, name: str) -> tuple[Event, ...]:
    """The steps of a trace file, document or journal, without the fields of the journal's hash chain.

    Raises InvalidInput for anything else, and for a trace of another version.
    """
    try:
        body = json.loads(text)
        if "format" in body:
            body = read_document(text, name, FORMAT, "bad_trace")
        lines = body.get("events", [body])
    except ValueError:
        lines = _read_lines(text)
    except (AttributeError, TypeError):
        lines = []
    listed = lines if isinstance(lines, list) else []
    events = tuple(strip_chain(line) for line in listed if isinstance(line, dict) and line.get("event") in _EVENTS)
    if not events:
        raise InvalidInput("bad_trace", name=name)
    return events


_EVENTS = ("began", "collected", "judged", "proposed", "planned", "stopped")
_CHAIN = ("seq", "prev", "hash")


def _read_lines(text: str) -> list[Any]:
    found: list[Any] = []
    for line in text.split("\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            break
    return found


def strip_chain(event: Event) -> Event:
    """A step without the fields of the journal's hash chain."""
    return {name: value for name, value in event.items() if name not in _CHAIN}


def read_text(path: Path, reason: str) -> str:
    """The text of a file. Raises InvalidInput with this reason if it cannot be read or is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput("unreadable.system", reason=reason, path=str(path), problem=system_problem(error)) from error
    except UnicodeDecodeError as error:
        raise InvalidInput("unreadable.not_text", reason=reason, path=str(path)) from error


def read_document(text: str, name: str, known: str, reason: str) -> dict[str, Any]:
    """The JSON object of a text in the known format.

    Raises InvalidInput with the key `reason`, naming the file, if it is not such a document or has another format.
    """
    try:
        body: Any = json.loads(text)
    except ValueError as error:
        raise InvalidInput(reason, name=name) from error
    found = body.get("format") if isinstance(body, dict) else None
    if not isinstance(found, str):
        raise InvalidInput(reason, name=name)
    if found != known:
        raise InvalidInput("unreadable.format", reason=reason, name=name, found=found[:60], known=known)
    document: dict[str, Any] = body
    return document
