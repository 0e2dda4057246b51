"""How a question was understood, in words; and why an answer has no rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

from dbdiag.analyst.v1.analyst_types import UnderstoodPart

from services.analyst.answers.labels import Labels, Words, default_filters, number
from services.analyst.questions.intent import Intent, Measure, Reading
from services.analyst.semantic.dataset import Dataset

_MOST_TRIES = 8
_SHOWN = 4


def understand(intent: Intent, reading: Reading | None, dataset: Dataset, words: Words) -> list[UnderstoodPart]:
    """The parts in reading order."""
    parts = [UnderstoodPart(kind, text) for kind, text in _parts(intent, dataset, words)]
    if reading is not None:
        parts += [
            UnderstoodPart("guess", words.say("guessed", words=one.words, name=one.name)) for one in reading.guesses
        ]
        parts += [UnderstoodPart("ignored", words.say("ignored", words=each)) for each in reading.ignored]
    return parts


def as_line(parts: list[UnderstoodPart], words: Words) -> str:
    """The parts in one line, for a person."""
    sign = "：" if words.language == "zh" else ": "
    end = "；" if words.language == "zh" else "; "
    return end.join(f"{words.say(f'kind_{part.kind}')}{sign}{part.text}" for part in parts)


def conditions_of(intent: Intent, dataset: Dataset, words: Words) -> list[UnderstoodPart]:
    """The parts that restrict rows, without the defaults and without the time where it is all of it."""
    kinds = ("filter", "exclusion")
    parts = [UnderstoodPart(kind, text) for kind, text in _parts(intent, dataset, words) if kind in kinds]
    if intent.time.periods or intent.time.weekdays or intent.time.hours:
        parts.insert(0, UnderstoodPart("time", Labels(dataset, words).time(intent.time)))
    return parts


def _parts(intent: Intent, dataset: Dataset, words: Words) -> Iterator[tuple[str, str]]:
    labels, layer = Labels(dataset, words), dataset.layer
    for measure in intent.measures:
        name = labels.measure(measure)
        yield "metric", words.say("averaged", name=name, unit=words.say(intent.averaged)) if intent.averaged else name
    if intent.listing:
        yield "metric", labels.table(intent.listing)
    for each in (intent.time.granularity, intent.time.part):
        if each:
            yield "split", words.say(each)
    for dimension in intent.dimensions:
        yield "split", labels.dimension(dimension)
    yield "time", labels.time(intent.time)
    if intent.time.comparison:
        yield "time", words.say(f"compared_{intent.time.comparison}")
    for one in intent.filters:
        yield "filter", labels.filter(one)
    for topic in intent.topics:
        yield "filter", labels.topic(topic)
    first = intent.measures[0] if intent.measures else None
    for having in intent.having:
        yield "filter", labels.having(having, first)
    for related in intent.related:
        yield "filter", labels.related(related)
    for metric in layer.metrics:
        if metric.id in intent.named:
            yield "filter", metric.name.text(words.language)
    for condition in (*layer.filters, *layer.exclusions):
        if condition.id in intent.named:
            yield "filter", condition.name.text(words.language)
        if condition.id in intent.exclusions:
            yield "exclusion", condition.name.text(words.language)
    for text in default_filters(intent, dataset):
        yield "default", labels.expression(text)
    if intent.order or intent.limit:
        yield "order", _order(intent, labels, words, first)


def _order(intent: Intent, labels: Labels, words: Words, first: Measure | None) -> str:
    order = intent.order
    descending = order.descending if order else True
    if order is not None and order.over == "dimension":
        name = labels.dimension(order.dimension)
    elif order is not None and order.over == "time":
        name = words.say("kind_time")
    else:
        name = labels.measure(first) if first else ""
        name = words.say(order.over, name=name) if order is not None and order.over in ("growth", "share") else name
    if intent.limit:
        return words.say("first" if descending else "last", name=name, count=intent.limit)
    return words.say("sorted_down" if descending else "sorted_up", name=name)


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
        yield (
            UnderstoodPart("filter", labels.related(related)),
            replace(intent, related=(*intent.related[:at], *intent.related[at + 1 :])),
        )


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
