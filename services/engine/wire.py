"""The engine's dataclasses to protobuf messages and back.

Every pair has the same field names, so one plan made from the dataclass's own types serves all of them. Absent differs
from zero where a field may be None. `from_wire(to_wire(x, M), type(x)) == x` for every pair.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from enum import IntEnum
from typing import Any, TypeVar

from dbdiag.engine.v1 import engine_pb2 as pb
from google.protobuf.message import Message

from services.chassis.errors import InvalidInput
from services.engine import catalog_model, model

Domain = TypeVar("Domain")
Wire = TypeVar("Wire", bound=Message)

MESSAGES: dict[type, type[Message]] = {
    model.LocalizedText: pb.LocalizedText,
    model.Evidence: pb.Evidence,
    model.Hint: pb.Hint,
    model.DiagnoseRequest: pb.DiagnoseRequest,
    model.Contribution: pb.Contribution,
    model.Hypothesis: pb.Hypothesis,
    model.Belief: pb.Belief,
    model.Outcome: pb.Outcome,
    model.Recommendation: pb.Recommendation,
    model.Conclusion: pb.Conclusion,
    model.Contradiction: pb.Contradiction,
    model.Diagnosis: pb.DiagnoseResponse,
    model.DiagnoseStreamRequest: pb.DiagnoseStreamRequest,
    model.Refusal: pb.Refusal,
    model.DiagnoseStreamResponse: pb.DiagnoseStreamResponse,
    model.ExplainRequest: pb.ExplainRequest,
    model.Overturn: pb.Overturn,
    model.Unchecked: pb.Unchecked,
    model.Explanation: pb.ExplainResponse,
    model.WhatIfRequest: pb.WhatIfRequest,
    model.BeliefChange: pb.BeliefChange,
    model.Comparison: pb.WhatIfResponse,
    catalog_model.ListPhenomenaRequest: pb.ListPhenomenaRequest,
    catalog_model.Phenomenon: pb.Phenomenon,
    catalog_model.PhenomenonList: pb.ListPhenomenaResponse,
    catalog_model.ListRootCausesRequest: pb.ListRootCausesRequest,
    catalog_model.SolutionStep: pb.SolutionStep,
    catalog_model.TicketReference: pb.TicketReference,
    catalog_model.RootCause: pb.RootCause,
    catalog_model.RootCauseList: pb.ListRootCausesResponse,
    catalog_model.ListRelationsRequest: pb.ListRelationsRequest,
    catalog_model.Relation: pb.Relation,
    catalog_model.RelationList: pb.ListRelationsResponse,
    catalog_model.ListSnapshotsRequest: pb.ListSnapshotsRequest,
    catalog_model.LoadedSnapshot: pb.LoadedSnapshot,
    catalog_model.SnapshotList: pb.ListSnapshotsResponse,
}


def to_wire(value: object, kind: type[Wire]) -> Wire:
    """The message of a dataclass; `kind` is its pair."""
    message = _message(value)
    if not isinstance(message, kind):
        raise TypeError(f"{type(value).__name__} is written as {type(message).__name__}, not {kind.__name__}")
    return message


def from_wire(message: Message, kind: type[Domain]) -> Domain:
    """The dataclass of a message. Raises InvalidInput for a number that its enumeration does not have."""
    return kind(**{field.name: field.read(message) for field in _PLANS[kind]})


@dataclasses.dataclass(frozen=True)
class _Field:
    """How one field is written and read."""

    name: str
    write: Callable[[Any], Any]
    read: Callable[[Message], Any]


def _message(value: object) -> Message:
    fields = {field.name: field.write(getattr(value, field.name)) for field in _PLANS[type(value)]}
    return MESSAGES[type(value)](**fields)


def _plan(kind: type) -> tuple[_Field, ...]:
    hints = typing.get_type_hints(kind)
    defaults = {field.name: field.default for field in dataclasses.fields(kind)}
    return tuple(_field(MESSAGES[kind], name, hints[name], defaults[name]) for name in defaults)


def _field(message: type[Message], name: str, hint: Any, default: Any) -> _Field:
    """`hint` is T, T | None, or tuple[T, ...]; T a plain value, an enumeration, or a dataclass with a pair."""
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is tuple:
        write, read = _value(arguments[0])
        return _Field(name, lambda items: [write(item) for item in items], lambda m: tuple(map(read, getattr(m, name))))
    optional = isinstance(hint, types.UnionType)
    write, read = _value(arguments[0] if optional else hint)
    if not optional and not _may_be_absent(message, name):
        return _Field(name, write, lambda m: read(getattr(m, name)))
    absent = None if optional else default
    return _Field(
        name,
        lambda item: None if item is None else write(item),
        lambda m: read(getattr(m, name)) if m.HasField(name) else absent,
    )


def _may_be_absent(message: type[Message], name: str) -> bool:
    descriptor = message.DESCRIPTOR.fields_by_name[name]
    return bool(descriptor.has_presence and descriptor.message_type is None)


def _value(kind: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    if kind in MESSAGES:
        return _message, lambda item: from_wire(item, kind)
    if issubclass(kind, IntEnum):
        return int, lambda number: _member(kind, number)
    return _same, _same


def _member(kind: type[IntEnum], number: int) -> IntEnum:
    try:
        return kind(number)
    except ValueError as error:
        raise InvalidInput(f"reading {kind.__name__}: {number} is none of its numbers") from error


def _same(item: Any) -> Any:
    return item


_PLANS = {kind: _plan(kind) for kind in MESSAGES}
