"""Reads averages over rows: "how many checks does a session run on average", "平均每个会话有几条证据"."""

from __future__ import annotations

from dataclasses import replace

from services.analyst.questions.absence.rows import rows_named
from services.analyst.questions.counts.counting import count_of, own_aggregate
from services.analyst.questions.counts.row_counts import counting_column
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Measure

_ONE = ("a", "an", "one", "一", "每", "每个", "每一", "each", "per")
_REACH = 3


def read_average_rows(draft: Draft) -> None:
    """Rows of one table by the rows of another that they point at, those without any too."""
    means = [place for place, _ in draft.of("average")]
    if not means:
        return
    for owner, _ in list(draft.of("table", "dimension")):
        table = rows_named(draft, draft.items[owner])
        counted = _counted(draft, owner, table) if table and _is_each(draft, owner) else None
        if counted is None or counting_column(draft, counted):
            continue
        item = draft.items[counted]
        measure = Measure(metric=item.id) if item.kind == "metric" else count_of(draft.dataset.layer, item.id)
        draft.measures.append(replace(measure, per=table))
        asking = [place for place, _ in draft.of("how_many")]
        groups = [owner - 1] if draft.at(owner - 1, "group") else []
        draft.use(owner, counted, *means, *asking, *groups)
        return


def _is_each(draft: Draft, place: int) -> bool:
    """True for a name after "per", "a" or 每, with at most a word that counts between."""
    first = draft.items[place].first
    before = [token.text for token in draft.text.tokens[max(0, first - _REACH) : first]]
    return any(word in _ONE for word in (before[-2:] if before and not before[-1].isascii() else before[-1:]))


def _counted(draft: Draft, owner: int, table: str) -> int | None:
    """The place of the rows that are counted: those that point at the others."""
    for place, item in draft.of("metric", "table"):
        if place == owner:
            continue
        if item.kind == "metric" and own_aggregate(draft.dataset.layer.metric(item.id)) != "count":
            continue
        if item.kind in ("metric", "table") and draft.points_at(draft.table_of_item(item), table):
            return place
    return None
