"""A second reading that is told in words: "a min later dwh was 2412394881024", "it grew by 500 MB in a minute"."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from lang import deferred_re as re
from lang.expressions import Row, parse
from lang.numbers.model import Value as Amount
from lang.numbers.model import scale
from lang.numbers.values import read_values
from lang.parts import cues_of, is_content
from lang.pastes.judge_rows import judge_rows
from lang.pastes.model import RowRule, Verdict
from lang.pastes.two_readings import seconds_between
from lang.tokens import Text, read_text
from lang.vocabulary import Unit

_CLAUSE = re.compile(r"(?:[^.,，。;；!！?？\n]|[.,](?=\d))+[?？]?")
_RISES = ("rise", "rate")
_GREW = re.compile(
    r"\b(?:grew|grow(?:s|n|ing)?|rose|rises?|climbed|increased|went up|up by|added|more)\b|涨|增加|增长|多了|上升", re.I
)
# A second reading is no further from the first.
_FARTHEST = 2.0


def judge_told(rule: RowRule, how: Sequence[str], rows: tuple[Row, ...], said: str) -> tuple[Verdict, str] | None:
    """What rows say together with what a person tells of them later, and the words that tell it; None if nothing."""
    columns = set(_rising(rule))
    for clause in _CLAUSE.findall(said):
        second = None if clause.endswith(("?", "？")) else _second(rule, columns, rows, clause)
        if second is None:
            continue
        verdict = judge_rows(rule, (rows, second), seconds_between(rows, second, said, how))
        if verdict in ("confirmed", "denied"):
            return verdict, clause.strip()
    return None


def _rising(rule: RowRule) -> Iterator[str]:
    """The columns of which a rule asks how much they rose."""
    for node in ast.walk(parse(rule.confirmed or "").tree) if rule.compares_readings else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _RISES:
            yield from (each.id for each in node.args if isinstance(each, ast.Name))


def _second(rule: RowRule, columns: set[str], rows: tuple[Row, ...], clause: str) -> tuple[Row, ...] | None:
    """The rows as a clause tells them; the others of them as they were."""
    text = read_text(clause)
    words = {token.text for token in text.tokens}
    named = [row for row in rows if any(str(row.get(name)).lower() in words for name in rule.key)]
    grew = _GREW.search(clause) is not None
    about = named or (rows if len(rows) == 1 or grew else ())
    if not columns or not about or (grew and not named and _names_another(text, columns)):
        return None
    row = about[0]
    told = [
        {**row, column: value}
        for amount in read_values(text)
        for column in sorted(columns & row.keys())
        if (value := _value_of(amount, row[column], grew)) is not None
    ]
    return tuple(told[0] if each is row else each for each in rows) if len(told) == 1 else None


def _names_another(text: Text, columns: set[str]) -> bool:
    """True if a clause names a thing, and none of the columns: "pg_wal grew by 5 GB"."""
    covered = {at for value in read_values(text) for at in value.covered}
    covered |= {at for cue in cues_of(text) for at in range(cue.first, cue.last)}
    parts = {part for column in columns for part in (column, *column.split("_"))}
    left = [token.text for at, token in enumerate(text.tokens) if at not in covered and is_content(token)]
    return any(word not in parts and _GREW.search(word) is None for word in left)


def _value_of(amount: Amount, before: object, grew: bool) -> float | None:
    """What an amount makes of a cell: more by it, or the amount itself where that can be a later value of the cell."""
    span = amount.readings.get(Unit.BYTES) or amount.readings.get(Unit.COUNT)
    if span is None and amount.period and (rate := amount.readings.get(Unit.BYTES_PER_SECOND)):
        span = scale(rate, amount.period)
    if span is None or isinstance(before, bool) or not isinstance(before, float):
        return None
    if grew and not before <= span[0]:
        return before + span[0]
    return span[0] if before <= span[0] <= before * _FARTHEST else None
