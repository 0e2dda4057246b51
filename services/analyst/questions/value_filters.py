"""Reads values, and chooses which dimension a name or value means."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import yaml

from services.analyst.questions.counts.counting import has_word
from services.analyst.questions.counts.defaults import named_by, rows_about
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Filter, Operator, Topic, Unclear, Value
from services.analyst.questions.words.items import Item
from services.analyst.questions.words.names import Meaning
from services.analyst.semantic.schema import Dimension
from services.chassis.messages import Message

_FILE = Path(__file__).parent / "directions.yaml"


@cache
def _directions() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    read = yaml.load(_FILE.read_text("utf-8"), yaml.CSafeLoader)
    return tuple((tuple(one["before"]), tuple(one["names"])) for one in read.values())


def choose_by_direction(before: str, dimensions: Iterable[Dimension]) -> str:
    """The id of the one dimension that the words before a place point at; empty where there is none or several.

    before: the question up to the place, normalised.
    """
    found: set[str] = set()
    for words, names in _directions():
        if any(_ends_with(before.rstrip(), word) for word in words):
            found |= {one.id for one in dimensions if _is_named(one, names)}
    return found.pop() if len(found) == 1 else ""


def _is_named(dimension: Dimension, parts: tuple[str, ...]) -> bool:
    return any(has_word(name, part) for name in (*dimension.name.words, *dimension.synonyms) for part in parts)


def _ends_with(text: str, word: str) -> bool:
    return text.endswith(f" {word}" if word.isascii() else word)


def read_values(draft: Draft) -> None:
    """Values, with the dimensions that stand beside them; "不含", "except" and the like turn what follows."""
    turned = _turned(draft)
    found: dict[tuple[str, bool], list[Value]] = {}
    for place, item in list(draft.of("value")):
        if item.kind != "value" and _splits(draft, place):
            continue
        try:
            meaning = _choose_value(draft, place, item)
        except Unclear as doubt:
            draft.doubt = draft.doubt or doubt
            draft.pending = draft.pending or _possible(draft, item, place in turned)
            draft.use(place)
            continue
        assert meaning.value is not None
        found.setdefault((meaning.id, place in turned), []).append(meaning.value)
        draft.use(place)
        _use_name_beside(draft, place, meaning.id)
    _as_topics(draft, found)
    for (dimension, is_turned), values in found.items():
        draft.filters.append(Filter(dimension, _operator(is_turned), tuple(dict.fromkeys(values))))
    for place, _ in list(draft.of("not", "not_after", "lacking")):
        if {place + 1, place - 1, place + 2, place - 2} & turned:
            draft.use(place)


def _operator(is_turned: bool) -> Operator:
    return "not in" if is_turned else "in"


def _possible(draft: Draft, item: Item, is_turned: bool) -> list[Filter]:
    """The filters that a word of several values may mean."""
    meanings = draft.names.exact(item.words, item.among("value"))
    return [Filter(one.id, _operator(is_turned), (one.value,)) for one in meanings if one.value is not None]


def _use_name_beside(draft: Draft, place: int, dimension: str) -> None:
    """The name of a value's own dimension beside it says nothing more."""
    for beside in (place + 1, place - 1):
        named = draft.free(beside, "dimension", "table", "metric")
        if named and any(one.id == dimension for one in named.every_of("dimension")) and not _splits(draft, beside):
            draft.use(beside)


def _as_topics(draft: Draft, found: dict[tuple[str, bool], list[Value]]) -> None:
    """ "Tickets of connection storms": a value that only rows pointing at these have, and what else has its words."""
    if not (rows := rows_about(draft)):
        return
    for item in draft.items:
        for (dimension, is_turned), values in list(found.items()):
            meant = [one for one in item.among("value") if one.id == dimension and one.value in values]
            if is_turned or not meant or item.kind != "value" or not _is_beside(draft, rows, dimension):
                continue
            exact = Filter(dimension, "in", (meant[0].value or "",))
            others = [one for one in named_by(draft, item.words.lower().split()) if one.dimension != dimension]
            if others:
                draft.topics.append(Topic(item.words, (exact, *others)))
                values.remove(meant[0].value or "")
                if not values:
                    del found[(dimension, is_turned)]


