"""Records where the embedded server of a data folder runs, for other processes; meanwhile it is a target."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import yaml

from faultlab.jvm import SOURCE
from faultlab.lab import Lab
from faultlab.server import Server
from faultlab.shop import READER
from services.chassis.errors import InvalidInput, Precondition
from services.chassis.problems import system_problem

TARGET = "demo"
# The machine under the server, with the JVM that a fault may bring.
HOST_TARGET = "demo-host"
# The default of --data-dir.
DATA_FOLDER = Path(".dbdiag")
_FILE = "demo-server.json"
_TARGETS = "targets.yaml"
_OURS = "# The demo's; gone with it.\n"


@contextlib.contextmanager
def new_lab(data_folder: Path) -> Iterator[Lab]:
    """A lab with a light load on its own server, recorded in the data folder; afterwards all of it is removed.

    Raises Precondition while another process has one there, InvalidInput if the folder is not writable.
    """
    if attended(data_folder):
        raise Precondition("demo_running", folder=str(data_folder))
    sweep(data_folder)
    server = Server.create()
    try:
        _note(data_folder, server)
        with contextlib.closing(Lab.embedded(server)) as lab:
            lab.workload.start()
            yield lab
    finally:
        server.remove()
        _forget(data_folder)


def running(data_folder: Path) -> Server | None:
    """The server of this data folder, while it runs."""
    noted = _read(data_folder)
    if noted is None or not noted[0].is_dir():
        return None
    server = Server(noted[0])
    return server if server.runs() else None


def attended(data_folder: Path) -> bool:
    """True if the process that started the server of this data folder is alive."""
    noted = _read(data_folder)
    return noted is not None and Path(f"/proc/{noted[1]}").exists()


def sweep(data_folder: Path) -> None:
    """Removes a server whose process died, with its data."""
    noted = _read(data_folder)
    if noted is None or attended(data_folder):
        return
    if noted[0].is_dir():
        Server(noted[0]).remove()
    _forget(data_folder)


def _note(data_folder: Path, server: Server) -> None:
    text = json.dumps({"folder": str(server.folder), "process": os.getpid()})
    try:
        data_folder.mkdir(parents=True, exist_ok=True)
        (data_folder / _FILE).write_text(text + "\n", encoding="utf-8")
        if not (data_folder / _TARGETS).exists():
            (data_folder / _TARGETS).write_text(_OURS + _targets(server), encoding="utf-8")
    except OSError as error:
        folder = str(data_folder)
        raise InvalidInput("data_dir_not_writable.demo", folder=folder, why=system_problem(error)) from error


def is_target(data_folder: Path) -> bool:
    """True if the targets file of the data folder is the demo's and not the user's own."""
    try:
        return (data_folder / _TARGETS).read_text(encoding="utf-8").startswith(_OURS)
    except (OSError, UnicodeDecodeError):
        return False


def how_to_look(data_folder: Path, server: Server, target: str = TARGET) -> str:
    """The command that diagnoses the server of this data folder, or the machine under it."""
    if not is_target(data_folder):
        return f'dbdiag diagnose --dsn "{server.dsn(READER)}"'
    where = "" if data_folder == DATA_FOLDER else f" --data-dir {shlex.quote(str(data_folder))}"
    return f"dbdiag diagnose --target {target}{where}"


def _targets(server: Server) -> str:
    host = {"id": HOST_TARGET, "kind": "host", "java": {"main": SOURCE.name}}
    return yaml.safe_dump({"targets": [target_entry(TARGET, server), host]}, sort_keys=False)


def target_entry(name: str, server: Server, standby: bool = True) -> dict[str, str]:
    """The entry of a targets file for a server and, where it has one or may get one, its standby.

    The host is none of it: what else the machine does is not the server's trouble.
    """
    entry = {"id": name, "kind": "postgres", "conninfo": server.dsn(READER)}
    return entry | ({"standby_conninfo": server.dsn(READER, at=server.standby_folder)} if standby else {})


def _forget(data_folder: Path) -> None:
    (data_folder / _FILE).unlink(missing_ok=True)
    if is_target(data_folder):
        (data_folder / _TARGETS).unlink()


def _read(data_folder: Path) -> tuple[Path, int] | None:
    try:
        noted = json.loads((data_folder / _FILE).read_text(encoding="utf-8"))
        return Path(noted["folder"]), int(noted["process"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
