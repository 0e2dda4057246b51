"""Derives subjects and predicates for a phenomenon whose library states none, from what it is called.

A limit in its name or its presence test makes it a quantity with a test; other names and aliases that say more than
the quantity ("low disk space") are an event, as all are without a limit. The mere mention of an event is proposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from lang.cues import cue_terms, load_lexicon, number_words, plain_words
from lang.numbers.model import Value
from lang.numbers.values import read_values
from lang.terms import Terms as Trie
from lang.tokens import Text, is_matched, read_text
from lang.vocabulary import Event, Name, Predicate, Quantity, Subject, Terms, Unit, Vocabulary

_LEVELS = frozenset({"bad", "high", "low", "slow", "fast", "rising", "falling"})
_HAN = re.compile(r"[\u3400-\u9fff]")
_UNITS: dict[Unit, tuple[str, float]] = {
    Unit.PERCENT: ("%", 1.0),
    Unit.BYTES: ("B", 1.0),
    Unit.SECONDS: ("s", 1.0),
    Unit.BYTES_PER_SECOND: ("MB/s", 1024.0**2),
    Unit.PER_SECOND: ("/s", 1.0),
    Unit.COUNT: ("", 1.0),
}
_BOUNDS = frozenset({"at_least", "at_most", "capacity", "threshold"})
# What the reader of values gives for "and more".
_BOUNDLESS = 1e200


@dataclass(frozen=True)
class Described:
    """A phenomenon in its library's words. names: by language, first the one that counts; tests: of its presence."""

    id: str
    names: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


@dataclass(frozen=True)
class Derived:
    """What a phenomenon is about, and the predicates on it."""

    subjects: tuple[Subject, ...]
    means: tuple[Predicate, ...]


def derive(described: Described) -> Derived | None:
    """The subjects and predicates of a phenomenon; None if its texts name nothing that could be said of it."""
    limit = limit_of(described.names) or limit_of(described.tests)
    said = dict.fromkeys(part for text in (*described.names, *described.aliases) for part in _parts(text))
    texts = [read_text(text) for text in said]
    identity = "derived_" + re.sub(r"[^a-z0-9]+", "_", described.id.lower())
    name = Name(zh=_first(described.names, True), en=_first(described.names, False))
    quantity = _terms(texts, is_quantity=True) if limit else []
    events = [term for term in _terms(texts, is_quantity=False) if term not in quantity]
    own = Name(zh=_first(quantity, True), en=_first(quantity, False)) if quantity else name
    found = _quantity(identity, own, quantity, limit) if limit and quantity else Derived((), ())
    if events:
        event = Event(id=f"{identity}_event", name=name, say=_by_language(events))
        found = Derived((*found.subjects, event), (*found.means, Predicate(event=event.id)))
    return found if found.subjects else None


def extend(vocabulary: Vocabulary, derived: Iterable[Derived]) -> Vocabulary:
    """A vocabulary with derived subjects added."""
    subjects = [subject for each in derived for subject in each.subjects]
    quantities = tuple(subject for subject in subjects if isinstance(subject, Quantity))
    events = tuple(subject for subject in subjects if isinstance(subject, Event))
    added = {"quantities": vocabulary.quantities + quantities, "events": vocabulary.events + events}
    return vocabulary.model_copy(update=added)


def _quantity(identity: str, name: Name, say: Sequence[str], limit: Limit) -> Derived:
    high = limit.sign == ">="
    is_share = limit.unit is Unit.PERCENT
    whole = Quantity(
        id=f"{identity}_whole", name=name, say=Terms(), unit=Unit.BYTES if _is_sized(say) else Unit.COUNT, bad=None
    )
    quantity = Quantity(
        id=identity,
        name=name,
        say=_by_language(say),
        unit=limit.unit,
        bad="up" if high else "down",
        whole=whole.id if is_share else None,
        complement=_listed("rest_of_high" if high else "rest_of_low") if is_share else Terms(),
    )
    subjects = (quantity, whole) if is_share else (quantity,)
    return Derived(subjects, (Predicate(quantity=identity, test=limit.test),))


def _parts(text: str) -> list[str]:
    """A text without its brackets, which no term goes across: what stands before them, inside and after."""
    return [part for part in re.split(r"[()（）\[\]]", text) if part.strip()]


