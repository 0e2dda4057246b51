"""Words beside a verdict that say whose it is: the list, or the same as of the item before."""

from __future__ import annotations

from services.planner.understand.text.marks import has_mark, without_marks
from services.planner.understand.text.word_lists import compile_words

_FEW_WORDS = 40
# How much an answer with a doubt in words weighs.
HEDGED = 0.7
_LIKEWISE = compile_words("answers.likewise")
_UNLIKE = compile_words("answers.unlike")


def names_the_list(words: str) -> bool:
    """True if words name the list that was asked, and not none of the one item that is spoken of."""
    lowered = without_marks(words.lower(), "in_no_way")
    return has_mark(lowered, "names_list") and not has_mark(words.lower(), "none_of_it")


def says_alike(words: str) -> bool:
    """True if a few words say the same of an item as of the one before: "2 也是"."""
    return len(words) <= _FEW_WORDS and has_mark(words.lower(), "likewise")


def says_likewise(words: str, after_verdict_first: bool) -> bool:
    """True if words give what they point at the verdict before; after_verdict_first: that stood before its items."""
    lowered = words.lower()
    return bool((after_verdict_first and not _UNLIKE.search(lowered)) or _LIKEWISE.search(lowered))
