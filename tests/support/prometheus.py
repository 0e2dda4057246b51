"""A real Prometheus that asks a real node_exporter, and an HTTP server that answers as one should not."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

_START_SECONDS = 40
_CONFIGURATION = """
global: {{scrape_interval: 1s, scrape_timeout: 1s}}
scrape_configs: [{{job_name: node, static_configs: [{{targets: ["127.0.0.1:{node}"]}}]}}]
"""


@contextlib.contextmanager
def prometheus() -> Iterator[tuple[str, str]]:
    """Its address and the instance of the exporter it asks, once both have numbers. Skips where none is installed."""
    programs = [shutil.which(name) for name in ("prometheus", "prometheus-node-exporter")]
    if None in programs:
        pytest.skip("prometheus and prometheus-node-exporter are not installed")
    server, exporter = (str(program) for program in programs)
    with tempfile.TemporaryDirectory(prefix="dbdiag-prometheus-") as name, contextlib.ExitStack() as running:
        folder, node, port = Path(name), _free_port(), _free_port()
        (folder / "prometheus.yml").write_text(_CONFIGURATION.format(node=node))
        commands = (
            [exporter, f"--web.listen-address=127.0.0.1:{node}"],
            [
                server,
                f"--config.file={folder}/prometheus.yml",
                f"--storage.tsdb.path={folder}/data",
                f"--web.listen-address=127.0.0.1:{port}",
            ],
        )
        for command in commands:
            running.enter_context(_started(command))
        url, instance = f"http://127.0.0.1:{port}", f"127.0.0.1:{node}"
        _wait_for_numbers(url, instance)
        yield url, instance


@contextlib.contextmanager
def _started(command: list[str]) -> Iterator[None]:
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()


def _wait_for_numbers(url: str, instance: str) -> None:
    """A rate needs two samples."""
    deadline = time.monotonic() + _START_SECONDS
    asked = {"query": f'rate(node_cpu_seconds_total{{instance="{instance}"}}[10s])'}
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{url}/api/v1/query", params=asked, trust_env=False).json()["data"]["result"]:
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
