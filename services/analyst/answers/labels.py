"""Names of columns, figures and conditions in a language, and numbers as people write them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import yaml

from services.analyst.queries.identifiers import Column
from services.analyst.questions.counts.definitions import condition_of
from services.analyst.questions.intent import DAY, Filter, Having, Intent, Measure, Period, Related, Time, Topic, Value
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.schema import Dimension
from services.analyst.sources.source import Cell

_MOST_VALUES = 2
_OF_COLUMN = ("previous", "growth", "share", "running")
_FLAG = re.compile(r"(?P<no>NOT )?(?:\w+\.)?(?P<name>[^\W\d]\w*)", re.IGNORECASE)
_TEXTS = Path(__file__).parent / "texts.yaml"
_JOINED = {"zh": "、", "en": ", "}


class Labels:
    """Of one dataset in one language."""

    def __init__(self, dataset: Dataset, words: Words) -> None:
        self._dataset, self._words = dataset, words

    def measure(self, measure: Measure) -> str:
        """The name of a figure."""
        say = self._words.say
        if measure.per:
            return say("per_rows", name=self.measure(replace(measure, per="")), rows=self.table(measure.per))
        if measure.table:
            return say("rows_of", name=self.table(measure.table))
        if measure.metric:
            name = self._dataset.layer.metric(measure.metric).name.text(self._words.language)
        else:
            name = self.dimension(measure.dimension) if measure.dimension else ""
        if not measure.aggregate:
            return name
        return say(f"aggregate_{measure.aggregate}", name=name, percent=f"{measure.fraction * 100:g}")

    def related(self, related: Related) -> str:
        """What is said of the rows that point at those asked for, with the conditions on them."""
        name = self.table(related.table)
        said = self._words.say("absent" if related.absent else "related", name=name)
        if related.operator != "":
            measure = Measure(metric=related.metric, table="" if related.metric else related.table)
            said = self.having(Having(measure, related.operator, related.values), None)
        conditions = [self.filter(one) for one in related.filters]
        conditions += [self.time(Time(related.periods))] if related.periods else []
        return f"{said}{self._words.say('scope', conditions=self._words.join(conditions))}" if conditions else said

    def unit(self, measure: Measure | None) -> str:
        """The unit of a figure."""
        if measure is None or not measure.metric or measure.aggregate in ("count", "count_distinct"):
            return ""
        return self._dataset.layer.metric(measure.metric).unit

    def column(self, column: Column) -> str:
        """The heading of a column."""
        if column.role == "dimension":
            return self.dimension(column.id)
        if column.role in ("time", "part"):
            return self._words.say(column.id)
        if column.measure is None:
            return column.name
        name = self.measure(column.measure)
        return self._words.say(column.role, name=name) if column.role in _OF_COLUMN else name

    def dimension(self, dimension_id: str) -> str:
        """The name of a dimension."""
        return self._dataset.layer.dimension(dimension_id).name.text(self._words.language)

    def table(self, name: str) -> str:
        """What a table is called."""
        table = next((each for each in self._dataset.layer.tables if each.name == name), None)
        return table.description.text(self._words.language) if table and table.description else name

    def value(self, dimension: Dimension, value: Value) -> str:
        """A stored value, with its other name in the language where it has one."""
        names = next((others for stored, others in dimension.values.items() if str(stored) == str(value)), ())
        wanted = [each for each in names if each.isascii() == (self._words.language == "en")]
        stored = str(value)
        if stored.isascii() == (self._words.language == "en") or not wanted:
            return number(value) if isinstance(value, int | float) and not isinstance(value, bool) else stored
        return f"{wanted[0]} ({stored})" if self._words.language == "en" else f"{wanted[0]}（{stored}）"

    def value_of(self, dimension_id: str, value: Value) -> str:
        """A stored value of a dimension as a person reads it."""
        return self.value(self._dataset.layer.dimension(dimension_id), value)

    def filter(self, one: Filter) -> str:
        """A condition on a dimension."""
        dimension = self._dataset.layer.dimension(one.dimension)
        name = dimension.name.text(self._words.language)
        values = [self.value(dimension, value) for value in one.values]
        say = self._words.say
        match one.operator:
            case "in" if len(values) > _MOST_VALUES:
                first = say("and_more", value=values[0], count=len(values) - 1)
                return say("among", name=name, values=first)
            case "in":
                return say("is" if len(values) == 1 else "among", name=name, values=self._words.join(values))
            case "not in" | "!=":
                return say("not_among", name=name, values=self._words.join(values))
            case "null" | "not null":
                return say("missing" if one.operator == "null" else "present", name=name)
            case "between":
                return say("between", name=name, low=values[0], high=values[1])
            case "says" | "says not":
                return say("says" if one.operator == "says" else "says_not", name=name, text=values[0])
        return say("compared", name=name, operator=one.operator, values=self._words.join(values))

    def topic(self, topic: Topic) -> str:
        """What rows are about, with the values that it was taken for."""
        parts = [self.filter(one) for one in topic.filters]
        return self._words.say("about", words=topic.words, filters=self._words.say("either").join(parts))

    def having(self, one: Having, first: Measure | None) -> str:
        """A condition on a figure."""
        measure = one.measure if one.measure != Measure() or first is None else first
        name = self.measure(measure)
        if one.share or one.growth:
            name = self._words.say("share" if one.share else "growth", name=name)
            values = [f"{value * 100:g}%" for value in one.values]
        else:
            values = [number(value) for value in one.values]
        if one.operator == "between":
            return self._words.say("between", name=name, low=values[0], high=values[1])
        return self._words.say("compared", name=name, operator=one.operator, values=values[0])

    def expression(self, text: str) -> str:
        """A condition of the layer in words, where it is a simple one on a dimension; else as it stands."""
        one = condition_of(text, self._dataset)
        if one is not None:
            return self.filter(one)
        flag = _FLAG.fullmatch(text)
        return self._words.say("without_flag" if flag["no"] else "with_flag", name=flag["name"]) if flag else text

    def time(self, time: Time) -> str:
        """The periods, the column they are of, and the comparison."""
        parts = [self.period(period) for period in time.periods]
        said = self._words.join(parts) if parts else self._words.say("all_time")
        if time.column:
            said = self._words.say("by_column", time=said, column=self.dimension(time.column))
        if time.hours:
            first, last = time.hours[0], time.hours[-1]
            said = self._words.join([said, self._words.say("hours", first=first, last=last)])
        if time.weekdays:
            days = self._words.join([str(day) for day in time.weekdays])
            said = self._words.join([said, self._words.say("weekdays", days=days)])
        return said

    def period(self, period: Period) -> str:
        """A period by its first and last day."""
        last = period.end - DAY if period.end else None
        if period.start and last:
            return self._words.say("on_day" if period.start == last else "from_to", start=period.start, end=last)
        if period.start:
            return self._words.say("from_day", start=period.start)
        return self._words.say("until_day", end=last) if last else self._words.say("all_time")


def default_filters(intent: Intent, dataset: Dataset) -> list[str]:
    """The default filters of the metrics of an intent, each once."""
    metrics = [one.metric for one in intent.measures if one.metric]
    metrics += [one.measure.metric for one in intent.having if one.measure.metric]
    return list(dict.fromkeys(each for one in metrics for each in dataset.layer.metric(one).default_filters))


@cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = yaml.load(_TEXTS.read_text("utf-8"), yaml.CSafeLoader)
    return {str(key): value for key, value in table.items()}


class Words:
    """Texts in one language."""

    def __init__(self, language: str) -> None:
        self.language = "en" if language == "en" else "zh"

    def say(self, key: str, /, **values: object) -> str:
        """One text, filled in."""
        return _table()[key][self.language].format(**values)

    def join(self, parts: list[str]) -> str:
        """Parts in a row."""
        return _JOINED[self.language].join(parts)

    def cell(self, value: Cell) -> str:
        """A cell as a person reads it."""
        if value is None:
            return self.say("nothing")
        if isinstance(value, bool | str):
            return str(value)
        return number(value)


def number(value: float) -> str:
    """A number with separators; fractions to two places, small ones to four significant digits."""
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) >= 1 else f"{value:.4g}"


def percent(fraction: float) -> str:
    """A fraction as a percentage."""
    return f"{fraction * 100:,.1f}%"
