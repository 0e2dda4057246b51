"""`dbdiag up`: every service, the HTTP doors and the page in one process, and its welcome."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from gateway.cli import output
from gateway.cli.language import LanguageCode, Texts, choose_language
from gateway.cli.options import WholeNumber

if TYPE_CHECKING:
    from gateway.cli.up.demo import Demo
    from gateway.settings import GatewaySettings
    from services.knowledge.files import Manifest


say = Texts("up").say
_EVERYWHERE = {"//0.0.0.0:": "//127.0.0.1:", "//[::]:": "//[::1]:"}
_SHORT_ID = 19
# Where the client of models goes when it has a key and no address.
_DEFAULT_ENDPOINT = "https://api.openai.com"


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


def make_object(settings: GatewaySettings, url: str, seconds: float) -> str:
    """One JSON object: url, where it listens, whether a token is required, seconds to ready, data_dir, knowledge.

    Knowledge is null when none is published.
    """
    manifest = _read_published(settings)
    knowledge = {"snapshot_id": manifest.snapshot_id, **vars(manifest.counts)} if manifest else None
    address = {"url": _reachable(url), "listening": urlsplit(url).netloc, "token_required": settings.token is not None}
    body = address | {"seconds": round(seconds, 3), "data_dir": str(settings.data_dir), "knowledge": knowledge}
    return json.dumps(body, ensure_ascii=False)


def render_welcome(settings: GatewaySettings, url: str, seconds: float) -> str:
    """A few lines: the page, who may come in, how to chat, what is known, the model, where data lie, how to stop."""
    words = choose_language(None, os.environ)
    here = _reachable(url)
    chat = "dbdiag chat" if here.endswith(":8080") else f"dbdiag chat --url {here}"
    rows = [("up_page", f"{here}/"), *_access(settings, url, words)]
    rows.append(("up_chat", f"{chat}  {say('up_other_terminal', words)}"))
    manifest = _read_published(settings)
    if manifest is not None:
        rows.append(("up_knowledge", _render_counts(manifest, words)))
    rows += [("up_model", _model(words)), ("up_data", str(settings.data_dir))]
    lines = [f"  {say(key, words):<9}  {value}" for key, value in rows]
    return "\n".join([say("up_ready", words, seconds=seconds), *lines, say("up_stop", words)])


def _access(settings: GatewaySettings, url: str, words: LanguageCode) -> list[tuple[str, str]]:
    """Where it listens when that is more than the page's address, by which other names, and that a token is needed."""
    listening, names = urlsplit(url).netloc, ", ".join(settings.allowed_hosts)
    rows = [("up_listening", listening)] if _reachable(url) != url else []
    rows += [("up_names", names)] if names else []
    return rows + ([("up_token", say("up_token_required", words))] if settings.token else [])


def _render_counts(manifest: Manifest, words: LanguageCode) -> str:
    counts = manifest.counts
    return say(
        "up_counts",
        words,
        phenomena=counts.phenomena,
        root_causes=counts.root_causes,
        tickets=counts.tickets,
        snapshot=manifest.snapshot_id[:_SHORT_ID],
    )


def _model(words: LanguageCode) -> str:
    """The language models in use, and their host."""
    from services.chassis.settings import LlmServerSettings, load

    settings = load(LlmServerSettings, os.environ)
    named = (settings.agent_model, settings.understand_model, settings.rerank_model, settings.response_model)
    names = list(dict.fromkeys(name for name in named if name))
    if not names or not (settings.llm_base_url or settings.llm_api_key):
        return say("up_no_model", words)
    # The host alone: an address may carry a password.
    host = urlsplit(settings.llm_base_url or _DEFAULT_ENDPOINT).hostname
    return say("up_models", words, names=", ".join(names), host=host)


def _read_published(settings: GatewaySettings) -> Manifest | None:
    from services.chassis.settings import load
    from services.knowledge.files import KnowledgeSettings, SnapshotStore, open_blobs

    place = load(KnowledgeSettings, os.environ).within(settings.data_dir).knowledge_store
    store = SnapshotStore(open_blobs(place), time.time)
    try:
        current = store.current_id()
        return store.manifest(current) if current else None
    finally:
        store.close()


def _reachable(url: str) -> str:
    """The URL by which this machine reaches a gateway that listens on all addresses."""
    for everywhere, here in _EVERYWHERE.items():
        url = url.replace(everywhere, here)
    return url
