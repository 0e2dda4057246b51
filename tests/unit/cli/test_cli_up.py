from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from gateway.cli import output
from gateway.cli.chat import chat, private_services
from services.chassis.errors import DependencyDown, InvalidInput
from tests.support.running.forked import Forked, run
from tests.support.sample_libraries import refused_phenomenon, write_library

pytestmark = pytest.mark.sampled

UP = ["gateway.cli", "up", "--port", "0", "--data-dir", "data"]


def _get(url: str) -> int:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=10) as response:
        return int(response.status)


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_up_welcomes_serves_and_drains(tmp_path: Path, signal_number: signal.Signals) -> None:
    """The welcome comes when answers can be had, with what is known; a signal ends it with exit code 0."""
    command = [*UP, "--json"]
    environ = os.environ | {"DBDIAG_URL": "http://elsewhere:8080"}
    with contextlib.closing(Forked(command, tmp_path, environ, tmp_path / "stderr.log")) as child:
        assert select.select([child.stdout], [], [], 60)[0], "it said nothing for a minute"
        welcome = json.loads(child.stdout.readline())
        assert _get(f"{welcome['url']}/readyz") == 200
        assert _get(f"{welcome['url']}/") == 200
        assert _get(f"{welcome['url']}/static/app.js") == 200
        assert welcome["knowledge"]["root_causes"] > 0
        assert welcome["data_dir"] == "data"
        child.send_signal(signal_number)
        assert child.wait(20) == output.DONE


def test_a_taken_port_is_told_with_what_to_do(tmp_path: Path) -> None:
    """A port that is in use is one line that names it and the option for another, and exit code 3."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run(*UP, "--port", str(port), folder=tmp_path)
    assert done.returncode == output.DEPENDENCY_DOWN
    told = done.stderr.splitlines()[-1]
    assert told.startswith("dbdiag: ")
    assert str(port) in told
    assert "--port" in told


def test_a_missing_library_is_bad_input(tmp_path: Path) -> None:
    """A library folder that does not exist is refused before anything starts."""
    done = run(*UP, "--library", "no/such/folder", folder=tmp_path)
    assert done.returncode == output.BAD_INPUT
    assert "no/such/folder" in done.stderr


def test_a_library_with_refused_sql_is_not_served(tmp_path: Path) -> None:
    """A library whose SQL is not admitted is bad input, as for `dbdiag knowledge validate`; the entry is named."""
    library = write_library(tmp_path / "library", phenomena=[refused_phenomenon()])
    done = run(*UP, "--library", str(library), folder=tmp_path)
    assert done.returncode == output.BAD_INPUT
    assert "P-0001: SQL refused: " in done.stderr


@pytest.mark.parametrize("folder", ["/proc/dbdiag", "a-file/data", "a-file"])
def test_a_data_folder_that_cannot_be_written_is_one_line(tmp_path: Path, folder: str) -> None:
    """Where nothing can be kept, the start ends with 2 and a line that names the folder and what to do."""
    (tmp_path / "a-file").touch()
    for given, more in (([*UP[:-1], folder], {}), (UP[:-2], {"DBDIAG_DATA_DIR": folder})):
        done = run(*given, folder=tmp_path, environ=os.environ | more)
        assert done.returncode == output.BAD_INPUT
        assert done.stderr.count("\n") == 1
        assert folder in done.stderr
        assert "--data-dir" in done.stderr


def test_chat_without_a_place_for_its_data_is_one_line(tmp_path: Path) -> None:
    """A chat whose own services can keep nothing ends with a line that says what to do."""
    (tmp_path / "a-file").touch()
    with (
        pytest.raises(InvalidInput, match=r"a-file.*--url"),
        private_services.run_services(tmp_path / "a-file" / "own"),
    ):
        pytest.fail("it must not start")


def test_a_host_that_is_not_here_is_bad_input(tmp_path: Path) -> None:
    """A host that this machine does not have is a wrong setting, not a port that is taken."""
    done = run(*UP, "--host", "no.such.host.invalid", folder=tmp_path)
    assert done.returncode == output.BAD_INPUT
    assert "setting host" in done.stderr


def test_a_port_that_is_no_number_is_told_in_plain_words(tmp_path: Path) -> None:
    """The line says what was given and what is expected, without the names of the parser's types."""
    done = run(*UP, "--port", "abc", folder=tmp_path)
    assert done.returncode == output.BAD_INPUT
    assert "'abc' is not a valid whole number" in done.stderr


