"""Assigns ids to the statements of one kind: a person's edits first, then remembered rulings, then new decisions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from services.chassis.messages import Message
from services.knowledge.importing.deciding.decisions import Evidence, Limits, Mention, decide
from services.knowledge.importing.deciding.review import FILE_NAME, Ruling
from services.knowledge.library.load import InvalidLibrary, Problem

_SHOWN_PLACES = 3


@dataclass(frozen=True)
class Move:
    """A statement that a person gave another id."""

    key: str
    before: str
    after: str


def apply_edits(
    rulings: Sequence[Ruling],
    known_ids: Collection[str],
    new_id: Callable[[], str],
    library: Path,
    retired: Mapping[str, str],
) -> tuple[list[Ruling], list[Move]]:
    """The rulings with every edit applied, and the moved statements. New ids follow the order of the statements.

    Raises InvalidLibrary naming each edit that cannot be applied; then nothing is.
    """
    problems = [
        Problem(str(library / FILE_NAME), ruling.statement, what)
        for ruling, what in _wrong(rulings, known_ids, retired)
    ]
    if problems:
        raise InvalidLibrary([library], problems)
    settled: list[Ruling] = []
    moves: list[Move] = []
    for ruling in sorted(rulings, key=lambda item: item.key):
        if not ruling.edited:
            settled.append(ruling)
            continue
        before = ruling.applied.split()[-1]
        after = new_id() if ruling.decision == "new" else str(ruling.into)
        moves.append(Move(ruling.key, before, after))
        update = {"into": after, "applied": f"{ruling.decision} {after}", "decided_by": "person", "unclear": False}
        settled.append(ruling.model_copy(update=update))
    return settled, moves


def _wrong(
    rulings: Sequence[Ruling], known_ids: Collection[str], retired: Mapping[str, str]
) -> list[tuple[Ruling, Message]]:
    found = []
    seen: set[str] = set()
    for ruling in rulings:
        if ruling.key in seen:
            found.append((ruling, Message("review_problem.statement_twice")))
        seen.add(ruling.key)
        if ruling.edited:
            found += [(ruling, what) for what in _wrong_edit(ruling, known_ids, retired)]
    return found + _cycles(rulings)


def _wrong_edit(ruling: Ruling, known_ids: Collection[str], retired: Mapping[str, str]) -> Iterator[Message]:
    before, into = ruling.applied.split()[-1], str(ruling.into)
    if ruling.decision == "merge" and into in retired:
        yield Message("review_problem.retired_id", {"id": into, "heir": retired[into]})
    elif ruling.decision == "merge" and into.partition("-")[0] != before.partition("-")[0]:
        kind = "review_problem.no_phenomenon" if before.startswith("P") else "review_problem.no_root_cause"
        yield Message(kind, {"id": into})
    elif ruling.decision == "merge" and into not in known_ids:
        near = get_close_matches(into, sorted(known_ids), n=1, cutoff=0.0)
        yield Message("review_problem.unknown_id", {"id": into, "nearest": "".join(near) or "none"})
    elif ruling.decision == "merge" and into == before:
        yield Message("review_problem.merged_into_itself", {"id": before})
    if ruling.decision == "new" and ruling.into not in (None, before):
        yield Message("review_problem.new_with_id")
    if ruling.decision == "new" and ruling.applied.startswith("new"):
        yield Message("review_problem.already_new", {"id": before})


def _cycles(rulings: Sequence[Ruling]) -> list[tuple[Ruling, Message]]:
    """Statements that a person merges in a circle, which would leave no entry for any of them."""
    moved = {
        ruling.applied.split()[-1]: (str(ruling.into), ruling)
        for ruling in rulings
        if ruling.edited and ruling.decision == "merge" and ruling.applied.startswith("new ")
    }
    found = []
    for start in sorted(moved):
        way = [start]
        while way[-1] in moved and moved[way[-1]][0] not in way:
            way.append(moved[way[-1]][0])
        end = moved[way[-1]][0] if way[-1] in moved else None
        if end == start and start == min(way) and len(way) > 1:
            told = " into ".join([*way, start])
            found.append((moved[start][1], Message("review_problem.circle", {"way": told})))
    return found


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
