"""Which of the devices that a tool lists a person says that something is on: "data and pg_wal are both on vdb"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lang import deferred_re as re
from lang.modality import is_negated
from lang.pastes.recognition import Recognised

_CLAUSE = re.compile(r"[^,，。;；!！?？\n]+[?？]?")
_NAME = re.compile(r"[a-z][a-z0-9_-]*", re.IGNORECASE)


def of_named_device(found: Recognised, said: str) -> Recognised:
    """The output cut down to the devices that are told to hold what its rule is about, as if it had been asked for."""
    rule, table = found.check.check.rows, found.table
    named = set(_names(said, rule.held)) if rule and rule.held else set()
    places = [place for place, row in enumerate(table.rows) if any(_is_on(row[0], name) for name in named)]
    if not places:
        return found
    told = tuple(table.told[place] for place in places) if table.told else ()
    return replace(found, asked=True, table=replace(table, rows=tuple(table.rows[at] for at in places), told=told))


def _names(said: str, held: tuple[str, ...]) -> Iterator[str]:
    """The names in clauses that claim something of what is held."""
    for clause in _CLAUSE.findall(said):
        claims = not clause.endswith(("?", "？")) and not is_negated(clause)
        if claims and any(word.lower() in clause.lower() for word in held):
            yield from _NAME.findall(clause)


def _is_on(device: str, name: str) -> bool:
    """Whether a name is that of a device or of a partition of it."""
    rest = name.removeprefix(device)
    return rest != name and (rest == "" or rest.lstrip("p").isdigit())
