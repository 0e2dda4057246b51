"""Conversion between the engine's types and protobuf messages.

Replies are written by the chassis' codec. Requests are read by hand into the engine's named tuples: what the contract
may leave out gets its default here, and a number outside an enumeration is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from typing import TypeAlias, TypeVar

from dbdiag.engine.v1 import engine_pb2 as pb

from services.chassis.errors import InvalidInput
from services.chassis.wire import to_wire
from services.engine import model

Number = TypeVar("Number", bound=IntEnum)
WriteDiagnosis: TypeAlias = Callable[[model.Diagnosis], bytes]

_VERDICTS = {int(verdict): verdict for verdict in model.Verdict}


def read_evidence(item: pb.Evidence) -> model.Evidence:
    """One answer; without a score it was meant for sure. Raises InvalidInput for an unknown verdict."""
    score = item.score if item.HasField("score") else 1.0
    return model.Evidence(
        item.phenomenon_id, _VERDICTS.get(item.verdict) or _member(model.Verdict, item.verdict), score
    )


def read_diagnose(message: pb.DiagnoseRequest) -> model.DiagnoseRequest:
    """Raises InvalidInput for an unknown enumeration value; so do the others."""
    return model.DiagnoseRequest(
        message.snapshot_id,
        tuple([read_evidence(item) for item in message.evidence]),
        tuple([model.Hint(hint.root_cause_id, hint.boost) for hint in message.hints]),
        message.max_hypotheses,
        message.max_recommendations,
        message.threshold if message.HasField("threshold") else None,
        _member(model.ScoringRule, message.rule),
        tuple(message.excluded_phenomenon_ids),
        _likeness(message.likeness),
    )


def read_explain(message: pb.ExplainRequest) -> model.ExplainRequest:
    """See read_diagnose."""
    return model.ExplainRequest(
        message.snapshot_id,
        tuple(map(read_evidence, message.evidence)),
        message.root_cause_id,
        _member(model.ScoringRule, message.rule),
        message.phenomenon_id,
        _likeness(message.likeness),
    )


def read_what_if(message: pb.WhatIfRequest) -> model.WhatIfRequest:
    """See read_diagnose."""
    return model.WhatIfRequest(
        message.snapshot_id,
        tuple(map(read_evidence, message.evidence)),
        tuple(map(read_evidence, message.replace)),
        tuple(message.retract_phenomenon_ids),
        _member(model.ScoringRule, message.rule),
        message.max_changes,
        _likeness(message.likeness),
    )


def read_expect(message: pb.ExpectRequest) -> model.ExpectRequest:
    """See read_diagnose."""
    return model.ExpectRequest(
        message.snapshot_id,
        tuple(map(read_evidence, message.evidence)),
        _likeness(message.likeness),
        tuple(message.phenomenon_ids),
    )


def _likeness(given: Iterable[pb.Likeness]) -> tuple[model.Likeness, ...]:
    return tuple([model.Likeness(each.root_cause_id, each.bits) for each in given])


def diagnosis_bytes(diagnosis: model.Diagnosis) -> bytes:
    """The canonical bytes of its DiagnoseResponse."""
    return to_wire(diagnosis, pb.DiagnoseResponse).SerializeToString(deterministic=True)


def turn_bytes(turn: model.DiagnoseStreamResponse, write: WriteDiagnosis) -> bytes:
    """The canonical bytes of a DiagnoseStreamResponse; `write` gives those of its diagnosis."""
    if turn.diagnosis is None:
        return to_wire(turn, pb.DiagnoseStreamResponse).SerializeToString(deterministic=True)
    return b"".join(
        (
            pb.DiagnoseStreamResponse(correlation_id=turn.correlation_id).SerializeToString(),
            *_embedded(pb.DiagnoseStreamResponse.DIAGNOSIS_FIELD_NUMBER, write(turn.diagnosis)),
        )
    )


def _embedded(field: int, data: bytes) -> Iterator[bytes]:
    """The encoding of a message as a field of another: its tag, its length, its bytes."""
    yield bytes([field << 3 | 2])
    left = len(data)
    while left > 0x7F:
        yield bytes([left & 0x7F | 0x80])
        left >>= 7
    yield bytes([left])
    yield data


def _member(kind: type[Number], number: int) -> Number:
    try:
        return kind(number)
    except ValueError as error:
        raise InvalidInput("invalid_request.engine_enum", kind=kind.__name__, number=number) from error
