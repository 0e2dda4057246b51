"""review.yaml: every decision of an import in a file that a person reads, edits and applies by importing again.

It is the library's memory of statements: a statement that stands here never gets another id by itself. An edit is seen
by comparing `decision` and `into` with `applied`, which only an import writes.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from services.knowledge.importing.matching.statement import normalise
from services.knowledge.library.load import InvalidLibrary, Problem
from services.knowledge.library.yaml_text import read_yaml, validation_problems, verbatim, write_yaml

FILE_NAME = "review.yaml"
FIRST_SITE_NUMBER = 5000
_HEADER = """\
# What imports decided. To change a decision, edit `decision` (merge or new) and `into` (the id to merge into), then
# import again; set `unclear: false` to agree with it. Everything else is written by the import.
"""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Nearest(_Part):
    """The best alternative to a decision. score in [0, 1]."""

    id: str
    name: str
    score: float


class Name(_Part):
    """An entry's name as a person gave it, in one language or both."""

    zh: str | None = None
    en: str | None = None


class Ruling(_Part):
    """One statement's decision. seen: how many anomalies or tickets say it; seen_in: up to three of them."""

    statement: str
    decision: Literal["merge", "new"]
    into: str | None = None
    score: float | None = None
    nearest: Nearest | None = None
    unclear: bool = False
    decided_by: Literal["import", "person"] = "import"
    applied: str = Field(default="", pattern=r"^((merge|new) (P|RC)-\d{4,})?$")
    seen: int = 0
    seen_in: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """The key of the statement, which identifies it."""
        return normalise(self.statement)

    @property
    def handle(self) -> str:
        """Names the ruling in a command: the first digits of its statement's digest."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:8]

    @property
    def edited(self) -> bool:
        """A person changed it since the last import."""
        return self.applied != "" and self.applied != self.as_applied()

    def as_applied(self) -> str:
        """The decision in one word and an id."""
        return f"{self.decision} {self.into}"


class Review(_Part):
    """All decisions. next_*: the next free numbers; numbers are never used twice.

    names: what a person called an entry. retired: ids that were given up, and where their statements went first.
    """

    next_phenomenon: int = Field(default=FIRST_SITE_NUMBER, ge=FIRST_SITE_NUMBER)
    next_root_cause: int = Field(default=FIRST_SITE_NUMBER, ge=FIRST_SITE_NUMBER)
    names: dict[str, Name] = Field(default_factory=dict)
    retired: dict[str, str] = Field(default_factory=dict)
    phenomena: tuple[Ruling, ...] = ()
    root_causes: tuple[Ruling, ...] = ()


_KEYS = frozenset(key for model in (Review, Ruling, Nearest, Name) for key in model.model_fields)


def read_review(library: Path) -> Review:
    """The review file of a library; empty if there is none. Raises InvalidLibrary naming the field."""
    path = library / FILE_NAME
    if not path.is_file():
        return Review()
    try:
        return Review.model_validate(read_yaml(path.read_text(encoding="utf-8")) or {})
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidLibrary([library], [Problem(str(path), "", verbatim(str(error)))]) from error
    except ValidationError as error:
        found = [Problem(str(path), place, what) for place, what in validation_problems(error, _KEYS)]
        raise InvalidLibrary([library], found) from error


def review_text(review: Review) -> str:
    """The file's text: unclear rulings first, then by id, then by statement."""
    value = {
        "next_phenomenon": review.next_phenomenon,
        "next_root_cause": review.next_root_cause,
        "names": {key: name.model_dump(exclude_none=True) for key, name in sorted(review.names.items())},
        "retired": dict(sorted(review.retired.items())),
        "phenomena": [_plain(ruling) for ruling in sorted(review.phenomena, key=_order)],
        "root_causes": [_plain(ruling) for ruling in sorted(review.root_causes, key=_order)],
    }
    return _HEADER + write_yaml({key: item for key, item in value.items() if item or key not in ("names", "retired")})


def _order(ruling: Ruling) -> tuple[bool, str, str, str]:
    return (not ruling.unclear, ruling.into or "", "" if ruling.decision == "new" else "merge", ruling.key)


def _plain(ruling: Ruling) -> dict[str, Any]:
    value = ruling.model_dump(mode="json")
    return {key: item for key, item in value.items() if item is not None}
