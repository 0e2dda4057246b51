"""Words that mean two things: a question with one of them could only be asked back."""

from __future__ import annotations

from collections.abc import Iterator

from services.analyst.linting.finding import Finding
from services.analyst.semantic.schema import Layer
from services.chassis.messages import Message


def lint_words(layer: Layer) -> Iterator[Finding]:
    """An error for each name or synonym of two ids, and for each name of two values of one dimension."""
    owners: dict[str, str] = {}
    for part in ("metrics", "dimensions", "filters", "exclusions"):
        for at, entry in enumerate(getattr(layer, part)):
            for word in dict.fromkeys(one.strip().lower() for one in (*entry.name.words, *entry.synonyms)):
                first = owners.setdefault(word, entry.id)
                if first != entry.id:
                    details = {"word": word, "first": first, "second": entry.id}
                    yield Finding("error", (part, at), Message("lint.word_twice", details))
    for at, dimension in enumerate(layer.dimensions):
        yield from _values(at, dimension.values, owners, dimension.id)


def _values(
    at: int, values: dict[str | int | float | bool, tuple[str, ...]], owners: dict[str, str], dimension_id: str
) -> Iterator[Finding]:
    named: dict[str, str] = {}
    for value, others in values.items():
        for word in dict.fromkeys(one.strip().lower() for one in (str(value), *others)):
            first = named.setdefault(word, str(value))
            place = ("dimensions", at, "values", str(value))
            if first != str(value):
                details = {"word": word, "first": first, "second": str(value)}
                yield Finding("error", place, Message("lint.value_word_twice", details))
            elif word in owners and owners[word] != dimension_id and word in {other.lower() for other in others}:
                details = {"word": word, "value": str(value), "id": owners[word]}
                yield Finding("warning", place, Message("lint.value_word_is_name", details))
