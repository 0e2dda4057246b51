"""Conversion between the engine's dataclasses and named tuples and protobuf messages.

Both sides have the same field names, so one plan, derived from the types of a class, serves every pair. A field that
may be None distinguishes absent from zero. `from_wire(to_wire(x, M), type(x)) == x` for every pair.

The messages of a Diagnose are filled by hand: filling a message in place takes a quarter of the time of building it
from its parts, because protobuf copies each part into the whole.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any, TypeAlias, TypeVar

from dbdiag.engine.v1 import engine_pb2 as pb
from google.protobuf.message import Message

from services.chassis.errors import InvalidInput
from services.engine import model

Domain = TypeVar("Domain")
Number = TypeVar("Number", bound=IntEnum)
Wire = TypeVar("Wire", bound=Message)
WriteDiagnosis: TypeAlias = Callable[[model.Diagnosis], bytes]

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
    model.WhatIfResponse: pb.WhatIfResponse,
}


def to_wire(value: object, kind: type[Wire]) -> Wire:
    """The message for a dataclass or named tuple; `kind` is its pair."""
    message = _message(value)
    if not isinstance(message, kind):
        raise TypeError(f"{type(value).__name__} is written as {type(message).__name__}, not {kind.__name__}")
    return message


def from_wire(message: Message, kind: type[Domain]) -> Domain:
    """The dataclass or named tuple for a message. Raises InvalidInput for an unknown enumeration value."""
    read = _READ.get(kind)
    found: Domain = read(message) if read else kind(**{field.name: field.read(message) for field in _PLANS[kind]})
    return found


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


@dataclasses.dataclass(frozen=True)
class _Field:
    """Converts one field in both directions."""

    name: str
    write: Callable[[Any], Any]
    read: Callable[[Message], Any]


def _message(value: object) -> Message:
    fill = _FILLED.get(type(value))
    if fill is not None:
        message = MESSAGES[type(value)]()
        fill(message, value)
        return message
    fields = {field.name: field.write(getattr(value, field.name)) for field in _PLANS[type(value)]}
    return MESSAGES[type(value)](**fields)


def _plan(kind: type) -> tuple[_Field, ...]:
    defaults = {name: parameter.default for name, parameter in inspect.signature(kind).parameters.items()}
    hints = typing.get_type_hints(kind)
    return tuple(_field(MESSAGES[kind], name, hints[name], defaults[name]) for name in defaults)


def _field(message: type[Message], name: str, hint: Any, default: Any) -> _Field:
    """`hint` is T, T | None, or tuple[T, ...], where T is a plain value, an enumeration, or a class with a pair."""
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


def _member(kind: type[Number], number: int) -> Number:
    try:
        return kind(number)
    except ValueError as error:
        raise InvalidInput("invalid_request.engine_enum", kind=kind.__name__, number=number) from error


def _same(item: Any) -> Any:
    return item


def _evidence(item: pb.Evidence) -> model.Evidence:
    score = item.score if item.HasField("score") else 1.0
    return model.Evidence(
        item.phenomenon_id, _VERDICTS.get(item.verdict) or _member(model.Verdict, item.verdict), score
    )


def _diagnose_request(message: pb.DiagnoseRequest) -> model.DiagnoseRequest:
    return model.DiagnoseRequest(
        message.snapshot_id,
        tuple([_evidence(item) for item in message.evidence]),
        tuple([model.Hint(hint.root_cause_id, hint.boost) for hint in message.hints]),
        message.max_hypotheses,
        message.max_recommendations,
        message.threshold if message.HasField("threshold") else None,
        _member(model.ScoringRule, message.rule),
        tuple(message.excluded_phenomenon_ids),
    )


def _fill_turn(message: pb.DiagnoseStreamResponse, turn: model.DiagnoseStreamResponse) -> None:
    message.correlation_id = turn.correlation_id
    if turn.diagnosis is not None:
        _fill_diagnosis(message.diagnosis, turn.diagnosis)
    if turn.refusal is not None:
        message.refusal.reason = turn.refusal.reason
        message.refusal.message = turn.refusal.message


def _fill_diagnosis(message: pb.DiagnoseResponse, diagnosis: model.Diagnosis) -> None:
    message.snapshot_id = diagnosis.snapshot_id
    message.engine_version = diagnosis.engine_version
    for hypothesis in diagnosis.hypotheses:
        _fill_hypothesis(message.hypotheses.add(), hypothesis)
    for recommendation in diagnosis.recommendations:
        _fill_recommendation(message.recommendations.add(), recommendation)
    if diagnosis.conclusion is not None:
        message.conclusion.CopyFrom(to_wire(diagnosis.conclusion, pb.Conclusion))
    message.other_confidence = diagnosis.other_confidence
    message.entropy_bits = diagnosis.entropy_bits
    message.surprise_bits = diagnosis.surprise_bits
    message.root_cause_count = diagnosis.root_cause_count
    if diagnosis.contradiction is not None:
        message.contradiction.CopyFrom(to_wire(diagnosis.contradiction, pb.Contradiction))


def _fill_hypothesis(message: pb.Hypothesis, hypothesis: model.Hypothesis) -> None:
    message.root_cause_id = hypothesis.root_cause_id
    _fill_text(message.name, hypothesis.name)
    message.confidence = hypothesis.confidence
    message.effective_confidence = hypothesis.effective_confidence
    message.boost = hypothesis.boost
    message.prior = hypothesis.prior
    for contribution in hypothesis.contributions:
        _fill_contribution(message.contributions.add(), contribution)


def _fill_contribution(message: Any, contribution: model.Contribution) -> None:
    (
        message.phenomenon_id,
        message.verdict,
        message.score,
        message.bits,
        message.likelihood,
        message.base_rate,
        message.ticket_hits,
        message.ticket_count,
        ticket_ids,
    ) = contribution
    if ticket_ids:
        message.ticket_ids.extend(ticket_ids)


def _fill_recommendation(message: pb.Recommendation, recommendation: model.Recommendation) -> None:
    message.phenomenon_id = recommendation.phenomenon_id
    _fill_text(message.name, recommendation.name)
    message.information_gain_bits = recommendation.information_gain_bits
    message.rank_score = recommendation.rank_score
    message.cost = recommendation.cost
    message.related_root_cause_ids.extend(recommendation.related_root_cause_ids)
    message.confidence_if_yes = recommendation.confidence_if_yes
    message.confidence_if_no = recommendation.confidence_if_no
    _fill_outcome(message.if_yes, recommendation.if_yes)
    _fill_outcome(message.if_no, recommendation.if_no)


def _fill_outcome(message: pb.Outcome, outcome: model.Outcome) -> None:
    # An outcome of zeros must still be present.
    message.SetInParent()
    message.probability = outcome.probability
    add = message.beliefs.add
    for belief in outcome.beliefs:
        added = add()
        added.root_cause_id, added.confidence = belief


def _fill_text(message: pb.LocalizedText, text: model.LocalizedText) -> None:
    message.SetInParent()
    message.zh = text.zh
    message.en = text.en


_VERDICTS = {int(verdict): verdict for verdict in model.Verdict}
_FILLED: dict[type, Callable[[Any, Any], None]] = {
    model.DiagnoseStreamResponse: _fill_turn,
    model.Diagnosis: _fill_diagnosis,
    model.Hypothesis: _fill_hypothesis,
    model.Contribution: _fill_contribution,
    model.Recommendation: _fill_recommendation,
    model.Outcome: _fill_outcome,
    model.LocalizedText: _fill_text,
}
_READ: dict[type, Callable[[Any], Any]] = {model.Evidence: _evidence, model.DiagnoseRequest: _diagnose_request}
_PLANS = {kind: _plan(kind) for kind in MESSAGES}