def _terms(texts: Iterable[Text], is_quantity: bool) -> list[str]:
    """What names the subject: the texts without their limits, those of a quantity without words of degree, too.

    An event is named only by texts without a limit: the rest of one that has a limit is the name of its quantity.
    """
    found: dict[str, None] = {}
    for text in texts:
        span = without_limit(text)
        if not is_quantity and span != (0, len(text.tokens)):
            continue
        first, last = _trimmed(text, *span, is_quantity)
        keys = {token.key for token in text.tokens[first:last] if is_matched(token) and not token.key.isdecimal()}
        if keys - plain_words():
            found[text.normal[text.tokens[first].start : text.tokens[last - 1].end]] = None
    return list(found)


def _trimmed(text: Text, first: int, last: int, is_quantity: bool) -> tuple[int, int]:
    """Without the words at both ends that are not part of what is named."""
    edges = [(found.first, found.last) for found in _edges().find(text)]
    edges += [(at, at + 1) for at, token in enumerate(text.tokens) if not is_matched(token)]
    if is_quantity:
        edges += [(found.first, found.last) for found in cue_terms().find(text) if found.payload in _LEVELS]
        edges += bounding_words(text)
    trimming = True
    while trimming:
        trimming = False
        for begin, end in edges:
            if begin == first and first < end <= last:
                first, trimming = end, True
            elif end == last and first <= begin < last:
                last, trimming = begin, True
    return first, last


@cache
def _edges() -> Trie[str]:
    return _trie("edges")


@cache
def _trie(name: str) -> Trie[str]:
    trie: Trie[str] = Trie()
    for words in load_lexicon("derivation")[name].values():
        for word in words:
            trie.add(str(word), name)
    return trie


def _is_sized(say: Iterable[str]) -> bool:
    return any(_trie("sized").find(read_text(term)) for term in say)


@cache
def _listed(name: str) -> Terms:
    return Terms.model_validate(load_lexicon("derivation")[name])


def _by_language(say: Iterable[str]) -> Terms:
    terms = list(say)
    return Terms(
        zh=tuple(term for term in terms if _HAN.search(term)), en=tuple(term for term in terms if not _HAN.search(term))
    )


def _first(names: Sequence[str], han: bool) -> str:
    """The first name in a language, or the first of all."""
    return next((name for name in names if name and bool(_HAN.search(name)) == han), next(filter(None, names), "?"))


@dataclass(frozen=True)
class Limit:
    """A limit in the base of its unit, with the direction that makes the phenomenon present."""

    unit: Unit
    sign: str
    amount: float

    @property
    def test(self) -> str:
        """The limit as a predicate states it."""
        word, scale = _UNITS[self.unit]
        number = f"{self.amount / scale:.6f}".rstrip("0").rstrip(".")
        return f"{self.sign} {number} {word}".strip()


def limit_of(texts: Iterable[str]) -> Limit | None:
    """The first limit that a text states, where it states one only."""
    for each in texts:
        text = read_text(each)
        found = {limit for value in read_values(text) if (limit := _limit(value)) is not None}
        if len(found) == 1:
            return found.pop()
    return None


def _limit(value: Value) -> Limit | None:
    for unit in _UNITS:
        low, high = value.readings.get(unit, (0.0, 0.0))
        if high >= _BOUNDLESS and low > 0:
            return Limit(unit, ">=", low)
        if low == 0 < high:
            return Limit(unit, "<=", high)
    return None


def without_limit(text: Text) -> tuple[int, int]:
    """The tokens before the first number and the words that bound it; those after it if none stand before."""
    limits = [value for value in read_values(text) if _limit(value) is not None]
    if not limits:
        return 0, len(text.tokens)
    value = limits[0]
    end = min([value.first, *(first for first, _ in bounding_words(text) if first <= value.first)])
    return (0, end) if end else (value.last, len(text.tokens))


def bounding_words(text: Text) -> list[tuple[int, int]]:
    """The tokens of words that bound a number: over, 超过, at most."""
    return [(found.first, found.last) for found in number_words().find(text) if found.payload.name in _BOUNDS]
