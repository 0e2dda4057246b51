"""A message cut into pieces, each with what it points at, names and measures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from lang import deferred_re as re
from lang.clauses import asks_a_not_a
from lang.judging.unclaimed import claims
from lang.tokens import read_text
from services.planner.model import Item, SessionView, Verdict
from services.planner.understand.items.amounts import verdict_on
from services.planner.understand.items.item_names import Named, named
from services.planner.understand.items.lists import Listing
from services.planner.understand.items.references import Asked
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text.answer_sheet import one_by_one
from services.planner.understand.text.clauses import Clause, Sentence, sentences_of
from services.planner.understand.text.marks import is_only, without_marks
from services.planner.understand.text.messages import Message
from services.planner.understand.text.segments import (
    ITEM,
    Segment,
    is_bare,
    masked,
    pointers_of,
    polarity_of,
    segments_of,
    without_items,
)
from services.planner.understand.text.tokens import Kind, tokens_of


@dataclass(frozen=True)
class Piece:
    """A clause of a message.

    text: its normalised words without the name of a list. first: it opens a sentence. asked: the list that its
    ordinals count in. earlier: that is not the open one. only: the ordinal of the one item that the list comes to.
    turns: it names that list. claims: it states something, and neither asks, supposes nor plans it.
    """

    clause: Clause
    text: str
    first: bool
    asked: Asked
    earlier: bool = False
    only: int | None = None
    turns: bool = False
    claims: bool = True

    @cached_property
    def names(self) -> Named | None:
        """The item that it names by words."""
        return named(self.text, self.asked) if not self.clause.pasted else None

    @cached_property
    def pointing(self) -> str:
        """The text with `#ordinal` for an item that is named where one is set apart: "all but the locks"."""
        names = self.names
        if names is None or not _sets_apart(self.text, names.start):
            return self.text
        if any(token.kind not in (Kind.ALL, Kind.REST) for token in pointers_of(self.text)):
            return self.text
        return f"{self.text[: names.start]} #{names.item.ordinal} {self.text[names.end :]}"

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """References and verdicts, in order."""
        return segments_of(self.pointing)

    @cached_property
    def pointed(self) -> bool:
        """True if it points at items one by one."""
        return any(token.kind not in (Kind.ALL, Kind.REST) for token in pointers_of(self.pointing))

    @cached_property
    def points_back(self) -> bool:
        """True if it points by "that one" and nothing else."""
        return all(token.kind in (Kind.ALL, Kind.REST, Kind.JUST) for token in pointers_of(self.pointing))

    @cached_property
    def only_asks(self) -> bool:
        """True if its yes or no is of no item, and only asks back: "yes what", "no??"; or it asks whether: 400行不行."""
        whether = self.names is None or asks_a_not_a(read_text(self.text).tokens)
        return whether and not (self.claims or self.pointed)

    @cached_property
    def says_more(self) -> bool:
        """True if there is a word in it beside what points at items."""
        return bool(re.sub(r"[\W_]+", "", self.masked.replace(ITEM, "")))

    @cached_property
    def masked(self) -> str:
        """The text with `{}` for each reference."""
        return masked(self.text)

    @cached_property
    def masked_name(self) -> str | None:
        """The text with `{}` for the words that name an item; None if none does."""
        if self.names is None:
            return None
        return masked(f"{self.text[: self.names.start]}{ITEM}{self.text[self.names.end :]}")

    @cached_property
    def bare(self) -> bool:
        """True if it has no content beside references and verdicts."""
        return is_bare(self.text)

    @cached_property
    def verdicts(self) -> frozenset[Verdict]:
        """The verdicts that its words give."""
        return frozenset(segment.verdict for segment in self.segments if segment.verdict)

    @cached_property
    def groups(self) -> bool:
        """True if it speaks of all of a list, of its rest, or sets some apart."""
        groups = (Kind.ALL, Kind.REST, Kind.EXCEPT, Kind.ONLY)
        return any(token.kind in groups for token in tokens_of(self.text))

    def measured(self, item: Item | None) -> Verdict | None:
        """The verdict that its value gives to an item; None if the two do not compare."""
        return verdict_on(without_items(self.masked), item) if item is not None else None


def _sets_apart(text: str, start: int) -> bool:
    """True if a clause has a word for an exception, or one for "only" right before where the name of an item starts."""
    tokens = tokens_of(text)
    if any(token.kind is Kind.EXCEPT for token in tokens):
        return True
    before = [token for token in tokens if token.end <= start and token.kind not in (Kind.FUNCTION, Kind.MARK)]
    return bool(before) and before[-1].kind is Kind.ONLY and not any(map(str.isdigit, text))


def pieces_of(message: Message, view: SessionView) -> list[Piece]:
    """The pieces of a message in order."""
    listing = Listing(view)
    pieces = [piece for sentence in sentences_of(message) for piece in _pieces(sentence, listing)]
    return [replace(each, claims=each.clause.pasted or claims(message.normal, each.clause.start)) for each in pieces]


def _pieces(sentence: Sentence, listing: Listing) -> Iterator[Piece]:
    listing.open_sentence()
    clauses = sentence.clauses if sentence.clauses[0].pasted else _untagged(one_by_one(sentence).clauses)
    for clause in clauses:
        said = clause.text if clause.pasted else _without_topic(clause)
        text = said if clause.pasted else listing.turn(said)
        turns = text != said
        yield Piece(clause, text, clause is clauses[0], listing.asked, listing.now is not None, listing.only, turns)


def _without_topic(clause: Clause) -> str:
    """The words of a clause without what marks its topic: "cpu 的话正常" supposes nothing."""
    text = without_marks(clause.text, "topic")
    if text == clause.text or clause.asks or polarity_of(text) is None or has_wh(text):
        return clause.text
    return text


def _untagged(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """The clauses without one that only leads on, asks nicely, or asks whether what stands before it is so."""
    *before, last = [clause for clause in clauses if clause is clauses[-1] or not is_only(clause.text, "leads_on")]
    if before and is_only(last.text, "please"):
        return tuple(before)
    if before and last.asks and is_only(last.text, "tag"):
        return (*before[:-1], replace(before[-1], asks=True))
    return (*before, last)
