"""One entry of the catalogue as its file has it; an error names the entry and the field."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, core_schema

from lang.expressions import Expression, NotInLanguage, parse
from services.chassis.problems import Misfit
from services.collector import model

_PROBLEMS = {
    "no_expression": "bad_catalogue.no_expression",
    "no_function": "bad_catalogue.no_function",
    "odd_constant": "bad_catalogue.odd_constant",
    "not_in_language": "bad_catalogue.not_in_language",
}
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


def _parse(text: str) -> Expression:
    try:
        return parse(text)
    except NotInLanguage as error:
        raise Misfit(_PROBLEMS[error.problem], **error.details) from error


Parsed = Annotated[Expression, BeforeValidator(_parse)]
Engine = Literal["postgres", "mysql", "host", "java", "node_exporter", "postgres_exporter"]
_ASKED_IN_SQL = ("postgres", "mysql")
_ASKED_IN_PROMQL = ("node_exporter", "postgres_exporter")
Role = Literal["any", "primary", "standby"]
# The sources below /proc that a check may read, and the programs it may run on a host or a JVM.
SOURCES: tuple[str, ...] = ("cpu", "memory", "pressure", "disks", "network", "files", "processes")
SOURCES += ("groups", "logs", "interfaces", "sockets", "busiest", "cores")
HOST_PROGRAMS = ("df",)
JVM_PROGRAMS = ("jstat", "jstack")


class Entry(BaseModel):
    """Frozen, and strict about unknown fields."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", arbitrary_types_allowed=True)


class Name(Entry):
    """The name that people see."""

    zh: str = Field(min_length=1)
    en: str = Field(min_length=1)


class Statement(Entry):
    """The SQL for some versions."""

    versions: Versions = Versions()
    sql: str = Field(min_length=8)


class Parameter(Entry):
    """One typed parameter."""

    pattern: str
    required: bool = False
    default: str = ""

    @model_validator(mode="after")
    def _fits(self) -> Parameter:
        if not self.required and not re.fullmatch(self.pattern, self.default):
            raise Misfit("bad_catalogue.default", value=repr(self.default), pattern=repr(self.pattern))
        return self


class SignalEntry(Entry):
    """One signal: its expression over the rows, and its unit. A bare text is the expression."""

    expression: Parsed = Field(alias="value")
    unit: str = ""

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: Any) -> Any:
        return {"value": value} if isinstance(value, str) else value


class FindingEntry(Entry):
    """When a phenomenon is confirmed and when denied, over the signals; unknown otherwise.

    confirmed_without_slot: also confirmed if the server refuses the connection because no slot is free.
    """

    confirmed: Parsed | None = None
    denied: Parsed | None = None
    confirmed_without_slot: bool = False


class CatalogueCheck(Entry):
    """One check. reads and interval_seconds: how often it reads; key: the columns that identify a row across reads.

    extension: names are resolved in its schema as well as in pg_catalog. queries: PromQL by the column that it fills,
    for now or, with range_seconds and step_seconds, for that range up to now.
    """

    id: str = Field(pattern=r"^[a-z]+(\.[a-z0-9_]+)+$")
    name: Name
    engine: Engine
    role: Role = "any"
    statements: tuple[Statement, ...] = ()
    extension: str = ""
    source: str = ""
    argv: tuple[str, ...] = ()
    queries: dict[Annotated[str, Field(pattern=r"^[a-z_]+$")], str] = {}
    range_seconds: int = Field(default=0, ge=0, le=3600)
    step_seconds: int = Field(default=0, ge=0, le=600)
    parameters: dict[str, Parameter] = {}
    timeout_seconds: float = Field(default=3.0, gt=0, le=30)
    max_rows: int = Field(default=200, gt=0, le=5000)
    max_bytes: int = Field(default=262_144, gt=0, le=4_194_304)
    reads: int = Field(default=1, ge=1, le=20)
    interval_seconds: float = Field(default=0.0, ge=0, le=10)
    key: tuple[str, ...] = ()
    cost: int = Field(default=1, ge=1, le=5)
    risk: model.Risk = model.Risk.NONE
    signals: dict[str, SignalEntry]
    findings: dict[Annotated[str, Field(pattern=r"^P-\d{4}$")], FindingEntry]

    @model_validator(mode="before")
    @classmethod
    def _one_statement(cls, value: Any) -> Any:
        if isinstance(value, dict) and "sql" in value:
            value = {**value, "statements": [{"sql": value["sql"]}]}
            del value["sql"]
        return value

    @model_validator(mode="after")
    def _whole(self) -> CatalogueCheck:
        ways = (self.statements, self.source, self.argv, self.queries)
        fits = (self.engine in _ASKED_IN_SQL) == bool(self.statements)
        fits = fits and (self.engine in _ASKED_IN_PROMQL) == bool(self.queries)
        if sum(1 for way in ways if way) != 1 or not fits:
            raise Misfit("bad_catalogue.one_way")
        programs = JVM_PROGRAMS if self.engine == "java" else HOST_PROGRAMS
        if (self.source and self.source not in SOURCES) or (self.argv and self.argv[0] not in programs):
            raise Misfit("bad_catalogue.no_source")
        if any("$series" not in query for query in self.queries.values()):
            raise Misfit("bad_catalogue.no_series")
        if bool(self.range_seconds) != bool(self.step_seconds):
            raise Misfit("bad_catalogue.no_steps")
        known: set[str] = set(self.signals)
        for phenomenon, finding in self.findings.items():
            for expression in filter(None, (finding.confirmed, finding.denied)):
                if missing := [name for name in expression.names if name not in known]:
                    raise Misfit("bad_catalogue.no_signal", phenomenon=phenomenon, names=", ".join(missing))
        return self

    def statement(self, version: int) -> str | None:
        """The SQL for a server's major version; None where there is none."""
        return next((item.sql for item in self.statements if item.versions.hold(version)), None)

    def described(self, categories: tuple[str, ...]) -> model.Check:
        """The check as others see it."""
        return model.Check(
            check_id=self.id,
            name=model.LocalizedText(self.name.zh, self.name.en),
            engine=self.engine,
            versions=" or ".join(filter(None, (item.versions.text for item in self.statements))),
            categories=categories,
            parameters=tuple(
                model.CheckParameter(name, item.pattern, item.required, item.default)
                for name, item in sorted(self.parameters.items())
            ),
            phenomenon_ids=tuple(self.findings),
            timeout_seconds=self.timeout_seconds,
            cost=self.cost,
            risk=self.risk,
        )
