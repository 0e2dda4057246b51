"""One entry of the targets file, by its kind. It names where secrets are and never holds them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from services.chassis.messages import Message
from services.chassis.problems import Misfit, field_problem
from services.collector.model import Target, TargetKind
from services.collector.targets.connections import Jvm, Tls

_LOOPBACK = re.compile(r"http://(127(\.\d+){3}|localhost|\[::1\])(:\d+)?(/|$)")


class TargetEntry(BaseModel):
    """The fields of every target. host: the id of the target that is the host of this one."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", hide_input_in_errors=True)

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")
    kind: TargetKind
    description: str = ""
    host: str = ""

    @property
    def described(self) -> Target:
        """The target as others see it."""
        return Target(self.id, self.kind, self.description)

    def engines(self) -> tuple[str, ...]:
        """The engines whose checks run on this entry itself."""
        return ("host",)


class JavaEntry(BaseModel):
    """A JVM of a host, by its process or by what it was started with: main class, or file name of jar or source.

    home: of the JDK whose tools inspect it; None: those on the path.
    """

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", hide_input_in_errors=True)

    pid: int = Field(default=0, ge=0)
    main: str = Field(default="", pattern=r"^[\w.$-]*$")
    home: Path | None = None

    @model_validator(mode="after")
    def _one_name(self) -> JavaEntry:
        if bool(self.pid) == bool(self.main):
            raise Misfit("bad_targets.jvm_name")
        if self.home and not self.home.is_absolute():
            raise Misfit("bad_targets.jdk_home")
        return self

    def jvm(self) -> Jvm:
        """As the executor takes it."""
        return Jvm(self.pid, self.main, str(self.home or ""))


class MachineEntry(TargetEntry):
    """A host, and optionally the JVM on it that checks inspect."""

    java: JavaEntry | None = None

    def engines(self) -> tuple[str, ...]:
        """See TargetEntry."""
        return ("host", "java") if self.java else ("host",)

    def jvm(self) -> Jvm | None:
        """As the executor takes it."""
        return self.java.jvm() if self.java else None


class HostEntry(MachineEntry):
    """The host the collector runs on."""

    kind: Literal[TargetKind.HOST]
    host: Literal[""] = ""


class WithSecret(TargetEntry):
    """A target that may need a secret, with the variable or the file that holds it."""

    password_env: str = ""
    password_file: Path | None = None

    @model_validator(mode="after")
    def _one_place(self) -> WithSecret:
        if self.password_env and self.password_file:
            raise Misfit("bad_targets.two_passwords")
        return self


class DatabaseEntry(WithSecret):
    """A database server. host_here: it runs on this machine."""

    host_here: bool = False

    @model_validator(mode="after")
    def _one_host(self) -> DatabaseEntry:
        if self.host and self.host_here:
            raise Misfit("bad_targets.two_hosts")
        return self

    def engines(self) -> tuple[str, ...]:
        """See TargetEntry."""
        return (self.kind.value, "host") if self.host_here else (self.kind.value,)


class PostgresEntry(DatabaseEntry):
    """standby_conninfo: the server for the checks that only a standby can answer."""

    kind: Literal[TargetKind.POSTGRES]
    conninfo: str = ""
    standby_conninfo: str = ""

    @model_validator(mode="after")
    def _sound(self) -> PostgresEntry:
        if not self.conninfo:
            raise Misfit("bad_targets.no_conninfo")
        for conninfo in (self.conninfo, self.standby_conninfo):
            _check_conninfo(conninfo)
        return self

    def has_standby(self) -> bool:
        """True if a standby is configured and, for a socket on this machine, the socket's folder exists."""
        if not self.standby_conninfo:
            return False
        from psycopg.conninfo import conninfo_to_dict

        folder = str(conninfo_to_dict(self.standby_conninfo).get("host") or "")
        return not folder.startswith("/") or Path(folder).is_dir()


class MysqlEntry(DatabaseEntry):
    """By socket, or by address and port. tls: verify-full or verify-ca, by ca_file where it names one; or off."""

    kind: Literal[TargetKind.MYSQL]
    address: str = ""
    port: int = Field(default=3306, ge=1, le=65535)
    socket: Path | None = None
    user: str = Field(min_length=1)
    tls: Tls = "verify-full"
    ca_file: Path | None = None

    @model_validator(mode="after")
    def _sound(self) -> MysqlEntry:
        if bool(self.address) == bool(self.socket):
            raise Misfit("bad_targets.mysql_address")
        return self


