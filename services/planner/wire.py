"""Pure pairs between `dbdiag.planner.v1` and the planner's own words.

The dataclasses mirror the messages, so one codec converts by field name: a field that knows presence becomes None when
absent, a repeated field a tuple, an enum number that this build does not know UNSPECIFIED, and a message that is one of
several becomes that one (an unset one is dropped).
"""

from __future__ import annotations

import dataclasses
import types
from enum import IntEnum
from functools import cache
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from dbdiag.planner.v1 import planner_pb2 as pb
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from services.planner import decision as moves
from services.planner import evidence, model, results

_MESSAGE = FieldDescriptor.TYPE_MESSAGE
_ENUM = FieldDescriptor.TYPE_ENUM
_RENAMED = {"Text": "LocalizedText"}


def view_from_wire(message: pb.SessionView) -> model.SessionView:
    """The session view of a message."""
    return cast(model.SessionView, _read(message, model.SessionView))


def view_to_wire(view: model.SessionView) -> pb.SessionView:
    """The message of a session view."""
    return cast(pb.SessionView, _write(view))


def plan_from_wire(message: pb.TurnPlan) -> model.TurnPlan:
    """The turn plan of a message."""
    return cast(model.TurnPlan, _read(message, model.TurnPlan))


def plan_to_wire(plan: model.TurnPlan) -> pb.TurnPlan:
    """The message of a turn plan."""
    return cast(pb.TurnPlan, _write(plan))


def outcome_from_wire(message: pb.ToolOutcome) -> moves.ToolOutcome:
    """The tool outcome of a message."""
    return cast(moves.ToolOutcome, _read(message, moves.ToolOutcome))


def outcome_to_wire(outcome: moves.ToolOutcome) -> pb.ToolOutcome:
    """The message of a tool outcome."""
    return cast(pb.ToolOutcome, _write(outcome))


def results_from_wire(message: pb.TurnResults) -> results.TurnResults:
    """The turn's results of a message."""
    return cast(results.TurnResults, _read(message, results.TurnResults))


def results_to_wire(turn: results.TurnResults) -> pb.TurnResults:
    """The message of a turn's results."""
    return cast(pb.TurnResults, _write(turn))


def usage_from_wire(message: pb.ModelUsage) -> moves.ModelUsage:
    """The usage of a message."""
    return cast(moves.ModelUsage, _read(message, moves.ModelUsage))


def usage_to_wire(usage: moves.ModelUsage) -> pb.ModelUsage:
    """The message of a usage."""
    return cast(pb.ModelUsage, _write(usage))


def reply_from_wire(message: pb.Reply) -> results.Reply:
    """The reply of a message."""
    return cast(results.Reply, _read(message, results.Reply))


def reply_to_wire(reply: results.Reply) -> pb.Reply:
    """The message of a reply."""
    return cast(pb.Reply, _write(reply))


def decision_from_wire(message: pb.DecideResponse) -> moves.Decision:
    """The decision of a response."""
    tool = moves.Tool(message.call.tool) if message.WhichOneof("next") == "call" else None
    return moves.Decision(plan_from_wire(message.plan), tool, usage_from_wire(message.usage))


def decision_to_wire(decision: moves.Decision) -> pb.DecideResponse:
    """The response of a decision."""
    plan, usage = plan_to_wire(decision.plan), usage_to_wire(decision.usage)
    if decision.tool is None:
        return pb.DecideResponse(plan=plan, usage=usage, respond=pb.RespondCall())
    return pb.DecideResponse(plan=plan, usage=usage, call=pb.ToolCall(tool=cast(Any, int(decision.tool))))


def evidence_request_from_wire(message: pb.PlanEvidenceRequest) -> evidence.PlanEvidenceRequest:
    """The request of a message."""
    return cast(evidence.PlanEvidenceRequest, _read(message, evidence.PlanEvidenceRequest))


def evidence_request_to_wire(request: evidence.PlanEvidenceRequest) -> pb.PlanEvidenceRequest:
    """The message of a request."""
    return cast(pb.PlanEvidenceRequest, _write(request))


def evidence_plan_from_wire(message: pb.PlanEvidenceResponse) -> evidence.PlanEvidenceResponse:
    """The plan of a message."""
    return cast(evidence.PlanEvidenceResponse, _read(message, evidence.PlanEvidenceResponse))


def evidence_plan_to_wire(plan: evidence.PlanEvidenceResponse) -> pb.PlanEvidenceResponse:
    """The message of a plan."""
    return cast(pb.PlanEvidenceResponse, _write(plan))


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _bare(hint: Any) -> Any:
    """The type inside `tuple[X, ...]` or `X | None`; a union of messages stays a tuple of its members."""
    if get_origin(hint) is tuple:
        return _bare(get_args(hint)[0])
    if get_origin(hint) in (types.UnionType, Union):
        members = tuple(member for member in get_args(hint) if member is not type(None))
        return members[0] if len(members) == 1 else members
    return hint


def _read(message: Message, kind: Any) -> Any:
    hints = _hints(kind)
    values: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        hint = _bare(hints[field.name])
        if field.is_repeated:
            read = (_value(item, field, hint) for item in getattr(message, field.name))
            values[field.name] = tuple(item for item in read if item is not None)
        elif field.has_presence and not message.HasField(field.name):
            continue
        else:
            values[field.name] = _value(getattr(message, field.name), field, hint)
    return kind(**values)


def _value(value: Any, field: Any, hint: Any) -> Any:
    if field.type == _ENUM:
        return hint(value) if value in hint._value2member_map_ else hint(0)
    if field.type != _MESSAGE:
        return value
    if not isinstance(hint, tuple):
        return _read(value, hint)
    chosen = value.WhichOneof(value.DESCRIPTOR.oneofs[0].name)
    if chosen is None:
        return None
    inner = getattr(value, chosen)
    member = next(kind for kind in hint if kind.__name__ == inner.DESCRIPTOR.name)
    return _read(inner, member)


def _write(value: Any, wanted: str = "") -> Message:
    name = _RENAMED.get(type(value).__name__, type(value).__name__)
    if wanted and wanted != name:
        return _wrap(value, name, wanted)
    message: Message = getattr(pb, name)()
    for field in dataclasses.fields(value):
        _fill(message, field.name, getattr(value, field.name))
    return message


def _wrap(value: Any, name: str, wanted: str) -> Message:
    """`value` inside the message that holds one of several."""
    outer: Any = getattr(pb, wanted)
    member = next(field for field in outer.DESCRIPTOR.fields if field.message_type.name == name)
    return cast(Message, outer(**{member.name: _write(value)}))


def _fill(message: Message, name: str, value: Any) -> None:
    if value is None:
        return
    field: Any = message.DESCRIPTOR.fields_by_name[name]
    if isinstance(value, tuple):
        kind = field.message_type.name if field.type == _MESSAGE else ""
        getattr(message, name).extend(_write(item, kind) if kind else item for item in value)
    elif dataclasses.is_dataclass(value):
        getattr(message, name).CopyFrom(_write(value, field.message_type.name))
    else:
        setattr(message, name, int(value) if isinstance(value, IntEnum) else value)
