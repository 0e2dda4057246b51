"""A message cut into pieces, each with what it points at, names and measures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from services.planner.model import Item, SessionView, Verdict
from services.planner.understand.answers import Segment, is_bare, pointers_of, segments_of
from services.planner.understand.clauses import Clause, sentences_of
from services.planner.understand.hearing import masked, without_items
from services.planner.understand.measures import verdict_on
from services.planner.understand.naming import Named, named
from services.planner.understand.references import Asked, open_list
from services.planner.understand.text import Message
from services.planner.understand.tokens import Kind

ITEM = "{}"


@dataclass(frozen=True)
class Piece:
    """A clause of a message. first: it opens a sentence. asked: the list that its ordinals count in."""

    clause: Clause
    first: bool
    asked: Asked

    @property
    def text(self) -> str:
        """The normalised words."""
        return self.clause.text

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """References and verdicts, in order."""
        return segments_of(self.text)

    @cached_property
    def pointed(self) -> bool:
        """True if it points at items one by one, by more than "that one"."""
        return any(token.kind not in (Kind.ALL, Kind.REST) for token in pointers_of(self.text))

    @cached_property
    def masked(self) -> str:
        """The text with `{}` for each reference."""
        return masked(self.text)

    @cached_property
    def names(self) -> Named | None:
        """The item that it names by words."""
        return named(self.text, self.asked) if not self.clause.pasted else None

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

    def measured(self, item: Item | None) -> Verdict | None:
        """The verdict that its value gives to an item; None if the two do not compare."""
        return verdict_on(without_items(self.masked), item) if item is not None else None


def pieces_of(message: Message, view: SessionView) -> list[Piece]:
    """The pieces of a message in order."""
    asked = open_list(view)
    return [
        Piece(clause, clause is sentence.clauses[0], asked)
        for sentence in sentences_of(message)
        for clause in sentence.clauses
    ]
