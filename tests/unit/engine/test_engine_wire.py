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
from services.engine.wire import MESSAGES, from_wire, to_wire

_PLAIN = {
    str: st.text(max_size=8).filter(lambda words: words.isascii()),
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

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
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
