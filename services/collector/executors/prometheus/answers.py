"""Answers of a Prometheus as reads of rows: a row for each set of labels, a column for each query."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, TypeAdapter, ValidationError

from lang.expressions import Reads, Row, Value
from services.chassis.messages import Message
from services.collector.failures import CheckFailed


class Series(BaseModel):
    """One series: its labels, and its value now or its values over a range, each with its time in seconds."""

    metric: dict[str, str] = {}
    value: tuple[float, str] | None = None
    values: tuple[tuple[float, str], ...] = ()


class _Data(BaseModel):
    result: tuple[Series, ...]


class _Answer(BaseModel):
    status: str
    data: _Data | None = None
    errorType: str = ""
    error: str = ""


_ANSWER = TypeAdapter(_Answer)


def series_of(body: bytes) -> tuple[Series, ...]:
    """The series of an answer. Raises CheckFailed where it is an error, or no answer of a Prometheus at all."""
    try:
        answer = _ANSWER.validate_json(body)
    except ValidationError:
        raise CheckFailed("wrong_answer.not_prometheus") from None
    if answer.status != "success" or answer.data is None:
        key = "timed_out.server" if answer.errorType == "timeout" else "look_failed.server"
        raise CheckFailed(key, words=f"{answer.errorType or 'error'}: {answer.error or 'no reason is given'}")
    return answer.data.result


def reads_of(answers: Mapping[str, Sequence[Series]], key: tuple[str, ...]) -> Reads:
    """Rows by the labels of `key`, joined over all queries; one read for each moment, the oldest first.

    Raises CheckFailed where a query gave several series for one row: its labels mean more than one thing.
    """
    moments: dict[float, dict[tuple[str, ...], dict[str, Value]]] = {}
    for column, found in answers.items():
        for series in found:
            name = tuple(series.metric.get(label, "") for label in key)
            # Values of now carry the moment of each question; they belong together.
            for moment, text in series.values or (((0.0, series.value[1]),) if series.value else ()):
                row = moments.setdefault(moment, {}).setdefault(name, dict(zip(key, name, strict=True)))
                if column in row:
                    where = tuple(filter(None, name)) or Message("too_many_series.target_labels")
                    raise CheckFailed("too_many_series.for_row", column=column, where=where)
                row[column] = _number(text)
    times = sorted(moments)
    rows = tuple(_whole(moments[time], answers) for time in times)
    return Reads(rows, times[-1] - times[0] if times else 0.0, key)


def _whole(found: Mapping[tuple[str, ...], dict[str, Value]], columns: Mapping[str, object]) -> tuple[Row, ...]:
    """Every row with every column: what a query did not give is not known."""
    return tuple(dict.fromkeys(columns, None) | row for _, row in sorted(found.items()))


def _number(text: str) -> float | None:
    """A sample; None for one that is no number, as a rate of nothing is."""
    try:
        value = float(text)
    except ValueError:
        raise CheckFailed("wrong_answer.no_number") from None
    return value if math.isfinite(value) else None
