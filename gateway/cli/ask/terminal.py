"""An answer in a terminal: the sentence, bars or a table, the SQL, and how the question was understood."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gateway.cli.language import Texts
from lang.periods import period_label

if TYPE_CHECKING:
    from dbdiag.analyst.v1.analyst_types import Column

    from gateway.analysis.answer import Answer, Value
    from gateway.cli.language import LanguageCode

say = Texts("ask").say
_MOST_ROWS = 30
_WIDEST_BAR = 40
_WIDEST_CELL = 40


def lines(answer: Answer, spoken: LanguageCode) -> Iterator[str]:
    """Everything that is shown."""
    yield answer.message
    for number, option in enumerate(answer.options, 1):
        yield f"  {number}. {option}"
    if len(answer.rows) > 1 or len(answer.columns) > 3:
        yield ""
        yield from _table(answer, spoken)
    yield from answer.hints
    if answer.sql:
        yield ""
        yield say("sql_heading", spoken)
        yield answer.sql
    if answer.understood:
        yield ""
        sign = "：" if spoken == "zh" else ": "
        yield say("understood", spoken)
        for part in answer.understood:
            yield f"  {say(f'kind_{part.kind}', spoken)}{sign}{part.text}"


def _table(answer: Answer, spoken: LanguageCode) -> Iterator[str]:
    rows = answer.rows[:_MOST_ROWS]
    heads = [column.description or column.name for column in answer.columns]
    cells = [[_cell(value, each, spoken) for value, each in zip(row, answer.columns, strict=True)] for row in rows]
    widths = [max(map(_width, column)) for column in zip(heads, *cells, strict=True)]
    numbers = [column.role not in ("dimension", "cell") for column in answer.columns]
    bars = _bars(answer, rows)
    yield "  ".join(_padded(head, width, right) for head, width, right in zip(heads, widths, numbers, strict=True))
    yield "  ".join("-" * width for width in widths)
    for row, bar in zip(cells, bars, strict=True):
        text = "  ".join(_padded(cell, width, right) for cell, width, right in zip(row, widths, numbers, strict=True))
        yield f"{text}  {bar}".rstrip()
    if len(answer.rows) > len(rows):
        yield say("more_rows", spoken, count=len(answer.rows) - len(rows))


def _bars(answer: Answer, rows: Sequence[Sequence[Value]]) -> list[str]:
    """A bar beside each row of a chart, for its first figure."""
    if answer.chart is None:
        return [""] * len(rows)
    wanted = "share" if answer.chart_kind == "pie" else "measure"
    at = next((place for place, column in enumerate(answer.columns) if column.role == wanted), None)
    if at is None:
        return [""] * len(rows)
    figures = [value if isinstance(value := row[at], int | float) else 0.0 for row in rows]
    most = max((abs(figure) for figure in figures), default=0.0)
    return [_bar(figure / most if most else 0.0) for figure in figures]


def _bar(part: float) -> str:
    eighths = round(abs(part) * _WIDEST_BAR * 8)
    bar = "█" * (eighths // 8) + ("", *"▏▎▍▌▋▊▉")[eighths % 8]
    return f"-{bar}" if part < 0 else bar


def _cell(value: Value, column: Column, spoken: LanguageCode) -> str:
    role = column.role
    if value is None:
        return say("null", spoken)
    if role == "time":
        return period_label(str(value), column.name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        if role in ("share", "growth"):
            return f"{value:.1%}"
        if role in ("part", "cell", "dimension"):
            return f"{value:g}" if isinstance(value, float) else str(value)
        return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}" if abs(value) >= 1 else f"{value:.4g}"
    text = str(value).replace("\n", " ")
    return text if len(text) <= _WIDEST_CELL else f"{text[: _WIDEST_CELL - 1]}…"


def _padded(text: str, width: int, right: bool) -> str:
    blanks = " " * (width - _width(text))
    return blanks + text if right else text + blanks


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)
