"""What is told beside an output: the device that something is on, the number of cores, what an index begins with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lang import deferred_re as re
from lang.expressions import Row, Value
from lang.listed import lists_beside
from lang.modality import is_negated
from lang.pastes.model import RowRule
from lang.pastes.recognition import Recognised

_LISTED = lists_beside(__file__)

_CLAUSE = re.compile(r"[^,，。;；!！?？\n]+[?？]?")
_NAME = re.compile(r"[a-z][a-z0-9_-]*", re.IGNORECASE)
# The name by which a rule asks for it, as for a column.
CORES = "cores"
_TOLD = _LISTED.pattern("told", re.IGNORECASE)
# The name by which a rule asks for it, as for a column, and the column that tells what an index is on.
LEADS, _DEFINITION = "leads_filter", "indexdef"
_INDEX = _LISTED.pattern("index", re.IGNORECASE)
_CAST = re.compile(r"::[a-z ]+")
_NO_NAME = re.compile(r"[^a-z0-9_]+")


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


def cores_told(said: str) -> float | None:
    """The number of cores that words tell; None without one, and where they tell several."""
    told = {float(found["before"] or found["after"]) for found in _TOLD.finditer(said)}
    return told.pop() if len(told) == 1 else None


def with_cores(rule: RowRule, rows: tuple[Row, ...], said: str) -> tuple[Row, ...]:
    """The rows with the number of cores that is told beside them, where the rule asks for it."""
    if not any(CORES in found.names for found in rule.expressions):
        return rows
    told = cores_told(said)
    return rows if told is None else tuple({**row, CORES: told} for row in rows)


def with_leads(rule: RowRule, rows: tuple[Row, ...], key: str) -> tuple[Row, ...]:
    """The rows of indexes with whether each begins with a column of `key`, such as "coupons (coupon_code)"."""
    if not key or not any(LEADS in found.names for found in rule.expressions):
        return rows
    table, _, columns = key.removesuffix(")").partition(" (")
    names = {_plain(column) for column in columns.split(",")}
    return tuple({**row, LEADS: _leads(row.get(_DEFINITION), _plain(table.rpartition(".")[2]), names)} for row in rows)


def _leads(definition: Value, table: str, names: set[str]) -> bool | None:
    """None for an index of another table."""
    found = _INDEX.search(definition) if isinstance(definition, str) else None
    if found is None or (found["table"] and _plain(found["table"].rpartition(".")[2]) != table):
        return None
    return _plain(found["columns"].split(",")[0]) in names


def _plain(name: str) -> str:
    """A column or an expression without brackets, quotes, casts and what orders it."""
    return _NO_NAME.sub("", _CAST.sub("", name.lower()).split(" ")[0] if " " in name.strip() else name.lower())
