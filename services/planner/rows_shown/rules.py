"""The rules that tell rows, and what columns are called: YAML with a schema."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, field_validator

from lang.expressions import parse
from services.planner.model import Text

_FOLDER = Path(__file__).parent
# In the order in which their facts are told.
_FILES = ("sessions.yaml", "replication.yaml", "statements.yaml", "values.yaml", "files.yaml", "logs.yaml")


class TellingRule(BaseModel):
    """One fact. needs: the columns without which there is none; where: of which rows, unless: of which not.

    least, share: how many rows, or which part of all, it takes; whole: all of them. per: rows alike in these columns
    are one group, of which the largest is told. most: the row told has most there. let: values reckoned from the row.
    together: the column all whose cells are listed. each: it is told of every table, else of the first. asked: it is
    told only where the meaning is asked for. zh, en: the sentence, with columns, `n` and `all` in braces.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    form: str = "rows"
    needs: tuple[str, ...]
    where: str = ""
    unless: str = ""
    least: int = 1
    share: float = 0.0
    whole: bool = False
    per: tuple[str, ...] = ()
    most: str = ""
    let: dict[str, str] = {}
    together: str = ""
    each: bool = False
    asked: bool = False
    zh: str
    en: str

    @field_validator("where", "unless")
    @classmethod
    def _parses(cls, text: str) -> str:
        if text:
            parse(text)
        return text

    @property
    def text(self) -> Text:
        """The sentence in both languages."""
        return Text(self.zh, self.en)

    @property
    def texts(self) -> frozenset[str]:
        """The columns that its conditions compare with texts."""
        return frozenset().union(*(parse(text).texts for text in (self.where, self.unless) if text))


@cache
def rules() -> tuple[TellingRule, ...]:
    """All rules, in the order in which their facts are told."""
    return tuple(TellingRule.model_validate(entry) for name in _FILES for entry in _load(name))


@cache
def usual_names() -> dict[str, str]:
    """The name that rules use for a column, by every name that it has."""
    entries = yaml.load((_FOLDER / "columns.yaml").read_bytes(), yaml.CSafeLoader)
    return {name: usual for usual, names in entries.items() for name in (usual, *names)}


def _load(name: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = yaml.load((_FOLDER / name).read_bytes(), yaml.CSafeLoader)
    return found
