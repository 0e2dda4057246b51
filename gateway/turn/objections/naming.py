"""Which entry a protest names, by its own words or by its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gateway.session.ledger import LedgerEntry
from gateway.turn.context import Turn
from lang.cues import plain_words
from lang.judging.protesting import Protest
from lang.tokens import Kind, read_text

# Entries of these origins were heard in words.
HEARD = ("words", "correction")
# So much of what is named an entry has in its words.
_NAMES = 0.5
# Of more entries that the same words were heard as, nobody was told the names.
_TOLD_BY_NAME = 3
# Words that say of a thing only whether it is so.
_NO_NAME = frozenset("有没不是无未很太都也说这那么过被会能要") | {"no", "not", "is", "be", "have", "any"}


def named_best(turn: Turn, protest: Protest, active: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
    """The latest entry that is most like what a protest names, if it is like it."""
    entries = list(active)
    heard = Counter((each.turn, each.words) for each in entries)
    named = {words for words, count in heard.items() if count <= _TOLD_BY_NAME}
    said = content_of(protest.name)
    scored = [(_likeness(turn, said, each, by_name=(each.turn, each.words) in named), each) for each in entries]
    best = max((score for score, _ in scored), default=0.0)
    return tuple(each for score, each in scored if score == best)[-1:] if best >= _NAMES else ()


def _likeness(turn: Turn, said: set[str], entry: LedgerEntry, *, by_name: bool) -> float:
    """The share of what is named that an entry has in its words, or in its name where that was told, in [0, 1]."""
    name = entry.lacking or turn.catalog.phenomenon_name(entry.phenomenon_id)
    told = entry.words if entry.origin in HEARD else ""
    texts = (name.zh, name.en, told) if by_name or entry.lacking else (told,)
    return max((len(said & content_of(text)) / len(said) for text in texts if said), default=0.0)


def content_of(words: str) -> set[str]:
    """What words name."""
    keys = {token.key for token in read_text(words).tokens if token.kind in (Kind.WORD, Kind.HAN)}
    return keys - plain_words() - _NO_NAME