@pytest.mark.parametrize("how", [UP, ["gateway"]], ids=["up", "gateway"])
@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_others_are_let_in_only_with_a_token(tmp_path: Path, how: list[str], host: str) -> None:
    """Without a token nothing but loopback is listened on: exit code 2, saying what to set, in either language."""
    for locale, advice in (("zh_CN.UTF-8", "至少 16 个字符"), ("en_US.UTF-8", "at least 16 characters")):
        environ = os.environ | {"DBDIAG_HOST": host, "DBDIAG_PORT": "0", "LC_ALL": locale}
        done = run(*how, folder=tmp_path, environ=environ)
        assert done.returncode == output.BAD_INPUT
        assert "DBDIAG_TOKEN" in done.stderr
        assert how != UP or advice in done.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("token", ["", "short", "x" * 15, "with a space in it, long enough", "密" * 20])
def test_a_weak_token_is_refused_and_not_shown(tmp_path: Path, token: str) -> None:
    """A token that is empty, short or cannot stand in a header stops the start, and the message does not repeat it."""
    environ = os.environ | {"DBDIAG_TOKEN": token}
    done = run(*UP, folder=tmp_path, environ=environ)
    assert done.returncode == output.BAD_INPUT
    assert "DBDIAG_TOKEN" in done.stderr
    assert not token or token not in done.stdout + done.stderr


@pytest.mark.parametrize("name", ["http://db.example", "db.example:8080", "*", "", "a b", "db.example,"])
def test_an_allowed_host_is_a_name(tmp_path: Path, name: str) -> None:
    """An address, a port or a pattern is no host name: exit code 2 instead of a door that stays shut or opens wide."""
    done = run(*UP, "--allowed-host", name, folder=tmp_path)
    assert done.returncode == output.BAD_INPUT
    assert "host name" in done.stderr


def _status(url: str, **headers: str) -> int:
    try:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(urllib.request.Request(url, headers=headers), timeout=10) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def test_a_gateway_for_others_says_where_it_is_and_asks_for_the_token(tmp_path: Path) -> None:
    """Beyond loopback it shows the address it listens on, serves the names it was given, and never shows the token."""
    token = "only-for-this-test-0001"
    names = ["--allowed-host", "db.example", "--allowed-host", "Other"]
    command = [*UP, "--host", "0.0.0.0", *names, "--json"]
    environ = os.environ | {"DBDIAG_TOKEN": f"{token}\n", "DBDIAG_LOG_LEVEL": "debug"}
    with contextlib.closing(Forked(command, tmp_path, environ, tmp_path / "log")) as child:
        assert select.select([child.stdout], [], [], 60)[0], "it said nothing for a minute"
        line = child.stdout.readline()
        welcome = json.loads(line)
        assert (welcome["listening"].partition(":")[0], welcome["token_required"]) == ("0.0.0.0", True)
        bearer = {"Authorization": f"Bearer {token}"}
        url = f"{welcome['url']}/metrics"
        assert (_status(url), _status(url, **bearer)) == (401, 200)
        assert _status(url, **bearer, Host="evil.example") == 421
        assert [_status(url, **bearer, Host=name) for name in ("db.example", "other:80")] == [200, 200]
        assert _status(f"{welcome['url']}/healthz", Host="10.0.0.1") == 200
    assert token not in line
    assert token not in (tmp_path / "log").read_text()


def test_an_unknown_setting_is_bad_input(tmp_path: Path) -> None:
    """A setting that nobody knows stops the start and names the nearest one."""
    done = run(*UP, folder=tmp_path, environ=os.environ | {"DBDIAG_PROT": "8081"})
    assert done.returncode == output.BAD_INPUT
    assert "prot" in done.stderr
    assert "port" in done.stderr


@pytest.mark.slow
def test_a_chat_s_own_services_want_its_token_and_end_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They take the token that the chat sends, from the file of settings too, and are gone when they are not wanted."""
    monkeypatch.chdir(tmp_path)
    Path("dbdiag.yaml").write_text("token: only-for-this-test-0001\n")
    with chat._start_gateway("zh", chat._token()) as gateway:
        assert gateway.is_ready()
        assert _get(f"{gateway.url}/readyz") == 200
        assert _status(f"{gateway.url}/metrics") == 401
    with pytest.raises(OSError, match="refused"):
        _get(f"{gateway.url}/healthz")
    assert (chat.FOLDER / private_services.LOG_NAME).exists()


@pytest.mark.slow
def test_private_services_that_do_not_start_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the private services end before they are ready, the error carries what they said last."""
    monkeypatch.setenv("DBDIAG_PROT", "1")
    with pytest.raises(DependencyDown, match="prot"), private_services.run_services(tmp_path / "own"):
        pytest.fail("it must not start")
