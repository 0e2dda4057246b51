"""The targets file: which systems may be looked at, and where the secret for each is, never the secret itself.

    targets:
      - id: orders
        kind: postgres
        description: the orders database
        conninfo: host=db1 dbname=orders user=dbdiag_ro sslmode=verify-full
        password_env: ORDERS_PASSWORD
        host: db1-host
        standby_conninfo: host=db2 dbname=orders user=dbdiag_ro sslmode=verify-full
      - {id: stock, kind: mysql, address: db3, user: dbdiag_ro, password_file: /etc/dbdiag/stock}
      - {id: db1-host, kind: ssh, address: db1, user: dbdiag, key_file: /etc/dbdiag/id_ed25519}
      - {id: db2-host, kind: prometheus, url: "https://metrics:9090", node: {instance: "db2:9100"}}
      - {id: this-host, kind: host, java: {main: com.example.Orders}}

`host` names the target through which the database's host is looked at; `host_here` says that it is this machine.
`standby_conninfo` leads to a standby, where the checks that only one can answer then look, with the same password.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml
from psycopg.conninfo import make_conninfo
from pydantic import ValidationError

from services.chassis.errors import InvalidInput, NotFound
from services.collector.entries import (
    HOSTS,
    HostEntry,
    MysqlEntry,
    PostgresEntry,
    PrometheusEntry,
    SshEntry,
    TargetEntry,
    WithSecret,
    entry_of,
    what_is_wrong,
)
from services.collector.executors.mysql import MysqlTarget
from services.collector.executors.postgres import PostgresTarget
from services.collector.executors.prometheus import PrometheusTarget
from services.collector.executors.ssh import SshTarget
from services.collector.model import Target, TargetKind


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

    def looked_at_by(self, entry: TargetEntry) -> tuple[TargetEntry, ...]:
        """The entries that answer checks about a target: itself, and the one that it names as its host."""
        return (entry, self.entry(entry.host)) if entry.host else (entry,)

    def engines(self, target_id: str) -> tuple[str, ...]:
        """The engines whose checks apply to a target, its own first. Raises NotFound."""
        parts = self.looked_at_by(self.entry(target_id))
        return tuple(dict.fromkeys(engine for part in parts for engine in part.engines()))

    def postgres(self, entry: PostgresEntry, conninfo: str = "") -> PostgresTarget:
        """How to connect, with its secret; `conninfo`: to its standby. Raises InvalidInput where there is no secret."""
        secret = self._secret(entry)
        plain = conninfo or entry.conninfo
        return PostgresTarget(entry.id, make_conninfo(plain, **({"password": secret} if secret else {})))

    def mysql(self, entry: MysqlEntry) -> MysqlTarget:
        """How to connect, with its secret. Raises InvalidInput where there is no secret."""
        return MysqlTarget(
            target_id=entry.id,
            address=entry.address,
            port=entry.port,
            user=entry.user,
            socket=entry.socket,
            tls=entry.tls,
            ca_file=entry.ca_file.expanduser() if entry.ca_file else None,
            password=self._secret(entry),
        )

    def prometheus(self, entry: PrometheusEntry) -> PrometheusTarget:
        """How to ask, with its secret. Raises InvalidInput where there is no secret."""
        return PrometheusTarget(
            target_id=entry.id,
            url=entry.url,
            matchers={"node_exporter": dict(entry.node), "postgres_exporter": dict(entry.postgres)},
            window=entry.window,
            user=entry.user,
            secret=self._secret(entry),
            ca_file=entry.ca_file.expanduser() if entry.ca_file else None,
        )

    def ssh(self, entry: SshEntry) -> SshTarget:
        """How to log in, with its secret. Raises InvalidInput where there is no secret or no agent."""
        agent = self._secrets.get("SSH_AUTH_SOCK", "") if entry.agent else ""
        if entry.agent and not agent:
            raise InvalidInput(f"connecting to {entry.id}: its keys are an agent's, and SSH_AUTH_SOCK is not set")
        return SshTarget(
            target_id=entry.id,
            address=entry.address,
            port=entry.port,
            user=entry.user,
            known_hosts=entry.known_hosts.expanduser(),
            key_file=entry.key_file.expanduser() if entry.key_file else None,
            agent_socket=agent,
            password=self._secret(entry),
        )

    def _secret(self, entry: WithSecret) -> str:
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
        here = HostEntry(id="this-host", kind=TargetKind.HOST, description="the host the collector runs on")
        return Targets((here,), secrets)
    document = _document(path)
    listed = document.get("targets") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise InvalidInput(f"reading targets from {path}: expected a list under `targets`", reason="bad_targets")
    entries = tuple(_entry(value, number, path) for number, value in enumerate(listed, 1))
    if len({entry.id for entry in entries}) < len(entries):
        raise InvalidInput(f"reading targets from {path}: an id stands there twice", reason="bad_targets")
    _hosts_are_there(entries, path)
    return Targets(entries, secrets)


def _document(path: Path) -> object:
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        said = error.strerror or str(error)
    except UnicodeDecodeError:
        said = "it is no text in UTF-8"
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        said = f'line {line} is no YAML ("{error.problem}")'
    except yaml.YAMLError as error:
        said = " ".join(str(error).split())
    raise InvalidInput(f"reading targets from {path}: {said}", reason="bad_targets")


def _hosts_are_there(entries: tuple[TargetEntry, ...], path: Path) -> None:
    hosts = {entry.id for entry in entries if entry.kind in HOSTS}
    for entry in entries:
        if entry.host and entry.host not in hosts:
            known = ", ".join(sorted(hosts)) or "none"
            said = f"the host of {entry.id} is {entry.host!r}; targets that are hosts: {known}"
            raise InvalidInput(f"reading targets from {path}: {said}", reason="bad_targets")


def _entry(value: object, number: int, path: Path) -> TargetEntry:
    try:
        return entry_of(value)
    except ValidationError as error:
        raise InvalidInput(
            f"reading targets from {path}: target {number}, {what_is_wrong(error)}", reason="bad_targets"
        ) from error
