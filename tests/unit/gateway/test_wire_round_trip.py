"""Every dataclass that the gateway sends or receives survives the wire: `from_wire(to_wire(x)) == x`."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import types
import typing
from enum import StrEnum
from functools import cache
from typing import Any

import pytest
from dbdiag.collector.v1 import collector_pb2
from dbdiag.engine.v1 import engine_pb2
from dbdiag.matcher.v1 import matcher_pb2
from dbdiag.planner.v1 import planner_pb2
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.language import LocalizedText, Verdict
from gateway.reasoning import Evidence, Explanation
from gateway.wire import from_wire, to_wire

# Modules of the gateway and the contracts whose messages they mirror.
MIRRORS: dict[str, tuple[Any, ...]] = {
    "gateway.language": (planner_pb2, engine_pb2, matcher_pb2),
    "gateway.plan": (planner_pb2,),
    "gateway.deciding": (planner_pb2,),
    "gateway.collecting": (collector_pb2,),
    "gateway.evidence_plan": (planner_pb2,),
    "gateway.results": (planner_pb2,),
    "gateway.views": (planner_pb2, engine_pb2),
    "gateway.answers": (planner_pb2,),
    "gateway.reasoning": (engine_pb2,),
    "gateway.matching": (matcher_pb2,),
}
# Where a message is called otherwise.
OTHER_NAMES = {
    "Decision": "DecideResponse",
    "Diagnosis": "DiagnoseResponse",
    "Explanation": "ExplainResponse",
    "WhatIf": "WhatIfResponse",
    "Change": "BeliefChange",
    "MatchRequest": "MatchPhenomenaRequest",
    "MatchReply": "MatchPhenomenaResponse",
    "MatchClarification": "Clarification",
    "CheckList": "ListChecksResponse",
    "EvidencePlan": "PlanEvidenceResponse",
    "CheckResult": "CollectResponse",
    "SearchReply": "SearchPhenomenaResponse",
}
_MOST_IN_A_LIST = 2


def pairs() -> list[Any]:
    """Every dataclass of the modules with each message that it mirrors."""
    found = []
    for name, contracts in MIRRORS.items():
        module = importlib.import_module(name)
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if kind.__module__ == name and dataclasses.is_dataclass(kind):
                wire = OTHER_NAMES.get(kind.__name__, kind.__name__)
                messages = [getattr(contract, wire) for contract in contracts if hasattr(contract, wire)]
                assert messages, f"{name}.{kind.__name__} has no message {wire}"
                found += [pytest.param(kind, message, id=message.DESCRIPTOR.full_name) for message in messages]
    return found


@st.composite
def values(draw: st.DrawFn, kind: Any, message: Any) -> Any:
    """Everything a dataclass can hold that its message can say: of the fields of a oneof at most one is set."""
    hints = hints_of(kind)
    silent = set()
    for oneof in message.oneofs:
        members = {field.name for field in oneof.fields} & set(hints)
        silent |= members - {draw(st.sampled_from(sorted(members)))}
    return kind(
        **{
            name: None if name in silent else draw(field_values(hint, message.fields_by_name[name]))
            for name, hint in hints.items()
        }
    )


# Found once: an annotation is read from its text, and a strategy made, each time anew otherwise.
@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """The types of a dataclass' fields."""
    return typing.get_type_hints(kind)


@cache
def field_values(hint: Any, field: Any) -> st.SearchStrategy[Any]:
    """What a field may hold, None where it may be absent."""
    if isinstance(hint, types.UnionType):
        return st.none() | present(hint, field)
    return present(hint, field)


@cache
def present(hint: Any, field: Any) -> st.SearchStrategy[Any]:
    """What a field holds when it is there."""
    if isinstance(hint, types.UnionType):
        hint = next(part for part in typing.get_args(hint) if part is not type(None))
    if typing.get_origin(hint) is tuple:
        return st.lists(present(typing.get_args(hint)[0], field), max_size=_MOST_IN_A_LIST).map(tuple)
    if field.message_type is not None:
        return values(hint, field.message_type)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return st.sampled_from(hint)
    return _SCALARS[hint]


_SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=5),
    bool: st.booleans(),
    int: st.integers(0, 2**32 - 1),
    float: st.floats(allow_nan=False),
}


@pytest.mark.parametrize(("kind", "message"), pairs())
def test_a_dataclass_survives_the_wire(kind: Any, message: type[Message]) -> None:
    """What is sent is what arrives, also after the bytes of the wire."""

    @settings(max_examples=15, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(values(kind, message.DESCRIPTOR))
    def holds(value: Any) -> None:
        sent = to_wire(value, message)
        assert from_wire(sent, kind) == value
        assert from_wire(message.FromString(sent.SerializeToString()), kind) == value

    holds()


def test_fields_that_the_gateway_does_not_know_are_passed_over() -> None:
    """A newer service may say more: what is known arrives, the rest does no harm."""
    name = engine_pb2.LocalizedText(zh="锁", en="lock")
    message = engine_pb2.ExplainResponse(root_cause_id="RC-0001", engine_version="9", name=name)
    explanation = from_wire(message, Explanation)
    assert (explanation.root_cause_id, explanation.name) == ("RC-0001", LocalizedText("锁", "lock"))


def test_absent_differs_from_zero() -> None:
    """A value that was not given comes back as None, one that is zero comes back as zero."""
    for score in (None, 0.0, 1.0):
        evidence = Evidence("P-0001", Verdict.DENIED, score)
        assert from_wire(to_wire(evidence, engine_pb2.Evidence), Evidence).score == score
