"""Reads counts by the word that counts rows: "卖了多少件", "上个月开了多少单"."""

from __future__ import annotations

from services.analyst.questions.counts.counting import own_aggregate
from services.analyst.questions.draft import Draft
from services.analyst.questions.intent import Guess, Measure, Unclear
from services.analyst.semantic.schema import Metric
from services.chassis.messages import Message

UNTELLING = "个些数量目少家位名次起回"
_OF_ANYTHING = "个些条项分天人"


def count_by_classifier(draft: Draft, place: int) -> bool:
    """ "卖了多少件": the metric whose name has the counted unit."""
    unit = draft.items[place].words[-1:]
    layer = draft.dataset.layer
    if unit.isascii() or unit in UNTELLING:
        return False
    exact = [one for one in layer.metrics if {unit + "量", unit + "数"} & {*one.name.words, *one.synonyms}]
    found = exact or [
        one
        for one in layer.metrics
        if own_aggregate(one) in ("count", "sum") and any(unit in word for word in (*one.name.words, *one.synonyms))
    ]
    found = found if len(found) < 2 or unit == "人" else _narrowed(draft, found)
    if len(found) == 1:
        draft.measures.append(Measure(metric=found[0].id))
        draft.guesses.append(Guess(draft.items[place].words, found[0].name.text(draft.language)))
        draft.use(place)
        return True
    if found:
        raise Unclear(Message("unclear.which_figure"), tuple(one.name.text(draft.language) for one in found[:6]))
    return False


def _narrowed(draft: Draft, found: list[Metric]) -> list[Metric]:
    """Of several counts those of the rows that have the conditions, then those named after an unknown word."""
    layer, dataset = draft.dataset.layer, draft.dataset
    owners = {dataset.table_of(layer.dimension(one.dimension)) for one in draft.filters}
    owners |= {
        dataset.table_of(layer.dimension(one.measure.dimension)) for one in draft.having if one.measure.dimension
    }
    owners |= {layer.metric(one.measure.metric).table for one in draft.having if one.measure.metric}
    own = [one for one in found if owners == {one.table}]
    kept = own or [one for one in found if all(dataset.path(one.table, each) is not None for each in owners)] or found
    said = [item.words for _, item in draft.of("word")]
    named = [one for one in kept if any(word in name for word in said for name in (*one.name.words, *one.synonyms))]
    default = [one for one in kept if one.id == layer.default_metric]
    return named or default or kept


def column_of_unit(draft: Draft, start: int, end: int) -> str:
    """ "超过 15 轮": the one column of numbers that is named after the unit; empty without one."""
    said = {item.words[-1] for item in draft.items[start:end] if item.kind == "number"} - set(_OF_ANYTHING)
    found = [
        one.id
        for one in draft.dataset.layer.dimensions
        if draft.dataset.is_number(one)
        and {f"{unit}数" for unit in said if not unit.isascii()} & {*one.name.words, *one.synonyms}
    ]
    return found[0] if len(found) == 1 else ""
