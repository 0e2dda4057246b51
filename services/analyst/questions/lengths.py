"""Lengths of single rows, "the longest session"; refuses those of rows that have none, as of tickets."""

from __future__ import annotations

from services.analyst.questions.counts.counting import is_lasting
from services.analyst.questions.counts.defaults import default_table
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Refused
from services.analyst.questions.listing import name_rows, naming_of
from services.analyst.questions.scales import has_length, is_of_time
from services.chassis.messages import Message

_SEVERAL = 2  # Columns of rows that are asked for beside a length: single rows are meant.


def read_single_lengths(draft: Draft) -> None:
    """ "哪次会话最久，多久": single rows are ranked by their own length, and no average of groups is."""
    lasting = [place for place, _ in draft.of("how_long")]
    ranked = draft.limit and draft.rank_kind in ("highest", "lowest") and not draft.measures
    if (
        not ranked
        or not lasting
        or draft.has("average", "group")
        or not is_of_time(draft.items[draft.rank_place].words)
    ):
        return
    rows = [place for place, item in draft.of("table") if item.kind == "table" and _is_beside(draft, place)]
    table = draft.items[rows[0]].id if rows else ""
    own = [one for one in draft.dataset.layer.dimensions if draft.dataset.table_of(one) == table]
    lengths = [one.id for one in own if has_length(draft.dataset, one)]
    columns = [(place, item) for place, item in draft.of("dimension") if item.kind == "dimension"]
    if len(lengths) != 1 or not all({one.id for one in own} & {one.id for one in item.meanings} for _, item in columns):
        return
    if len(columns) < _SEVERAL and not naming_of(draft, table):
        return
    draft.listing, draft.sort_column = table, lengths[0]
    draft.dimensions += [
        next(one.id for one in own if one.id in {each.id for each in item.among("dimension")}) for _, item in columns
    ]
    if naming_of(draft, table):
        name_rows(draft, table)
    draft.dimensions.append(lengths[0])
    draft.use(*rows, *lasting, *(place for place, _ in columns))


def _is_beside(draft: Draft, place: int) -> bool:
    """True for a name beside the superlative, or parted from it by values only."""
    first, last = sorted((place, draft.rank_place))
    return all(draft.at(step, "value", "number") for step in range(first + 1, last))


def check_lengths(draft: Draft) -> None:
    """Raises Refused where a length is asked for, and neither a figure nor a column of the rows is one."""
    ranks = () if draft.measures else ("highest", "lowest")
    asking = [one for one in draft.items if one.kind == "how_long" or (one.kind in ranks and is_of_time(one.words))]
    layer = draft.dataset.layer
    rows = {item.id for _, item in draft.of("table")} or {default_table(draft)}
    owners = {one.table for one in layer.metrics if is_lasting(one)}
    owners |= {draft.dataset.table_of(one) for one in layer.dimensions if has_length(draft.dataset, one)}
    measured = any(one.metric and is_lasting(layer.metric(one.metric)) for one in draft.measures)
    if asking and rows != {""} and not (measured or draft.sort_column or rows & owners):
        raise no_length(draft, asking[0].words, rows.pop())


def no_length(draft: Draft, words: str, table: str) -> Refused:
    """That rows have no length of time, and which figures are lengths."""
    lasting = tuple(one.name.text(draft.language) for one in draft.dataset.layer.metrics if is_lasting(one))
    key = "question_unanswerable.no_length" if lasting else "question_unanswerable.no_lengths"
    return Refused(Message(key, {"words": words, "rows": draft.table_name(table), "known": lasting}))
