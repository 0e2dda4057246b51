"""The one codec: every type that is generated from a contract survives the wire."""

from __future__ import annotations

import dataclasses
import importlib
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import dbdiag
import pytest
from dbdiag.engine.v1 import engine_pb2, engine_types
from dbdiag.planner.v1 import planner_pb2, planner_types
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.chassis.wire import from_wire, to_wire
from tests.support.cases import for_each
from tests.support.examples import examples

_MOST_IN_A_LIST = 2


def pairs() -> list[Any]:
    """Every generated dataclass with the message of its contract."""
    found = []
    for path in sorted(Path(dbdiag.__path__[0]).glob("*/v1/*_types.py")):
        name = f"dbdiag.{path.parts[-3]}.v1.{path.stem}"
        generated, contract = importlib.import_module(name), importlib.import_module(name.replace("_types", "_pb2"))
        for member in generated.__all__:
            kind, message = getattr(generated, member), getattr(contract, member)
            if dataclasses.is_dataclass(kind):
                found.append(pytest.param(kind, message, id=message.DESCRIPTOR.full_name))
    return found


@st.composite
def values(draw: st.DrawFn, kind: Any, message: Any) -> Any:
    """Everything a dataclass can hold that its message can say: of the fields of a oneof at most one is set."""
    hints = hints_of(kind)
    silent = set()
    for oneof in message.oneofs:
        members = {field.name for field in oneof.fields} & set(hints)
        silent |= members - {draw(st.sampled_from(sorted(members)))} if members else set()
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
    parts = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    return st.one_of([st.none() if part is type(None) else present(part, field) for part in parts])


@cache
def present(hint: Any, field: Any) -> st.SearchStrategy[Any]:
    """What a field holds when it is there."""
    if typing.get_origin(hint) is tuple:
        return st.lists(field_values(typing.get_args(hint)[0], field), max_size=_MOST_IN_A_LIST).map(tuple)
    if typing.get_origin(hint) is Mapping:
        key, value = typing.get_args(hint)
        return st.dictionaries(_SCALARS[key], _SCALARS[value], max_size=_MOST_IN_A_LIST)
    if field.message_type is not None:
        held = {
            inner.message_type.name: inner.message_type for inner in field.message_type.fields if inner.message_type
        }
        own = field.message_type.name == hint.__name__
        return values(hint, field.message_type if own else held[hint.__name__])
    if issubclass(hint, StrEnum):
        return st.sampled_from(hint)
    return _SCALARS[hint]


_SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=5),
    bytes: st.binary(max_size=5),
    bool: st.booleans(),
    int: st.integers(0, 2**32 - 1),
    float: st.floats(allow_nan=False),
}


@for_each(("kind", "message"), pairs(), every=3)
def test_a_generated_type_survives_the_wire(kind: Any, message: type[Message]) -> None:
    """What is sent is what arrives, also after the bytes of the wire."""

    @settings(
        max_examples=examples(15),
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(values(kind, message.DESCRIPTOR))
    def holds(value: Any) -> None:
        sent = to_wire(value, message)
        assert from_wire(sent, kind) == value
        assert from_wire(message.FromString(sent.SerializeToString()), kind) == value

    holds()


@for_each(("kind", "message"), pairs())
def test_a_generated_type_is_made_of_nothing(kind: Any, message: type[Message]) -> None:
    """Every type has an empty value, and that is what an empty message says."""
    assert from_wire(message(), kind) == kind()
    assert to_wire(kind(), message) == message()


def test_fields_that_a_type_leaves_out_are_ignored() -> None:
    """A newer service may say more: what is known arrives, the rest does no harm."""
    message = planner_pb2.DecideRequest(message="slow", plan=planner_pb2.TurnPlan(language=planner_pb2.LANGUAGE_ZH))
    assert from_wire(message, planner_types.DecideRequest) == planner_types.DecideRequest(message="slow")


def test_values_that_this_build_does_not_know_are_none() -> None:
    """An enum value of a newer service is no value here, and a step of a newer kind is no step."""
    evidence = engine_pb2.Evidence.FromString(
        engine_pb2.Evidence(phenomenon_id="P-1").SerializeToString() + b"\x10\x63"
    )
    assert from_wire(evidence, engine_types.Evidence) == engine_types.Evidence("P-1", None)
    plan = planner_pb2.TurnPlan(steps=[planner_pb2.PlanStep(), planner_pb2.PlanStep(reset=planner_pb2.ResetStep())])
    assert from_wire(plan, planner_types.TurnPlan) == planner_types.TurnPlan((planner_types.ResetStep(),))


def test_absent_differs_from_zero() -> None:
    """A value that was not given comes back as None, one that is zero comes back as zero."""
    for score in (None, 0.0, 1.0):
        evidence = engine_types.Evidence("P-0001", engine_types.Verdict.DENIED, score)
        assert from_wire(to_wire(evidence, engine_pb2.Evidence), engine_types.Evidence).score == score
