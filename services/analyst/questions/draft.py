"""An intent while it is being read: the items of the question, which of them are used, and what they gave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from services.analyst.questions.intent import Filter, Having, Intent, Measure, Order, Time
from services.analyst.questions.items import Item
from services.analyst.questions.names import Meaning
from services.analyst.questions.periods import Period
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.schema import Dimension


@dataclass
class Draft:
    """`used` are places in `items`. grouped: dimensions that stand with a word for "by"."""

    dataset: Dataset
    items: list[Item]
    used: set[int] = field(default_factory=set)
    measures: list[Measure] = field(default_factory=list)
    dimensions: list[str] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    having: list[Having] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    exclusions: list[str] = field(default_factory=list)
    periods: list[Period] = field(default_factory=list)
    granularity: str = ""
    part: str = ""
    weekdays: tuple[int, ...] = ()
    comparison: str = ""
    column: str = ""
    order: Order | None = None
    limit: int = 0
    superlative: bool = False
    share: bool = False
    running: bool = False
    listing: str = ""
    distinct: bool = False
    counted: str = ""

    def of(self, *kinds: str) -> Iterator[tuple[int, Item]]:
        """The unused items of some kinds with their places."""
        for at, item in enumerate(self.items):
            if at not in self.used and (item.kind in kinds or item.among(*kinds)):
                yield at, item

    def has(self, *kinds: str) -> bool:
        """True if the question has an item of one of these kinds, used or not."""
        return any(item.kind in kinds or item.among(*kinds) for item in self.items)

    def at(self, place: int) -> Item | None:
        """The item at a place; None outside, and for a break."""
        inside = 0 <= place < len(self.items)
        return self.items[place] if inside and self.items[place].kind != "break" else None

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
            tuple(self.periods), self.granularity, self.column, self.part, self.weekdays, self.comparison  # type: ignore[arg-type]
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
            bool(self.counted),
        )
