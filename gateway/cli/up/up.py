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

from gateway.cli import output
from gateway.cli.options import WholeNumber

if TYPE_CHECKING:
    from gateway.cli.up.demo import Demo
    from gateway.settings import GatewaySettings


@click.command()
@click.option("--host", help="The address to listen on; beyond loopback only with a token. [default: 127.0.0.1]")
@click.option("--port", type=WholeNumber(0, 65535), help="The port to listen on; 0 picks a free one. [default: 8080]")
@click.option(
    "--allowed-host", "allowed_hosts", multiple=True, metavar="NAME", help="Also answer requests for this host name."
)
@click.option("--data-dir", type=click.Path(path_type=Path, file_okay=False), help="[default: .dbdiag]")
@click.option(
    "--library", "libraries", multiple=True, metavar="DIR", help="Serve these libraries instead of the shipped one."
)
@click.option("--demo", is_flag=True, help="Also run a PostgreSQL with a real fault in it, chosen at random.")
@click.option("--demo-seed", type=WholeNumber(0), help="Choose the fault; the same number makes the same fault.")
@click.option("--json", "as_json", is_flag=True, help="Print the welcome message as one JSON object.")
@click.option("--attached", is_flag=True, hidden=True, help="Exit when standard input ends.")
def up(
    host: str | None,
    port: int | None,
    allowed_hosts: tuple[str, ...],
    data_dir: Path | None,
    libraries: tuple[str, ...],
    demo: bool,
    demo_seed: int | None,
    as_json: bool,
    attached: bool,
) -> int:
    """Serve the assistant: page, HTTP and every service in one process.

    Stops on Ctrl-C or SIGTERM once the open turns are answered. If DBDIAG_TOKEN is set, page and clients need it.
    """
    from gateway.http.admission import check_exposure

    started = time.monotonic()
    if libraries:
        os.environ["DBDIAG_KNOWLEDGE_LIBRARIES"] = os.pathsep.join(_require_existing(libraries))
    settings = _load_settings(host=host, port=port, data_dir=data_dir, allowed_hosts=allowed_hosts or None)
    _check_port(settings)
    check_exposure(settings)
    if attached:
        _end_with_standard_input()
    from services.chassis.server import pause_garbage_collection

    with (
        pause_garbage_collection() as sweep,
        _start_demo(demo or demo_seed is not None, settings.data_dir, demo_seed) as database,
    ):
        from gateway.embedded import serve

        def greet(url: str) -> None:
            if database is not None:
                # Only now: services start faster on an idle machine.
                database.begin()
            sweep()
            print(_render_welcome(settings, url, time.monotonic() - started, database, as_json), flush=True)

        asyncio.run(serve(settings, greet))
    return output.DONE


def _start_demo(wanted: bool, data_dir: Path, seed: int | None) -> contextlib.AbstractContextManager[Demo | None]:
    """The demo database, if it is wanted."""
    if not wanted:
        return contextlib.nullcontext()
    from gateway.cli.up.demo import run_demo

    return run_demo(data_dir, seed)


def _render_welcome(settings: GatewaySettings, url: str, seconds: float, database: Demo | None, as_json: bool) -> str:
    from gateway.cli.up.welcome import make_object, render_welcome

    if as_json:
        demo = {"demo": database.as_object()} if database else {}
        return json.dumps(json.loads(make_object(settings, url, seconds)) | demo, ensure_ascii=False)
    welcome = render_welcome(settings, url, seconds)
    return f"{welcome}\n{database.told()}" if database else welcome


def _require_existing(libraries: tuple[str, ...]) -> tuple[str, ...]:
    from services.chassis.errors import InvalidInput

    missing = [library for library in libraries if not (Path(library).is_dir() or library.isidentifier())]
    if missing:
        raise InvalidInput("library_not_found.served", library=missing[0])
    return libraries


def _load_settings(**given: object) -> GatewaySettings:
    from gateway.settings import GatewaySettings
    from services.chassis import logs
    from services.chassis.settings import load

    settings = load(GatewaySettings, os.environ, **given)
    if "log_level" not in settings.model_fields_set and sys.stderr.isatty():
        # At a terminal the welcome message is enough; no log line for each service.
        settings = settings.model_copy(update={"log_level": "warning"})
    logs.configure(settings.log_level)
    return settings


def _check_port(settings: GatewaySettings) -> None:
    """Raises DependencyDown if the port is taken, before anything starts.

    Raises InvalidInput if the host is not an address of this machine.
    """
    import socket

    from services.chassis.errors import DependencyDown, InvalidInput

    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except socket.gaierror as error:
            raise InvalidInput("invalid_setting.host", host=settings.host) from error
        except OSError as error:
            place = f"{settings.host}:{settings.port}"
            raise DependencyDown("address_in_use.port", place=place, problem=str(error.strerror or error)) from error


def _end_with_standard_input() -> None:
    """Stops this process when its standard input ends, which means that its parent is gone."""
    import signal
    import threading

    def wait() -> None:
        # Not sys.stdin: its lock, held by this thread, would break the interpreter's end.
        while os.read(0, 1024):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()
