"""A real Prometheus that asks a real exporter, and an HTTP server that answers as one should not."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

_START_SECONDS = 40
_CONFIGURATION = """
global: {{scrape_interval: 1s, scrape_timeout: 1s}}
scrape_configs: [{{job_name: {job}, static_configs: [{{targets: ["127.0.0.1:{port}"]}}]}}]
"""


@contextlib.contextmanager
def prometheus() -> Iterator[tuple[str, str]]:
    """Its address and the instance of a node_exporter that it asks, once it has numbers. Skips where none is here."""
    with _asking("prometheus-node-exporter", "node", "node_cpu_seconds_total", {}) as running:
        yield running


@contextlib.contextmanager
def prometheus_of_postgres(folder: str) -> Iterator[tuple[str, str]]:
    """The same with a postgres_exporter of the server whose socket is in a folder."""
    source = f"postgresql://postgres@:5432/postgres?host={folder}&sslmode=disable"
    environ = os.environ | {"DATA_SOURCE_NAME": source}
    with _asking("prometheus-postgres-exporter", "postgres", "pg_stat_database_xact_commit", environ) as running:
        yield running


@contextlib.contextmanager
def _asking(exporter: str, job: str, counter: str, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    programs = [shutil.which(name) for name in ("prometheus", exporter)]
    if None in programs:
        pytest.skip(f"prometheus and {exporter} are not installed")
    with tempfile.TemporaryDirectory(prefix="dbdiag-prometheus-") as name, contextlib.ExitStack() as running:
        folder, measured, port = Path(name), _free_port(), _free_port()
        (folder / "prometheus.yml").write_text(_CONFIGURATION.format(job=job, port=measured))
        running.enter_context(_started([str(programs[1]), f"--web.listen-address=127.0.0.1:{measured}"], environ))
        files = [f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data"]
        running.enter_context(_started([str(programs[0]), *files, f"--web.listen-address=127.0.0.1:{port}"], {}))
        url, instance = f"http://127.0.0.1:{port}", f"127.0.0.1:{measured}"
        _wait_for_numbers(url, f'rate({counter}{{instance="{instance}"}}[10s])')
        yield url, instance


@contextlib.contextmanager
def _started(command: list[str], environ: Mapping[str, str]) -> Iterator[None]:
    nothing = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=nothing, stderr=nothing, env=dict(environ) or None) as process:
        try:
            yield
        finally:
            process.kill()


def _wait_for_numbers(url: str, rate: str) -> None:
    """A rate needs two samples."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{url}/api/v1/query", params={"query": rate}, trust_env=False).json()["data"]["result"]:
                return
        time.sleep(0.2)
    raise RuntimeError("Prometheus has no numbers of its exporter")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


class Answering:
    """A server on the loopback that answers each request by a function. asked: what came, with its headers."""

    def __init__(self, answer: Callable[[BaseHTTPRequestHandler], None]) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append((self.path, dict(self.headers.items())))
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    answer(self)

            def log_message(self, *_: object) -> None:
                """Nothing: the tests look at what was asked."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._serving = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> Answering:
        self._serving.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._serving.join()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"


def said(body: bytes, status: int = 200, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    """An answer with this body."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)

    return answer
