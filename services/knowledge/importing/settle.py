"""Settles one kind (phenomena or causes): a person's edits first, then what the memory knows, then what is new."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from services.knowledge.importing.edits import Move, apply_edits
from services.knowledge.importing.review import Ruling
from services.knowledge.importing.rulings import Evidence, Limits, Sight, decide

_SHOWN_PLACES = 3


@dataclass(frozen=True)
class Settled:
    """The rulings on all statements, what a person moved, the statements ruled on now, and the next free number."""

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
        """Statement key to what a person moved."""
        return {move.key: move for move in self.moves}


class Numbers:
    """Hands out ids of one prefix; a number that is taken or was ever handed out is passed over."""

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
    """What is to be settled. wanted: keys of statements that need an id; exact: keys whose id tickets have settled."""

    rulings: Sequence[Ruling]
    sights: Mapping[str, Sight]
    wanted: Iterable[str]
    exact: Mapping[str, str]
    known_ids: Collection[str]
    limits: Limits
    evidence: Callable[[Sequence[Sight]], Evidence]
    retired: Mapping[str, str]


def settle(question: Question, numbers: Numbers, library: Path) -> Settled:
    """Every wanted statement with a ruling. Raises InvalidLibrary when an edit cannot be applied."""
    known_ids = {*question.known_ids, *(ruling.applied.split()[-1] for ruling in question.rulings if ruling.applied)}
    rulings, moves = apply_edits(question.rulings, known_ids, numbers.take, library, question.retired)
    remembered = {ruling.key for ruling in rulings}
    undecided = sorted(set(question.wanted) - remembered)
    told = [_told(question.sights[key], question.exact[key]) for key in undecided if key in question.exact]
    new = [question.sights[key] for key in undecided if key not in question.exact]
    decided = decide(new, question.evidence(new), question.limits, numbers.take) if new else []
    every = [_counted(ruling, question.sights) for ruling in (*rulings, *told, *decided)]
    return Settled(tuple(every), tuple(moves), frozenset(undecided), numbers.next)


def _told(sight: Sight, identity: str) -> Ruling:
    return Ruling(
        statement=sight.statement.text, decision="merge", into=identity, score=1.0, applied=f"merge {identity}"
    )


def _counted(ruling: Ruling, sights: Mapping[str, Sight]) -> Ruling:
    places = sights[ruling.key].places if ruling.key in sights else ()
    return ruling.model_copy(update={"seen": len(places), "seen_in": places[:_SHOWN_PLACES]})
