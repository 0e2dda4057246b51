"""Which words of a text claim nothing: they ask, suppose, plan, repeat, or tell what others or a log did not say."""

from __future__ import annotations

from functools import lru_cache

from lang import deferred_re as re
from lang.cues import word_set
from lang.judging.protesting import asks_who_said, clauses_of, protests_in
from lang.listed import lists_beside
from lang.modality import Message, Mode, meaning_of
from lang.parts import find_parts
from lang.tokens import read_text

_LISTED = lists_beside(__file__)

_OPEN = (Mode.ASKED, Mode.SUPPOSED, Mode.PLANNED)
_LONGEST = 4_000
_OTHERS = (
    _LISTED.pattern("others_1"),
    _LISTED.pattern("others_2"),
    _LISTED.pattern("others_3"),
    re.compile(r"^(?!.*[我咱俺你您])[^没]{1,12}(?<!都)(?<!也)没有?[说提讲写](?!错)"),
)


@lru_cache(maxsize=64)
def unclaimed_in(said: str) -> tuple[tuple[int, int], ...]:
    """The spans of the clauses of a text, in order, that claim nothing."""
    text = read_text(said[:_LONGEST])
    parts = find_parts(text, ())
    message = Message(text, [each.clause for each in parts], [each.cues for each in parts])
    return tuple(
        text.span(each.clause.first, each.clause.last)
        for at, each in enumerate(parts)
        if meaning_of(at, message).mode in _OPEN
    )


def claims(said: str, at: int) -> bool:
    """Whether the words at a place of a text stand in a clause that claims something."""
    return not any(first <= at < last for first, last in unclaimed_in(said))


def said_by_nobody(message: str) -> tuple[str, ...]:
    """The clauses that tell what others, or a log, did not say, or ask what was said: nothing of the thing."""
    clauses = [each.strip() for each in clauses_of(message)]
    protests = [words for each in protests_in(message) for words in each.words]
    return tuple(each for each in clauses if each not in protests and _is_unsaid(each))


def _is_unsaid(clause: str) -> bool:
    return asks_who_said(clause) or any(pattern.search(clause) for pattern in _OTHERS)


def is_of_some(words: str) -> bool:
    """True for "not all pages are fast", which tells of none of them: neither of all, nor of most."""
    said = "".join(words.lower().split())
    return any(no + whole in said for no in word_set("not_of_all") for whole in word_set("of_all"))


def swears(words: str) -> bool:
    """True if words swear: "妈的又是dbeaver"."""
    return any(each in words.lower() for each in word_set("swears"))
