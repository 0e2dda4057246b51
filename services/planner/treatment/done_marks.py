"""Words that deny a deed, take it back or only point at it, and what speaks against good news."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import yaml

from lang.cues import cue_terms
from lang.terms import Found, Terms
from lang.tokens import Text, is_matched, read_text
from services.planner.treatment.actions import target_spans
from services.planner.treatment.clause_news import aftermath_of
from services.planner.treatment.sentences import told_clauses
from services.planner.understand.text.word_lists import listed

_FILE = Path(__file__).with_name("done_marks.yaml")
# A question, a wish or a plan tells nothing of how things are.
_OPEN = frozenset(("question", "supposition", "plan", "wish"))
_NOW, _IS = frozenset(("now", "falling")), frozenset(("is", "are", "its", "it's"))
# What tells of trouble, and by what a clause tells none of now.
_BAD = frozenset(("bad", "high", "slow", "rising"))
_NOT_BAD = _OPEN | {"negation", "none", "past", "others", "elsewhere"}
_SELF = frozenset(("我", "们"))  # Whose own memory it is: "我记错了".
_ASKING = ("?", "？", "吗", "么", "没", "没有", "不")
_WEIGHS = listed("treatment.weighs")


@cache
def _content() -> dict[str, list[str]]:
    return dict(yaml.load(_FILE.read_bytes(), yaml.CSafeLoader))


@cache
def _marks() -> Terms[str]:
    terms: Terms[str] = Terms()
    for name, words in _content().items():
        for word in words:
            terms.add(str(word), str(name))
    return terms


@lru_cache(maxsize=256)
def marks_in(text: Text) -> tuple[Found[str], ...]:
    """The marks in a text, each standing for the name of its list."""
    return tuple(_marks().find(text))


@cache
def past_forms() -> frozenset[str]:
    """The forms of the past by which something is told as done; terms are compared by stems."""
    return frozenset(str(word).split()[0] for word in _content()["past"])


def tells_it_was_done(text: Text) -> bool:
    """True if a clause tells that what was shown was done, without saying what it was; "did it not work?" asks."""
    if text.normal.rstrip().endswith(_ASKING[:2]) or _WEIGHS.search(text.normal):
        return False
    found = marks_in(text)
    last = max((at for at, token in enumerate(text.tokens) if is_matched(token)), default=0) + 1
    if any(cue.payload == "question" for cue in cue_terms().find(text)):
        return False  # "What we did" asks.
    did = any(each.payload == "did_it" or (each.payload == "did_it_last" and each.last == last) for each in found)
    return did and not any(
        mark.payload == "did_nothing" or (mark.payload == "undone" and mark.first < 2) for mark in found
    )


def tells_nothing_was_done(text: Text) -> bool:
    """True if a clause tells that nothing of what was shown or told was done."""
    names = {mark.payload for mark in marks_in(text)}
    return "did_nothing" in names and "undone" not in names


def denies_deeds(said: str) -> bool:
    """True if a message says that nothing of what was shown was done."""
    return any(tells_nothing_was_done(read_text(clause)) for clause in told_clauses(said))


def speaks_of_record(text: Text) -> bool:
    """True if words are about what is on record here, and not about what somebody remembered wrong."""
    before = ["", *(token.text for token in text.tokens)]
    return any(mark.payload == "of_record" and before[mark.first] not in _SELF for mark in marks_in(text))


def tells_now(text: Text) -> bool:
    """True if words tell how things are now, or have become."""
    names = {str(mark.payload) for mark in cue_terms().find(text)}
    if names & _OPEN or text.normal.rstrip().endswith(_ASKING):
        return False
    became = text.normal.rstrip(" 。.!！").endswith("了") or any(token.text in _IS for token in text.tokens)
    return became or bool(names & _NOW)


def tells_contrast(text: Text, opening: bool = False) -> bool:
    """True if words set one thing against another, so that good news is of a part; the opening word does not."""
    return any(mark.payload == "contrast" and not (opening and mark.first == 0) for mark in marks_in(text))


def tells_bad_now(text: Text) -> bool:
    """True if a clause says that something is bad now, whatever it is, or that only something is."""
    names = {str(mark.payload) for mark in cue_terms().find(text)}
    asks = text.normal.rstrip().endswith(_ASKING[:2])
    of_part = any(mark.payload == "only_that" for mark in marks_in(text))
    return ("now" in names or of_part) and bool(names & _BAD) and not asks and not names & _NOT_BAD


def tells_it_ended(text: Text) -> bool:
    """True if words tell that what was ended is gone, which says nothing of the trouble."""
    pointed = any(mark.payload == "pointing" for mark in marks_in(text)) or bool(target_spans(text))
    names = {str(mark.payload) for mark in cue_terms().find(text)}
    ended = any(token.text == "gone" for token in text.tokens) or "recovered" in names
    return pointed and ended and aftermath_of(text.normal) is None
