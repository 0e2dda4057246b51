"""Says why a result is empty: the condition that empties it, or rows that are not there at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

from dbdiag.analyst.v1.analyst_types import UnderstoodPart

from services.analyst.answers.labels import Labels
from services.analyst.answers.words import Words, number
from services.analyst.questions.intent import Intent, Measure
from services.analyst.semantic.dataset import Dataset

_MOST_TRIES = 8
_SHOWN = 4


async def emptied_by(
    intent: Intent,
    dataset: Dataset,
    words: Words,
    has_rows: Callable[[Intent], Awaitable[bool]],
) -> list[UnderstoodPart]:
    """The conditions without any of which there would be rows; empty if no single one is to blame."""
    found: list[UnderstoodPart] = []
    for part, without in list(_variants(intent, dataset, words))[:_MOST_TRIES]:
        if await has_rows(without):
            found.append(part)
    return found


def _variants(intent: Intent, dataset: Dataset, words: Words) -> Iterator[tuple[UnderstoodPart, Intent]]:
    labels = Labels(dataset, words)
    if intent.time.periods:
        said = UnderstoodPart("time", labels.time(replace(intent.time, column="", weekdays=(), hours=())))
        yield said, replace(intent, time=replace(intent.time, periods=(), comparison=""))
    for at, one in enumerate(intent.filters):
        rest = (*intent.filters[:at], *intent.filters[at + 1 :])
        yield UnderstoodPart("filter", labels.filter(one)), replace(intent, filters=rest)
    for at, topic in enumerate(intent.topics):
        yield (
            UnderstoodPart("filter", labels.topic(topic)),
            replace(intent, topics=(*intent.topics[:at], *intent.topics[at + 1 :])),
        )
    first = intent.measures[0] if intent.measures else None
    for at, having in enumerate(intent.having):
        kept = (*intent.having[:at], *intent.having[at + 1 :])
        yield UnderstoodPart("filter", labels.having(having, first)), replace(intent, having=kept)
    for condition in (*dataset.layer.filters, *dataset.layer.exclusions):
        name = condition.name.text(words.language)
        if condition.id in intent.named:
            yield UnderstoodPart("filter", name), replace(intent, named=tuple(set(intent.named) - {condition.id}))
        if condition.id in intent.exclusions:
            yield (
                UnderstoodPart("exclusion", name),
                replace(intent, exclusions=tuple(set(intent.exclusions) - {condition.id})),
            )
    for at, related in enumerate(intent.related):
        rows = words.say("absent" if related.absent else "related", name=labels.table(related.table))
        yield UnderstoodPart("filter", rows), replace(intent, related=(*intent.related[:at], *intent.related[at + 1 :]))


async def say_holdings(
    intent: Intent, dataset: Dataset, words: Words, count: Callable[[Intent], Awaitable[float]]
) -> str:
    """ "No session is recorded yet; there are 431 tickets": empty where the tables of the question have rows.

    count: the one figure of an intent.
    """

    async def rows_of(table: str) -> float:
        return await count(Intent(measures=(Measure(table=table),)))

    asked = _tables(intent, dataset)
    if not asked or any([await rows_of(table) for table in asked]):
        return ""
    labels = Labels(dataset, words)
    held: list[str] = []
    for table in dataset.layer.tables:
        if table.key and len(held) < _SHOWN and (found := await rows_of(table.name)):
            held.append(words.say("held", name=labels.table(table.name), count=number(found)))
    names = words.join([labels.table(table) for table in asked])
    return words.say("none_yet", names=names, held=words.join(held)) if held else ""


def _tables(intent: Intent, dataset: Dataset) -> list[str]:
    found = [intent.listing] if intent.listing else []
    for measure in intent.measures:
        if measure.metric:
            found.append(dataset.layer.metric(measure.metric).table)
        else:
            found.append(measure.table or dataset.table_of(dataset.layer.dimension(measure.dimension)))
    return list(dict.fromkeys(found))
