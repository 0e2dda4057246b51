"""What turns a word of a clause round: negations before it, in lists too, and `none` after it."""

from __future__ import annotations

from lang.clauses import Cue
from lang.cues import is_plain, word_set
from lang.numbers.model import Value
from lang.parts import LIST_WORDS, Parts
from lang.subjects import Mention
from lang.tokens import Kind, Text

_NEGATION_REACH = 4
LEVELS = ("fine", "bad", "high", "low", "large", "small")
_STOPS = frozenset(["fine", "bad", "rising", "falling", "flat", "turn", "except", "others"])
TRENDS = {"rising": "up", "falling": "down", "flat": "flat"}
_FILLERS = word_set("fillers")
_VALUE_FILLERS = word_set("value_fillers")


def is_about(text: Text, parts: Parts, cue: Cue, mention: Mention) -> bool:
    """A word is about the subjects before it, up to the word before; or about one after it without a noun between."""
    if mention.first <= cue.first:
        between = [
            other
            for other in parts.cues
            if other.name in LEVELS and mention.last <= other.first and other.last <= cue.first
        ]
        return not between or cue.name in TRENDS
    before = any(other.first < cue.first for other in parts.mentions)
    near = mention.first - cue.last <= _NEGATION_REACH
    return near and not before and not _has_noun(text, parts, cue.last, mention.first)


def _has_noun(text: Text, parts: Parts, first: int, last: int) -> bool:
    """True if a word of its own stands here: "idle with last query ROLLBACK" is not said of rollbacks."""
    covered = {at for other in parts.mentions for at in other.tokens}
    covered |= {at for cue in parts.cues for at in range(cue.first, cue.last)}
    words = (text.tokens[at] for at in range(first, last) if at not in covered)
    return any(token.kind is Kind.WORD and not is_plain(token) for token in words)


def is_none(text: Text, parts: Parts, mention: Mention) -> bool:
    """True where a negation stands right before the subject, or in a list before it, or `none` ends the clause."""
    if any(negations_before(text, parts, first, last) % 2 for first, last in mention.spans):
        return True
    for cue in parts.cues:
        if (
            cue.name == "none"
            and cue.first >= mention.last
            and _only_fillers(text, cue.last, parts.clause.last)
            and _only_fillers(text, mention.last, cue.first, parts)
        ):
            return True
    return False


def _only_fillers(text: Text, first: int, last: int, parts: Parts | None = None) -> bool:
    names = {at for mention in parts.mentions for at in mention.tokens} if parts else set()
    tokens = [text.tokens[at] for at in range(first, last) if at not in names]
    return (
        all(
            token.kind in (Kind.COMMA, Kind.SIGN, Kind.STOP)
            or token.text in _FILLERS
            or (parts is not None and token.kind is Kind.HAN)
            for token in tokens
        )
        and len(tokens) <= 4
    )


def negations_before(text: Text, parts: Parts, first: int, last: int, skip: Mention | None = None) -> int:
    """The number of negations right before a word; in a list ("no deadlocks or lock waits") the list shares them."""
    count, at, reach = 0, first, _NEGATION_REACH
    cues = {cue.last: cue for cue in parts.cues if cue.name in ("negation", "doubled_negation")}
    listed = {span_last: span_first for other in parts.mentions for span_first, span_last in other.spans}
    if any(
        cue.first <= first and last <= cue.last
        for cue in parts.cues
        if cue.name == "negation" and cue.last - cue.first > last - first
    ):
        return 1
    while at > parts.clause.first and reach:
        if at in cues:
            if cues[at].name == "doubled_negation":
                return count
            count, at, reach = count + 1, cues[at].first, _NEGATION_REACH
        elif at in listed and skip is None and not count and listed[at] < at and _joins(text, at, first):
            at = listed[at]
        elif any(cue.last == at and cue.name in _STOPS for cue in parts.cues):
            return count
        else:
            at, reach = at - 1, reach - 1
    return count


def value_negations(text: Text, parts: Parts, value: Value, mention: Mention) -> list[Cue]:
    """The negations of a bound, also over its own subject ("no session idle for more than 5 minutes").

    Those of an amount without a bound stand right before it.
    """
    first = min(value.covered)
    cues = {cue.last: cue for cue in parts.cues if cue.name in ("negation", "none", "doubled_negation")}
    stops = {cue.last for cue in parts.cues if cue.name in _STOPS}
    others = {at for other in parts.mentions for at in other.tokens} - mention.tokens
    found: list[Cue] = []
    at, reach = first, _NEGATION_REACH
    while at > parts.clause.first and reach:
        if at in cues:
            if cues[at].name == "doubled_negation":
                break
            found.append(cues[at])
            at, reach = cues[at].first, _NEGATION_REACH
        elif at in stops or (at - 1 in others and not (_joins(text, at, first) and mention.first > first)):
            break
        else:
            at -= 1
            reach -= at not in mention.tokens
            if value.bound is None and text.tokens[at].text not in _VALUE_FILLERS:
                break
    return found


def _joins(text: Text, last: int, first: int) -> bool:
    """True where two subjects stand in a list: joined by 、, 和, or, and."""
    return any(token.text in LIST_WORDS for token in text.tokens[last:first])
