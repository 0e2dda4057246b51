"""Reads a count and the part of it that is asked for beside it: "how many sessions, and how many of them closed"."""

from __future__ import annotations

from services.analyst.questions.counts.counting import count_of, has_word, own_aggregate
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Measure, Unclear
from services.chassis.messages import Message

_OF_THESE = ("of them", "of those", "of these", "of which", "其中")


def read_part(draft: Draft) -> None:
    """Both counts. Raises Unclear for a part of the rows that no figure counts: one number would answer half of it."""
    places = [place for place, _ in draft.of("how_many", "how_much")]
    rows = [place for place, item in draft.of("table") if item.kind == "table"]
    if len(places) != 2 or len(rows) != 1 or draft.has("share", "average", "which"):
        return
    said = _part_of(draft, places[1], after=rows[0] < places[1])
    if said is None:
        return
    table, words = draft.items[rows[0]].id, draft.items[said].words
    part = _figure_of(draft, table, words)
    if part:
        draft.measures += [count_of(draft.dataset.layer, table), Measure(metric=part)]
        draft.counted_item = rows[0]
        draft.use(*places, *rows, said)
    elif any(each in draft.text.normal for each in _OF_THESE):
        raise Unclear(Message("unclear.left_over", {"words": draft.items[places[1]].words}), draft.choices())


def _part_of(draft: Draft, place: int, after: bool) -> int | None:
    """The place of the one word beside the second count that says which part is meant; None without one."""
    if not after:
        return None
    for step in (place + 1, place - 1):
        if draft.free(step, "value", "dimension", "word"):
            return step
    return None


def _figure_of(draft: Draft, table: str, words: str) -> str:
    """The one figure that counts only some rows of a table, and whose name begins with, or has, these words."""
    parts = {
        one.id: (*one.name.words, *one.synonyms)
        for one in draft.dataset.layer.metrics
        if one.table == table and one.default_filters and own_aggregate(one) == "count"
    }
    begun = [one for one, names in parts.items() if any(name.lower().startswith(words.lower()) for name in names)]
    found = begun or [one for one, names in parts.items() if any(has_word(name, words) for name in names)]
    return found[0] if len(found) == 1 else ""
