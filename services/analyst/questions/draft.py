"""An intent while it is being read: the items of the question, which of them are used, and what they gave."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field

from lang.tokens import Text
from services.analyst.questions.intent import (
    Band,
    Comparison,
    Filter,
    Granularity,
    Guess,
    Having,
    Intent,
    Measure,
    Order,
    Part,
    Period,
    Related,
    Time,
    Topic,
    Unclear,
)
from services.analyst.questions.words.items import Item
from services.analyst.questions.words.names import Meaning, Names
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.schema import Dimension, Metric
from services.chassis.messages import Message

_SHOWN = 6


@dataclass
class Draft:
    """`used` are places in `items`. spans: the words of the periods."""

    dataset: Dataset
    items: list[Item]
    today: dt.date
    language: str
    names: Names
    text: Text
    used: set[int] = field(default_factory=set)
    measures: list[Measure] = field(default_factory=list)
    dimensions: list[str] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    having: list[Having] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    exclusions: list[str] = field(default_factory=list)
    periods: list[Period] = field(default_factory=list)
    spans: list[str] = field(default_factory=list)
    granularity: Granularity = ""
    part: Part = ""
    weekdays: tuple[int, ...] = ()
    hours: tuple[int, ...] = ()
    bands: list[Band] = field(default_factory=list)
    topics: list[Topic] = field(default_factory=list)
    within: tuple[str, ...] = ()
    comparison: Comparison = ""
    column: str = ""
    order: Order | None = None
    limit: int = 0
    superlative: bool = False
    ranks_all: bool = False
    share: bool = False
    running: bool = False
    listing: str = ""
    distinct: bool = False
    counted: bool = False
    averaged: Granularity = ""
    related: list[Related] = field(default_factory=list)
    guesses: list[Guess] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    rank_place: int = 0
    rank_kind: str = ""
    ordered_by_growth: bool = False
    shrinks: bool = False
    grown_only: str = ""
    may_continue: bool = False
    prior: bool = False
    doubt: Unclear | None = None
    pending: list[Filter] = field(default_factory=list)
    counted_item: int = -1
    sorted_by: str = ""
    sort_column: str = ""

    def of(self, *kinds: str) -> Iterator[tuple[int, Item]]:
        """The unused items of some kinds with their places."""
        for at, item in enumerate(self.items):
            if at not in self.used and (item.kind in kinds or item.among(*kinds)):
                yield at, item

    def has(self, *kinds: str) -> bool:
        """True if the question has an item of one of these kinds, used or not."""
        return any(item.kind in kinds or item.among(*kinds) for item in self.items)

    def at(self, place: int, *kinds: str) -> Item | None:
        """The item at a place, of one of these kinds where any are given; None outside, and for a break."""
        item = self.items[place] if 0 <= place < len(self.items) else None
        if item is None or item.kind == "break" or (kinds and item.kind not in kinds):
            return None
        return item

    def is_comma(self, place: int) -> bool:
        """True for a break between items."""
        return 0 <= place < len(self.items) and self.items[place].kind == "break"

    def take(self, kind: str) -> bool:
        """Uses the items of a kind; True if there were any."""
        places = [place for place, item in self.of(kind) if item.kind == kind]
        self.use(*places)
        return bool(places)

    def is_split(self, place: int) -> bool:
        """True if a word for "by" or "which" stands before an item, or before those it is joined to."""
        step = place - 1
        while (
            step > 0 and self.items[step].kind in ("and", "break") and self.at(step - 1, "dimension", "table", "time")
        ):
            if self.items[step].kind == "break" and self.items[step].words not in ",，、":
                return False
            step -= 2
        return self.at(step, "group", "which") is not None

    def free(self, place: int, *kinds: str) -> Item | None:
        """The unused item at a place, if it is of one of these kinds."""
        item = self.at(place)
        fits = item is not None and place not in self.used and (item.kind in kinds or bool(item.among(*kinds)))
        return item if fits else None

    def use(self, *places: int) -> None:
        """These items are understood."""
        self.used.update(places)

    def dimension(self, meaning: Meaning) -> Dimension:
        """The dimension of a meaning."""
        return self.dataset.layer.dimension(meaning.id)

    def time_dimension(self, item: Item | None) -> str:
        """The id of the dimension of times that an item names; empty if it names none."""
        for meaning in item.among("dimension") if item else ():
            if self.dataset.is_time(self.dimension(meaning)):
                return meaning.id
        return ""

    def number_dimension(self, item: Item | None) -> str:
        """The id of the dimension of numbers that an item names; empty if it names none."""
        for meaning in item.among("dimension") if item else ():
            if self.dataset.is_number(self.dimension(meaning)):
                return meaning.id
        return ""

    def intent(self) -> Intent:
        """What was read."""
        time = Time(
            tuple(self.periods),
            self.granularity,
            self.column,
            self.part,
            self.weekdays,
            self.comparison,
            self.hours,
            tuple(self.bands) if self.part == "band" else (),
        )
        return Intent(
            tuple(dict.fromkeys(self.measures)),
            tuple(dict.fromkeys(self.dimensions)),
            time,
            tuple(dict.fromkeys(self.filters)),
            tuple(dict.fromkeys(self.having)),
            tuple(dict.fromkeys(self.named)),
            tuple(dict.fromkeys(self.exclusions)),
            self.order,
            self.limit,
            self.share,
            self.running,
            self.listing,
            self.distinct,
            self.counted,
            self.averaged,
            tuple(dict.fromkeys(self.related)),
            tuple(self.pending),
            tuple(self.topics),
            self.within,
        )

    # What the parts know of each other

    def tables(self) -> list[str]:
        """The tables that the figures are taken from, or whose rows are listed."""
        found = [self.listing] if self.listing else []
        for measure in self.measures:
            if measure.metric:
                found.append(self.dataset.layer.metric(measure.metric).table)
            elif measure.table:
                found.append(measure.table)
            elif not self.listing and not found:
                found.append(self.dataset.table_of(self.dataset.layer.dimension(measure.dimension)))
        return list(dict.fromkeys(found))

    def tables_of(self, measure: Measure) -> str:
        """The table of a measure."""
        if measure.metric:
            return self.dataset.layer.metric(measure.metric).table
        return measure.table or self.dataset.table_of(self.dataset.layer.dimension(measure.dimension))

    def table_of_item(self, item: Item) -> str:
        """The table that an item names, or has its column or figure in."""
        if item.kind == "metric":
            return self.dataset.layer.metric(item.id).table
        if item.kind == "dimension":
            return self.dataset.rows_of(self.dimension(item.meanings[0]))
        return item.id

    def reaches(self, item: Item) -> bool:
        """True if the figures, or the rows that are named, have one of the dimensions that an item names."""
        tables = self.tables() or [item.id for item in self.items if item.kind == "table"]
        return not tables or any(
            self.dataset.reaches(table, one.id) for table in tables for one in item.among("dimension")
        )

    def points_at(self, table: str, other: str) -> bool:
        """True if rows of a table point at rows of the other."""
        return table != other and self.dataset.path(table, other) is not None

    def is_related(self, table: str) -> bool:
        """True if the rows asked for are those with related rows of a table."""
        return any(one.table == table or self.dataset.path(one.table, table) is not None for one in self.related)

    def may_relate(self) -> bool:
        """True if rows themselves are listed or counted."""
        metrics = [self.dataset.layer.metric(one.metric) for one in self.measures if one.metric]
        counts = all(metric.expr.replace(" ", "").lower() == "count(*)" for metric in metrics)
        return bool(self.listing) or (
            counts and all(one.table or one.metric or one.aggregate in ("min", "max") for one in self.measures)
        )

    def relate(self, table: str) -> None:
        """Only rows with a related row of a table."""
        if not self.is_related(table):
            self.related.append(Related(table))

    def grown_order(self) -> bool:
        """True if a ranking is of growth, as no other figure could be meant."""
        return bool(self.rank_kind) and self.has("growth", "change", "grew", "fell")

    def unrank(self) -> None:
        """The superlative is an aggregate."""
        self.limit, self.superlative, self.rank_kind = 0, False, ""

    # What a person is shown

    def name(self, entry: str) -> str:
        """The name of a metric or dimension in the language of the question."""
        layer = self.dataset.layer
        entries: tuple[Metric | Dimension, ...] = (*layer.metrics, *layer.dimensions)
        for one in entries:
            if one.id == entry:
                return one.name.text(self.language)
        return entry

    def names_rows(self, item: Item) -> bool:
        """Whether an item is the column that names the rows of a table, and so stands for them: 磁盘满的原因."""
        return any(self.dimension(one).key for one in item.every_of("dimension"))

    def table_name(self, name: str) -> str:
        """The name of a table in the language of the question."""
        table = next((one for one in self.dataset.layer.tables if one.name == name), None)
        return table.description.text(self.language) if table and table.description else name

    def shown(self, filters: list[Filter]) -> tuple[str, ...]:
        """Filters as a person reads them."""
        return tuple(f"{self.name(one.dimension)} = {one.values[0]}" for one in filters)

    def choices(self) -> tuple[str, ...]:
        """The figures that can be asked for."""
        return tuple(metric.name.text(self.language) for metric in self.dataset.layer.metrics)[:_SHOWN]

    def splits(self) -> tuple[str, ...]:
        """What the figures can be split by."""
        tables = self.tables()
        found = [
            one for one in self.dataset.layer.dimensions if all(self.dataset.reaches(each, one.id) for each in tables)
        ]
        return tuple(one.name.text(self.language) for one in found if not self.dataset.is_number(one))[:_SHOWN]

    def near(self, words: str) -> tuple[str, ...]:
        """The names of figures and splits that a word is a part of, or shares a word with."""
        return self.names.near(words, self.language)[:_SHOWN]

    def texts(self, *keys: str) -> tuple[str, ...]:
        """Options that are texts of the service."""
        return tuple(Message(key).text(self.language) for key in keys)
