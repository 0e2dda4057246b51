"""Assigns ids to the statements of one kind: a person's edits first, then remembered rulings, then new decisions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from services.knowledge.importing.deciding.decisions import Evidence, Limits, Mention, decide
from services.knowledge.importing.deciding.edits import Move, apply_edits
from services.knowledge.importing.deciding.review import Ruling

_SHOWN_PLACES = 3


@dataclass(frozen=True)
class Settled:
    """All rulings, the statements that a person moved, those decided now (`fresh`), and the next free number."""

    rulings: tuple[Ruling, ...]
    moves: tuple[Move, ...]
    fresh: frozenset[str]
    next_number: int

    @cached_property
    def ids(self) -> dict[str, str]:
        """Statement key to id."""
        return {ruling.key: str(ruling.into) for ruling in self.rulings}

    @cached_property
    def moved(self) -> dict[str, Move]:
        """The moves of a person by statement key."""
        return {move.key: move for move in self.moves}


class Numbers:
    """Hands out ids with a prefix, skipping numbers that are or ever were in use."""

    def __init__(self, prefix: str, start: int, taken: Collection[str]) -> None:
        self._prefix, self.next, self._taken = prefix, start, taken

    def take(self) -> str:
        """The next free id."""
        while (identity := f"{self._prefix}{self.next:04d}") in self._taken:
            self.next += 1
        self.next += 1
        return identity


@dataclass(frozen=True)
class Question:
    """The input of settle. wanted: keys of statements that need an id; exact: ids already decided by tickets."""

    rulings: Sequence[Ruling]
    mentions: Mapping[str, Mention]
    wanted: Iterable[str]
    exact: Mapping[str, str]
    known_ids: Collection[str]
    limits: Limits
    evidence: Callable[[Sequence[Mention]], Evidence]
    retired: Mapping[str, str]


def settle(question: Question, numbers: Numbers, library: Path) -> Settled:
    """A ruling for every wanted statement. Raises InvalidLibrary if an edit cannot be applied."""
    known_ids = {*question.known_ids, *(ruling.applied.split()[-1] for ruling in question.rulings if ruling.applied)}
    rulings, moves = apply_edits(question.rulings, known_ids, numbers.take, library, question.retired)
    remembered = {ruling.key for ruling in rulings}
    undecided = sorted(set(question.wanted) - remembered)
    told = [_told(question.mentions[key], question.exact[key]) for key in undecided if key in question.exact]
    new = [question.mentions[key] for key in undecided if key not in question.exact]
    decided = decide(new, question.evidence(new), question.limits, numbers.take) if new else []
    every = [_counted(ruling, question.mentions) for ruling in (*rulings, *told, *decided)]
    return Settled(tuple(every), tuple(moves), frozenset(undecided), numbers.next)


def _told(mention: Mention, identity: str) -> Ruling:
    return Ruling(
        statement=mention.statement.text, decision="merge", into=identity, score=1.0, applied=f"merge {identity}"
    )


def _counted(ruling: Ruling, mentions: Mapping[str, Mention]) -> Ruling:
    places = mentions[ruling.key].places if ruling.key in mentions else ()
    return ruling.model_copy(update={"seen": len(places), "seen_in": places[:_SHOWN_PLACES]})
