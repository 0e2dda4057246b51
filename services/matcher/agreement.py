"""Joins the two readings of a message, by a language model and by the rules.

What both read counts. What only the model reads counts as the judge rules. Where they disagree about a phenomenon it is
proposed, and the person decides. Pasted outputs that a check recognises are read by the rules alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from services.matcher.message_reader import MessageReading, Note
from services.matcher.model import Standing
from services.matcher.placing import Placed
from services.matcher.probabilities import probability_of

DISAGREEMENT = "disagreement"
# An action and what came of it count when they are past, too.
_OUTCOME = "outcome"


@dataclass(frozen=True)
class Stated:
    """What the model read in one text. spans: the places of all that it read, whatever came of it.

    silent: phenomena of which it found nothing said that holds here and now.
    """

    readings: tuple[Placed, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    silent: frozenset[str] = frozenset()


def join(ruled: MessageReading, stated: Stated) -> MessageReading:
    """Both readings of a text as one, one reading a phenomenon."""
    told = {item.reading.phenomenon_id: item for item in stated.readings}
    found = {item.reading.phenomenon_id: item for item in _settled(ruled, told, stated.silent)}
    found |= {name: _unruled(item, ruled) for name, item in told.items() if name not in found}
    return MessageReading(
        tuple(sorted(found.values(), key=lambda item: (item.start, item.reading.phenomenon_id))),
        tuple(note for note in ruled.notes if not _is_within(note, stated)),
        (*ruled.understood, *stated.spans),
        "" if stated.readings else ruled.unread_output,
        facilities=ruled.facilities,
    )


def _settled(ruled: MessageReading, told: dict[str, Placed], silent: frozenset[str]) -> Iterator[Placed]:
    """The readings of the rules, each as the model leaves it."""
    for item in ruled.readings:
        name, counts = item.reading.phenomenon_id, item.reading.standing is Standing.COUNTS
        other = told.get(name)
        if item.reading.pasted and (other is None or not _settles(other, item)):
            yield item
        elif other is None:
            yield doubted(item) if counts and name in silent else item
        elif other.reading.standing is not Standing.COUNTS:
            yield item
        elif item.reading.verdict not in (None, other.reading.verdict):
            yield doubted(other)
        else:
            yield item if counts else _as_unmeasured(other)


def _settles(told: Placed, pasted: Placed) -> bool:
    """True if the model is sure of what a pasted output is only taken to show."""
    proposed = pasted.reading.standing is Standing.PROPOSED
    return proposed and told.reading.standing is Standing.COUNTS and told.reading.verdict is pasted.reading.verdict


def doubted(item: Placed) -> Placed:
    """A reading that another one contradicts: it waits for the person's yes."""
    probability = probability_of(f"proposed_{DISAGREEMENT}")
    reading = replace(item.reading, standing=Standing.PROPOSED, probability=probability, kind=DISAGREEMENT)
    return replace(item, reading=reading)


def _unruled(item: Placed, ruled: MessageReading) -> Placed:
    """A reading of the model alone; where the rules take its words for a question or the past, they disagree."""
    letters = [item.start + at for at, letter in enumerate(item.reading.words) if letter.isalnum()]
    inside = all(any(start <= at < end for start, end in (*ruled.unclaimed, *ruled.past)) for at in letters)
    counts = item.reading.standing is Standing.COUNTS
    return doubted(item) if counts and inside and item.reading.kind != _OUTCOME else _as_unmeasured(item)


def _as_unmeasured(item: Placed) -> Placed:
    """What only the model reads is never surer than a kind that no labelled sentence measures."""
    if item.reading.standing is not Standing.COUNTS:
        return item
    probability = min(item.reading.probability, probability_of("counted"))
    return replace(item, reading=replace(item.reading, probability=probability))


def _is_within(note: Note, stated: Stated) -> bool:
    return any(note.start < end and start < note.end for start, end in stated.spans)
