"""The targets file: which systems may be looked at, and where the secret for each is, never the secret itself.

    targets:
      - id: orders
        kind: postgres
        description: the orders database
        conninfo: host=db1 dbname=orders user=dbdiag_ro sslmode=verify-full
        password_env: ORDERS_PASSWORD
        host_here: false
        standby_conninfo: host=db2 dbname=orders user=dbdiag_ro sslmode=verify-full
      - {id: this-host, kind: host}

`host_here` says that the database runs on this machine, so that host checks may be used for it. `standby_conninfo`
leads to a standby of it, where the checks that only a standby can answer then look, with the same password.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from services.chassis.errors import InvalidInput, NotFound
from services.collector.executors.postgres import PostgresTarget
from services.collector.model import Target, TargetKind


class TargetEntry(BaseModel):
    """One target as it stands in the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")
    kind: TargetKind
    description: str = ""
    conninfo: str = ""
    password_env: str = ""
    password_file: Path | None = None
    host_here: bool = False
    standby_conninfo: str = ""

    @model_validator(mode="after")
    def _sound(self) -> TargetEntry:
        if (self.kind is TargetKind.POSTGRES) != bool(self.conninfo):
            raise ValueError("a postgres target has a conninfo, a host has none")
        for conninfo in (self.conninfo, self.standby_conninfo):
            _check_conninfo(conninfo)
        if self.password_env and self.password_file:
            raise ValueError("the password is in a variable or in a file, not in both")
        return self

    @property
    def described(self) -> Target:
        """The target as others see it."""
        return Target(self.id, self.kind, self.description)

    def engines(self) -> tuple[str, ...]:
        """The engines whose checks apply."""
        if self.kind is TargetKind.HOST:
            return ("host",)
        return ("postgres", "host") if self.host_here else ("postgres",)


class Targets:
    """The configured targets; `secrets` has the passwords by the names that entries give."""

    def __init__(self, entries: tuple[TargetEntry, ...], secrets: Mapping[str, str]) -> None:
        self._entries = {entry.id: entry for entry in entries}
        self._secrets = secrets

    def all(self) -> tuple[Target, ...]:
        """Every target in id order, without secrets."""
        return tuple(self._entries[name].described for name in sorted(self._entries))

    def entry(self, target_id: str) -> TargetEntry:
        """Raises NotFound for a target that is not configured."""
        found = self._entries.get(target_id)
        if found is None:
            known = ", ".join(sorted(self._entries)) or "none"
            raise NotFound(f"looking for target {target_id!r}: configured are {known}", reason="target_not_found")
        return found

    def postgres(self, entry: TargetEntry, conninfo: str = "") -> PostgresTarget:
        """How to connect, with its secret; `conninfo`: to its standby. Raises InvalidInput where there is no secret."""
        secret = self._secret(entry)
        plain = conninfo or entry.conninfo
        return PostgresTarget(entry.id, make_conninfo(plain, **({"password": secret} if secret else {})))

    def _secret(self, entry: TargetEntry) -> str:
        if entry.password_env:
            if entry.password_env not in self._secrets:
                raise InvalidInput(f"connecting to {entry.id}: the variable {entry.password_env} is not set")
            return self._secrets[entry.password_env]
        if entry.password_file is None:
            return ""
        try:
            return entry.password_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"connecting to {entry.id}: reading {entry.password_file}: {error}") from error


def read_targets(path: Path | None, secrets: Mapping[str, str]) -> Targets:
    """The targets of a file; without one there is this host alone. Raises InvalidInput that names entry and field."""
    if path is None:
        here = TargetEntry(id="this-host", kind=TargetKind.HOST, description="the host the collector runs on")
        return Targets((here,), secrets)
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidInput(f"reading targets from {path}: {error}", reason="bad_targets") from error
    listed = document.get("targets") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise InvalidInput(f"reading targets from {path}: expected a list under `targets`", reason="bad_targets")
    entries = tuple(_entry(value, number, path) for number, value in enumerate(listed, 1))
    if len({entry.id for entry in entries}) < len(entries):
        raise InvalidInput(f"reading targets from {path}: an id stands there twice", reason="bad_targets")
    return Targets(entries, secrets)


def _check_conninfo(conninfo: str) -> None:
    try:
        parts = conninfo_to_dict(conninfo)
    except ProgrammingError:
        raise ValueError("the conninfo is none that libpq reads") from None
    if parts.get("password"):
        raise ValueError("the conninfo holds a password; name a variable or file that has it")


def _entry(value: object, number: int, path: Path) -> TargetEntry:
    try:
        return TargetEntry.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "as a whole"
        said = f"target {number}, {where}: {first['msg']}"
        raise InvalidInput(f"reading targets from {path}: {said}", reason="bad_targets") from error
