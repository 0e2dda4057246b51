"""Dataclasses to messages and back."""

from __future__ import annotations

import typing
from typing import Any

import pytest
from dbdiag.engine.v1 import engine_pb2 as pb
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.chassis.errors import InvalidInput
from services.engine import model
from services.engine.kernel.binding import WRITE
from services.engine.wire import MESSAGES, WriteDiagnosis, diagnosis_bytes, from_wire, to_wire, turn_bytes
from tests.support.examples import examples

_PLAIN = {
    str: st.text(st.characters(max_codepoint=127), max_size=8),
    int: st.integers(0, 2**32 - 1),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
}
for plain, values in _PLAIN.items():
    st.register_type_strategy(plain, values)


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_every_pair_survives_the_round_trip(kind: type) -> None:
    """from_wire(to_wire(x)) == x for every dataclass with a message."""
    build: st.SearchStrategy[Any] = st.builds(
        kind, **{name: st.from_type(hint) for name, hint in typing.get_type_hints(kind).items()}
    )
    if kind is model.DiagnoseStreamResponse:
        build = build.filter(lambda item: item.diagnosis is None or item.refusal is None)

    @settings(max_examples=examples(12), deadline=None, suppress_health_check=list(HealthCheck))
    @given(build)
    def check(value: object) -> None:
        assert from_wire(to_wire(value, MESSAGES[kind]), kind) == value

    check()


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_every_pair_has_the_same_fields(kind: type) -> None:
    """No field of a message is forgotten."""
    names = set(typing.get_type_hints(kind))
    assert names == set(MESSAGES[kind].DESCRIPTOR.fields_by_name)


def test_an_absent_score_is_one() -> None:
    """Evidence without a score was meant for sure, evidence with score 0 was not."""
    assert from_wire(pb.Evidence(phenomenon_id="P-0001", verdict=pb.VERDICT_DENIED), model.Evidence).score == 1.0
    assert from_wire(pb.Evidence(score=0.0), model.Evidence).score == 0.0


def test_numbers_outside_an_enumeration_are_refused() -> None:
    """A verdict that the contract does not know is wrong input, not a crash."""
    message = pb.Evidence()
    message.ParseFromString(bytes([0x10, 99]))
    with pytest.raises(InvalidInput):
        from_wire(message, model.Evidence)


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
