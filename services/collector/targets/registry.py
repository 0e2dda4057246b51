"""The targets file: the systems that checks may run on, and where the secret for each is, never the secret itself.

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

`host` names the target through which the database's host is checked; `host_here` says that it is this machine.
`standby_conninfo` is for a standby, on which the checks for standbys run, with the same password.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml
from pydantic import ValidationError

from services.chassis.errors import InvalidInput, NotFound
from services.chassis.messages import Detail, Message
from services.chassis.problems import field_problem, system_problem, verbatim
from services.collector.model import Target, TargetKind
from services.collector.targets.connections import MysqlTarget, PostgresTarget, PrometheusTarget, SshTarget
from services.collector.targets.schema import (
    HOSTS,
    HostEntry,
    MysqlEntry,
    PostgresEntry,
    PrometheusEntry,
    SshEntry,
    TargetEntry,
    WithSecret,
    parse_entry,
    problem_of,
)


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
            raise NotFound("target_not_found.configured", target=repr(target_id), known=tuple(sorted(self._entries)))
        return found

    def parts_of(self, entry: TargetEntry) -> tuple[TargetEntry, ...]:
        """The entries whose checks apply to a target: its own, and that of its host."""
        return (entry, self.entry(entry.host)) if entry.host else (entry,)

    def engines(self, target_id: str) -> tuple[str, ...]:
        """The engines whose checks apply to a target, its own first. Raises NotFound."""
        parts = self.parts_of(self.entry(target_id))
        return tuple(dict.fromkeys(engine for part in parts for engine in part.engines()))

    def postgres(self, entry: PostgresEntry, conninfo: str = "") -> PostgresTarget:
        """How to connect, with the secret; `conninfo`: of its standby. Raises InvalidInput if the secret is missing."""
        from psycopg.conninfo import make_conninfo

        secret = self._secret(entry)
        plain = conninfo or entry.conninfo
        return PostgresTarget(entry.id, make_conninfo(plain, **({"password": secret} if secret else {})))

    def mysql(self, entry: MysqlEntry) -> MysqlTarget:
        """How to connect, with the secret. Raises InvalidInput if the secret is missing."""
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
        """How to connect, with the secret. Raises InvalidInput if the secret is missing."""
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
        """How to log in, with the secret. Raises InvalidInput if the secret or the agent is missing."""
        agent = self._secrets.get("SSH_AUTH_SOCK", "") if entry.agent else ""
        if entry.agent and not agent:
            raise InvalidInput("invalid_request.no_agent", target=entry.id)
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
                raise InvalidInput("invalid_request.no_variable", target=entry.id, name=entry.password_env)
            return self._secrets[entry.password_env]
        if entry.password_file is None:
            return ""
        try:
            return entry.password_file.read_text(encoding="utf-8").strip()
        except OSError as error:
            raise _no_password(entry, system_problem(error)) from error
        except UnicodeDecodeError as error:
            raise _no_password(entry, Message("bad_targets.no_utf8")) from error


def _no_password(entry: WithSecret, why: Message) -> InvalidInput:
    path = str(entry.password_file)
    return InvalidInput("invalid_request.password_file", target=entry.id, path=path, why=why)


def read_targets(path: Path | None, secrets: Mapping[str, str]) -> Targets:
    """The targets of a file; without one there is this host alone. Raises InvalidInput that names entry and field."""
    if path is None:
        here = HostEntry(id="this-host", kind=TargetKind.HOST, description="the host the collector runs on")
        return Targets((here,), secrets)
    document = _document(path)
    listed = document.get("targets") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise _bad_targets(path, Message("bad_targets.no_list"))
    entries = tuple(_entry(value, number, path) for number, value in enumerate(listed, 1))
    if len({entry.id for entry in entries}) < len(entries):
        raise _bad_targets(path, Message("bad_targets.twice"))
    _check_hosts(entries, path)
    return Targets(entries, secrets)


def read_connection(target_id: str, conninfo: str, standby_conninfo: str = "") -> Targets:
    """One PostgreSQL, and its standby, as the only target. Raises InvalidInput for a wrong connection string."""
    entry = {"id": target_id, "kind": "postgres", "conninfo": conninfo, "standby_conninfo": standby_conninfo}
    try:
        return Targets((PostgresEntry.model_validate(entry),), {})
    except ValidationError as error:
        why = field_problem(error.errors(include_input=False, include_url=False)[0])
        raise InvalidInput("bad_targets.dsn", why=why) from None


def _document(path: Path) -> object:
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        why = system_problem(error)
    except UnicodeDecodeError:
        why = Message("bad_targets.no_utf8")
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        why = Message("bad_targets.no_yaml", {"line": line, "why": str(error.problem)})
    except yaml.YAMLError as error:
        why = verbatim(error)
    raise _bad_targets(path, why)


def _bad_targets(path: Path, why: Message) -> InvalidInput:
    return InvalidInput("bad_targets", path=str(path), why=why)


def _check_hosts(entries: tuple[TargetEntry, ...], path: Path) -> None:
    hosts = {entry.id for entry in entries if entry.kind in HOSTS}
    for entry in entries:
        if entry.host and entry.host not in hosts:
            known: Detail = tuple(sorted(hosts))
            why = Message("bad_targets.no_such_host", {"target": entry.id, "host": repr(entry.host), "known": known})
            raise _bad_targets(path, why)


def _entry(value: object, number: int, path: Path) -> TargetEntry:
    try:
        return parse_entry(value)
    except ValidationError as error:
        why = Message("bad_targets.entry", {"number": number, "why": problem_of(error)})
        raise _bad_targets(path, why) from error
