"""Reads a question into an intent over a dataset, by rules alone; what it is not sure of it asks."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from lang.tokens import Text, read_text
from services.analyst.questions.absence.columns import read_nulls
from services.analyst.questions.absence.rows import read_absent, read_once
from services.analyst.questions.conditions import read_equal_numbers, read_limits, read_named
from services.analyst.questions.counts.counted_parts import read_part
from services.analyst.questions.counts.defaults import read_default
from services.analyst.questions.counts.definitions import lift_definitions
from services.analyst.questions.counts.row_counts import read_plain_count
from services.analyst.questions.coverage import check_coverage, check_reach
from services.analyst.questions.draft import Draft
from services.analyst.questions.extremes import read_extreme
from services.analyst.questions.followups import continues, inherit, merge
from services.analyst.questions.intent import Intent, Reading, Refused, Unclear
from services.analyst.questions.lengths import check_lengths, read_single_lengths
from services.analyst.questions.listing import read_listing
from services.analyst.questions.measures import read_lasting, read_measures
from services.analyst.questions.persons import check_persons
from services.analyst.questions.ranking import read_limit, read_order, read_sort_column, read_superlative, use_ties
from services.analyst.questions.settling import settle
from services.analyst.questions.splits import read_compared, read_splits, split_by_name
from services.analyst.questions.timing import (
    compare_spans,
    read_steps,
    read_time_column,
    read_times,
    read_years,
    settle_time_column,
    settle_times,
)
from services.analyst.questions.topics import read_compounds, read_topics
from services.analyst.questions.value_filters import read_said, read_values, read_versions
from services.analyst.questions.words.items import Item, read_items
from services.analyst.questions.words.mending import mend_items
from services.analyst.questions.words.names import Names
from services.analyst.questions.words.qualifiers import qualify
from services.analyst.questions.words.roles import resolve_roles
from services.analyst.questions.words.times import TimeReader
from services.analyst.questions.words.wordings import read_wordings
from services.analyst.semantic.dataset import Dataset
from services.chassis.messages import Message

_HAN = re.compile(r"[\u3400-\u9fff]")
_REFUSALS = (
    ("write", "question_unanswerable.writes"),
    ("predict", "question_unanswerable.predicts"),
    ("reasons", "question_unanswerable.reasons"),
)
_ON = {"那", "那么", "呢", "what about", "how about"}
_UNKNOWN = ("unclear.unknown_word", "unclear.unknown_name", "unclear.left_over")
_LONGEST = 1_000
_QUOTES = "\"'“”‘’「」『』《》"


class Parser:
    """Reads questions over one dataset. Safe to share: it keeps nothing of a question."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._names = Names(dataset)

    def read(self, question: str, today: dt.date | None = None, previous: Intent | None = None) -> Reading:
        """What a question asks for. previous: the intent of the question before it in the same conversation.

        today: the day that relative times are seen from, where the layer has no `as_of`.
        """
        text = read_text(question[:_LONGEST])
        day = today or self._dataset.layer.as_of or dt.date.today()
        draft = Draft(self._dataset, [], day, "zh" if _HAN.search(text.normal) else "en", self._names, text)
        try:
            self._fill(draft, text, previous)
            return Reading(draft.intent(), guesses=tuple(draft.guesses), ignored=tuple(draft.ignored))
        except Unclear as unclear:
            if unclear.question.key in _UNKNOWN:
                # Without its unknown word the question may only seem to ask for rows.
                draft.listing, draft.distinct = "", False
            return Reading(
                question=unclear.question, options=unclear.options, guesses=tuple(draft.guesses), partial=draft.intent()
            )
        except Refused as refused:
            return Reading(refusal=refused.reason)

    def _fill(self, draft: Draft, text: Text, previous: Intent | None) -> None:
        items = read_items(text, self._names, TimeReader(draft.today, self._dataset.layer.calendar))
        items = read_wordings(items, text, self._dataset)
        items, draft.guesses = mend_items(items, self._names)
        draft.items = resolve_roles(qualify(_without_copulas(items), self._dataset, self._names), self._names)
        _refuse(draft)
        check_persons(draft)
        draft.may_continue = previous is not None
        _read_figures(draft)
        leans = previous is not None and continues(draft)
        if previous is not None and leans:
            inherit(draft, previous)
        if not leans and not _only_continues(draft):
            read_default(draft)
            read_listing(draft)
        _read_splits(draft)
        if previous is not None and leans:
            merge(draft, previous)
        if draft.doubt is not None:
            raise draft.doubt
        if draft.pending:
            raise Unclear(Message("unclear.which_of_these"), draft.shown(draft.pending))
        _check_figure(draft)
        settle_time_column(draft)
        check_reach(draft)
        check_coverage(draft)


