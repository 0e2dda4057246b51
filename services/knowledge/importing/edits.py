"""What a person changed in review.yaml: checked, given ids, and told apart from what an import wrote."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
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
    rulings: Sequence[Ruling], known_ids: Collection[str], new_id: Callable[[], str], library: Path
) -> tuple[list[Ruling], list[Move]]:
    """The rulings with every edit settled, and what moved. New ids are taken in the order of the statements.

    Raises InvalidLibrary naming each edit that cannot be applied; then nothing is.
    """
    problems = [
        Problem(str(library / FILE_NAME), ruling.statement, what) for ruling, what in _wrong(rulings, known_ids)
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


def _wrong(rulings: Sequence[Ruling], known_ids: Collection[str]) -> list[tuple[Ruling, str]]:
    found = []
    seen: set[str] = set()
    for ruling in rulings:
        if ruling.key in seen:
            found.append((ruling, "this statement stands twice; keep one of the two"))
        seen.add(ruling.key)
        if not ruling.edited:
            continue
        before = ruling.applied.split()[-1]
        if ruling.decision == "merge" and ruling.into not in known_ids:
            near = get_close_matches(str(ruling.into), sorted(known_ids), n=1, cutoff=0.0)
            found.append((ruling, f"into: {ruling.into} does not exist; the nearest id is {''.join(near) or 'none'}"))
        if ruling.decision == "new" and ruling.into not in (None, before):
            found.append((ruling, "a new one gets its id from the import: leave `into` out, or set decision: merge"))
        if ruling.decision == "new" and ruling.applied.startswith("new"):
            found.append((ruling, f"it is the new one that {before} was made for; write into: {before} again"))
    return found
