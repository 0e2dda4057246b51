"""What a person changed in review.yaml: checked, given ids, and told apart from what an import wrote."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from services.knowledge.importing.review import FILE_NAME, Ruling
from services.knowledge.library import InvalidLibrary, Problem


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
    """The rulings with every edit settled, and what moved. New ids are taken in the order of the statements.

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
) -> list[tuple[Ruling, str]]:
    found = []
    seen: set[str] = set()
    for ruling in rulings:
        if ruling.key in seen:
            found.append((ruling, "this statement stands twice; keep one of the two"))
        seen.add(ruling.key)
        if ruling.edited:
            found += [(ruling, what) for what in _wrong_edit(ruling, known_ids, retired)]
    return found + _cycles(rulings)


def _wrong_edit(ruling: Ruling, known_ids: Collection[str], retired: Mapping[str, str]) -> Iterator[str]:
    before, into = ruling.applied.split()[-1], str(ruling.into)
    if ruling.decision == "merge" and into in retired:
        yield f"into: {into} was given up, its statements went to {retired[into]}; its number is never used again"
    elif ruling.decision == "merge" and into.partition("-")[0] != before.partition("-")[0]:
        yield f"into: {into} is no {'phenomenon' if before.startswith('P') else 'root cause'}"
    elif ruling.decision == "merge" and into not in known_ids:
        near = get_close_matches(into, sorted(known_ids), n=1, cutoff=0.0)
        yield f"into: {into} does not exist; the nearest id is {''.join(near) or 'none'}"
    elif ruling.decision == "merge" and into == before:
        yield f"it cannot be merged into itself; {before} is what it is now"
    if ruling.decision == "new" and ruling.into not in (None, before):
        yield "a new one gets its id from the import: leave `into` out, or set decision: merge"
    if ruling.decision == "new" and ruling.applied.startswith("new"):
        yield f"it is the new one that {before} was made for; write into: {before} again"


def _cycles(rulings: Sequence[Ruling]) -> list[tuple[Ruling, str]]:
    """Founders that a person merges in a circle, so that none of their things would be left."""
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
            found.append((moved[start][1], f"a circle: {told}; decide which of them stays"))
    return found