def _only_continues(draft: Draft) -> bool:
    """ "那普外科呢" where nothing was asked before: no rows are meant."""
    said = {item.words.lower() for item in draft.items if item.kind == "follow"}
    return bool(said & _ON) and not draft.has("list", "which")


def _read_figures(draft: Draft) -> None:
    read_named(draft)
    read_said(draft)
    read_years(draft)
    read_times(draft)
    read_steps(draft)
    read_absent(draft)
    read_nulls(draft)
    read_limit(draft)
    use_ties(draft)
    read_limits(draft)
    read_versions(draft)
    read_equal_numbers(draft)
    read_part(draft)
    read_compounds(draft)
    read_values(draft)
    read_topics(draft)
    read_once(draft)
    read_measures(draft)
    read_plain_count(draft)
    read_time_column(draft)
    read_superlative(draft)
    draft.running = draft.take("running")
    settle_times(draft)
    draft.share = draft.take("share") or draft.share
    read_single_lengths(draft)
    read_lasting(draft)
    read_extreme(draft)
    read_sort_column(draft)
    check_lengths(draft)


def _read_splits(draft: Draft) -> None:
    compare_spans(draft)
    read_splits(draft)
    read_compared(draft)
    lift_definitions(draft)
    read_order(draft)
    settle(draft)


def _refuse(draft: Draft) -> None:
    if draft.has("handle") and any(item.kind == "follow" and item.words[:1] in "改换" for item in draft.items):
        raise Refused(Message("question_unanswerable.writes", {"words": draft.items[0].words}))
    for kind, key in _REFUSALS:
        found = next((item for item in draft.items if item.kind == kind), None)
        if found is not None:
            raise Refused(Message(key, {"words": found.words}))


def _check_figure(draft: Draft) -> None:
    """A question must ask for a figure or for rows."""
    if draft.limit and draft.order is None and not draft.granularity:
        raise Unclear(Message("unclear.ranked_by_figure"), draft.choices())
    asked = next((place for place, item in enumerate(draft.items) if item.kind == "what"), -1)
    if draft.measures and draft.at(asked + 1, "value") and asked >= 0 and not draft.dimensions and draft.has("and"):
        words = f"{draft.items[asked].words} {draft.items[asked + 1].words}"
        raise Unclear(Message("unclear.left_over", {"words": words}), draft.splits())
    if draft.measures or draft.listing:
        ranks = draft.order is not None and draft.order.over == "measure" and draft.limit
        if ranks and not draft.dimensions:
            split_by_name(draft)
        if ranks and not (draft.dimensions or draft.granularity or draft.part):
            raise Unclear(Message("unclear.ranked_by_what"), draft.splits())
        return
    unknown = [item for place, item in enumerate(draft.items) if item.kind == "word" and place not in draft.used]
    for item in unknown:
        near = draft.near(item.words)
        if near:
            raise Unclear(Message("unclear.unknown_name", {"words": item.words}), near)
    if unknown:
        raise Refused(Message("question_unanswerable.unknown", {"words": _said(unknown), "known": draft.choices()}))
    raise Unclear(Message("unclear.which_figure"), draft.choices())


def _without_copulas(items: list[Item]) -> list[Item]:
    """The items without words for "is" that no number follows; "only" is then a word that continues."""
    kept: list[Item] = []
    for item, after in zip(items, [*items[1:], None], strict=False):
        if item.kind == "break" and item.words in _QUOTES:
            continue  # What is quoted stands where it would without.
        if item.kind in ("or_more", "or_less") and not (kept and kept[-1].kind in ("number", "break")):
            kept.append(replace(item, kind="compare"))  # "More memory or more disk trouble" compares the two.
        elif item.kind != "equal" or (after is not None and after.kind == "number"):
            kept.append(item)
        elif item.among("follow"):
            kept.append(replace(item, kind="follow", meanings=item.among("follow")))
    return kept


def _said(items: list[Item]) -> str:
    return " ".join(item.words for item in items)
