"""Reads the times of a question into a draft: periods, the column they are about, steps, and comparisons."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from typing import cast

from services.analyst.questions.counts.counting import has_word
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import DAY, Band, Comparison, Filter, Granularity, Part, Period, Unclear
from services.analyst.questions.words.items import Item
from services.analyst.semantic.schema import Dimension
from services.chassis.messages import Message

_LONG_DAYS, _SHORTEST, _WEEK, _DAY = 62, 2, 7, 24
_STEPS: dict[str, Granularity] = {
    "year": "year", "quarter": "quarter", "month": "month", "week": "week", "day": "day",
    "年": "year", "年份": "year", "季度": "quarter", "月": "month", "月份": "month", "周": "week", "天": "day",
}  # fmt: skip


def read_times(draft: Draft) -> None:
    """Takes every mark of time."""
    said: Period | None = None
    for place, item in list(draft.of("time")):
        mark = item.time
        if mark is None:
            continue
        if mark.kind == "period" and mark.period is not None:
            said = said.before() if said and _is_before(said, mark.period, item.words) else mark.period
            _add_period(draft, said, item.words)
        elif mark.kind == "prior" and draft.granularity and draft.has("growth", "change", "compare"):
            draft.comparison = draft.comparison or "qoq"
        elif mark.kind == "prior" and said is not None:
            said = said.before()
            _add_period(draft, said, item.words)
        elif mark.kind == "prior":
            if not draft.may_continue:
                continue
            draft.prior = True
        elif mark.kind == "averaged":
            draft.averaged = cast(Granularity, mark.name)
        elif mark.kind == "granularity":
            draft.granularity = draft.granularity or cast(Granularity, mark.name)
        elif mark.kind == "comparison":
            draft.comparison = cast(Comparison, mark.name)
        elif mark.kind == "part":
            draft.part = cast(Part, mark.name)
        elif mark.kind == "days":
            draft.bands.append(Band(item.words, weekdays=mark.values))
        elif mark.kind == "hours":
            draft.bands.append(Band(item.words, hours=mark.values))
        draft.use(place)
        if draft.free(place - 1, "group"):
            draft.use(place - 1)


def _add_period(draft: Draft, period: Period, words: str) -> None:
    draft.periods.append(period.cut(draft.today))
    draft.spans.append(words)


def _is_before(first: Period, second: Period, words: str) -> bool:
    """ "The last 7 days against the previous 7 days": the same days cannot be meant twice."""
    return second == first or (second.unit == "range" and _length(first) == _length(second) and words[:1] in "前之往")


def _length(period: Period) -> dt.timedelta | None:
    return period.end - period.start if period.start and period.end else None


def read_steps(draft: Draft) -> None:
    """ "By brand and quarter": a step named without its own word for "by"."""
    for place, item in list(draft.of("word")):
        step = _STEPS.get(item.words.lower())
        if step and draft.is_split(place):
            draft.granularity = draft.granularity or step
            draft.use(place)


def read_time_column(draft: Draft) -> None:
    """ "Resolved in May": the column of times that stands beside a period."""
    if not (draft.periods or draft.granularity or draft.part or draft.bands):
        return
    places = [place for place, item in enumerate(draft.items) if item.kind == "time"]
    found = [
        (min(abs(place - each) for each in places), place)
        for place, item in draft.of("dimension")
        if draft.time_dimension(item)
        and draft.at(place - 1, "lacking", "missing", "not") is None
        and draft.reaches(item)
    ]
    if found and min(found)[0] <= 3:
        place = min(found)[1]
        draft.column = draft.time_dimension(draft.items[place])
        draft.use(place)


def read_years(draft: Draft) -> None:
    """ "Founded before 2000": a column of numbers directly before whole years."""
    for place, item in enumerate(draft.items):
        if item.time is None or item.time.period is None:
            continue
        number = draft.number_dimension(draft.free(place - 1, "dimension"))
        named = place - 1 if number else place + 1
        number = number or _years_of(draft, draft.free(place + 1, "word"))
        if number and _limit_to_years(draft, number, item.time.period):
            draft.use(named, place)


def _years_of(draft: Draft, item: Item | None) -> str:
    """ "1950年以前出生": the one column of years that a word is a part of the name of; empty without one."""
    if item is None or len(item.words) < _SHORTEST:
        return ""
    years = [one for one in draft.dataset.layer.dimensions if draft.dataset.is_number(one) and _is_of_years(one)]
    found = [one.id for one in years if any(has_word(name, item.words) for name in (*one.name.words, *one.synonyms))]
    return found[0] if len(found) == 1 else ""


def _limit_to_years(draft: Draft, dimension: str, period: Period) -> bool:
    days = [day for day in (period.start, period.end) if day is not None]
    if any((day.month, day.day) != (1, 1) for day in days):
        return False
    if period.start:
        draft.filters.append(Filter(dimension, ">=", (period.start.year,)))
    if period.end:
        draft.filters.append(Filter(dimension, "<=", (period.end.year - 1,)))
    return True


def settle_time_column(draft: Draft) -> None:
    """Rows without a time of their own: the one column of times they have, or years in a column of numbers."""
    dataset, layer = draft.dataset, draft.dataset.layer
    if draft.column or not (draft.periods or draft.granularity):
        return
    metrics = [layer.metric(one.metric) for one in draft.measures if one.metric]
    if any(dataset.time_of(metric) is not None for metric in metrics):
        return
    tables = draft.tables()
    if not tables or any(dataset.table_time(table) is not None for table in tables):
        return
    own = [one for one in layer.dimensions if dataset.table_of(one) in tables]
    times = [one for one in own if dataset.is_time(one)]
    if len(times) == 1:
        draft.column = times[0].id
    elif not times and draft.periods and not draft.granularity:
        _limit_years(draft, [one for one in own if dataset.is_number(one)])


def _limit_years(draft: Draft, numbers: list[Dimension]) -> None:
    """ "Founded before 2000", "opened after 2005": whole years as limits on a column of years."""
    years = [one for one in numbers if _is_of_years(one)]
    if len(years) == 1 and len(draft.periods) == 1 and _limit_to_years(draft, years[0].id, draft.periods[0]):
        draft.periods = []


def _is_of_years(dimension: Dimension) -> bool:
    names = " ".join([*dimension.name.words, *dimension.synonyms, dimension.column]).lower()
    return "year" in names or "年" in names


def settle_times(draft: Draft) -> None:
    """Growth and trends that name no step or no comparison get the one that fits; where two fit, that is asked."""
    _narrow_periods(draft)
    if draft.take("trend") and not draft.granularity:
        draft.granularity = _step_of(draft.periods)
    if draft.running and not draft.granularity:
        draft.granularity = _step_of(draft.periods)
    grew, fell = draft.take("grew"), draft.take("fell")
    if len(draft.bands) > 1:
        grew = fell = False  # "Do we get more on weekends or on weekdays" compares the two, not two times.
    if grew and fell and len(draft.periods) == 2 and len({one.unit for one in draft.periods}) == 1:
        grew = fell = draft.periods[0].unit == "range"  # "August vs September, up or down": both are shown.
    grown = draft.take("growth") or grew or fell
    changed = draft.take("change")
    if changed and not draft.comparison and draft.granularity:
        changed = False
    if (grown or changed) and not draft.comparison and len(draft.periods) == 2:
        _compare_two(draft)
    if (grown or changed) and not draft.comparison and len(draft.periods) != 2:
        _choose_comparison(draft)
    if draft.comparison and any(one.start is None for one in draft.periods):
        raise Unclear(Message("unclear.left_over", {"words": (draft.spans or [""])[-1]}), draft.choices())
    _settle_bands(draft)
    if len(draft.periods) > 1 and not draft.granularity:
        units = {period.unit for period in draft.periods}
        unit = units.pop()
        if not units and unit != "range":
            draft.granularity = unit
    if draft.comparison and draft.grown_order():
        draft.ordered_by_growth, draft.shrinks = True, fell
    elif draft.comparison and (grew or fell) and draft.has("which") and not draft.limit:
        draft.grown_only = "fell" if fell else "grew"


def _narrow_periods(draft: Draft) -> None:
    """ "From June to August, of this year": of two periods the one that lies in the other, unless they are compared."""
    if len(draft.periods) != 2 or draft.has("compare", "each_value", "growth", "change", "grew", "fell"):
        return
    inner, outer = sorted(draft.periods, key=lambda one: _length(one) or dt.timedelta.max)
    if inner.start in outer and inner.end is not None and (inner.end - DAY) in outer:
        draft.periods, draft.spans = [inner], []


def _settle_bands(draft: Draft) -> None:
    """ "At night or by day", "weekdays against weekends": parts that are compared are split, others are a condition."""
    draft.bands = list({(one.weekdays, one.hours): one for one in draft.bands}.values())
    days = tuple(dict.fromkeys(day for band in draft.bands for day in band.weekdays))
    hours = tuple(dict.fromkeys(hour for band in draft.bands for hour in band.hours))
    one_kind = len(draft.bands) > 1 and not (days and hours)
    if draft.part and draft.bands and draft.has("compare"):
        raise Unclear(Message("unclear.which_figure"), draft.choices())
    if one_kind and not draft.part and (hours or len(days) == _WEEK or draft.has("compare", "each_value")):
        draft.part = "band"
    elif draft.bands and draft.rank_kind == "highest" and not draft.has("which", "dimension", "number"):
        draft.bands.append(_others(draft, days, hours))
        draft.part = "band"
        draft.unrank()
    else:
        draft.weekdays, draft.hours = days, hours


def _others(draft: Draft, days: tuple[int, ...], hours: tuple[int, ...]) -> Band:
    """ "Do most tickets come at night": the other hours, or the other days."""
    name = draft.texts("option.other_times")[0]
    if hours:
        return Band(name, hours=tuple(hour for hour in range(_DAY) if hour not in hours))
    return Band(name, weekdays=tuple(day for day in range(1, _WEEK + 1) if day not in days))


def _step_of(periods: list[Period]) -> Granularity:
    if len(periods) != 1 or periods[0].start is None or periods[0].end is None:
        return "month"
    days = (periods[0].end - periods[0].start).days
    return "month" if days > _LONG_DAYS else "day"


def _compare_two(draft: Draft) -> None:
    """Two periods of which the later one is compared with the earlier one."""
    first, last = sorted(draft.periods, key=lambda one: str(one.start))
    if last.back(12).start == first.start:
        draft.periods, draft.comparison = [last], "yoy"
    elif last.before().start == first.start:
        draft.periods, draft.comparison = [last], "qoq"


def compare_spans(draft: Draft) -> None:
    """Figures of periods of no common unit side by side: one with that just before it, others as bands."""
    steps = draft.granularity or draft.comparison or draft.part
    if len(draft.periods) < 2 or len(draft.spans) != len(draft.periods) or steps or not draft.measures:
        return
    first, last = sorted(draft.periods, key=lambda one: str(one.start))[:2]
    if len(draft.periods) == 2 and last.before() == first:
        draft.periods, draft.comparison = [last], "qoq"
        return
    spans = sorted(draft.periods, key=lambda one: str(one.start))
    if any(one.end is None or other.start is None or other.start < one.end for one, other in pairwise(spans)):
        raise Unclear(Message("unclear.left_over", {"words": draft.spans[-1]}), draft.choices())
    draft.bands += [
        Band(words, start=one.start, end=one.end) for words, one in zip(draft.spans, draft.periods, strict=True)
    ]
    draft.part = "band"


def _choose_comparison(draft: Draft) -> None:
    unit = draft.granularity or (draft.periods[0].unit if len(draft.periods) == 1 else "")
    if unit == "year":
        draft.comparison = "yoy"
    elif draft.granularity:
        draft.comparison = "qoq"
    else:
        raise Unclear(Message("unclear.compared_with_what"), draft.texts("option.compare_yoy", "option.compare_qoq"))
