"""The rules of DuckDB's SQL that a model is given."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_RULES = Path(__file__).with_suffix(".md")


@cache
def get_duckdb_syntax_rules() -> str:
    """The rules as Markdown."""
    return _RULES.read_text("utf-8").strip()
