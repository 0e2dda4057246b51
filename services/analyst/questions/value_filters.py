"""Reads values, and chooses which dimension a name or value means."""

from __future__ import annotations

import re
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

_VERSION = re.compile(r"\d+(?:\.\d+)*")
_MOSTLY = 0.8
_LEFT_OUT = ("not counted", "不算", "不计", "不要", "排除", "剔除", "去掉")
_FILE = Path(__file__).parent / "directions.yaml"


@cache
def _directions() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    read = yaml.safe_load(_FILE.read_text("utf-8"))
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


def read_said(draft: Draft) -> None:
    """What a column of text shall say, or not say."""
    for place, item in list(draft.of("wording", "no_wording")):
        meant = _reachable(draft, item.meanings, item.words)
        assert meant.value is not None
        draft.filters.append(Filter(meant.id, "says" if item.kind == "wording" else "says not", (meant.value,)))
        draft.use(place)


def read_versions(draft: Draft) -> None:
    """ "PG 16", "version 14.9", "16 大版本": a number that begins the values of a column of versions."""
    found: dict[str, list[Value]] = {}
    for place, item in list(draft.of("number")):
        if item.number is None or item.number.percent or item.number.unit or not _VERSION.fullmatch(item.words):
            continue
        column, beside = _versioned(draft, place) or _joined_version(draft, place, found) or ("", -1)
        if column:
            known = [one for one in draft.dataset.values.get(column, ()) if _is_of_version(str(one), item.words)]
            found.setdefault(column, []).extend(one for one in known if isinstance(one, str))
            found[column] += [] if known else [item.words]
            draft.use(place, beside)
    for column, values in found.items():
        draft.filters.append(Filter(column, "in", tuple(dict.fromkeys(values))))


def _versioned(draft: Draft, place: int) -> tuple[str, int] | None:
    """The column of versions beside a number, or the one of the rows that have the value before it; and its place."""
    for beside in (place - 1, place + 1):
        for one in item.among("dimension") if (item := draft.free(beside, "dimension")) else ():
            if _has_versions(draft, one.id):
                return one.id, beside
    before = draft.at(place - 1, "value")
    owners = {draft.dataset.table_of(draft.dimension(one)) for one in before.among("value")} if before else set()
    if draft.text.tokens[draft.items[place].first].text.startswith("v"):
        owners = {one.id for item in draft.items for one in item.every_of("table")}
    columns = [
        one.id
        for one in draft.dataset.layer.dimensions
        if draft.dataset.table_of(one) in owners and _has_versions(draft, one.id)
    ]
    return (_finest(draft, columns, draft.items[place].words), place) if columns else None


def _finest(draft: Draft, columns: list[str], words: str) -> str:
    """Of several columns of versions the one in which the fewest values, but some, begin with a number."""
    known = {
        one: [each for each in draft.dataset.values.get(one, ()) if _is_of_version(str(each), words)] for one in columns
    }
    return min(columns, key=lambda one: len(known[one]) or len(draft.dataset.values.get(one, ())) + 1)


def _joined_version(draft: Draft, place: int, found: dict[str, list[Value]]) -> tuple[str, int] | None:
    """The second of two versions: "14 and 15"."""
    joined = draft.at(place - 1, "and") is not None or draft.is_comma(place - 1)
    return (next(iter(found)), place) if found and joined and place - 2 in draft.used else None


def _has_versions(draft: Draft, dimension: str) -> bool:
    """True for a column of texts that are nearly all numbers with dots."""
    values = [one for one in draft.dataset.values.get(dimension, ()) if isinstance(one, str)]
    return bool(values) and sum(bool(_VERSION.match(one)) for one in values) >= _MOSTLY * len(values)


def _is_of_version(value: str, words: str) -> bool:
    return value == words or value.startswith(f"{words}.")


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
    """True if a word for "by" or "which" stands before a name; "whose severity is high" is a condition."""
    before = draft.at(place - 1)
    whose = before is not None and before.words.lower() == "whose"
    return before is not None and before.kind in ("group", "which", "how_many") and not whose


def _turned(draft: Draft) -> set[int]:
    """The places of values that are denied."""
    turned: set[int] = set()
    for place, item in enumerate(draft.items):
        if item.kind in ("not", "lacking") and place not in draft.used:
            step = place + 1
            while (following := draft.at(step)) and following.kind in ("value", "and", "dimension", "topic"):
                turned.add(step)
                step += 1
            if step == place + 1 and item.words.lower() in _LEFT_OUT and draft.at(place - 1, "value"):
                turned.add(place - 1)
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
