"""What the rules read, as it stands beside what its words are recognised as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lang.judging.unclaimed import swears
from lang.modality import is_negated
from services.matcher.model import Reading, Standing, Verdict
from services.matcher.placing import COUNTS_FROM, Placed
from services.matcher.recognition.recogniser import Recognised, Recogniser

# So likely another phenomenon is where what the rules read is dropped, and its own less than this part of that.
_ANOTHER_FROM, _HARDLY = 0.55, 0.15
_TALK = 0.05  # Words that are less likely about anything at all are talk.
# What the rules read is dropped from these probabilities of the opposite on, by words and by a figure, if so many times
# as likely.
_OPPOSITE_FROM, _OPPOSITE_OF_FIGURE_FROM, _RATHER = 0.27, 0.95, 1.2
# An event that is only named has to be so likely to count where a case is about other things.
_EVENT, _NAMED_FROM = "event", 0.4
# Such a reading is of several sentences.
JOINT = "joint"
_OPPOSITE = (Verdict.CONFIRMED, Verdict.DENIED)
# What was done, told for a reason, which only words that rather deny it drop; and what became of it: that it was good
# for some time and then bad again is said in plain words.
DONE_BEFORE, OUTCOME = "done_before", "outcome"
# Readings of the rules that words alone are the reason for: what else they may be, the recogniser knows better.
OF_WORDS = frozenset(
    ("mention", "degree", "event", "event_often", "event_count", "event_share", "state", "hedged_event", "none", "fine",
     "trend", OUTCOME)
)  # fmt: skip
# Denials that hang on a word of praise or a nought near the thing fall where words claim the thing so likely, and so
# many times as likely as its denial.
_LOOSE, _CLAIMED_FROM, _SURELY = frozenset(("state", "zero")), 0.45, 2.0
# A few words have to be surer.
SHORT_FROM = 0.85


def _is_talk(found: Sequence[Recognised]) -> bool:
    return not found or found[0].probability + found[0].absent < _TALK


def check_reading(item: Placed, recogniser: Recogniser, around: Sequence[Recognised], trusted: bool) -> Placed | None:
    """A reading of the rules as it stands beside what its words are recognised as.

    None if they are talk, are likely about something else, or claim the opposite; it counts if they claim the same for
    sure. around: what their sentence is recognised as; trusted: they say several things, or what is on record already.
    """
    reading = item.reading
    if reading.pasted or reading.kind == JOINT or reading.verdict not in _OPPOSITE:
        return item
    if not recogniser.knows(reading.phenomenon_id):
        return item
    found = recogniser.recognise(reading.words)
    same, opposite = claims_in(found, reading)
    of_words = reading.kind in OF_WORDS
    if reading.verdict is Verdict.DENIED and not trusted and _is_loose(reading, found):
        return None
    if reading.verdict is Verdict.DENIED and (is_negated(reading.words) or trusted):
        return item  # What plain words say is not there, or is not there after all.
    if of_words and not trusted and is_about_another(found, reading.phenomenon_id):
        return None
    if of_words and (_is_talk(found) or _is_talk(around) or _is_contradicted(*claims_in(around, reading))):
        return None
    least = _OPPOSITE_FROM if reading.kind == DONE_BEFORE else 0.0
    if reading.standing is Standing.PROPOSED and opposite > max(_RATHER * same, least):
        return None
    if opposite >= _OPPOSITE_OF_FIGURE_FROM or (of_words and _is_contradicted(same, opposite)):
        return None
    sure = max(same, claims_in(around, reading)[0]) if reading.kind == DONE_BEFORE else same if of_words else 0.0
    if reading.standing is Standing.PROPOSED and sure >= COUNTS_FROM:
        return replace(item, reading=replace(reading, standing=Standing.COUNTS, probability=sure))
    return item


def doubt_event(item: Placed, recogniser: Recogniser) -> Placed:
    """An event named in passing, later in a case, as proposed where its words are hardly likely to tell of it."""
    reading = item.reading
    named = reading.kind == _EVENT and reading.standing is Standing.COUNTS and not reading.pasted
    if not named or not recogniser.knows(reading.phenomenon_id):
        return item
    likely, _ = claims_in(recogniser.recognise(reading.words), reading)
    sure = likely >= (SHORT_FROM if swears(reading.words) else _NAMED_FROM)
    return item if sure else replace(item, reading=replace(reading, standing=Standing.PROPOSED))


def _is_loose(denied: Reading, found: Sequence[Recognised]) -> bool:
    """True if a denial hangs on no more than praise or a nought nearby: "slow till six, then its ok again"."""
    same, opposite = claims_in(found, denied)
    claimed = opposite >= max(_CLAIMED_FROM, _SURELY * same)
    other = claimed or _is_talk(found) or is_about_another(found, denied.phenomenon_id)
    return denied.kind in _LOOSE and other


def is_about_another(found: Sequence[Recognised], phenomenon_id: str) -> bool:
    """True if words are likely about another phenomenon, and hardly about this one."""
    own = next((each.about for each in found if each.phenomenon_id == phenomenon_id), 0.0)
    return bool(found) and found[0].about >= _ANOTHER_FROM and own < _HARDLY * found[0].about


def _is_contradicted(same: float, opposite: float) -> bool:
    """True if words rather claim the opposite."""
    return opposite >= max(_OPPOSITE_FROM, _RATHER * same)


def claims_in(found: Sequence[Recognised], reading: Reading) -> tuple[float, float]:
    """The probabilities that words claim what a reading says, and that they claim the opposite."""
    own = next((each for each in found if each.phenomenon_id == reading.phenomenon_id), None)
    pair = (own.probability, own.absent) if own is not None else (0.0, 0.0)
    return pair if reading.verdict is Verdict.CONFIRMED else pair[::-1]
