"""`dbdiag up`: every service, the HTTP doors and the page in one process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli import failures
from gateway.cli.numbers import WholeNumber

if TYPE_CHECKING:
    from gateway.cli.demo import Demo
    from gateway.settings import GatewaySettings


@click.command()
@click.option("--host", help="Where to listen. [default: 127.0.0.1]")
@click.option("--port", type=WholeNumber(0, 65535), help="0 takes a free one. [default: 8080]")
@click.option("--data-dir", type=click.Path(path_type=Path, file_okay=False), help="[default: .dbdiag]")
@click.option(
    "--library", "libraries", multiple=True, metavar="DIR", help="Serve these libraries instead of the shipped one."
)
@click.option("--demo", is_flag=True, help="Also run a PostgreSQL with a real fault in it, chosen at random.")
@click.option("--demo-seed", type=WholeNumber(0), help="The same number makes the same fault again.")
@click.option("--json", "as_json", is_flag=True, help="Print the welcome as one JSON object.")
@click.option("--attached", is_flag=True, hidden=True, help="End when standard input ends.")
def up(
    host: str | None,
    port: int | None,
    data_dir: Path | None,
    libraries: tuple[str, ...],
    demo: bool,
    demo_seed: int | None,
    as_json: bool,
    attached: bool,
) -> int:
    """Serve the assistant: page, HTTP and every service in one process.

    Ends on Ctrl-C or SIGTERM after the open turns are answered.
    """
    started = time.monotonic()
    if libraries:
        os.environ["DBDIAG_KNOWLEDGE_LIBRARIES"] = os.pathsep.join(_existing(libraries))
    settings = _settings(host, port, data_dir)
    _check_port(settings)
    if attached:
        _end_with_standard_input()
    from services.chassis.server import unswept

    with unswept() as sweep, _beside(demo or demo_seed is not None, settings.data_dir, demo_seed) as database:
        from gateway.embedded import serve

        def greet(url: str) -> None:
            if database is not None:
                # Only now: services start sooner on a machine at rest.
                database.begin()
            sweep()
            print(_welcome(settings, url, time.monotonic() - started, database, as_json), flush=True)

        asyncio.run(serve(settings, greet))
    return failures.DONE


def _beside(wanted: bool, data_dir: Path, seed: int | None) -> contextlib.AbstractContextManager[Demo | None]:
    """The demo database, where it is wanted."""
    if not wanted:
        return contextlib.nullcontext()
    from gateway.cli.demo import running

    return running(data_dir, seed)


def _welcome(settings: GatewaySettings, url: str, seconds: float, database: Demo | None, as_json: bool) -> str:
    from gateway.cli.welcome import as_object, for_a_person

    if as_json:
        demo = {"demo": database.as_object()} if database else {}
        return json.dumps(json.loads(as_object(settings, url, seconds)) | demo, ensure_ascii=False)
    welcome = for_a_person(settings, url, seconds)
    return f"{welcome}\n{database.told()}" if database else welcome


def _existing(libraries: tuple[str, ...]) -> tuple[str, ...]:
    from services.chassis.errors import InvalidInput

    missing = [library for library in libraries if not (Path(library).is_dir() or library.isidentifier())]
    if missing:
        raise InvalidInput(f"serving the library {missing[0]}: there is no such folder", reason="library_not_found")
    return libraries


def _settings(host: str | None, port: int | None, data_dir: Path | None) -> GatewaySettings:
    from gateway.settings import GatewaySettings
    from services.chassis import logs
    from services.chassis.settings import load

    settings = load(GatewaySettings, os.environ, host=host, port=port, data_dir=data_dir)
    if "log_level" not in settings.model_fields_set and sys.stderr.isatty():
        # A person who watches wants the welcome, not a log line for each service.
        settings = settings.model_copy(update={"log_level": "warning"})
    logs.configure(settings.log_level)
    return settings


def _check_port(settings: GatewaySettings) -> None:
    """Raises DependencyDown when the port is taken: better told at once than after everything has started.

    Raises InvalidInput when the host is none of this machine's.
    """
    import socket

    from services.chassis.errors import DependencyDown, InvalidInput

    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except socket.gaierror as error:
            message = f"setting host: this machine has no address {settings.host}"
            raise InvalidInput(message, reason="invalid_setting") from error
        except OSError as error:
            message = f"listening on {settings.host}:{settings.port}: {error.strerror or error}"
            raise DependencyDown(f"{message}; choose another with --port", reason="address_in_use") from error


def _end_with_standard_input() -> None:
    """Asks this process to end when its standard input does: whoever started it is gone then."""
    import signal
    import threading

    def wait() -> None:
        # Not sys.stdin: its lock, held by this thread, would break the interpreter's end.
        while os.read(0, 1024):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()
