"""What a metric does with its rows, and which one counts the rows of a table."""

from __future__ import annotations

import re

from lang.tokens import stem
from services.analyst.questions.intent import Aggregate, Measure
from services.analyst.semantic.schema import Layer, Metric

_AVERAGE = re.compile(r"\s*avg\s*\(([^()*+/%-]+)\)\s*", re.IGNORECASE)
_PLAIN = re.compile(r"\s*(?:avg|sum)\s*\(([^()*+/%-]+)\)\s*", re.IGNORECASE)
UNIT_WORDS = {
    "second": ("second", "seconds", "s", "sec", "秒"), "minute": ("minute", "minutes", "min", "分钟", "分"),
    "hour": ("hour", "hours", "h", "hr", "小时", "时"), "day": ("day", "days", "d", "天", "日"),
    "week": ("week", "weeks", "周"), "month": ("month", "months", "月"), "year": ("year", "years", "年"),
}  # fmt: skip
_COUNT_WORDS = ("count", "number", "of", "total", "the")
_NAMES: dict[str, Aggregate] = {
    "avg": "avg",
    "median": "median",
    "max": "max",
    "min": "min",
    "sum": "sum",
    "count": "count",
}
_OUTER = re.compile(r"\s*(avg|median|max|min|sum|count)\s*\(", re.IGNORECASE)


def own_aggregate(metric: Metric) -> Aggregate:
    """The aggregate of a metric's expression; empty for a ratio."""
    found = _OUTER.match(metric.expr)
    return _NAMES[found[1].lower()] if found else ""


def metric_over(layer: Layer, dimension: str) -> Metric | None:
    """The metric of the average of a column, whose conditions hold for its other aggregates too."""
    column = layer.dimension(dimension).column.replace('"', "").lower()
    for metric in layer.metrics:
        found = _AVERAGE.fullmatch(metric.expr.replace('"', ""))
        if found and found[1].strip().lower() == column:
            return metric
    return None


def is_lasting(metric: Metric) -> bool:
    """True for a metric of a length of time."""
    return metric.unit.lower() in {word for words in UNIT_WORDS.values() for word in words}


def is_plain(metric: Metric) -> bool:
    """True for a sum or average of one column."""
    return _PLAIN.fullmatch(metric.expr.replace('"', "")) is not None


def column_of(layer: Layer, metric: Metric) -> str:
    """The dimension of the column that a metric adds up or averages; empty where it is no plain column."""
    found = _PLAIN.fullmatch(metric.expr.replace('"', ""))
    if found is None:
        return ""
    column = found[1].strip().lower()
    return next((one.id for one in layer.dimensions if one.column.replace('"', "").lower() == column), "")


def count_of(layer: Layer, table: str) -> Measure:
    """The metric that counts the rows of a table under the table's own name, else the plain count."""
    names = {
        _bare(word)
        for each in layer.tables
        if each.name == table and each.description
        for word in each.description.words
    }
    names.add(_bare(table.replace("_", " ")))
    for metric in layer.metrics:
        counts = metric.table == table and own_aggregate(metric) == "count"
        if counts and names & {_bare(word) for word in (*metric.name.words, *metric.synonyms)}:
            return Measure(metric=metric.id)
    return Measure(table=table)


def has_word(name: str, word: str) -> bool:
    """True if a word is a word of a name, or in Chinese a part of it."""
    if not word.isascii():
        return word in name
    return stem(word.lower()) in {stem(part) for part in name.lower().split()}


def _bare(word: str) -> str:
    """A name without the words that say that it is a count."""
    for ending in ("总数量", "总数", "数量", "个数", "数", "量"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            word = word[: -len(ending)]
            break
    kept = [stem(part) for part in word.lower().split() if part not in _COUNT_WORDS]
    return " ".join(kept)
