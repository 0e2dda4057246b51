"""The answer to a question about data, as `details` of a turn has it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DataFigure:
    """An answer of the analyst as a program or a page shows it. chart: an SVG document, or empty; rows: the first."""

    question: str
    status: str
    answer: str
    understood: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    row_count: int = 0
    sql: str = ""
    chart_kind: str = "none"
    chart: str = ""
