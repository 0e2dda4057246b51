"""The chart of a result as a Vega-Lite specification, where one helps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from dbdiag.analyst.v1.analyst_types import Chart

from services.analyst.answers.labels import Labels
from services.analyst.queries.identifiers import Column
from services.analyst.questions.intent import Intent
from services.analyst.sources.source import Cell

Kind: TypeAlias = Literal["none", "line", "bar", "stacked", "pie"]
_MOST_POINTS = 400
_MOST_SLICES = 8
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def chart_kind(intent: Intent, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Kind:
    """Lines over time, bars by group, a pie for the shares of few groups, stacked bars for two splits."""
    splits = [each for each in columns if each.role in ("time", "part", "dimension")]
    measured = any(each.measure is not None for each in columns)
    if intent.listing or not measured or len(rows) < 2 or len(rows) > _MOST_POINTS or not 1 <= len(splits) <= 2:
        return "none"
    times = [each for each in splits if each.role == "time"]
    if times and len(splits) == 2 and intent.share:
        return "stacked"
    if times:
        return "line"
    if len(splits) == 2:
        return "stacked"
    figures = [row[columns.index(each)] for row in rows for each in columns if each.role == "share"]
    positive = all(isinstance(value, int | float) and value >= 0 for value in figures)
    if intent.share and not intent.limit and len(rows) <= _MOST_SLICES and positive:
        return "pie"
    return "bar"


def draw(
    kind: Kind, intent: Intent, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], labels: Labels
) -> Chart | None:
    """The chart; None for a kind of none."""
    if kind == "none":
        return None
    splits = [each for each in columns if each.role in ("time", "part", "dimension")]
    value = _value(intent, columns)
    x = next((each for each in splits if each.role in ("time", "part")), splits[0])
    series = next((each for each in splits if each is not x), None)
    fields = {each.name: labels.column(each) for each in (x, series, value) if each is not None}
    data = [{fields[each.name]: row[columns.index(each)] for each in columns if each.name in fields} for row in rows]
    encoding = _encoding(kind, fields, x, series, value)
    spec: dict[str, Any] = {
        "$schema": _SCHEMA,
        "title": fields[value.name],
        "data": {"values": data},
        "mark": {"type": {"line": "line", "pie": "arc"}.get(kind, "bar"), "tooltip": True},
        "encoding": encoding,
    }
    if kind == "line":
        spec["mark"]["point"] = len(data) <= 60
    return Chart(kind, json.dumps(spec, ensure_ascii=False))


def _value(intent: Intent, columns: Sequence[Column]) -> Column:
    wanted = ("share",) if intent.share else ("running",) if intent.running else ("measure",)
    return next(each for role in (*wanted, "measure") for each in columns if each.role == role)


def _encoding(kind: Kind, fields: dict[str, str], x: Column, series: Column | None, value: Column) -> dict[str, Any]:
    measure: dict[str, Any] = {"field": fields[value.name], "type": "quantitative"}
    if value.role == "share":
        measure["axis"] = {"format": ".0%"}
    category: dict[str, Any] = {"field": fields[x.name], "type": "nominal", "sort": None}
    if kind == "pie":
        measure.pop("axis", None)
        return {"theta": measure, "color": category}
    if x.role == "time":
        category = {"field": fields[x.name], "type": "ordinal" if x.id == "year" else "temporal"}
    encoding = {"x": category, "y": measure}
    if series is not None:
        encoding["color"] = {"field": fields[series.name], "type": "nominal", "sort": None}
    return encoding
