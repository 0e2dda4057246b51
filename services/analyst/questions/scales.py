"""Adjectives and the columns that they are about: the youngest singer is the one of the least age."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Guess
from services.analyst.semantic.dataset import Dataset, split_column
from services.analyst.semantic.schema import Dimension

_SCALES = Path(__file__).parent / "scales.yaml"
_ENDS = {"highest": "highest", "lowest": "lowest", "more": "highest", "less": "lowest"}
_GENERAL = frozenset(
    [
        "longest",
        "shortest",
        "largest",
        "biggest",
        "smallest",
        "lowest",
        "最大",
        "最小",
        "最长",
        "最短",
        "最久",
        "最高",
        "最低",
    ]
)
_LENGTHS = ("length", "duration", "时长", "hours", "minutes", "seconds", "分钟", "小时")
_TURNED = {"highest": "lowest", "lowest": "highest"}


class _Scale(NamedTuple):
    columns: tuple[str, ...]
    dates: tuple[str, ...]
    end: str


@cache
def _scales() -> dict[str, list[_Scale]]:
    """For each adjective the parts of names of its columns, and the end of the scale that it means."""
    found: dict[str, list[_Scale]] = {}
    for scale in yaml.load(_SCALES.read_text("utf-8"), yaml.CSafeLoader).values():
        for kind, end in _ENDS.items():
            for word in scale.get(kind, ()):
                found.setdefault(word, []).append(_Scale(tuple(scale["columns"]), tuple(scale.get("dates", ())), end))
    return found


def scale_of(draft: Draft, words: str) -> tuple[str, str] | None:
    """The dimension that an adjective is about, and highest or lowest; None where there is none or several."""
    found: list[tuple[Dimension, str]] = []
    for scale in _scales().get(words.lower(), ()):
        if found and words.lower() not in _GENERAL:
            break
        for one in _columns(draft):
            if draft.dataset.is_number(one) and _has_part(one, scale.columns):
                found.append((one, scale.end))
            elif draft.dataset.is_time(one) and _has_part(one, scale.dates):
                found.append((one, _TURNED[scale.end]))
    if len(found) != 1:
        return None
    column, end = found[0]
    draft.guesses.append(Guess(words, column.name.text(draft.language)))
    return column.id, end


def is_scaled(words: str) -> bool:
    """True for an adjective that is about some columns."""
    return words.lower() in _scales()


def is_of_time(words: str) -> bool:
    """True for an adjective of lengths of time."""
    return any("duration" in scale.columns for scale in _scales().get(words.lower(), ()))


def has_length(dataset: Dataset, dimension: Dimension) -> bool:
    """Whether a column of numbers is named after a length."""
    return dataset.is_number(dimension) and _has_part(dimension, _LENGTHS)


def suits(draft: Draft, words: str, dimension: str) -> bool:
    """False for an adjective of one kind of column, such as "fastest", beside a column of another kind."""
    scales = _scales().get(words.lower(), [])
    if not scales or words.lower() in _GENERAL:
        return True
    one = draft.dataset.layer.dimension(dimension)
    return any(_has_part(one, (*scale.columns, *scale.dates)) for scale in scales)


def _columns(draft: Draft) -> list[Dimension]:
    dataset = draft.dataset
    items = [item for item in draft.items if item.kind in ("table", "dimension")]
    tables = {*draft.tables(), *(draft.table_of_item(item) for item in items)}
    tables |= {dataset.table_of(dataset.layer.dimension(one.dimension)) for one in draft.filters}
    return [one for one in dataset.layer.dimensions if dataset.table_of(one) in tables]


def _has_part(dimension: Dimension, parts: tuple[str, ...]) -> bool:
    names = [*dimension.name.words, *dimension.synonyms, split_column(dimension.column)[1].replace("_", " ")]
    return any(part in name.lower().split() if part.isascii() else part in name for part in parts for name in names)
