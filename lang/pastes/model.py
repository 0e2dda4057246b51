"""What a paste is made of, and what it says: blocks, tables, checks and findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from lang.expressions import Expression, Row, parse
from lang.pastes.own_queries.views import ColumnType, ViewRule
from lang.vocabulary import Predicate, Words

Kind = Literal["prose", "echo", "query", "table", "log", "error", "alert", "note"]
Verdict = Literal["confirmed", "denied", "unknown"]
Standing = Literal["counts", "proposed", "needs_second_reading"]
# Why a finding is as it is; the rooms that show findings have a text for each.
Why = Literal[
    "rows",
    "no_rows",
    "view",
    "log_line",
    "no_log_line",
    "alert",
    "error",
    "wrong_server",
    "open",
    "one_reading",
    "sign",
]

# The form of a result of which is only told that two readings were the same.
UNCHANGED = "unchanged"
_CHANGES = frozenset(("rise", "rate", "same", "least_step"))


class RowRule(BaseModel):
    """How the output of a check is judged, in the language of `lang.expressions`.

    confirmed: true of the output when the phenomenon is there; without it rows alone confirm nothing. denied: true when
    it is not there; without it, when `confirmed` is false. key: the columns that name a row in two readings. repeat: a
    `level` is judged in each reading and the majority decides; a `rise` needs two readings. empty: the verdict of an
    output without rows. lines: a regular expression for the log lines that count, where the check's own `grep` does
    not tell. alone: a server's error counts without a log around it. likely: true of an output that decides nothing and
    makes the phenomenon worth a question, such as a plan without run times. asked_only: an output that nobody asked
    for confirms nothing, for it may be of another thing of the same kind; it may be likely, and it denies. held: what a
    person may say to be on one of several devices, of which the rule is then meant. sign: true of lines of a log that
    mostly come of it: they count for less than proof.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    confirmed: Words | None = None
    denied: Words | None = None
    key: tuple[Words, ...] = ()
    repeat: Literal["level", "rise"] | None = None
    empty: Verdict = "denied"
    lines: Words | None = None
    alone: bool = False
    likely: Words | None = None
    sign: Words | None = None
    asked_only: bool = False
    held: tuple[Words, ...] = ()

    @field_validator("confirmed", "denied", "likely", "sign")
    @classmethod
    def _parses(cls, text: str | None) -> str | None:
        if text is not None:
            parse(text)
        return text

    @model_validator(mode="after")
    def _rises_in_two_readings(self) -> RowRule:
        if self.repeat == "rise" and not self.confirmed:
            raise ValueError("a rise needs an expression for `confirmed`")
        return self

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The parsed expressions, `confirmed` first."""
        return tuple(parse(text) for text in (self.confirmed, self.denied) if text)

    @property
    def compares_readings(self) -> bool:
        """True if `confirmed` asks how something changed."""
        return bool(self.confirmed) and not _CHANGES.isdisjoint(parse(self.confirmed or "").functions)

    @property
    def texts(self) -> frozenset[str]:
        """The columns that are compared with texts."""
        return frozenset().union(*(found.texts for found in self.expressions))


class Check(BaseModel):
    """One phenomenon's observation: its texts in each language, what its output means, and what values of it mean.

    views: when a person's own query of a view confirms it.
    """

    model_config = ConfigDict(frozen=True)

    phenomenon_id: str
    how: tuple[str, ...]
    rows: RowRule | None = None
    views: tuple[ViewRule, ...] = ()
    means: tuple[Predicate, ...] = Field(default=())


class Column(NamedTuple):
    """A column that a query prints. kind: what its cells can only be; `text` where that is anything.

    literals: the texts that stand in the query.
    """

    name: str
    kind: ColumnType = "text"
    literals: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows as text. form: `rows` for a query's output, else what a tool measures (`cpu`, `filesystems`, `log`, ...).

    told: the words that each row was read from, where its cells do not stand there as they are. left_out: how many rows
    more there are than the paste shows.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    form: str = "rows"
    told: tuple[str, ...] = ()
    left_out: int = 0


class Span(NamedTuple):
    """A part of the message: offsets in its text, and the words there."""

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class Block:
    """Lines `first` to `last` (not included) of a paste. words: a query's or command's text, an alert's words.

    elsewhere: an output of another system than the one that is spoken of.
    """

    kind: Kind
    first: int
    last: int
    table: Table | None = None
    words: str = ""
    database: str = ""
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What an output says about a phenomenon. words: the row or line that decides; value: its decisive values.

    rows: the typed rows, kept where a second reading is needed or nothing is decided.
    """

    phenomenon_id: str
    verdict: Verdict
    standing: Standing
    words: str
    value: str
    why: Why
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class EarlierReading:
    """The rows of a check that were pasted before, and how many seconds ago; 0 where nobody knows."""

    phenomenon_id: str
    rows: tuple[Row, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class PasteReading:
    """A message taken apart. prose: the person's own words; language: that of the prose; cut: characters not read."""

    prose: tuple[Span, ...]
    findings: tuple[Finding, ...]
    language: Literal["zh", "en"] | None
    blocks: Sequence[Block] = ()
    cut: int = 0
