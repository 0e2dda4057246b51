"""Which major versions of a server a statement is for, as ">=14,<17"."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from services.chassis.problems import Misfit

_BOUND = re.compile(r"(>=|<=|<|>|==)(\d+)")
_HOLDS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "<": operator.lt,
    ">": operator.gt,
    "==": operator.eq,
}


@dataclass(frozen=True, slots=True)
class Versions:
    """A conjunction of bounds; the empty text holds for every version."""

    text: str = ""

    def __post_init__(self) -> None:
        if self.text and not all(_BOUND.fullmatch(part) for part in self.text.split(",")):
            raise Misfit("bad_catalogue.no_versions", text=repr(self.text))

    def hold(self, version: int) -> bool:
        """True if the bounds include a major version."""
        return all(_HOLDS[sign](version, int(number)) for sign, number in _BOUND.findall(self.text))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Lets pydantic read the bounds from a text."""
        made = core_schema.no_info_after_validator_function(cls, core_schema.str_schema())
        return core_schema.union_schema([core_schema.is_instance_schema(cls), made])
