"""Storage faults outside the tables: log volume and unsafe durability settings."""

from __future__ import annotations

from faultlab.fault import Fault
from faultlab.lab import Lab
from faultlab.sessions import Connection

_UNSAFE = ("fsync", "full_page_writes", "synchronous_commit")
_LOGGING = ("log_statement", "log_min_duration_statement")


def _unsafe_settings(lab: Lab) -> None:
    lab.set(**dict.fromkeys(_UNSAFE, "off"))


def _reset_unsafe(lab: Lab) -> None:
    lab.reset(*_UNSAFE)


def _log_growth(lab: Lab) -> None:
    lab.set(log_statement="all", log_min_duration_statement="0")

    def talk(connection: Connection) -> None:
        # A literal in the text, as applications without bind parameters send it.
        connection.execute(f"SELECT length('{'l' * 2000}')".encode())

    lab.sessions.loop("webapp", talk, count=4)


def _reset_logging(lab: Lab) -> None:
    lab.reset(*_LOGGING)
    if lab.server is None:
        return
    lab.run("SELECT pg_rotate_logfile()")
    current = lab.run("SELECT pg_current_logfile()")[0][0]
    for file in (lab.server.data / "server_log").glob("*.log"):
        # The open file must stay, but can be truncated.
        file.write_bytes(b"") if str(current).endswith(file.name) else file.unlink()


FAULTS = (
    Fault("unsafe_settings", 1, _unsafe_settings, _reset_unsafe),
    Fault("log_growth", 5, _log_growth, _reset_logging),
)
