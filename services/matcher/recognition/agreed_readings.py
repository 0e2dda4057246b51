"""What counts of what the rules read in words: only what the recogniser hears in the same words as well.

The rules know terms, negations and limits; the recogniser knows how people speak of a phenomenon. Each alone was right
in about seven of ten readings of fresh talks, both together in nineteen of twenty. What only one of them hears stays a
proposal that is as likely as the recogniser has it, or is no reading at all.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from services.matcher.message_reader import MessageReading
from services.matcher.model import Standing, Verdict
from services.matcher.placing import Placed
from services.matcher.recognition.checked_readings import DONE_BEFORE, claims_in, is_about_another
from services.matcher.recognition.recogniser import Recognised, Recogniser

# So likely words have to be about a phenomenon at all for their figure, or what they add to earlier words, to be its.
_ABOUT_FROM = 0.25
_FIGURES = frozenset(("value", "multiple", "event_count", "joint"))
# So likely words have to claim what the rules read in them, by the kind of the reading, to count.
_CLAIMED_FROM = {
    "event": 0.45, "event_often": 0.45, "event_share": 0.45,
    "state": 0.45, "onset": 0.45, "none": 0.6, "not_done": 0.3, "zero": 0.3,
}  # fmt: skip
# That a state is as it should be is said in plainer words.
_GOOD_STATE_FROM = 0.3
# Praise of a thing that was not asked about denies its trouble where the words are hardly about anything else.
_PRAISE, _PRAISED_FROM = "fine", 0.15
# Words that are less likely to claim it say nothing of it.
_HEARD_FROM = 0.2
# An answer that says nothing else is not longer.
_ANSWER_ALONE = 40
_FORMS = ("hedged_", "misspelt_")
# How readings are called of what was done when the trouble began, and of words that answer a question.
ONSET, ANSWERED = "onset", "answered"


def without_unheard(read: MessageReading, recogniser: Recogniser, asked: Set[str]) -> MessageReading:
    """The reading of a message with what the recogniser does not hear in it proposed, or left out.

    asked: what a short message may be about without a word of it.
    """
    free = asked if len(read.said.strip()) <= _ANSWER_ALONE else frozenset[str]()
    checked = (item if item.reading.phenomenon_id in free else _agreed(item, recogniser) for item in read.readings)
    return replace(read, readings=tuple(item for item in checked if item is not None))


def _agreed(item: Placed, recogniser: Recogniser) -> Placed | None:
    reading = item.reading
    kind = _plain_kind(reading.kind)
    if reading.pasted or not recogniser.knows(reading.phenomenon_id):
        return item
    if reading.standing not in (Standing.COUNTS, Standing.PROPOSED) or reading.verdict is Verdict.UNKNOWN:
        return item
    found = recogniser.recognise(reading.words)
    claimed, opposite = claims_in(found, reading)
    if kind == ANSWERED and is_about_another(found, reading.phenomenon_id):
        return None
    if kind in _FIGURES:
        return item if _about(found, reading.phenomenon_id) >= _ABOUT_FROM else None
    if kind == _PRAISE:
        heard = claimed >= opposite and _about(found, reading.phenomenon_id) >= _PRAISED_FROM
        return item if heard else None
    least = _least(kind, reading.verdict)
    if claimed >= least:
        return item
    return _weakened(item, claimed) if claimed >= _HEARD_FROM else None


def _least(kind: str, verdict: Verdict | None) -> float:
    """So likely words have to claim what was read; what was only asked back needs no more to be asked back."""
    if kind == "state" and verdict is Verdict.DENIED:
        return _GOOD_STATE_FROM
    return _CLAIMED_FROM.get(kind, 0.0)


def _weakened(item: Placed, claimed: float) -> Placed:
    """A proposal as likely as its words claim it; of what was done before, the trouble may have begun with it."""
    kind = DONE_BEFORE if item.reading.kind == ONSET else item.reading.kind
    return replace(item, reading=replace(item.reading, standing=Standing.PROPOSED, probability=claimed, kind=kind))


def _about(found: tuple[Recognised, ...], phenomenon_id: str) -> float:
    return next((each.about for each in found if each.phenomenon_id == phenomenon_id), 0.0)


def _plain_kind(kind: str) -> str:
    for form in _FORMS:
        kind = kind.removeprefix(form)
    return kind