class SshEntry(MachineEntry, WithSecret):
    """A host that is reached by SSH. Without a key_file the password is the login's, with one it is the key's.

    agent: keys of the agent that SSH_AUTH_SOCK names. known_hosts: hosts that are not in it are refused.
    """

    kind: Literal[TargetKind.SSH]
    host: Literal[""] = ""
    address: str = Field(min_length=1, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]*$")
    port: int = Field(default=22, ge=1, le=65535)
    user: str = Field(min_length=1)
    known_hosts: Path = Path("~/.ssh/known_hosts")
    key_file: Path | None = None
    agent: bool = False

    @model_validator(mode="after")
    def _some_login(self) -> SshEntry:
        if not (self.key_file or self.agent or self.password_env or self.password_file):
            raise Misfit("bad_targets.no_login")
        return self


_Label = Annotated[str, StringConstraints(pattern=r"^[a-zA-Z_][a-zA-Z0-9_]{0,63}$")]
# The length apart from the pattern: a pattern that counts to 200 takes a tenth of a second to compile.
_LabelValue = Annotated[str, StringConstraints(pattern=r"^[\w .:/@=+,-]+$", max_length=200)]


def _pairs(value: Any) -> Any:
    return tuple(value.items()) if isinstance(value, dict) else value


_Labels = Annotated[tuple[tuple[_Label, _LabelValue], ...], BeforeValidator(_pairs)]


class PrometheusEntry(WithSecret):
    """A Prometheus server with metrics of exporters. Without a user the secret is a bearer token.

    node, postgres: the labels that select the series of one host and of one server.
    """

    kind: Literal[TargetKind.PROMETHEUS]
    host: Literal[""] = ""
    url: str = Field(pattern=r"^https?://[^\s/?#@]+(/[^\s?#@]*)?$")
    user: str = ""
    ca_file: Path | None = None
    node: _Labels = ()
    postgres: _Labels = ()
    window: str = Field(default="2m", pattern=r"^[1-9][0-9]{0,3}[sm]$")

    @model_validator(mode="after")
    def _sound(self) -> PrometheusEntry:
        if not (self.node or self.postgres):
            raise Misfit("bad_targets.no_labels")
        if self.user and not (self.password_env or self.password_file):
            raise Misfit("bad_targets.no_password")
        if self._has_secret() and self.url.startswith("http:") and not _LOOPBACK.match(self.url):
            raise Misfit("bad_targets.plain_http")
        return self

    def _has_secret(self) -> bool:
        return bool(self.password_env or self.password_file)

    def engines(self) -> tuple[str, ...]:
        """See TargetEntry."""
        named = {"postgres_exporter": self.postgres, "node_exporter": self.node}
        return tuple(engine for engine, labels in named.items() if labels)


_AnyEntry = HostEntry | PostgresEntry | MysqlEntry | SshEntry | PrometheusEntry
# The kinds of targets that can be the host of another.
HOSTS = (TargetKind.HOST, TargetKind.SSH, TargetKind.PROMETHEUS)
# Built for the first file of targets.
_ENTRIES: TypeAdapter[_AnyEntry] = TypeAdapter(
    Annotated[_AnyEntry, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)


def parse_entry(value: object) -> TargetEntry:
    """The entry that a mapping describes. Raises pydantic's ValidationError, which never shows the value."""
    return _ENTRIES.validate_python(value)


def problem_of(error: ValidationError) -> Message:
    """The first problem of an entry: its field and why, and never the value."""
    first = error.errors(include_input=False, include_url=False)[0]
    if first["type"].startswith("union_tag"):
        return Message("bad_targets.kind", {"known": tuple(sorted(TargetKind))})
    # If the kind is known, pydantic puts it in front of the path.
    field = ".".join(map(str, first["loc"][1:])) or Message("bad_targets.whole")
    return Message("bad_targets.field", {"field": field, "why": field_problem(first)})


def _check_conninfo(conninfo: str) -> None:
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        parts = conninfo_to_dict(conninfo)
    except ProgrammingError:
        raise Misfit("bad_targets.bad_conninfo") from None
    if parts.get("password"):
        raise Misfit("bad_targets.password_in_conninfo")
