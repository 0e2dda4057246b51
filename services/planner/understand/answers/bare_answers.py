"""Answers that point at nothing: they are about the item that the clause names, else the one named before, else all that was asked."""

from __future__ import annotations

import re

from services.planner.model import Verdict
from services.planner.understand.classifier.acts import Act, Likely
from services.planner.understand.items.amounts import verdict_by_count
from services.planner.understand.items.references import Asked
from services.planner.understand.judging import arbitration
from services.planner.understand.judging.classified import ANSWERS, VERDICT_OF, Heard
from services.planner.understand.judging.subjects import has_own_subject
from services.planner.understand.text.segments import Segment, denies_doubly, pointers_of, segments_of
from services.planner.understand.text.tokens import Kind, Token, tokens_of

_EVERY = 0.8
# Words that name an item and have no word for a verdict are better passed on as what was seen.
_SURELY_NAMED = 0.92
_COPULAS = ("是", "there")
_PLAINLY = 0.8


def bare_answer(text: str, heard: Heard, asked: Asked, before: int | None) -> Segment | None:
    """The answer that a clause gives to what was asked without pointing at any of it; None when it gives none.

    It is about the item that it names, else the one named before in the sentence, else all that was asked.
    """
    if not asked.items or any(segment.pointed for segment in segments_of(heard.text)):
        return None
    if len(asked.items) > 1 and not (heard.names or before) and verdict_by_count(text) is not None:
        return None
    if heard.names and denies_doubly(text):
        return Segment(refs=pointers_of(f"#{heard.names.item.ordinal}"), verdict=Verdict.CONFIRMED)
    likely = _likely(heard)
    act, share = likely.among(ANSWERS)
    sure = likely.of(*ANSWERS) * share
    about = heard.names.item.ordinal if heard.names else before
    if heard.names is None and act is not Act.UNKNOWN and has_own_subject(text):
        return None
    needed = arbitration.LIKELY if len(asked.items) == 1 or about else _EVERY
    if sure < needed:
        return None
    if (
        heard.names
        and act is not Act.UNKNOWN
        and not _says_so(text, act)
        and (sure < _SURELY_NAMED or re.search(r"\d", text))
    ):
        return None
    if heard.names and heard.names.lacks and act in (Act.YES, Act.NO):
        return None
    grouped = tuple(token for token in pointers_of(text) if _counts_in(token, heard))
    pointer = grouped or (pointers_of(f"#{about}") if about else ())
    return Segment(refs=pointer, verdict=VERDICT_OF.get(act, Verdict.CONFIRMED), hedged=act is Act.WEAK)


def _says_so(text: str, act: Act) -> bool:
    """Whether a clause has a word for its verdict, and not only "is"."""
    return any(token.verdict is VERDICT_OF.get(act) and token.text not in _COPULAS for token in tokens_of(text))


def _likely(heard: Heard) -> Likely:
    """What a clause does, its item's words left out where it says little else: "wal folder is huge" is "{} is huge"."""
    if heard.names is None or heard.of_item is None or re.search(r"\d", heard.text):
        return heard.likely
    told = heard.of_item
    return told if max(map(told.of, (Act.YES, Act.NO))) >= _PLAINLY else heard.likely


def _counts_in(token: Token, heard: Heard) -> bool:
    """Whether a token means a group of items: "两个都", and not the adverb in "一直都"."""
    if heard.names is not None and token.kind is Kind.ALL and len(token.text) == 1:
        return False
    alone = heard.names is None and len(token.text) > 1
    return token.kind in (Kind.ALL, Kind.REST) and (alone or not token.start)
