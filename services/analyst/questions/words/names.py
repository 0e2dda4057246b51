"""The names of a dataset and the words of questions, found in a question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property

from lang.terms import Found, Terms
from lang.tokens import Kind, Text, read_text, stem
from services.analyst.questions.intent import Value
from services.analyst.questions.words.grammar import classifiers, grammar_kinds, grammar_lists, grammar_words
from services.analyst.questions.words.short_names import short_names, short_row_names
from services.analyst.questions.words.spelling import Spelling
from services.analyst.semantic.dataset import Dataset, split_column
from services.analyst.semantic.schema import Dimension, Metric

_SHORT_VALUE = 2
_SHORT_WORD = 4
_LONG_WORD = 6
_HAN = 2
_NUMERAL = re.compile(r"\d{1,3}(?:\.\d+)?")


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
    for name, words in grammar_lists().items():
        for word in words:
            terms.add(word, Meaning(name))
    return terms


_COMMA = re.compile(r"[^,，]{2}[,，][^,，]{2}")


class Names:
    """The names of a dataset."""

    def __init__(self, dataset: Dataset) -> None:
        self._layer = dataset.layer
        self._pointed = {table.name for table in dataset.layer.tables if table.time}
        self._terms: Terms[Meaning] = Terms()
        self.words: dict[str, set[Meaning]] = {}
        for word, meaning in _entries(dataset):
            self.words.setdefault(word.lower(), set()).add(meaning)
            self._terms.add(word, meaning)
        for word, kind, entry in short_names(dataset):
            if word not in self.words and word not in grammar_words():
                self._terms.add(word, Meaning(kind, entry))
        for word, table in short_row_names(dataset):
            if word not in self.words and word not in grammar_words():
                self._terms.add(word, Meaning("table", table))

    @cached_property
    def _parted(self) -> list[tuple[str, Meaning]]:
        """The names with a comma inside, which parts terms, in their normal form."""
        parted = [(read_text(word).normal, meanings) for word, meanings in self.words.items() if _COMMA.search(word)]
        return [(name, meaning) for name, meanings in parted for meaning in meanings]

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
        for name, meaning in self._parted:
            if span := _span_of(text, name):
                marks.setdefault((*span, True), []).append(meaning)
        for found in grammar().find(text):
            marks.setdefault((found.first, found.last, False), []).append(found.payload)
        return self._primary([Mark(first, last, tuple(meanings)) for (first, last, _), meanings in marks.items()])

    def _primary(self, marks: list[Mark]) -> list[Mark]:
        """The marks without values of secondary dimensions that mean something else, unless these are named."""
        named = {one.id for mark in marks for one in mark.of("dimension")}
        rows = {one.id for mark in marks for one in mark.of("table")}
        minor = {
            one.id
            for one in self._layer.dimensions
            if one.secondary and one.id not in named and split_column(one.column)[0] not in rows - self._pointed
        }
        kept = []
        for mark in marks:
            others = tuple(one for one in mark.meanings if one.kind != "value" or one.id not in minor)
            spans = [each for each in marks if each is not mark and (each.first, each.last) == (mark.first, mark.last)]
            if others or not spans:
                kept.append(replace(mark, meanings=others or mark.meanings))
        return kept


def _span_of(text: Text, name: str) -> tuple[int, int] | None:
    """The tokens that a name stands at; None where it does not."""
    start = text.normal.find(name)
    inside = [at for at, one in enumerate(text.tokens) if start <= one.start and one.end <= start + len(name)]
    return (inside[0], inside[-1] + 1) if start >= 0 and inside else None


def _differs(text: Text, found: Found[Meaning], words: Mapping[str, set[Meaning]]) -> bool:
    """A gerund and its verb have one stem and two meanings: a rating is no rate."""
    said = [token.text for token in text.tokens[found.first : found.last]]
    if len(said) > 1 and _is_apart(said, found.payload, words):
        return True
    if len(said) != 1 or not said[0].isascii() or (found.payload.kind == "table" and said[0].endswith("ed")):
        return False
    own = [word for word, meanings in words.items() if found.payload in meanings and stem(word) == stem(said[0])]
    return bool(own) and all(word.endswith("ing") != said[0].endswith("ing") for word in own)


def _is_apart(said: list[str], meaning: Meaning, words: Mapping[str, set[Meaning]]) -> bool:
    """ "Did checks time out" names no check time: the first noun of an English compound has no plural."""
    if (
        meaning.kind != "metric"
        or not said[0].isascii()
        or not said[0].endswith("s")
        or said[0][-2:] in ("ss", "'s", "us", "is")
    ):
        return False
    own = [word.split() for word, meanings in words.items() if meaning in meanings and len(word.split()) == len(said)]
    alike = [word for word in own if [stem(part) for part in word] == [stem(part) for part in said]]
    return bool(alike) and all(word[0] != said[0] for word in alike)


def _entries(dataset: Dataset) -> Iterator[tuple[str, Meaning]]:
    layer = dataset.layer
    for metric in layer.metrics:
        for word in (*metric.name.words, *metric.synonyms):
            yield word, Meaning("metric", metric.id)
    for dimension in layer.dimensions:
        for word in (*dimension.name.words, *dimension.synonyms):
            yield word, Meaning("dimension", dimension.id)
        for stored, others in dimension.values.items():
            for other in dict.fromkeys((*_spoken(stored), *others)):
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
        for word in (table.name, table.name.replace("_", " "), *described, *table.synonyms):
            yield word, Meaning("table", table.name)


def _spoken(value: Value) -> tuple[str, ...]:
    """A stored value as people type it; numbers and single letters name nothing by themselves."""
    if isinstance(value, bool | int | float):
        return ()
    words = value.strip()
    if (len(words) < _SHORT_VALUE and words.isascii()) or _NUMERAL.fullmatch(words):
        return ()
    return (words, words.replace("_", " ")) if "_" in words else (words,) if words else ()


def longest(text: Text, marks: Iterable[Mark], taken: set[int]) -> list[Mark]:
    """Of overlapping marks the longest, of equal ones names before words of questions; none over `taken` tokens."""
    kept: list[Mark] = []
    used = set(taken)

    def rank(one: Mark) -> tuple[int, bool, int, int]:
        size = _size(text, one)
        return _counter(text, one) - size, one.kind in grammar_kinds(), -size, one.first

    for mark in sorted(marks, key=rank):
        span = set(range(mark.first, mark.last))
        if not span & used:
            used |= span
            kept.append(mark)
    return sorted(kept, key=lambda one: one.first)


def _counter(text: Text, mark: Mark) -> int:
    """The size of the word that counts rows in 多少部; it is less sure than a name such as 部门."""
    counts = mark.kind == "how_many" and mark.last - mark.first > 1
    return _HAN if counts and text.tokens[mark.last - 1].text in classifiers() else 0


def _size(text: Text, mark: Mark) -> int:
    """Characters; a Chinese one says as much as two Latin ones."""
    tokens = text.tokens[mark.first : mark.last]
    return sum(_HAN if token.kind is Kind.HAN else len(token.text) for token in tokens)
