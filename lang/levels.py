"""The words without a number that tell how a subject stands, and denials that are none of it."""

from __future__ import annotations

from lang.cues import word_set
from lang.parts import Parts
from lang.polarity import LEVELS, is_about, negations_before
from lang.says import Says
from lang.subjects import Mention
from lang.tokens import Text
from lang.vocabulary import Quantity, Subject, Unit

_GRADES = {"large": Says.HIGH, "small": Says.LOW, "slow": Says.HIGH, "fast": Says.LOW}
_SIZES = frozenset(["large", "small"])
# Words of speed, which a time can have.
SPEEDS = frozenset(["slow", "fast"])
_NOBODY, _HABITS = word_set("nobody"), word_set("habits")


def level_of(text: Text, parts: Parts, mention: Mention, grades: frozenset[str]) -> tuple[Says, frozenset[int]] | None:
    """The word that tells how a subject stands, turned round by a negation before it. grades: what it has of these."""
    for cue in parts.cues:
        strange = cue.name in _GRADES and cue.name not in grades
        if cue.name not in LEVELS or strange or not is_about(text, parts, cue, mention):
            continue
        says = _GRADES.get(cue.name) or Says(cue.name)
        if negations_before(text, parts, cue.first, cue.last) % 2:
            says = {Says.FINE: Says.BAD, Says.BAD: Says.FINE, Says.HIGH: Says.LOW, Says.LOW: Says.HIGH}[says]
        return says, frozenset(range(cue.first, cue.last))
    return None


def grades_of(subject: Subject) -> frozenset[str]:
    """The words of size or speed that tell how a subject stands: an amount can be large, and a time slow.

    A share is neither ("a small insert", "little RAM", "a slow disk").
    """
    if not isinstance(subject, Quantity):
        return _SIZES | SPEEDS
    if subject.unit is Unit.SECONDS:
        return SPEEDS
    return _SIZES if subject.unit in (Unit.BYTES, Unit.COUNT, Unit.BYTES_PER_SECOND) else frozenset()


def is_habit(text: Text, parts: Parts) -> bool:
    """True for "nobody ever purges": what is never done was not left undone lately."""
    return any(token.text in _HABITS for token in text.tokens[parts.clause.first : parts.clause.last])


def nobody_does(text: Text, parts: Parts) -> bool:
    """True if a clause says that people do not do something."""
    denials = (cue for cue in parts.cues if cue.name == "negation")
    return any("".join(token.text for token in text.tokens[cue.first : cue.last]) in _NOBODY for cue in denials)