def _is_beside(draft: Draft, rows: str, dimension: str) -> bool:
    """True for a dimension that is not named itself, and that rows reach only over others that point at them."""
    named = any(one.id == dimension for item in draft.items for one in item.every_of("dimension"))
    owner = draft.dataset.table_of(draft.dataset.layer.dimension(dimension))
    return not named and not draft.dataset.reaches(rows, dimension) and len(draft.dataset.bridges(rows, owner)) == 1


def _splits(draft: Draft, place: int) -> bool:
    """True if a word for "by" or "which" stands before a name."""
    before = draft.at(place - 1)
    return before is not None and before.kind in ("group", "which", "how_many")


def _turned(draft: Draft) -> set[int]:
    """The places of values that are denied."""
    turned: set[int] = set()
    for place, item in enumerate(draft.items):
        if item.kind in ("not", "lacking") and place not in draft.used:
            step = place + 1
            while (following := draft.at(step)) and following.kind in ("value", "and", "dimension", "topic"):
                turned.add(step)
                step += 1
        elif item.kind == "not_after":
            step = place - 1
            while (before := draft.at(step)) and before.kind in ("value", "and", "dimension"):
                turned.add(step)
                step -= 1
    return {place for place in turned if draft.items[place].among("value")}


def _choose_value(draft: Draft, place: int, item: Item) -> Meaning:
    """The meaning of a value that stands beside its dimension, else the one that the metrics can be split by."""
    meanings = draft.names.exact(item.words, item.among("value"))
    for beside in (place - 1, place + 1):
        named = draft.at(beside)
        for one in named.among("dimension") if named else ():
            for meaning in meanings:
                if meaning.id == one.id:
                    return meaning
    start = draft.text.tokens[item.first].start
    meant = choose_by_direction(draft.text.normal[:start], [draft.dimension(one) for one in meanings])
    return _reachable(draft, tuple(one for one in meanings if one.id == meant) or meanings, item.words)


def choose_dimension(draft: Draft, item: Item) -> str:
    """The dimension that an item names, of several the one that the metrics can be split by."""
    meanings = draft.names.exact(item.words, item.among("dimension") or item.every_of("dimension"))
    return _reachable(draft, meanings, item.words).id


def _reachable(draft: Draft, meanings: tuple[Meaning, ...], words: str) -> Meaning:
    if len(meanings) > 1:
        tables = [draft.dataset.layer.metric(item.id).table for item in draft.items if item.kind == "metric"]
        tables += [item.id for item in draft.items if item.kind == "table"]
        if not tables:
            tables = [one.id for item in draft.items if item.kind == "dimension" for one in item.every_of("table")[:1]]
        fitting = tuple(one for one in meanings if all(draft.dataset.reaches(table, one.id) for table in tables))
        meanings = fitting or meanings
        distinct = tuple({(one.id, one.value): one for one in meanings}.values())
        if len(distinct) > 1:
            distinct = _plainest(draft, distinct, tables)
        if len(distinct) > 1:
            options = tuple(_shown(draft, one) for one in distinct)
            raise Unclear(Message("unclear.which_name", {"words": words}), options)
        return distinct[0]
    return meanings[0]


def _plainest(draft: Draft, meanings: tuple[Meaning, ...], tables: list[str]) -> tuple[Meaning, ...]:
    """Of several meanings that of the figure's own table, else a value that the layer lists, of the finest level."""
    layer, dataset = draft.dataset.layer, draft.dataset
    own = tuple(one for one in meanings if dataset.table_of(layer.dimension(one.id)) in tables)
    if len(own) == 1:
        return own
    meanings = own or meanings
    listed = tuple(one for one in meanings if one.value is not None and one.value in layer.dimension(one.id).values)
    kept = listed or meanings
    for hierarchy in layer.hierarchies:
        levels = [one for one in kept if one.id in hierarchy.levels]
        if len(levels) > 1:
            finest = max(levels, key=lambda one: hierarchy.levels.index(one.id))
            kept = tuple(one for one in kept if one not in levels or one is finest)
    return kept


def _shown(draft: Draft, meaning: Meaning) -> str:
    shown = draft.dimension(meaning).name.text(draft.language)
    return shown if meaning.value is None else f"{shown} = {meaning.value}"
