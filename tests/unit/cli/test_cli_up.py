from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from gateway.cli import failures, private_services
from services.chassis.errors import DependencyDown, InvalidInput

UP = [sys.executable, "-m", "gateway.cli", "up", "--data-dir", "data"]


def _get(url: str) -> int:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=10) as response:
        return int(response.status)


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_up_welcomes_serves_and_drains(tmp_path: Path, signal_number: signal.Signals) -> None:
    """The welcome comes when answers can be had, with what is known; a signal ends it with exit code 0."""
    command = [*UP, "--port", "0", "--json"]
    environ = os.environ | {"DBDIAG_URL": "http://elsewhere:8080"}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        assert child.stdout is not None
        try:
            assert select.select([child.stdout], [], [], 60)[0], "it said nothing for a minute"
            welcome = json.loads(child.stdout.readline())
            assert _get(f"{welcome['url']}/readyz") == 200
            assert _get(f"{welcome['url']}/") == 200
            assert _get(f"{welcome['url']}/static/app.js") == 200
            assert welcome["knowledge"]["root_causes"] > 0
            assert welcome["data_dir"] == "data"
            child.send_signal(signal_number)
            assert child.wait(20) == failures.DONE
        finally:
            # Leaving the block waits for the child, however long that takes.
            child.kill()


def test_a_taken_port_is_told_with_what_to_do(tmp_path: Path) -> None:
    """A port that is in use is one line that names it and the option for another, and exit code 3."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run([*UP, "--port", str(port)], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == failures.DEPENDENCY_DOWN
    told = done.stderr.splitlines()[-1]
    assert told.startswith("dbdiag: ")
    assert str(port) in told
    assert "--port" in told


def test_a_missing_library_is_bad_input(tmp_path: Path) -> None:
    """A library folder that does not exist is refused before anything starts."""
    command = [*UP, "--library", "no/such/folder"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert done.returncode == failures.BAD_INPUT
    assert "no/such/folder" in done.stderr


@pytest.mark.parametrize("folder", ["/proc/dbdiag", "a-file/data", "a-file"])
def test_a_data_folder_that_cannot_be_written_is_one_line(tmp_path: Path, folder: str) -> None:
    """Where nothing can be kept, the start ends with 2 and a line that names the folder and what to do."""
    (tmp_path / "a-file").touch()
    for given, more in (([*UP[:-1], folder], {}), (UP[:-2], {"DBDIAG_DATA_DIR": folder})):
        done = subprocess.run(given, cwd=tmp_path, env=os.environ | more, capture_output=True, text=True, timeout=60)
        assert done.returncode == failures.BAD_INPUT
        assert done.stderr.count("\n") == 1
        assert folder in done.stderr
        assert "--data-dir" in done.stderr


def test_chat_without_a_place_for_its_data_is_one_line(tmp_path: Path) -> None:
    """A chat whose own services can keep nothing ends with a line that says what to do."""
    (tmp_path / "a-file").touch()
    with (
        pytest.raises(InvalidInput, match=r"a-file.*--url"),
        private_services.running(tmp_path / "a-file" / "own"),
    ):
        pytest.fail("it must not start")


def test_a_host_that_is_not_here_is_bad_input(tmp_path: Path) -> None:
    """A host that this machine does not have is a wrong setting, not a port that is taken."""
    given = [*UP, "--host", "no.such.host.invalid"]
    done = subprocess.run(given, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == failures.BAD_INPUT
    assert "setting host" in done.stderr


def test_a_port_that_is_no_number_is_told_in_plain_words(tmp_path: Path) -> None:
    """The line says what was given and what is expected, without the names of the parser's types."""
    done = subprocess.run([*UP, "--port", "abc"], cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert done.returncode == failures.BAD_INPUT
    assert "'abc' is not a valid whole number" in done.stderr


def test_an_unknown_setting_is_bad_input(tmp_path: Path) -> None:
    """A setting that nobody knows stops the start and names the nearest one."""
    environ = os.environ | {"DBDIAG_PROT": "8081"}
    done = subprocess.run(UP, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=30)
    assert done.returncode == failures.BAD_INPUT
    assert "prot" in done.stderr
    assert "port" in done.stderr


def test_chat_starts_its_own_services_and_ends_them(tmp_path: Path) -> None:
    """The private services answer while they are wanted, and are gone afterwards."""
    with private_services.running(tmp_path / "own") as url:
        assert _get(f"{url}/readyz") == 200
    with pytest.raises(OSError, match="refused"):
        _get(f"{url}/healthz")
    assert (tmp_path / "own" / private_services.LOG_NAME).exists()


def test_private_services_that_do_not_start_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the private services end before they are ready, the error carries what they said last."""
    monkeypatch.setenv("DBDIAG_PROT", "1")
    with pytest.raises(DependencyDown, match="prot"), private_services.running(tmp_path / "own"):
        pytest.fail("it must not start")
