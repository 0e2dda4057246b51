"""Views as people query them: a library's knowledge of their columns, and rules over them for a phenomenon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from lang.expressions import Expression, parse
from lang.vocabulary import Words

ColumnType = Literal["text", "number", "bytes", "duration", "percent", "bool", "time", "lsn"]
# How many of the things that the view lists a row stands for: a rule may use it like a column.
WEIGHT = "weight"


class ViewColumn(BaseModel):
    """A column by its usual name and the aliases that people give it.

    values: all that it can hold; a table with anything else in it is another view's. unit: of bare numbers in a column
    of the type duration, which are not read without one. blank: an empty cell tells that there is none. made_of: words
    that an expression in a query has, all of one text, if it makes this column, whatever its alias. statement: of its
    cells those that differ in values are alike.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Words
    type: ColumnType = "text"
    aliases: tuple[Words, ...] = ()
    values: tuple[Words, ...] = ()
    unit: Literal["ms", "s"] | None = None
    made_of: tuple[Words, ...] = ()
    statement: bool = False
    blank: bool = False


class View(BaseModel):
    """What people query of one view. known_by: sets of columns, one of which a table must have to be of this view.

    relations: the names that a query of it mentions, one of them is enough. key: the columns that name what is listed;
    of rows alike in them only the first has weight. weight: the column in which a grouped query counts. form: the form
    of table that it is read from, where that is no query's output. conditions: conditions (`WHERE`) by a name, by which
    rules may refer to all of them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Words
    relations: tuple[Words, ...]
    columns: tuple[ViewColumn, ...]
    known_by: tuple[tuple[Words, ...], ...]
    key: tuple[Words, ...] = ()
    weight: Words | None = None
    form: Words = "rows"
    conditions: Mapping[Words, tuple[str, ...]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_its_columns(self) -> Self:
        known = {column.name for column in self.columns}
        named = {name for one in (*self.known_by, self.key, (self.weight or "",)) for name in one} - {""}
        if lacking := sorted(named - known):
            raise ValueError(f"no such columns: {', '.join(lacking)}")
        counted = Counter(name for column in self.columns for name in (column.name, *column.aliases))
        if twice := sorted(name for name, times in counted.items() if times > 1 or name == WEIGHT):
            raise ValueError(f"names of two columns, or reserved: {', '.join(twice)}")
        return self


class ViewRule(BaseModel):
    """When a person's own table of a view confirms a phenomenon, in the language of `lang.expressions`.

    A person's query mostly shows a part of what there is, so that rows rarely deny. It applies where every column of
    `confirmed` and `by` is in the table. by: the rule is judged for each group of rows alike in these columns. without:
    rows of which one of these holds are left out, as far as their columns are there. sure: if false, it is proposed;
    if `most`, it is sure of a group that has more than half of the rows that are not left out.
    none: the conditions (`WHERE`) under which a query lists all that the rule is about, or the names of the view for
    some: it denies where the rule is false of its rows; an empty one is a query of all. empty: the verdict of such a
    query without rows. least: so many rows of it confirm.
    denied: what speaks against it where every column of it is in the table: in all that there is where `none` tells
    what lists that, else in any rows.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    view: Words
    confirmed: Words
    denied: Words | None = None
    by: tuple[Words, ...] = ()
    without: tuple[Words, ...] = ()
    sure: bool | Literal["most"] = True
    none: tuple[str, ...] = ()
    empty: Literal["confirmed", "denied", "unknown"] = "denied"
    least: int = 0

    @field_validator("confirmed", "denied")
    @classmethod
    def _parses(cls, text: str | None) -> str | None:
        if text is not None:
            parse(text)
        return text

    @field_validator("without")
    @classmethod
    def _all_parse(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        for text in texts:
            parse(text)
        return texts

    @property
    def needed(self) -> frozenset[str]:
        """The columns without which the rule says nothing."""
        return frozenset(parse(self.confirmed).names) - {WEIGHT} | frozenset(self.by)

    @property
    def expressions(self) -> Iterator[Expression]:
        """The parsed expressions, `confirmed` first."""
        yield parse(self.confirmed)
        yield from map(parse, self.without if self.denied is None else (self.denied, *self.without))
