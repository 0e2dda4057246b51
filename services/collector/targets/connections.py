"""How to reach each kind of target: addresses, logins and, never shown, secrets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Tls = Literal["verify-full", "verify-ca", "off"]


@dataclass
class PostgresTarget:
    """A PostgreSQL server. conninfo holds the secret: it is never shown."""

    target_id: str
    conninfo: str = field(repr=False)


@dataclass(frozen=True)
class MysqlTarget:
    """A MySQL server. socket: a path, instead of address and port; password: never shown."""

    target_id: str
    address: str
    port: int
    user: str
    socket: Path | None = None
    tls: Tls = "verify-full"
    ca_file: Path | None = None
    password: str = field(default="", repr=False)


@dataclass(frozen=True)
class SshTarget:
    """A host behind SSH. password: of the key if there is a key_file, else of the user; never shown."""

    target_id: str
    address: str
    port: int
    user: str
    known_hosts: Path
    key_file: Path | None = None
    agent_socket: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PrometheusTarget:
    """A Prometheus server. matchers: by engine, the labels that select the target's series; window: of rates.

    user and secret are for basic authentication; without a user the secret is a bearer token.
    """

    target_id: str
    url: str
    matchers: Mapping[str, Mapping[str, str]]
    window: str = "2m"
    user: str = ""
    secret: str = field(default="", repr=False)
    ca_file: Path | None = None


@dataclass(frozen=True, slots=True)
class Jvm:
    """A JVM on a host, by its process or by its main class or the file name of its jar or source file.

    home: of the JDK whose tools inspect it; empty for the system's.
    """

    pid: int = 0
    main: str = ""
    home: str = ""
