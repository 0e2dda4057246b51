"""Finds the subjects of the vocabulary in a message, and the words that a subject has for its values and states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from lang.cues import plain_words, word_set
from lang.terms import Found, Terms
from lang.tokens import Kind, Text
from lang.vocabulary import Quantity, State, Subject, Vocabulary

_PARTS = " + "
_SCOPE = 40
_VERBS, _GO = word_set("verbs"), word_set("how_it_goes")
_AND, _LOADED = word_set("joins"), word_set("loaded")
# "And" stands so near before the verb where it joins what the verb is said of.
_LISTED = 3
_CODE = 5
_PLAIN = 3


class Use(NamedTuple):
    """What a term is for: `slot` is say, beside, complement, value, bad or good; `part` counts where it has several."""

    subject: str
    slot: str
    term: int = 0
    part: int = 0
    parts: int = 1
    amount: float = 0.0


@dataclass(frozen=True, slots=True)
class Mention:
    """A subject at one or several runs of tokens; `length` counts the tokens that name it."""

    subject: str
    spans: tuple[tuple[int, int], ...]
    length: int

    @property
    def first(self) -> int:
        """The first token of the mention."""
        return self.spans[0][0]

    @property
    def last(self) -> int:
        """The token after the mention."""
        return self.spans[-1][1]

    @property
    def tokens(self) -> frozenset[int]:
        """The tokens that name the subject."""
        return frozenset(at for first, last in self.spans for at in range(first, last))


@dataclass(frozen=True, slots=True)
class Slot:
    """A word that a subject has for a value, a state or the rest of its whole."""

    subject: str
    slot: str
    amount: float
    first: int
    last: int


class SubjectFinder:
    """All terms of a vocabulary in one trie, which is made for the first text."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    @cached_property
    def _terms(self) -> Terms[Use]:
        terms: Terms[Use] = Terms()
        for subject in self._vocabulary.subjects:
            for use, term in _uses(subject):
                terms.add(term, use)
        return terms

    @property
    def words(self) -> set[str]:
        """The keys of all words of all terms."""
        return self._terms.words

    def find(self, text: Text) -> list[Found[Use]]:
        """Every use of every term in a text."""
        # A use of several tokens, as most are, is neither of the two.
        return [
            found
            for found in self._terms.find(text)
            if found.last - found.first > 1 or not (_is_letter_alone(text, found) or _is_verb(text, found))
        ]


def _is_letter_alone(text: Text, found: Found[Use]) -> bool:
    """True for a single letter without a value: "r" is a column of vmstat in "r = 40", and "are" in "all r fine"."""
    letter = text.tokens[found.first].text
    if found.last - found.first > 1 or len(letter) > 1 or not (letter.isascii() and letter.isalpha()):
        return False
    after = text.tokens[found.last : found.last + 1]
    return not after or not (after[0].kind is Kind.NUMBER or after[0].text == "=")


def _is_verb(text: Text, found: Found[Use]) -> bool:
    """True for "load" where it is what things do: "product pages and search load fine", "the shop loads slowly"."""
    word = text.tokens[found.first].text
    before = text.tokens[max(found.first - _LISTED, 0) : found.first]
    after = text.tokens[found.last : found.last + 1]
    if word not in _VERBS or found.last - found.first > 1 or not before or not after or after[0].text not in _GO:
        return False
    nearest = before[-1]
    if nearest.kind is not Kind.WORD or nearest.text in _AND or nearest.text in _LOADED:
        return False
    several = nearest.text.endswith("s") or any(token.text in _AND for token in before)
    return several or word.endswith("s")


def _uses(subject: Subject) -> Iterator[tuple[Use, str]]:
    slots: list[tuple[str, float, Sequence[str]]] = [("say", 0.0, subject.say.all), ("beside", 0.0, subject.beside.all)]
    if isinstance(subject, Quantity):
        slots.append(("complement", 0.0, subject.complement.all))
        slots.extend(("value", float(amount), terms.all) for amount, terms in subject.values.items())
    if isinstance(subject, State):
        slots.extend((("bad", 0.0, subject.bad.all), ("good", 0.0, subject.good.all)))
    number = 0
    for slot, amount, terms in slots:
        whole = Use(subject.id, slot, amount=amount)
        for term in terms:
            if slot == "say" and _names_nothing(term):
                continue
            if _PARTS not in term:
                yield whole, term
                continue
            number += 1
            parts = term.split(_PARTS)
            for part, words in enumerate(parts):
                yield Use(subject.id, slot, number, part, len(parts), amount), words


