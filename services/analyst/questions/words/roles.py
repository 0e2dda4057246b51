"""Decides which of its meanings a name has where it stands: a figure, a split, a value, or the rows of a table."""

from __future__ import annotations

from dataclasses import replace

from services.analyst.questions.scales import is_of_time
from services.analyst.questions.words.items import Item
from services.analyst.questions.words.names import Names

_NAMES = {"metric", "dimension", "table", "value", "exclusion", "filter"}
_SPLITS = ("group", "which")
_RANKS = ("top", "bottom")
_LIMITS = ("more", "at_least", "less", "at_most", "between", "or_more", "or_less")
_SUPERLATIVES = ("highest", "lowest", "top", "bottom", "latest", "earliest")


def resolve_roles(items: list[Item], names: Names) -> list[Item]:
    """The items with the meanings of one kind each."""
    resolved = list(items)
    sure = any(_is_sure_metric(item) for item in items)
    for place, item in enumerate(items):
        kinds = {meaning.kind for meaning in item.meanings}
        if len(kinds) > 1 and kinds & _NAMES:
            kinds = _without_chance_values(item, kinds, names)
            if len(kinds) == 1:
                resolved[place] = replace(item, kind=min(kinds), meanings=item.among(*kinds))
                continue
            exact = {meaning.kind for meaning in names.exact(item.words, item.meanings)}
            known = sure or any(each.every_of("table") for at, each in enumerate(items) if at != place)
            kind = "value" if exact == {"value"} and known else _role(resolved, place, kinds, sure)
            resolved[place] = replace(item, kind=kind, meanings=item.among(kind))
    return resolved


def _without_chance_values(item: Item, kinds: set[str], names: Names) -> set[str]:
    """The kinds without a value that only resembles the words ("patients", where a patient's name is Patient)."""
    said = names.exact(item.words, item.meanings)
    others = kinds - {"value"}
    resembles = len(said) < len(item.meanings) and not any(one.kind == "value" for one in said)
    shared = any(one.kind == "value" for one in said) and any(one.kind != "value" for one in said)
    by_chance = shared and not any(names.is_listed(one) for one in said if one.kind == "value")
    return others if "value" in kinds and others and (resembles or by_chance) else kinds


def _is_sure_metric(item: Item) -> bool:
    return bool(item.meanings) and {meaning.kind for meaning in item.meanings} == {"metric"}


def _kind(items: list[Item], place: int) -> str:
    return items[place].kind if 0 <= place < len(items) else ""


def _role(items: list[Item], place: int, kinds: set[str], sure: bool) -> str:
    before, after = _kind(items, place - 1), _kind(items, place + 1)
    split = next((kind for kind in ("dimension", "table", "metric", "value") if kind in kinds), "")
    figure = next((kind for kind in ("metric", "table", "dimension", "value") if kind in kinds), "")
    rows = next((kind for kind in ("table", "dimension", "metric", "value") if kind in kinds), "")
    if "exclusion" in kinds or "filter" in kinds:
        return "exclusion" if "exclusion" in kinds else "filter"
    ranks = any(item.kind in _SUPERLATIVES for item in items)
    if before == "group" and ranks and "metric" in kinds and "table" not in kinds:
        return "metric"
    if before in _SPLITS or _is_ranked(items, place):
        return split
    if "metric" in kinds and len(kinds) > 1 and _is_end(items, place):
        return rows
    if before in ("highest", "lowest") and "table" in kinds and is_of_time(items[place - 1].words):
        return rows
    if before == "how_many" or after == "how_many":
        return figure
    if before == "list" or after == "list" or ("table" in kinds and _is_listed(items, place)):
        return rows
    if before == "number":
        limited = place > 1 and _kind(items, place - 2) in _LIMITS
        return figure if limited else split if sure else rows
    follows = after in ("missing", "present") and _kind(items, place + 2) != "dimension"
    if before in ("missing", "lacking") or follows:
        return split
    if (
        after in _LIMITS
        and _kind(items, place + 2) == "number"
        and _counts_next(items, place + 3)
        and "dimension" in kinds
    ):
        return "dimension"
    if "value" in kinds and not kinds & {"metric"}:
        return _value_or_name(items, place, kinds)
    if after in _LIMITS and "metric" in kinds:
        return "metric"
    if not sure and "metric" in kinds and not _has_figure(items, place):
        return "metric"
    if "metric" in kinds and _joined_to_metric(items, place):
        return "metric"
    return rows if sure or "metric" not in kinds else figure


def _is_listed(items: list[Item], place: int) -> bool:
    """ "List the open urgent orders": rows with conditions, first in a question that lists."""
    return _kind(items, 0) == "list" and all(_kind(items, at) in ("value", "word", "time") for at in range(1, place))


def _is_end(items: list[Item], place: int) -> bool:
    """ "The last replication incident": one of the rows is meant."""
    step = place - 1
    while _kind(items, step) in ("value", "word"):
        step -= 1
    return _kind(items, step) in ("latest", "earliest") or (
        step >= 0 and items[step].words.lower() in ("last", "first")
    )


def _value_or_name(items: list[Item], place: int, kinds: set[str]) -> str:
    """A word for both a value and a column is the value, unless a value of the column follows."""
    if _kind(items, place + 1) in ("value", "equal") or _kind(items, place - 1) in ("average", "maximum", "minimum"):
        return next((kind for kind in ("dimension", "table", "value") if kind in kinds), "value")
    return "value"


def _counts_next(items: list[Item], place: int) -> bool:
    """True if a number directly before an item counts it."""
    return _kind(items, place) in ("metric", "table") and items[place].first == items[place - 1].last


def _is_ranked(items: list[Item], place: int) -> bool:
    """ "top 10 shops", "门店前10", "10 best shops", "销售额最高的门店"."""
    before = [_kind(items, place - step) for step in (1, 2)]
    after = [_kind(items, place + step) for step in (1, 2)]
    if before[0] == "number" and before[1] in _SUPERLATIVES:
        return True
    if before[0] in ("highest", "lowest") and "metric" in {_kind(items, at) for at in range(place)}:
        return True
    return after[0] in _RANKS and after[1] == "number"


def _has_figure(items: list[Item], place: int) -> bool:
    """True if another item counts or asks for an aggregate."""
    others = ("how_many", "average", "median", "maximum", "minimum", "quantile")
    return any(item.kind in others for at, item in enumerate(items) if at != place)


def _joined_to_metric(items: list[Item], place: int) -> bool:
    return any(_kind(items, place + step) == "and" and _kind(items, place + 2 * step) == "metric" for step in (-1, 1))
