"""One target as it stands in the targets file, by its kind. Secrets are named here and never held."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict
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

from services.collector.executors.java import Jvm
from services.collector.model import Target, TargetKind

_LOOPBACK = re.compile(r"http://(127(\.\d+){3}|localhost|\[::1\])(:\d+)?(/|$)")


class TargetEntry(BaseModel):
    """What every target has. host: the id of the target through which the host of this one is looked at."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")
    kind: TargetKind
    description: str = ""
    host: str = ""

    @property
    def described(self) -> Target:
        """The target as others see it."""
        return Target(self.id, self.kind, self.description)

    def engines(self) -> tuple[str, ...]:
        """The engines whose checks this entry itself answers."""
        return ("host",)


class JavaEntry(BaseModel):
    """A JVM of a host, by its process or by what it was started with: main class, or file name of jar or source.

    home: of the JDK whose tools look at it; None for those that the system finds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    pid: int = Field(default=0, ge=0)
    main: str = Field(default="", pattern=r"^[\w.$-]*$")
    home: Path | None = None

    @model_validator(mode="after")
    def _one_name(self) -> JavaEntry:
        if bool(self.pid) == bool(self.main):
            raise ValueError("a JVM is named by its pid or by its main class, jar or source file")
        if self.home and not self.home.is_absolute():
            raise ValueError("the home of the JDK is an absolute path")
        return self

    def jvm(self) -> Jvm:
        """As the executor takes it."""
        return Jvm(self.pid, self.main, str(self.home or ""))


class MachineEntry(TargetEntry):
    """A host, and the JVM on it that is looked at as well."""

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
    """A target that may need a secret: the variable or the file that has it."""

    password_env: str = ""
    password_file: Path | None = None

    @model_validator(mode="after")
    def _one_place(self) -> WithSecret:
        if self.password_env and self.password_file:
            raise ValueError("the password is in a variable or in a file, not in both")
        return self


class DatabaseEntry(WithSecret):
    """A database server. host_here: it runs on this machine."""

    host_here: bool = False

    @model_validator(mode="after")
    def _one_host(self) -> DatabaseEntry:
        if self.host and self.host_here:
            raise ValueError("its host is here or is a target of its own, not both")
        return self

    def engines(self) -> tuple[str, ...]:
        """See TargetEntry."""
        return (self.kind.value, "host") if self.host_here else (self.kind.value,)


class PostgresEntry(DatabaseEntry):
    """standby_conninfo: where checks that only a standby can answer look."""

    kind: Literal[TargetKind.POSTGRES]
    conninfo: str = ""
    standby_conninfo: str = ""

    @model_validator(mode="after")
    def _sound(self) -> PostgresEntry:
        if not self.conninfo:
            raise ValueError("a postgres target has a conninfo")
        for conninfo in (self.conninfo, self.standby_conninfo):
            _check_conninfo(conninfo)
        return self

    def has_standby(self) -> bool:
        """Whether a standby is named; one on this machine, by the folder of its socket, only while that is there."""
        if not self.standby_conninfo:
            return False
        folder = str(conninfo_to_dict(self.standby_conninfo).get("host") or "")
        return not folder.startswith("/") or Path(folder).is_dir()


class MysqlEntry(DatabaseEntry):
    """By socket, or by address and port. tls: verify-full or verify-ca, by ca_file where it names one; or off."""

    kind: Literal[TargetKind.MYSQL]
    address: str = ""
    port: int = Field(default=3306, ge=1, le=65535)
    socket: Path | None = None
    user: str = Field(min_length=1)
    tls: Literal["verify-full", "verify-ca", "off"] = "verify-full"
    ca_file: Path | None = None

    @model_validator(mode="after")
    def _sound(self) -> MysqlEntry:
        if bool(self.address) == bool(self.socket):
            raise ValueError("a mysql target has an address or a socket")
        return self


class SshEntry(MachineEntry, WithSecret):
    """A host that is reached by SSH. Without a key_file the password is the login's, with one it is the key's.

    agent: keys of the agent that SSH_AUTH_SOCK names. known_hosts: a host that does not stand there is refused.
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
            raise ValueError("an ssh target logs in by a key_file, an agent, or a password_env or password_file")
        return self


_Label = Annotated[str, StringConstraints(pattern=r"^[a-zA-Z_][a-zA-Z0-9_]{0,63}$")]
# The length apart from the form: an expression that counts to 200 takes a tenth of a second to make.
_LabelValue = Annotated[str, StringConstraints(pattern=r"^[\w .:/@=+,-]+$", max_length=200)]


def _pairs(value: Any) -> Any:
    return tuple(value.items()) if isinstance(value, dict) else value


_Labels = Annotated[tuple[tuple[_Label, _LabelValue], ...], BeforeValidator(_pairs)]


class PrometheusEntry(WithSecret):
    """What exporters measured, asked of a Prometheus. Without a user the secret is a bearer token.

    node, postgres: the labels of the series of one host and of one server, by which they are told from others.
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
            raise ValueError("a prometheus target names the labels of a host under node, or of a server under postgres")
        if self.user and not (self.password_env or self.password_file):
            raise ValueError("a user needs a password_env or a password_file")
        if self._has_secret() and self.url.startswith("http:") and not _LOOPBACK.match(self.url):
            raise ValueError("a secret goes by https, or to this machine")
        return self

    def _has_secret(self) -> bool:
        return bool(self.password_env or self.password_file)

    def engines(self) -> tuple[str, ...]:
        """See TargetEntry."""
        named = {"postgres_exporter": self.postgres, "node_exporter": self.node}
        return tuple(engine for engine, labels in named.items() if labels)


_AnyEntry = HostEntry | PostgresEntry | MysqlEntry | SshEntry | PrometheusEntry
# The kinds whose targets another may name as its host.
HOSTS = (TargetKind.HOST, TargetKind.SSH, TargetKind.PROMETHEUS)
_ENTRIES: TypeAdapter[_AnyEntry] = TypeAdapter(Annotated[_AnyEntry, Field(discriminator="kind")])


def entry_of(value: object) -> TargetEntry:
    """The entry that a mapping describes. Raises pydantic's ValidationError, which never shows what stood there."""
    return _ENTRIES.validate_python(value)


# Words for the commonest of pydantic's; the rest are told as they come.
_PLAIN = {"extra_forbidden": "there is no such field", "missing": "it is missing"}


def what_is_wrong(error: ValidationError) -> str:
    """The first thing that is wrong with an entry: its field and why, and never what stands there."""
    first = error.errors(include_input=False, include_url=False)[0]
    if first["type"].startswith("union_tag"):
        return f"kind: it is none of {', '.join(sorted(TargetKind))}"
    # Where the kind is known the place begins with it, which the file does not have.
    where = ".".join(map(str, first["loc"][1:])) or "as a whole"
    said = str(first["ctx"]["error"]) if first["type"] == "value_error" else first["msg"]
    return f"{where}: {_PLAIN.get(first['type'], said)}"


def _check_conninfo(conninfo: str) -> None:
    try:
        parts = conninfo_to_dict(conninfo)
    except ProgrammingError:
        raise ValueError("the conninfo is none that libpq reads") from None
    if parts.get("password"):
        raise ValueError("the conninfo holds a password; name a variable or file that has it")
