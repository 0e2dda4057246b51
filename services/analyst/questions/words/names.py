"""The names of a dataset and the words of questions, found in a question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import yaml

from lang.terms import Found, Terms
from lang.tokens import Kind, Text, stem
from services.analyst.questions.intent import Value
from services.analyst.questions.words.spelling import Spelling
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.schema import Dimension, Metric, Table

_GRAMMAR = Path(__file__).parent / "grammar.yaml"
_SHORT_VALUE = 2
_SHORT_WORD = 4
_LONG_WORD = 6


@dataclass(frozen=True)
class Meaning:
    """What a name stands for. kind: metric, dimension, value, exclusion, filter, table, or a list of the grammar.

    id: of the entry; for a value its dimension, and `value` as it is stored.
    """

    kind: str
    id: str = ""
    value: Value | None = None


@dataclass(frozen=True)
class Mark:
    """Tokens from `first` up to `last` with what they may mean; all meanings are of names, or one is of grammar."""

    first: int
    last: int
    meanings: tuple[Meaning, ...]

    @property
    def kind(self) -> str:
        """The kind of its first meaning."""
        return self.meanings[0].kind

    def of(self, *kinds: str) -> tuple[Meaning, ...]:
        """Its meanings of these kinds."""
        return tuple(meaning for meaning in self.meanings if meaning.kind in kinds)


@cache
def grammar() -> Terms[Meaning]:
    """The words of questions."""
    terms: Terms[Meaning] = Terms()
    lists = yaml.safe_load(_GRAMMAR.read_text("utf-8"))
    for name, languages in lists.items():
        for words in languages.values():
            for word in words:
                terms.add(str(word), Meaning(name))
    return terms


class Names:
    """The names of a dataset."""

    def __init__(self, dataset: Dataset) -> None:
        self._layer = dataset.layer
        self._terms: Terms[Meaning] = Terms()
        self.words: dict[str, set[Meaning]] = {}
        for word, meaning in _entries(dataset):
            self.words.setdefault(word.lower(), set()).add(meaning)
            self._terms.add(word, meaning)
        for word, meanings in shortened(dataset, self.words).items():
            for meaning in meanings:
                self._terms.add(word, meaning)

    def exact(self, words: str, meanings: tuple[Meaning, ...]) -> tuple[Meaning, ...]:
        """Those meanings that have these very words, not only another number or case of them; else all."""
        listed = self.words.get(words.lower(), set())
        return tuple(meaning for meaning in meanings if meaning in listed) or meanings

    @cached_property
    def spelling(self) -> Spelling:
        """What misspelt names mean."""
        return Spelling(self.words)

    def is_listed(self, meaning: Meaning) -> bool:
        """True for a value that the layer lists, and not only the data has."""
        return meaning.value is not None and meaning.value in self._layer.dimension(meaning.id).values

    def part_of(self, words: str) -> tuple[str, ...]:
        """The names that an English word is a part of, where all are of one column."""
        key = stem(words.lower())
        if not words.isascii() or " " in words or len(words) < _LONG_WORD:
            return ()
        found = [name for name in self.words if " " in name and key in {stem(part) for part in name.split()}]
        columns = {self._column(one) for name in found for one in self.words[name]}
        return tuple(found) if len(columns) == 1 and None not in columns else ()

    def _column(self, meaning: Meaning) -> str | None:
        if meaning.kind == "dimension":
            return self._layer.dimension(meaning.id).column.lower()
        if meaning.kind == "metric":
            expression = self._layer.metric(meaning.id).expr
            return expression.partition("(")[2].rpartition(")")[0].strip().lower() or None
        return None

    def near(self, words: str, language: str) -> tuple[str, ...]:
        """The names of figures and splits that these words are a part of."""
        lowered, layer = words.lower(), self._layer
        if len(lowered) < _SHORT_VALUE or (lowered.isascii() and len(lowered) < _SHORT_WORD):
            return ()
        found = []
        entries: tuple[Metric | Dimension, ...] = (*layer.metrics, *layer.dimensions)
        for entry in entries:
            if any(lowered in name.lower() for name in (*entry.name.words, *entry.synonyms)):
                found.append(entry.name.text(language))
        return tuple(dict.fromkeys(found))

    def find(self, text: Text) -> list[Mark]:
        """Names and words of questions; overlapping ones too."""
        marks: dict[tuple[int, int, bool], list[Meaning]] = {}
        for found in self._terms.find(text):
            if _differs(text, found, self.words):
                continue
            marks.setdefault((found.first, found.last, True), []).append(found.payload)
        for found in grammar().find(text):
            marks.setdefault((found.first, found.last, False), []).append(found.payload)
        return [Mark(first, last, tuple(meanings)) for (first, last, _), meanings in marks.items()]


def _differs(text: Text, found: Found[Meaning], words: Mapping[str, set[Meaning]]) -> bool:
    """A gerund and its verb have one stem and two meanings: a rating is no rate."""
    said = [token.text for token in text.tokens[found.first : found.last]]
    if len(said) != 1 or not said[0].isascii() or (found.payload.kind == "table" and said[0].endswith("ed")):
        return False
    own = [word for word, meanings in words.items() if found.payload in meanings and stem(word) == stem(said[0])]
    return bool(own) and all(word.endswith("ing") != said[0].endswith("ing") for word in own)


def _entries(dataset: Dataset) -> Iterator[tuple[str, Meaning]]:
    layer = dataset.layer
    for metric in layer.metrics:
        for word in (*metric.name.words, *metric.synonyms):
            yield word, Meaning("metric", metric.id)
    for dimension in layer.dimensions:
        for word in (*dimension.name.words, *dimension.synonyms):
            yield word, Meaning("dimension", dimension.id)
        for stored, others in dimension.values.items():
            for other in _unique((*_spoken(stored), *others)):
                yield str(other), Meaning("value", dimension.id, stored)
        listed = {str(stored) for stored in dimension.values}
        for value in dataset.values.get(dimension.id, ()):
            if isinstance(value, str) and value not in listed:
                for word in _spoken(value):
                    yield word, Meaning("value", dimension.id, value)
    for kind, conditions in (("exclusion", layer.exclusions), ("filter", layer.filters)):
        for condition in conditions:
            for word in (*condition.name.words, *condition.synonyms):
                yield word, Meaning(kind, condition.id)
    for table in layer.tables:
        described = table.description.words if table.description else ()
        for word in (table.name, table.name.replace("_", " "), *described):
            yield word, Meaning("table", table.name)


def shortened(dataset: Dataset, known: Mapping[str, set[Meaning]]) -> dict[str, set[Meaning]]:
    """Names without the rows they belong to, and without words that say nothing: "shop type" is also "type".

    Words that are names by themselves are left alone.
    """
    short: dict[str, set[Meaning]] = {}
    layer = dataset.layer
    owners = {word.lower() for table in layer.tables for word in (*_described(table), table.name.replace("_", " "))}
    owners |= {word.lower() for one in layer.dimensions if one.key for word in (*one.name.words, *one.synonyms)}
    for kind, entries in (("metric", layer.metrics), ("dimension", layer.dimensions)):
        for entry in entries:
            for name in (*entry.name.words, *entry.synonyms):
                counted = kind == "metric" and isinstance(entry, Metric) and _counts_all(entry)
                for word in (
                    *_shorter(
                        name.lower(),
                        owners,
                        ending_words(isinstance(entry, Metric) and bool(entry.default_filters or entry.numerator)),
                    ),
                    *(_uncounted(name) if counted else ()),
                ):
                    if word not in known and word not in grammar_words():
                        short.setdefault(word, set()).add(Meaning(kind, entry.id))
    return short


def _described(table: Table) -> tuple[str, ...]:
    return table.description.words if table.description else ()


def _counts_all(metric: Metric) -> bool:
    return metric.expr.lstrip().lower().startswith("count") and not metric.default_filters


def _uncounted(name: str) -> Iterator[str]:
    """The name of a count without the word for the count: 投诉量 is also 投诉."""
    for ending in ("数量", "数", "量"):
        if name.endswith(ending) and len(name) - len(ending) >= _SHORT_VALUE:
            yield name.removesuffix(ending)
            return


def _shorter(name: str, owners: set[str], endings: frozenset[str]) -> Iterator[str]:
    if not name.isascii():
        for owner in owners:
            if name.startswith(owner) and len(name) - len(owner) >= _SHORT_VALUE:
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
        yield " ".join(words)


def _spoken(value: Value) -> tuple[str, ...]:
    """A stored value as people type it; numbers and single letters name nothing by themselves."""
    if isinstance(value, bool | int | float):
        return ()
    words = value.strip()
    if len(words) < _SHORT_VALUE and words.isascii():
        return ()
    return (words, words.replace("_", " ")) if "_" in words else (words,) if words else ()


def _unique(words: Iterable[Value]) -> list[Value]:
    return list(dict.fromkeys(words))


def longest(text: Text, marks: Iterable[Mark], taken: set[int]) -> list[Mark]:
    """Of overlapping marks the longest, of equal ones names before words of questions; none over `taken` tokens."""
    kept: list[Mark] = []
    used = set(taken)
    for mark in sorted(marks, key=lambda one: (-_size(text, one), one.kind in grammar_kinds(), one.first)):
        span = set(range(mark.first, mark.last))
        if not span & used:
            used |= span
            kept.append(mark)
    return sorted(kept, key=lambda one: one.first)


@cache
def grammar_words() -> frozenset[str]:
    """All words of questions."""
    lists = yaml.safe_load(_GRAMMAR.read_text("utf-8"))
    return frozenset(str(word) for languages in lists.values() for words in languages.values() for word in words)


@cache
def ending_words(is_defined: bool) -> frozenset[str]:
    """Words that say nothing at the end of a name; of a figure that the layer defines only those for events."""
    lists = yaml.safe_load(_GRAMMAR.read_text("utf-8"))
    return frozenset(
        str(word)
        for name in (("event",) if is_defined else ("event", "fillers"))
        for words in lists[name].values()
        for word in words
    )


@cache
def grammar_kinds() -> frozenset[str]:
    """The lists of the grammar."""
    return frozenset(yaml.safe_load(_GRAMMAR.read_text("utf-8")))


def _size(text: Text, mark: Mark) -> int:
    """Characters; a Chinese one says as much as two Latin ones."""
    tokens = text.tokens[mark.first : mark.last]
    return sum(2 if token.kind is Kind.HAN else len(token.text) for token in tokens)
