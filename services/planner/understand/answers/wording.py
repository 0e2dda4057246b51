"""Words beside a verdict that say whose it is: the list, or the same as of the item before."""

from __future__ import annotations

from services.planner.understand.text.marks import has_mark

_FEW_WORDS = 40


def names_the_list(words: str) -> bool:
    """True if words name the list that was asked, and not none of the one item that is spoken of."""
    return has_mark(words.lower(), "names_list") and not has_mark(words.lower(), "none_of_it")


def says_alike(words: str) -> bool:
    """True if a few words say the same of an item as of the one before: "2 也是"."""
    return len(words) <= _FEW_WORDS and has_mark(words.lower(), "likewise")
