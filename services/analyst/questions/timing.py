"""Reads the times of a question into a draft: periods, the column they are about, steps, and comparisons."""

from __future__ import annotations

from services.analyst.questions.draft import Draft
from services.analyst.questions.periods import Period
from services.analyst.questions.reading import Unclear
from services.chassis.messages import Message

_LONG_DAYS = 62


def read_times(draft: Draft) -> None:
    """Takes every mark of time."""
    for place, item in list(draft.of("time")):
        mark = item.time
        if mark is None:
            continue
        if mark.kind == "period" and mark.period is not None:
            draft.periods.append(mark.period.cut(draft.today))
        elif mark.kind == "prior":
            if not draft.may_continue:
                continue
            draft.prior = True
        elif mark.kind == "averaged":
            draft.averaged = mark.name
        elif mark.kind == "granularity":
            draft.granularity = draft.granularity or mark.name
        elif mark.kind == "comparison":
            draft.comparison = mark.name
        elif mark.kind == "part":
            draft.part = mark.name
        elif mark.kind == "days":
            draft.weekdays += mark.values
        draft.use(place)
        if draft.free(place - 1, "group"):
            draft.use(place - 1)


def read_time_column(draft: Draft) -> None:
    """ "Resolved in May": the column of times that stands beside a period."""
    if not (draft.periods or draft.granularity or draft.part or draft.weekdays):
        return
    places = [place for place, item in enumerate(draft.items) if item.kind == "time"]
    found = [
        (min(abs(place - each) for each in places), place)
        for place, item in draft.of("dimension")
        if draft.time_dimension(item) and draft.at(place - 1, "lacking", "missing", "not") is None and draft.reaches(item)
    ]
    if found and min(found)[0] <= 3:
        place = min(found)[1]
        draft.column = draft.time_dimension(draft.items[place])
        draft.use(place)


def settle_times(draft: Draft) -> None:
    """Growth and trends that name no step or no comparison get the one that fits; where two fit, that is asked."""
    if draft.take("trend") and not draft.granularity:
        draft.granularity = _step_of(draft.periods)
    if draft.running and not draft.granularity:
        draft.granularity = _step_of(draft.periods)
    grew, fell = draft.take("grew"), draft.take("fell")
    grown = draft.take("growth") or grew or fell
    changed = draft.take("change")
    if changed and not draft.comparison and draft.granularity:
        changed = False
    if (grown or changed) and not draft.comparison and len(draft.periods) == 2:
        _compare_two(draft)
    if (grown or changed) and not draft.comparison:
        _choose_comparison(draft)
    if draft.part and draft.weekdays and draft.has("compare"):
        raise Unclear(Message("unclear.which_figure"), draft.choices())
    if len(draft.periods) > 1 and not draft.granularity:
        units = {period.unit for period in draft.periods}
        unit = units.pop()
        if not units and unit != "range":
            draft.granularity = unit
    if draft.comparison and draft.grown_order():
        draft.ordered_by_growth, draft.shrinks = True, fell
    elif draft.comparison and (grew or fell) and draft.has("which") and not draft.limit:
        draft.grown_only = "fell" if fell else "grew"


def _step_of(periods: list[Period]) -> str:
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


def _choose_comparison(draft: Draft) -> None:
    unit = draft.granularity or (draft.periods[0].unit if len(draft.periods) == 1 else "")
    if unit == "year":
        draft.comparison = "yoy"
    elif draft.granularity:
        draft.comparison = "qoq"
    else:
        raise Unclear(Message("unclear.compared_with_what"), draft.texts("compare_yoy", "compare_qoq"))
