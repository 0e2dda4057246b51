"""Refuses questions for lengths of time of rows that have none: "which tickets took more than 4 hours"."""

from __future__ import annotations

from services.analyst.questions.counts.counting import is_lasting
from services.analyst.questions.counts.defaults import default_table
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Refused
from services.analyst.questions.scales import has_length, is_of_time
from services.chassis.messages import Message


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
