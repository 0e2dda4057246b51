"""The answer in a sentence with its figure."""

from __future__ import annotations

from collections.abc import Sequence

from lang.numbers.periods import period_label
from services.analyst.answers.labels import Labels, Words, default_filters, number, percent
from services.analyst.answers.understanding import conditions_of
from services.analyst.execution.runner import ResultRows
from services.analyst.queries.identifiers import Column
from services.analyst.questions.intent import Intent
from services.analyst.semantic.dataset import Dataset
from services.analyst.sources.source import Cell


class Sentence:
    """Of one intent over one dataset in one language."""

    def __init__(self, intent: Intent, dataset: Dataset, words: Words) -> None:
        self._intent, self._words = intent, words
        self._labels = Labels(dataset, words)
        conditions = [part.text for part in conditions_of(intent, dataset, words)]
        self._scope = words.say("scope", conditions=words.join(conditions)) if conditions else ""
        defaults = [self._labels.expression(text) for text in default_filters(intent, dataset)]
        self._defaults = words.say("defaults", conditions=words.join(defaults)) if defaults else ""

    def say(self, columns: Sequence[Column], result: ResultRows) -> str:
        """The sentence of a result."""
        if is_empty(columns, result):
            return self._filled("sentence_empty", name=self._name(columns))
        splits = [each for each in columns if each.role in ("time", "part", "dimension")]
        if self._intent.listing and len(result.rows) == 1:
            said = self._row(columns, result.rows[0])
        elif self._intent.listing or not any(each.measure for each in columns):
            said = self._filled("sentence_rows", name=self._name(columns), count=len(result.rows))
        elif splits:
            said = self._groups(splits, columns, result)
        else:
            said = self._figures(columns, result.rows[0])
        if result.truncated:
            said += self._words.say("sentence_cut", count=len(result.rows))
        return said

    def _row(self, columns: Sequence[Column], row: Sequence[Cell]) -> str:
        cells = [self._cell(column, cell) for column, cell in zip(columns, row, strict=True) if cell not in (None, "")]
        return self._filled(
            "sentence_row", name=self._labels.table(self._intent.listing), cells=self._words.join(cells)
        )

    def _cell(self, column: Column, cell: Cell) -> str:
        return f"{self._labels.column(column)} {self._words.cell(cell)}"

    def _name(self, columns: Sequence[Column]) -> str:
        if self._intent.listing:
            return self._labels.table(self._intent.listing)
        measures = [self._labels.measure(each.measure) for each in columns if each.role == "measure" and each.measure]
        if self._intent.averaged:
            unit = self._words.say(self._intent.averaged)
            measures = [self._words.say("averaged", name=name, unit=unit) for name in measures]
        return self._words.join(measures) or self._words.join([self._labels.column(each) for each in columns[:3]])

    def _figures(self, columns: Sequence[Column], row: Sequence[Cell]) -> str:
        cells = dict(zip([each.name for each in columns], row, strict=True))
        first = next(each for each in columns if each.role == "measure")
        base = {"name": self._name(columns[:1] if len(columns) <= 3 else columns)}
        roles = {each.role: each for each in reversed(columns)}
        value = self._value(first, cells[first.name])
        if "growth" in roles:
            previous = self._value(first, cells[roles["previous"].name])
            growth = self._growth(cells[roles["growth"].name])
            return self._filled("sentence_growth", value=value, previous=previous, growth=growth, **base)
        if "share" in roles:
            return self._filled("sentence_share", value=value, share=self._percent(cells[roles["share"].name]), **base)
        values = [self._value(each, cells[each.name]) for each in columns]
        return self._filled("sentence", name=self._name(columns), value=self._words.join(values))

    def _groups(self, splits: list[Column], columns: Sequence[Column], result: ResultRows) -> str:
        if [each.role for each in splits] == ["time"] and (series := self._series(splits[0], columns, result)):
            return series
        row = result.rows[0]
        group = " ".join(self._group(each, row[columns.index(each)]) for each in splits)
        shown = [each for each in columns if each.measure is not None]
        figures = self._words.join([self._shown(each, row[columns.index(each)]) for each in shown])
        first = self._words.say("first_group", group=group, value=figures)
        split = self._words.join([self._labels.column(each) for each in splits])
        if len(result.rows) == 1 and self._intent.limit == 1 and self._intent.order is not None:
            key = "sentence_most" if self._intent.order.descending else "sentence_least"
            return self._filled(key, name=self._name(columns), split=split, group=group, value=figures)
        return self._filled(
            "sentence_groups", name=self._name(columns), split=split, count=len(result.rows), first=first
        )

    def _series(self, time: Column, columns: Sequence[Column], result: ResultRows) -> str:
        """The sentence of a figure over time: from when to when, its peak and its last value; empty without numbers."""
        figure = next(each for each in columns if each.role == "measure")
        at, when = columns.index(figure), columns.index(time)
        rows = [row for row in result.rows if row[when] is not None and isinstance(row[at], int | float)]
        if len(rows) < 2 or rows != sorted(rows, key=lambda row: str(row[when])):
            return ""
        peak = max(rows, key=lambda row: float(row[at] or 0))
        first, top, last = (self._group(time, row[when]) for row in (rows[0], peak, rows[-1]))
        return self._filled(
            "sentence_series",
            **{"name": self._name(columns), "unit": self._words.say(time.id), "count": len(rows)},
            **{"first": first, "last": last, "latest": self._value(figure, rows[-1][at])},
            **{"peak": top, "most": self._value(figure, peak[at])},
        )

    def _group(self, column: Column, value: Cell) -> str:
        if column.role == "dimension" and value is not None:
            return self._labels.value_of(column.id, value)
        said = self._words.cell(value)
        return period_label(said, column.id) if column.role == "time" else said

    def _shown(self, column: Column, value: Cell) -> str:
        if column.role in ("growth", "share"):
            return self._growth(value) if column.role == "growth" else self._percent(value)
        return self._value(column, value)

    def _value(self, column: Column, value: Cell) -> str:
        if isinstance(value, int | float) and not isinstance(value, bool):
            unit = self._labels.unit(column.measure)
            return f"{number(value)} {unit}".strip()
        return self._words.cell(value)

    def _percent(self, value: Cell) -> str:
        return percent(value) if isinstance(value, int | float) else self._words.cell(value)

    def _growth(self, value: Cell) -> str:
        if not isinstance(value, int | float):
            return self._words.say("no_growth")
        if value == 0:
            return self._words.say("unchanged")
        return self._words.say("grew" if value > 0 else "fell", percent=percent(abs(value)))

    def _filled(self, key: str, **values: object) -> str:
        return self._words.say(key, scope=self._scope, defaults=self._defaults, **values)


def is_empty(columns: Sequence[Column], result: ResultRows) -> bool:
    """True without rows, or with one row of figures that are all absent or zero."""
    if not result.rows:
        return True
    if len(result.rows) > 1 or any(each.role in ("time", "part", "dimension", "cell") for each in columns):
        return False
    return all(value is None or value == 0 for value in result.rows[0])
