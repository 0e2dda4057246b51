"""Dataclasses to messages and back."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import pytest
from dbdiag.engine.v1 import engine_pb2 as pb
from dbdiag.engine.v1 import engine_types as types
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.chassis.errors import InvalidInput
from services.chassis.wire import from_wire, to_wire
from services.engine import model
from services.engine.kernel.binding import WRITE
from services.engine.wire import (
    WriteDiagnosis,
    diagnosis_bytes,
    read_diagnose,
    read_evidence,
    read_explain,
    read_what_if,
    turn_bytes,
)
from tests.support.cases import for_each
from tests.support.examples import examples


def _always(values: st.SearchStrategy[Any]) -> Callable[[type], st.SearchStrategy[Any]]:
    return lambda _: values


_PLAIN = {
    str: st.text(st.characters(max_codepoint=127), max_size=8),
    int: st.integers(0, 2**32 - 1),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
}
for plain, values in _PLAIN.items():
    st.register_type_strategy(plain, _always(values))


REQUESTS: dict[type, tuple[type[Message], Callable[[Any], object]]] = {
    types.DiagnoseRequest: (pb.DiagnoseRequest, read_diagnose),
    types.ExplainRequest: (pb.ExplainRequest, read_explain),
    types.WhatIfRequest: (pb.WhatIfRequest, read_what_if),
}
REPLIES: dict[type, tuple[type, type[Message]]] = {
    model.Diagnosis: (types.DiagnoseResponse, pb.DiagnoseResponse),
    model.DiagnoseStreamResponse: (types.DiagnoseStreamResponse, pb.DiagnoseStreamResponse),
    model.Explanation: (types.ExplainResponse, pb.ExplainResponse),
    model.WhatIfResponse: (types.WhatIfResponse, pb.WhatIfResponse),
}


def told(value: object) -> object:
    """A value by its fields, whichever of the two types of a contract it has."""
    if isinstance(value, IntEnum):
        return value.name.lower() if value else None
    if dataclasses.is_dataclass(value):
        return {field.name: told(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if hasattr(value, "_asdict"):
        return {name: told(item) for name, item in value._asdict().items()}
    return [told(item) for item in value] if isinstance(value, tuple) else value


def built(kind: type) -> st.SearchStrategy[Any]:
    """Values of a type, with all its fields."""
    hints = typing.get_type_hints(kind)
    return st.builds(kind, **{name: st.from_type(hint) for name, hint in hints.items()})


@for_each("kind", REQUESTS, ids=lambda kind: kind.__name__)
def test_every_request_is_read_as_it_was_written(kind: type) -> None:
    """A request says the same in the contract's types and in the engine's; evidence without a score has 1."""
    message, read = REQUESTS[kind]

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    @given(built(kind))
    def check(request: Any) -> None:
        asked = told(request)
        assert isinstance(asked, dict)
        for item in [*asked["evidence"], *asked.get("replace", ())]:
            item["score"] = 1.0 if item["score"] is None else item["score"]
        assert told(read(to_wire(request, message))) == asked

    check()


@pytest.mark.slow
@pytest.mark.parametrize("kind", REPLIES, ids=lambda kind: kind.__name__)
def test_every_reply_is_read_as_it_was_written(kind: type) -> None:
    """A reply says the same in the engine's types and in the contract's."""
    contract, message = REPLIES[kind]
    build = built(kind)
    if kind is model.DiagnoseStreamResponse:
        build = build.filter(lambda item: item.diagnosis is None or item.refusal is None)

    @settings(max_examples=examples(12), deadline=None, suppress_health_check=list(HealthCheck))
    @given(build)
    def check(value: object) -> None:
        assert told(from_wire(to_wire(value, message), contract)) == told(value)

    check()


@for_each("kind", REPLIES, ids=lambda kind: kind.__name__)
def test_every_pair_has_the_same_fields(kind: type) -> None:
    """No field of a message is forgotten."""
    contract, message = REPLIES[kind]
    names = set(typing.get_type_hints(kind))
    assert names == set(typing.get_type_hints(contract)) == set(message.DESCRIPTOR.fields_by_name)


def test_an_absent_score_is_one() -> None:
    """Evidence without a score was meant for sure, evidence with score 0 was not."""
    assert read_evidence(pb.Evidence(phenomenon_id="P-0001", verdict=pb.VERDICT_DENIED)).score == 1.0
    assert read_evidence(pb.Evidence(score=0.0)).score == 0.0


def test_numbers_outside_an_enumeration_are_refused() -> None:
    """A verdict that the contract does not know is wrong input, not a crash."""
    message = pb.Evidence()
    message.ParseFromString(bytes([0x10, 99]))
    with pytest.raises(InvalidInput):
        read_evidence(message)


@pytest.mark.slow
@pytest.mark.parametrize("write", [WRITE or diagnosis_bytes, diagnosis_bytes], ids=["as built", "without the kernel"])
def test_replies_are_written_as_their_messages_are(write: WriteDiagnosis) -> None:
    """The bytes of a reply, alone or in a stream, are the canonical ones of its message."""
    hints = typing.get_type_hints(model.Diagnosis)
    built = st.builds(model.Diagnosis, **{name: st.from_type(hint) for name, hint in hints.items()})

    @settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
    @given(built, st.text(max_size=4))
    def check(diagnosis: model.Diagnosis, name: str) -> None:
        message = to_wire(diagnosis, pb.DiagnoseResponse)
        assert write(diagnosis) == message.SerializeToString(deterministic=True)
        assert pb.DiagnoseResponse.FromString(write(diagnosis)) == message
        turn = model.DiagnoseStreamResponse(name, diagnosis=diagnosis)
        whole = to_wire(turn, pb.DiagnoseStreamResponse)
        assert turn_bytes(turn, write) == whole.SerializeToString(deterministic=True)
        assert pb.DiagnoseStreamResponse.FromString(turn_bytes(turn, write)) == whole

    check()


def test_a_refused_turn_is_written_as_its_message_is() -> None:
    """A refusal in a stream has the bytes of its message."""
    turn = model.DiagnoseStreamResponse("1", refusal=model.Refusal("invalid_request", "不行"))
    assert turn_bytes(turn, diagnosis_bytes) == to_wire(turn, pb.DiagnoseStreamResponse).SerializeToString(
        deterministic=True
    )


def test_long_names_and_what_is_no_text_are_written_or_refused() -> None:
    """A text of any length is written; one that UTF-8 cannot hold raises as it does in protobuf."""
    name = model.LocalizedText("数据库" * 20_000, "database" * 20_000)
    hypothesis = model.Hypothesis("RC-0001", name, 0.5, 0.5, -0.0, 0.1, ())
    plain = model.Diagnosis("sha256:0", "1", (hypothesis,) * 3, (), None, 0.0, 1.0, -0.0, 7, None)
    for write in (diagnosis_bytes, WRITE or diagnosis_bytes):
        assert write(plain) == to_wire(plain, pb.DiagnoseResponse).SerializeToString(deterministic=True)
        with pytest.raises(UnicodeEncodeError):
            write(plain._replace(snapshot_id="\ud800"))
