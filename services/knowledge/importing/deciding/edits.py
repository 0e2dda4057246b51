"""Validates and applies a person's edits of review.yaml."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from services.chassis.messages import Message
from services.knowledge.importing.deciding.review import FILE_NAME, Ruling
from services.knowledge.library.load import InvalidLibrary, Problem


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
