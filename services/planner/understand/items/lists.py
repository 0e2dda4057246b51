"""Which list the ordinals of a sentence count in: the open one, or one that was shown before it."""

from __future__ import annotations

from dataclasses import dataclass

from services.planner.model import SessionView
from services.planner.understand.items.references import Asked, earlier_list, first_list, open_list
from services.planner.understand.text.marks import has_mark, without_marks
from services.planner.understand.text.segments import is_bare, segments_of


@dataclass
class Listing:
    """The list of the sentence at hand; None while it is the open one. before: that of the sentence before it."""

    view: SessionView
    now: Asked | None = None
    before: Asked | None = None
    only: int | None = None

    @property
    def asked(self) -> Asked:
        """The list that counts."""
        return self.now or open_list(self.view)

    def open_sentence(self) -> None:
        """A new sentence counts in the open list, unless it says otherwise."""
        self.before, self.now, self.only = self.now, None, None

    def turn(self, text: str) -> str:
        """Turns to the list that a clause names; returns the clause without that name."""
        pointed = any(segment.pointed for segment in segments_of(text))
        named = has_mark(text, "list")
        if self.now is not None and not named:
            if has_mark(text, "present") and pointed:
                self.now = None
            return text
        if not named and not (has_mark(text, "before") and (pointed or has_mark(text, "unanswered", "asked"))):
            if self.before is not None and pointed and is_bare(text) and not has_mark(text, "present"):
                self.now = self.before
            return text
        listed = first_list(self.view) if has_mark(text, "first_list") else None
        listed = listed or earlier_list(self.view)
        if listed is None:
            return text
        self.now = self._narrowed(listed, text)
        return without_marks(text, "list")

    def _narrowed(self, listed: Asked, text: str) -> Asked:
        """The list without what was answered, where only the rest of it is meant."""
        recorded = {evidence.phenomenon_id for evidence in self.view.evidence}
        open_items = tuple(item for item in listed.items if item.phenomenon_id not in recorded)
        if has_mark(text, "unanswered") and len(open_items) == 1:
            self.only = open_items[0].ordinal
            return Asked(listed.list, open_items, listed.by_id)
        if has_mark(text, "all_skipped") and open_items:
            return Asked(listed.list, open_items, by_id=True)
        return listed
