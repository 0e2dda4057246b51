"""What people call the figures and splits of a dataset for short: "shop type" is also "type"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from lang.tokens import stem
from services.analyst.questions.counts.counting import own_aggregate
from services.analyst.questions.words.grammar import ending_words, grammar_lists
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.schema import Metric, Table

_SHORTEST = 2
_COLLECTIVES = "辆只匹艘"
_COUNTS = ("数量", "次数", "总数", "数", "量")
_AVERAGE = re.compile(r"(?:平均|average |avg |mean )(.+)", re.IGNORECASE)
_PAIR = re.compile(r"([a-z]+) ([a-z]+)", re.IGNORECASE)
# "The numbers for last month" are those of anything.
_UNTOLD = ("number", "numbers", "figures")
# "In a ticket" says where, and is no name of "phenomena in a ticket".
_OF_ROWS = ("in", "of", "per", "with", "for", "on", "at", "from", "by", "to")
_OF = ("of", "of a", "of an", "of the", "of each")


def short_names(dataset: Dataset) -> Iterator[tuple[str, str, str]]:
    """Other words for metrics and dimensions: the words, the kind and the id.

    Names without the rows they belong to, without the word for an average or a count that the figure is anyway,
    without words that say nothing at their end, and "duration of a check" for "check duration".
    """
    owners = _owners(dataset)
    for metric in dataset.layer.metrics:
        endings = ending_words(bool(metric.default_filters or metric.numerator))
        for name in (*metric.name.words, *metric.synonyms):
            for word in (*_shorter(name.lower(), owners, endings), *_without_aggregate(metric, name), *_turned(name)):
                if word not in _UNTOLD and not word.startswith(_lacking()) and word.split(" ")[0] not in _OF_ROWS:
                    yield word, "metric", metric.id
    for dimension in dataset.layer.dimensions:
        for name in (*dimension.name.words, *dimension.synonyms):
            for word in _shorter(name.lower(), owners, ending_words(False)):
                if word.split(" ")[0] not in _OF_ROWS:
                    yield word, "dimension", dimension.id


@cache
def _lacking() -> tuple[str, ...]:
    """ "Without a cause" is a condition of any rows, and no name of "tickets without a cause"."""
    return tuple(f"{word} " if word.isascii() else word for word in grammar_lists()["lacking"])


def short_row_names(dataset: Dataset) -> Iterator[tuple[str, str]]:
    """车 for 车辆: rows named by a noun and the word that counts them. The word and the table."""
    for table in dataset.layer.tables:
        for name in _described(table):
            if len(name) == _SHORTEST and name[-1] in _COLLECTIVES:
                yield name[0], table.name


def _owners(dataset: Dataset) -> set[str]:
    """The words for rows: names of tables, and of what names their rows."""
    layer = dataset.layer
    owners = {word.lower() for table in layer.tables for word in (*_described(table), table.name.replace("_", " "))}
    return owners | {word.lower() for one in layer.dimensions if one.key for word in (*one.name.words, *one.synonyms)}


def _described(table: Table) -> tuple[str, ...]:
    return table.description.words if table.description else ()


def _without_aggregate(metric: Metric, name: str) -> Iterator[str]:
    """投诉 for 投诉量, 失败的检查 for 失败的检查数, 候诊时间 for 平均候诊时间, "delay" for "average delay"."""
    aggregate = own_aggregate(metric)
    if aggregate == "count" and (not metric.default_filters or "的" in name):
        ending = next((each for each in _COUNTS if name.endswith(each)), "")
        if ending and len(name) - len(ending) >= _SHORTEST:
            yield name.removesuffix(ending)
    found = _AVERAGE.fullmatch(name) if aggregate == "avg" else None
    if found and len(found[1]) >= _SHORTEST:
        yield found[1].lower()


def _turned(name: str) -> Iterator[str]:
    """ "Duration of a check" for "check duration"."""
    found = _PAIR.fullmatch(name)
    if found:
        for between in _OF:
            yield f"{found[2]} {between} {found[1]}".lower()


def _shorter(name: str, owners: set[str], endings: frozenset[str]) -> Iterator[str]:
    if not name.isascii():
        for owner in owners:
            if name.startswith(owner) and len(name) - len(owner) >= _SHORTEST:
                yield name[len(owner) :].removeprefix("的")
        return
    words = name.split()
    keys = [stem(word) for word in words]
    for owner in owners:
        size = len(owner.split())
        if len(words) > size and keys[:size] == [stem(word) for word in owner.split()]:
            yield " ".join(words[size:])
    while len(words) > 1 and words[-1] in endings:
        words = words[:-1]
        averaged = _AVERAGE.fullmatch(" ".join(words))
        if averaged is None or averaged[1] not in {stem(word) for owner in owners for word in owner.split()} | owners:
            yield " ".join(words)  # An average check is no average check time: checks are counted.
