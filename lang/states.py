"""Which of its two ways a state is in, by the words for them in a clause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lang.cues import is_plain, word_set
from lang.parts import Parts
from lang.polarity import negations_before
from lang.subjects import Mention, Slot
from lang.tokens import Kind, Text

_CHANGED_TO = word_set("changed_to")
_FILLERS = word_set("value_fillers")
_COUNT_REACH = 2


class ToldState(NamedTuple):
    """The word that tells which way a state is, and whether that way is the bad one."""

    slot: Slot
    is_bad: bool


def find_state(text: Text, parts: Parts, mention: Mention) -> ToldState | None:
    """The nearest word for one of the two ways; a negation before it, or a count of zero beside it, turns it round."""
    own = [slot for slot in parts.slots if slot.subject == mention.subject and slot.slot in ("bad", "good")]
    slots = _after_change(text, own)
    if not slots:
        return None
    slot = min(slots, key=lambda each: (_distance(each, mention), each.first - each.last))
    turned = negations_before(text, parts, slot.first, slot.last, mention) % 2 or _is_zero_of(text, parts, slot)
    return ToldState(slot, (slot.slot == "bad") != bool(turned))


def _after_change(text: Text, slots: Sequence[Slot]) -> Sequence[Slot]:
    """Of "from write-back to write-through" what it became: the words after the last "to" between two others."""
    if len(slots) < 2:
        return slots
    first, last = min(slot.last for slot in slots), max(slot.first for slot in slots)
    turns = [at for at in range(first, last) if _is_change(text, at)]
    return [slot for slot in slots if slot.first > turns[-1]] if turns else slots


def _is_change(text: Text, at: int) -> bool:
    pair = "".join(token.text for token in text.tokens[at : at + 2])
    return text.tokens[at].text in _CHANGED_TO or pair in _CHANGED_TO


def _is_zero_of(text: Text, parts: Parts, slot: Slot) -> bool:
    """True for "failed 0", failed_count = 0: the count beside a word for a state is nothing."""
    zeros = [value for value in parts.values if value.is_zero]
    return any(
        (slot.last <= value.first <= slot.last + _COUNT_REACH and _is_counting(text, slot.last, value.first))
        or value.last == slot.first
        for value in zeros
    )


def _is_counting(text: Text, first: int, last: int) -> bool:
    return all(
        is_plain(token) or token.kind is Kind.SIGN or token.text in _FILLERS for token in text.tokens[first:last]
    )


def _distance(slot: Slot, mention: Mention) -> int:
    return max(slot.first - mention.last, mention.first - slot.last, 0)
