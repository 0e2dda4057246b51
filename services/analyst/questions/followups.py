"""Keeps the intent of the question before: "那上个季度呢", "only the shops", "by region instead"."""

from __future__ import annotations

from dataclasses import replace

from services.analyst.questions.counts.counting import count_of
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Filter, Intent, Time

_REPLACING = ("instead", "换成", "改成", "换为", "改为", "make it", "switch to")
_ADDING = ("also", "再按", "再加上", "还", "as well", "和", "and")


def continues(draft: Draft) -> bool:
    """True if a question leans on the one before: it says so, asks for no figure of its own, or only to draw it."""
    if not draft.items or draft.has("follow"):
        return True
    whole = draft.measures and (draft.periods or draft.filters or draft.dimensions or draft.has("how_much", "how_many"))
    return not whole and not draft.listing and not draft.has("list") and not _names_end(draft)


def _names_end(draft: Draft) -> bool:
    """ "What was done in the last deadlock ticket": the first or last of rows that are named."""
    ends = draft.limit and draft.rank_kind in ("latest", "earliest")
    return bool(ends) and any(item.every_of("table") for item in draft.items)


def inherit(draft: Draft, previous: Intent) -> None:
    """Takes over what is asked for, where the question names no figure of its own."""
    _choose_pending(draft, previous.pending)
    if not draft.measures:
        draft.measures = list(previous.measures)
        if previous.listing and not draft.measures and draft.has("group"):
            # "Admissions in 2024", then "by outcome": rows that were listed are counted.
            draft.measures = [count_of(draft.dataset.layer, previous.listing)]
            return
        draft.listing = draft.listing or previous.listing
        draft.share = draft.share or previous.share
        draft.running = draft.running or previous.running
        draft.having = draft.having or list(previous.having)
        draft.counted = draft.counted or previous.counted
        draft.averaged = draft.averaged or previous.averaged
        draft.related = draft.related or list(previous.related)


def _choose_pending(draft: Draft, pending: tuple[Filter, ...]) -> None:
    """The answer to a question with options: the name of one of them, or its number."""
    for place, item in enumerate(draft.items):
        named = {meaning.id for meaning in item.every_of("dimension")}
        chosen = [one for one in pending if one.dimension in named]
        if item.number is not None and 1 <= item.number.value <= len(pending):
            chosen = [pending[int(item.number.value) - 1]]
        if len(chosen) == 1:
            draft.filters = [one for one in draft.filters if one.dimension != chosen[0].dimension] + chosen
            draft.use(place)
            return
    draft.pending = draft.pending or list(pending)


def merge(draft: Draft, previous: Intent) -> None:
    """Takes over from the intent before what the question does not change."""
    draft.distinct = draft.distinct or (previous.distinct and bool(draft.listing))
    replaces = any(item.words.lower() in _REPLACING for item in draft.items if item.kind == "follow")
    keeps_dimensions = not (replaces and (draft.granularity or draft.part))
    keeps_steps = not (replaces and draft.dimensions)
    _merge_time(draft, previous.time, keeps_steps)
    if keeps_dimensions:
        _merge_splits(draft, previous)
    asked = {one.dimension for one in draft.filters} | _levels(draft)
    draft.filters = [one for one in previous.filters if one.dimension not in asked] + draft.filters
    draft.topics = draft.topics or list(previous.topics)
    draft.named = list(dict.fromkeys([*previous.named, *draft.named]))
    draft.exclusions = list(dict.fromkeys([*previous.exclusions, *draft.exclusions]))
    if draft.order is None and not draft.limit:
        draft.order, draft.limit = previous.order, previous.limit
    elif draft.order is None:
        draft.order = previous.order or draft.order
    elif not draft.limit:
        draft.limit = previous.limit


def _levels(draft: Draft) -> set[str]:
    """The other levels of the hierarchies that are filtered anew: another city ends the region before."""
    found: set[str] = set()
    asked = {one.dimension for one in draft.filters}
    for hierarchy in draft.dataset.layer.hierarchies:
        if asked & set(hierarchy.levels):
            found |= set(hierarchy.levels)
    return found


def _merge_time(draft: Draft, time: Time, keeps_steps: bool) -> None:
    if draft.periods and any(one.periods for one in draft.related):
        # "And in 2024?", after rows that nothing pointed at in 2025: the time is still that of what is not there.
        periods = tuple(draft.periods)
        draft.related = [replace(one, periods=periods) if one.periods else one for one in draft.related]
        draft.periods = []
    elif not draft.periods:
        draft.periods = [period.before() for period in time.periods] if draft.prior else list(time.periods)
    if keeps_steps:
        draft.granularity = draft.granularity or ("" if draft.part else time.granularity)
        draft.part = draft.part or time.part
    if not (draft.weekdays or draft.hours or draft.bands):
        draft.weekdays, draft.hours, draft.bands = time.weekdays, time.hours, list(time.bands)
    draft.column = draft.column or time.column
    draft.comparison = draft.comparison or time.comparison


def _merge_splits(draft: Draft, previous: Intent) -> None:
    words = {item.words.lower() for item in draft.items if item.kind in ("follow", "and")}
    if not draft.dimensions:
        draft.dimensions = list(previous.dimensions)
    elif words & set(_ADDING):
        draft.dimensions = [*previous.dimensions, *draft.dimensions]
    draft.dimensions = list(dict.fromkeys(draft.dimensions))
