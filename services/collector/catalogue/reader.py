"""The catalogue whole: checks from the folders, and the routing that says which checks serve which category."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import starmap
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, ValidationError

from services.chassis.errors import InvalidInput
from services.chassis.messages import Message
from services.chassis.problems import field_problem, verbatim
from services.collector import model
from services.collector.catalogue.schema import CatalogueCheck, Entry, Name

FOLDER = Path(__file__).parent


class Category(Entry):
    """One kind of trouble. checks: those that serve it, the most telling first; minimum: those that must run.

    speaks_for and speaks_against: phenomena that, when confirmed, add to or take from its score.
    """

    name: Name
    checks: tuple[str, ...] = Field(min_length=1)
    minimum: tuple[str, ...] = ()
    speaks_for: dict[str, float]
    speaks_against: dict[str, float] = Field(default_factory=dict)


class Routing(Entry):
    """baseline: the checks that every diagnosis begins with."""

    baseline: tuple[str, ...] = Field(min_length=1)
    categories: dict[str, Category]


@dataclass(frozen=True)
class Catalogue:
    """All checks by id, and the routing."""

    checks: Mapping[str, CatalogueCheck]
    routing: Routing

    def categories_of(self, check_id: str) -> tuple[str, ...]:
        """The categories that a check serves, in name order."""
        return tuple(sorted(name for name, item in self.routing.categories.items() if check_id in item.checks))

    def allowed(self, check_id: str, category: str) -> bool:
        """True if a category admits a check. Every category admits the baseline; the empty category admits all."""
        if not category or check_id in self.routing.baseline:
            return True
        known = self.routing.categories.get(category)
        return known is not None and check_id in known.checks

    def described(self) -> tuple[model.Check, ...]:
        """Every check as others see it, in id order."""
        return tuple(self.checks[name].described(self.categories_of(name)) for name in sorted(self.checks))

    def routes(self, known: Collection[str]) -> tuple[model.Route, ...]:
        """Every category as others see it, in name order, with those of its checks that are `known`."""
        return tuple(
            model.Route(
                category=name,
                name=model.LocalizedText(item.name.zh, item.name.en),
                check_ids=tuple(check for check in item.checks if check in known),
                minimum_check_ids=tuple(check for check in item.minimum if check in known),
                speaks_for=tuple(starmap(model.Weight, item.speaks_for.items())),
                speaks_against=tuple(starmap(model.Weight, item.speaks_against.items())),
            )
            for name, item in sorted(self.routing.categories.items())
        )


@cache
def shipped() -> Catalogue:
    """The catalogue that comes with the collector."""
    return read_catalogue(FOLDER)


class DeferredCatalogue(Catalogue):
    """The shipped catalogue, read when anything is asked of it: a diagnosis needs it, a start does not."""

    def __init__(self) -> None:
        pass

    @property
    def checks(self) -> Mapping[str, CatalogueCheck]:
        """See Catalogue."""
        return shipped().checks

    @property
    def routing(self) -> Routing:
        """See Catalogue."""
        return shipped().routing


def read_catalogue(folder: Path) -> Catalogue:
    """Reads `<engine>/*.yaml`, `routing.yaml`, and `routing_*.yaml` that add to it. Raises InvalidInput that names the
    file, the entry and the field."""
    checks: dict[str, CatalogueCheck] = {}
    for path in sorted(folder.glob("*/*.yaml")):
        for number, entry in enumerate(_document(path) or [], 1):
            check = _entry(entry, path, number)
            if check.id in checks:
                raise InvalidInput("bad_catalogue.twice", path=str(path), check=check.id)
            checks[check.id] = check
    routing = _routing(folder / "routing.yaml")
    for path in sorted(folder.glob("routing_*.yaml")):
        routing = _joined(routing, _routing(path))
    _agree(checks, routing, folder)
    return Catalogue(checks, routing)


def _document(path: Path) -> Any:
    try:
        return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidInput("bad_catalogue.file", path=str(path), why=verbatim(error)) from error


def _entry(entry: object, path: Path, number: int) -> CatalogueCheck:
    name = entry.get("id", f"entry {number}") if isinstance(entry, dict) else f"entry {number}"
    try:
        return CatalogueCheck.model_validate(entry)
    except ValidationError as error:
        raise InvalidInput("bad_catalogue.entry", path=str(path), name=str(name), why=_first(error)) from error


def _routing(path: Path) -> Routing:
    try:
        return Routing.model_validate(_document(path))
    except ValidationError as error:
        raise InvalidInput("bad_catalogue.file", path=str(path), why=_first(error)) from error


def _joined(first: Routing, other: Routing) -> Routing:
    """Both: a category that stands in both has the checks and the signs of both, and the name of the first."""
    categories = dict(first.categories)
    for name, item in other.categories.items():
        known = categories.get(name)
        categories[name] = item if known is None else _both(known, item)
    return Routing(baseline=(*first.baseline, *other.baseline), categories=categories)


def _both(first: Category, other: Category) -> Category:
    return Category(
        name=first.name,
        checks=(*first.checks, *other.checks),
        minimum=(*first.minimum, *other.minimum),
        speaks_for={**first.speaks_for, **other.speaks_for},
        speaks_against={**first.speaks_against, **other.speaks_against},
    )


def _agree(checks: Mapping[str, CatalogueCheck], routing: Routing, folder: Path) -> None:
    named = [*routing.baseline, *(check for item in routing.categories.values() for check in item.checks)]
    if missing := sorted(set(named) - set(checks)):
        raise InvalidInput("bad_catalogue.no_such_check", path=str(folder), checks=", ".join(missing))
    for name, item in routing.categories.items():
        if not set(item.minimum) <= {*item.checks, *routing.baseline}:
            raise InvalidInput("bad_catalogue.minimum", path=str(folder), category=name)


def _first(error: ValidationError) -> Message:
    found = error.errors()[0]
    return Message("bad_catalogue.field", {"field": ".".join(map(str, found["loc"])), "why": field_problem(found)})
