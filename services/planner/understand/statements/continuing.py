"""What goes on about the thing that was just spoken of: more of a fact, or of what was answered."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import FeedbackStep
from services.planner.understand.judging import arbitration
from services.planner.understand.judging.classified import VERDICT_OF, Heard
from services.planner.understand.text.domain import is_technical

_NAMED = 0.1
_DIGIT = re.compile(r"\d")
_LATIN = re.compile(r"[a-z]{3,}")
# What a clause of its own in Chinese begins with: "网卡也没打满".
_SUBJECT = re.compile(
    r"^(?![一还都也就现已而从到刚没不有是在越很又再])[\u4e00-\u9fff]{2,6}?(?:也|都|还|倒|却|又)(?!是因)"
)
# An amount that goes on about what was just spoken of: "i counted 136", "数了下 136 个".
_GOES_ON = re.compile(
    r"[^a-z]|v?\d|(?:it|that|they|which|i|we|now|at|about|around|roughly|since|from|like|some|over|almost|nearly|up|down|only|"
    r"just|more|less|maybe|peaks?|and|so)(?![a-z])"
)
_LATIN_AMID = re.compile(r"[\u4e00-\u9fff].*[a-z]{4,}|[a-z]{4,}.*[\u4e00-\u9fff]")


def elaborates(text: str, heard: Heard, answer: FeedbackStep | None) -> bool:
    """Whether a statement only tells more of the item that was answered just before: "P-0013 yes, 21 of them waiting"."""
    if answer is None:
        return False
    if heard.names is not None and heard.names.covered >= _NAMED:
        return heard.names.item.ordinal == answer.reference.ordinal
    said_again = {act for act, verdict in VERDICT_OF.items() if verdict is answer.verdict}
    if heard.likely.of(*said_again) >= arbitration.LIKELY and not re.search(r"\d", text):
        return True
    return _about_nothing_else(text)


def continues(text: str, heard: Heard, before: int | None) -> bool:
    """Whether a statement goes on about the thing that the fact before it is about: "..., almost a month now"."""
    if heard.names is not None:
        return heard.names.item.ordinal == before
    if _DIGIT.search(text) and not _LATIN_AMID.search(arbitration.STATE.sub(" ", text)):
        return _GOES_ON.match(text) is not None and not is_technical(arbitration.STATE.sub(" ", text))
    return _about_nothing_else(text) and not _SUBJECT.search(text)


def _about_nothing_else(text: str) -> bool:
    """Whether a clause tells states and amounts only, of the thing that was spoken of."""
    rest = arbitration.STATE.sub(" ", text)
    return not (is_technical(rest) or _LATIN.search(rest))
