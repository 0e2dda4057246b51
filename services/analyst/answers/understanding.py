"""How a question was understood: figures, splits, time, filters, exclusions, defaults, order, and what was ignored."""

from __future__ import annotations

from collections.abc import Iterator

from dbdiag.analyst.v1.analyst_types import UnderstoodPart

from services.analyst.answers.labels import Labels, default_filters
from services.analyst.answers.words import Words
from services.analyst.questions.intent import Intent, Measure
from services.analyst.questions.reading import Reading
from services.analyst.semantic.dataset import Dataset


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
        yield "filter", words.say("absent" if related.absent else "related", name=labels.table(related.table))
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