def _names_nothing(term: str) -> bool:
    """True for a short number, and for a plain word such as "so", which vmstat has for a column."""
    return (term.strip("{}").isdecimal() and len(term) < _CODE) or (len(term) < _PLAIN and term in plain_words())


def find_mentions(found: Iterable[Found[Use]], joined: frozenset[int]) -> list[Mention]:
    """The subjects named in one clause. A longer mention takes the words of a shorter one; `beside` drops a subject.

    joined: tokens that join a list (和, or); what stands in a list with a subject does not make it something else.
    """
    uses = list(found)
    named = set(_mentions(uses))
    mentions = [mention for mention in named if not _is_beside(mention, uses, joined)]
    kept: list[Mention] = []
    for mention in sorted(set(mentions), key=_by_length):
        if not any(_takes(longer, mention) for longer in kept):
            kept.append(mention)
    return sorted(_merge(kept), key=lambda each: (each.first, each.last, each.subject))


def _by_length(mention: Mention) -> tuple[object, ...]:
    """Longer ones first; of two as long the one that begins first, then the one in more parts, which says more."""
    return -mention.length, mention.first, -len(mention.spans), mention.spans, mention.subject


def _merge(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Several mentions of one subject in a clause are one."""
    of_subject: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        of_subject[mention.subject].append(mention)
    for subject, several in of_subject.items():
        spans = _joined(span for mention in several for span in mention.spans)
        yield Mention(subject, spans, sum(mention.length for mention in several))


def _joined(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The spans in order, with overlapping ones as one."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(set(spans)):
        if joined and first < joined[-1][1]:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)


def _mentions(uses: Iterable[Found[Use]]) -> Iterator[Mention]:
    several: dict[tuple[str, int], dict[int, Found[Use]]] = defaultdict(dict)
    for use in uses:
        if use.payload.slot != "say":
            continue
        if use.payload.parts == 1:
            yield Mention(use.payload.subject, ((use.first, use.last),), use.length)
        else:
            several[use.payload.subject, use.payload.term].setdefault(use.payload.part, use)
    for (subject, _), parts in several.items():
        uses_of = list(parts.values())
        if len(uses_of) == uses_of[0].payload.parts:
            spans = tuple(sorted((use.first, use.last) for use in uses_of))
            if spans[-1][1] - spans[0][0] <= _SCOPE and all(one[1] <= other[0] for one, other in pairwise(spans)):
                yield Mention(subject, spans, sum(use.length for use in uses_of))


def _is_beside(mention: Mention, uses: Iterable[Found[Use]], joined: frozenset[int]) -> bool:
    """True if a term makes the mention something else: one beside it, or one that holds the whole mention and more."""
    for use in uses:
        if use.payload.slot != "beside" or use.payload.subject != mention.subject:
            continue
        tokens = frozenset(range(use.first, use.last))
        if mention.tokens & tokens and not mention.tokens < tokens:
            continue
        between = range(use.last, mention.first) if use.last <= mention.first else range(mention.last, use.first)
        if joined.isdisjoint(between):
            return True
    return False


def _takes(longer: Mention, mention: Mention) -> bool:
    """A longer mention takes a shorter one that shares a word with it. Subjects of one and the same term all stay.

    Words in a row for the same subject stay, too: "could not fork" beside "fork .. resource temporarily unavailable".
    """
    if longer.subject == mention.subject and len(mention.spans) == 1:
        return longer.tokens >= mention.tokens
    return bool(longer.tokens & mention.tokens) and longer.tokens != mention.tokens


def find_slots(found: Iterable[Found[Use]], subjects: frozenset[str]) -> list[Slot]:
    """The value, state and complement words of these subjects in one clause."""
    return [
        Slot(use.payload.subject, use.payload.slot, use.payload.amount, use.first, use.last)
        for use in found
        if use.payload.subject in subjects and use.payload.slot in ("complement", "value", "bad", "good")
    ]
