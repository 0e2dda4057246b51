"""Finds the type that all values of a column of texts fit, and makes a table of these types.

A column with a code like 007 stays text. Marks such as N/A are missing values where all others are numbers or times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import yaml

from services.analyst.sources.inventory import Note, literal, quote

_FORMS = Path(__file__).parent / "forms.yaml"
_FIRST = 20_000
# No form of a number or time is longer; the rest of a text need not be searched.
_LONGEST = 65
_ALWAYS = ("filled", "marks", "padded")


@dataclass(frozen=True)
class Form:
    """How values of a type are written. cast: their value, with {v} for the text. forbids: makes the column text."""

    name: str
    matches: str
    type: str = ""
    cast: str = ""


@cache
def _forms() -> tuple[Form, ...]:
    return tuple(
        Form(name, **parts) for name, parts in yaml.load(_FORMS.read_text("utf-8"), yaml.CSafeLoader)["forms"].items()
    )


@cache
def _missing_marks() -> str:
    marks = yaml.load(_FORMS.read_text("utf-8"), yaml.CSafeLoader)["missing"]
    return ", ".join(literal(str(mark).lower()) for mark in marks)


def make_typed_table(
    database: duckdb.DuckDBPyConnection, staging: str, table: str, declared: Mapping[str, str]
) -> list[Note]:
    """Makes `table` out of `staging`, whose columns are texts; declared: DuckDB types that columns are known to have.

    A declared type that some value does not fit gives way to one that all fit.
    """
    columns = [row[0] for row in database.execute(f"DESCRIBE {quote(staging)}").fetchall()]
    notes: list[Note] = []
    chosen = []
    for column, counts in _counts(database, staging, columns, declared):
        kind, cast = _settle(counts, declared.get(column, ""))
        if counts["marks"] and kind != "VARCHAR":
            notes.append(
                Note("source_note.missing_marks", {"table": table, "column": column, "count": counts["marks"]})
            )
        chosen.append(f"{cast.format(v=_text(column, missing=kind != 'VARCHAR'))} AS {quote(column)}")
    database.execute(f"CREATE TABLE {quote(table)} AS SELECT {', '.join(chosen)} FROM {quote(staging)}")
    database.execute(f"DROP TABLE {quote(staging)}")
    return notes


def _text(column: str, *, missing: bool) -> str:
    """The text of a column; without blanks and marks of missing values where it becomes another type."""
    if not missing:
        return quote(column)
    trimmed = f"trim({quote(column)})"
    return f"CASE WHEN {trimmed} = '' OR lower({trimmed}) IN ({_missing_marks()}) THEN NULL ELSE {trimmed} END"


def _counts(
    database: duckdb.DuckDBPyConnection, staging: str, columns: Sequence[str], declared: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """How many values of each column have each form, and fit the type that it is declared with.

    Of many rows the first ones tell which forms a column cannot have; all rows are searched for the others alone.
    """
    measures = _measures(sorted({kind for kind in declared.values() if kind and kind != "VARCHAR"}))
    first = _count(database, f"(FROM {quote(staging)} LIMIT {_FIRST})", columns, measures)
    found = database.execute(f"SELECT count(*) FROM {quote(staging)}").fetchone()
    if found is not None and found[0] > _FIRST:
        groups: dict[tuple[str, ...], list[str]] = {}
        for column, counts in first.items():
            groups.setdefault(_possible(counts, declared.get(column, "")), []).append(column)
        for possible, together in groups.items():
            if possible:
                wanted = {name: measures[name] for name in (*_ALWAYS, *possible)}
                counted = _count(database, quote(staging), together, wanted)
                first |= {column: dict.fromkeys(measures, 0) | counted[column] for column in together}
    for column in columns:
        kind = declared.get(column, "")
        yield column, first[column] | {"declared": first[column].get(f"as {kind}", 0)}


def _possible(counts: Mapping[str, int], declared: str) -> tuple[str, ...]:
    """The measures of the forms that all values so far have; none for a column that stays text."""
    names = [form.name for form in _forms() if form.type and counts[form.name] == counts["filled"]]
    if counts.get(f"as {declared}", -1) == counts["filled"]:
        names.append(f"as {declared}")
    return tuple(names)


def _count(
    database: duckdb.DuckDBPyConnection, rows: str, columns: Sequence[str], measures: Mapping[str, str]
) -> dict[str, dict[str, int]]:
    """The measures of columns. They are laid below each other: 300 with expressions each take long to plan."""
    listed = ", ".join(map(quote, columns))
    found = database.execute(
        f"SELECT dbdiag_column, {', '.join(measures.values())} FROM"
        f" (SELECT dbdiag_column, left(trim(v), {_LONGEST}) AS v,"
        f" lower(trim(v)) IN ({_missing_marks()}) AS is_mark FROM (UNPIVOT {rows} ON {listed}"
        " INTO NAME dbdiag_column VALUE v)) WHERE v <> '' GROUP BY dbdiag_column"
    ).fetchall()
    none = dict.fromkeys(columns, dict.fromkeys(measures, 0))
    return none | {row[0]: dict(zip(measures, row[1:], strict=True)) for row in found}


def _measures(kinds: Sequence[str]) -> dict[str, str]:
    measures = {"filled": "count(*) FILTER (WHERE NOT is_mark)", "marks": "count(*) FILTER (WHERE is_mark)"}
    for form in _forms():
        measures[form.name] = f"count(*) FILTER (WHERE NOT is_mark AND ({form.matches.format(v='v')}))"
    for kind in kinds:
        fits = f"TRY_CAST(v AS {kind}) IS NOT NULL"
        measures[f"as {kind}"] = f"count(*) FILTER (WHERE NOT is_mark AND {fits})"
    return measures


def _settle(counts: Mapping[str, Any], declared: str) -> tuple[str, str]:
    """The type, and the expression that casts a text {v} to it."""
    filled = counts["filled"]
    if declared and declared != "VARCHAR" and counts["declared"] == filled:
        return declared, f"CAST({{v}} AS {declared})"
    numeric = ("integer", "number", "grouped")
    for form in _forms():
        if not filled or not form.type or counts[form.name] != filled:
            continue
        if form.name in numeric and (counts["padded"] or declared == "VARCHAR"):
            continue
        if form.name == "boolean" and declared:
            continue
        rival = {"month_first": "day_first", "day_first": "month_first"}.get(form.name)
        if rival and counts[rival] == filled:
            continue
        return form.type, form.cast
    return "VARCHAR", "{v}"
