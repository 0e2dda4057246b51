"""Column mappings: a person's, or the one of mappings.yaml that fits the header."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from services.chassis.errors import InvalidInput
from services.knowledge.library.yaml_text import read_yaml, validation_problems

_SHIPPED = Path(__file__).with_name("mappings.yaml")
REQUIRED = ("ticket_id", "description", "root_cause")
OPTIONAL = ("solution", "analysis", "root_cause_id")


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Names = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], BeforeValidator(_listed)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AnomalyColumns(_Part):
    """Columns of an export that has one anomaly a row; rows of one ticket id are one ticket."""

    description: Names = Field(min_length=1)
    observation_method: Names = ()
    why_relevant: Names = ()


class Mapping(_Part):
    """The column titles of each field; of several titles the first one present counts.

    constants: metadata added to every ticket. sheet, delimiter, encoding: overrides for automatic detection.
    """

    ticket_id: Names = Field(min_length=1)
    description: Names = Field(min_length=1)
    root_cause: Names = Field(min_length=1)
    solution: Names = ()
    analysis: Names = ()
    root_cause_id: Names = ()
    metadata: dict[str, Names] = Field(default_factory=dict)
    anomaly: AnomalyColumns | None = None
    constants: dict[str, str] = Field(default_factory=dict)
    sheet: str | None = None
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    encoding: str | None = None

    def wanted(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The path of each field in a ticket, and its possible titles."""
        yield from ((name, getattr(self, name)) for name in (*REQUIRED, *OPTIONAL) if getattr(self, name))
        yield from ((f"metadata.{name}", titles) for name, titles in self.metadata.items())
        if self.anomaly is not None:
            columns = ((name, getattr(self.anomaly, name)) for name in AnomalyColumns.model_fields)
            yield from ((f"anomaly.{name}", titles) for name, titles in columns if titles)

    def columns(self, header: Sequence[str]) -> dict[str, int]:
        """The column number of each field that the header has, by the field's path."""
        places: dict[str, int] = {}
        for number, title in enumerate(header):
            places.setdefault(_folded(title), number)
        found = {}
        for path, titles in self.wanted():
            column = next((places[_folded(title)] for title in titles if _folded(title) in places), None)
            if column is not None:
                found[path] = column
        return found

    def fits(self, header: Sequence[str]) -> bool:
        """True if the header has every required field."""
        return all(name in self.columns(header) for name in REQUIRED)


def read_mapping(content: bytes, source: str) -> Mapping:
    """A person's mapping. Raises InvalidInput naming the key."""
    try:
        text = content.decode("utf-8-sig")
        read_yaml(text)  # It refuses a key that stands twice.
        # All scalars are text: a column may be called No or 1.
        return Mapping.model_validate(yaml.load(text, Loader=yaml.BaseLoader) or {})
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidInput("invalid_tickets.mapping_text", source=source, why=str(error)) from error
    except ValidationError as error:
        known = {*Mapping.model_fields, *AnomalyColumns.model_fields}
        found = sorted(validation_problems(error, known), key=lambda item: item[1].key != "library_problem.unknown_key")
        place, what = found[0]
        raise InvalidInput("invalid_tickets.mapping_key", source=source, place=place, why=what) from error


@lru_cache(maxsize=1)
def shipped_mappings() -> dict[str, Mapping]:
    """The mappings that need no file, by name."""
    content = read_yaml(_SHIPPED.read_text(encoding="utf-8"))
    return {name: Mapping.model_validate(value) for name, value in content.items()}


def check_header(mapping: Mapping, header: Sequence[str]) -> None:
    """Raises InvalidInput for a mapped column that the header lacks or has twice."""
    found = mapping.columns(header)
    for path, titles in mapping.wanted():
        if path not in found:
            near = difflib.get_close_matches(titles[0], [title for title in header if title], n=1, cutoff=0.0)
            nearest = "".join(near)
            raise InvalidInput("invalid_tickets.column_missing", field=path, column=titles[0], nearest=nearest)
    check_once(found, header)


def check_once(columns: dict[str, int], header: Sequence[str]) -> None:
    """Raises InvalidInput if a mapped column occurs twice in the header."""
    folded = [_folded(title) for title in header]
    for column in columns.values():
        if folded.count(folded[column]) > 1:
            raise InvalidInput("invalid_tickets.column_twice", column=header[column])


def _folded(title: str) -> str:
    return "".join(unicodedata.normalize("NFKC", title).replace("\ufeff", "").casefold().split())
