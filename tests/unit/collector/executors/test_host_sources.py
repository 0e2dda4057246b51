from __future__ import annotations

import os
import socket
import threading
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

import pytest

from lang.expressions import Reads, Row, Scope, Value, parse
from services.collector.catalogue.reader import shipped
from services.collector.catalogue.verdicts import judge
from services.collector.executors.host.cgroups import groups
from services.collector.executors.host.proc import SOURCES, interfaces, logs, own_memory, processes, program, sockets
from services.collector.executors.host.tasks import busiest, cores
from services.collector.model import Verdict
from tests.support.cases import for_each

CHECKS = shipped().checks
HERE = Path("/proc")
HEADING = "  sl  local_address rem_address   st\n"


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """The `proc` below a folder that has these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "proc").mkdir(exist_ok=True)
    return folder / "proc"


def said(check: str, *reads: Sequence[Row], seconds: float = 1.0) -> dict[str, Verdict | None]:
    """What a check says of these reads."""
    looked = Reads(tuple(tuple(rows) for rows in reads), seconds, CHECKS[check].key)
    return {item.phenomenon_id: item.verdict for item in judge(CHECKS[check], looked)[1]}


def test_groups_of_either_version_are_read(tmp_path: Path) -> None:
    """Limits, use and counters of control groups come alike from both versions; a group without a limit is none."""
    proc = written(
        tmp_path,
        {
            "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1000\n",
            "sys/fs/cgroup/memory/a/memory.usage_in_bytes": "990\n",
            "sys/fs/cgroup/memory/a/memory.stat": "cache 1\nrss 2\ntotal_rss 800\n",
            "sys/fs/cgroup/memory/a/memory.failcnt": "7\n",
            "sys/fs/cgroup/memory/a/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n",
            "sys/fs/cgroup/memory/free/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "50000\n",
            "sys/fs/cgroup/cpu/a/cpu.stat": "nr_periods 10\nnr_throttled 4\nthrottled_time 9\n",
            "sys/fs/cgroup/b/memory.max": "2000\n",
            "sys/fs/cgroup/b/memory.current": "1990\n",
            "sys/fs/cgroup/b/memory.stat": "anon 1900\nfile 90\n",
            "sys/fs/cgroup/b/memory.events": "low 0\nhigh 0\nmax 8\noom 1\noom_kill 1\n",
            "sys/fs/cgroup/b/cpu.max": "20000 100000\n",
            "sys/fs/cgroup/b/cpu.stat": "usage_usec 5\nnr_periods 20\nnr_throttled 19\n",
            "sys/fs/cgroup/free/memory.max": "max\n",
            "sys/fs/cgroup/free/cpu.max": "max 100000\n",
        },
    )
    found = {str(row["group"]): row for row in groups(proc)}
    assert set(found) == {"memory/a", "cpu/a", "b"}
    wanted: dict[str, Value] = {
        "used": 990.0,
        "own": 800.0,
        "limit": 1000.0,
        "at_limit": 7.0,
        "killed": 3.0,
        "periods": None,
    }
    assert found["memory/a"] == {"group": "memory/a", **wanted, "throttled": None}
    assert (found["cpu/a"]["limit"], found["cpu/a"]["throttled"]) == (None, 4.0)
    assert (found["b"]["own"], found["b"]["killed"], found["b"]["throttled"]) == (1900.0, 1.0, 19.0)


def test_a_host_without_control_groups_says_so(tmp_path: Path) -> None:
    """Where the host shows none the source fails, and does not tell of none with a limit."""
    with pytest.raises(OSError, match="cgroup"):
        list(groups(written(tmp_path, {})))


def test_a_group_at_its_limit_is_told_from_one_that_once_was() -> None:
    """Only a counter that rises now confirms; one that stands still, or a group full of cached files, does not."""
    before: dict[str, Value] = {
        "group": "a",
        "used": 99.0,
        "own": 95.0,
        "limit": 100.0,
        "at_limit": 5.0,
        "killed": 1.0,
        "periods": 0.0,
        "throttled": 0.0,
    }
    still = said("host.groups", [before], [before])
    rising = said("host.groups", [before], [before | {"at_limit": 9.0}])
    killed = said("host.groups", [before], [before | {"killed": 2.0, "used": 1.0}])
    cached = said("host.groups", [before], [before | {"at_limit": 9.0, "own": 20.0}])
    assert still["P-3033"] is cached["P-3033"] is Verdict.UNKNOWN
    assert rising["P-3033"] is killed["P-3033"] is killed["P-3029"] is Verdict.CONFIRMED
    assert said("host.groups", [], [])["P-3033"] is Verdict.DENIED


def test_logs_that_grow_are_told_from_one_that_was_written_at_once(tmp_path: Path) -> None:
    """Sizes of files in the log folder and one below; only what grows all the time is much logging."""
    megabyte = 1 << 20
    proc = written(tmp_path, {"var/log/a": "x" * 9, "var/log/app/b.log": "", "var/log/app/deep/c": "x"})
    (tmp_path / "var/log/link").symlink_to("a")
    assert {row["log"]: row["bytes"] for row in logs(proc)} == {"a": 9.0, "app/b.log": 0.0}
    grown: dict[str, list[list[Row]]] = {
        name: [[{"log": "a", "bytes": float(size * megabyte)}] for size in sizes] for name, sizes in GROWTH.items()
    }
    assert {name: said("host.logs", *reads, seconds=2.0)["P-3072"] for name, reads in grown.items()} == {
        "steady": Verdict.CONFIRMED,
        "once": Verdict.UNKNOWN,
        "calm": Verdict.DENIED,
    }
    with pytest.raises(OSError, match="log"):
        logs(written(tmp_path / "bare", {}))


GROWTH = {"steady": (10, 13, 16), "once": (10, 20, 20), "calm": (10, 10, 10)}


def test_sockets_are_counted_by_their_state(tmp_path: Path) -> None:
    """Both families are counted; without IPv6 the one that is there."""
    lines = "".join(f"   0: 0100007F:0016 00000000:0000 {state} 0\n" for state in ("0A", "08", "08", "06", "02"))
    proc = written(
        tmp_path,
        {"proc/net/tcp": HEADING + lines, "proc/sys/net/ipv4/ip_local_port_range": "1001\t2000\n"},
    )
    [row] = sockets(proc)
    counted = {"established": 0, "syn_sent": 1, "time_wait": 1, "close_wait": 2, "listening": 1, "other": 0}
    assert row == {**counted, "ports": 1000}
    (proc / "net/tcp6").write_text(HEADING + lines)
    assert next(iter(sockets(proc)))["close_wait"] == 4


def test_a_card_without_a_speed_has_none(tmp_path: Path) -> None:
    """The loopback is left out; a speed that the card does not tell is unknown, and then so is its use."""
    counters = "100 1 2 3 0 0 0 0 200 4 5 6 0 0 0 0"
    proc = written(
        tmp_path,
        {
            "proc/net/dev": f"Inter-|\n face |\n    lo: {counters}\n  eth0:{counters}\n  eth1: {counters}\n",
            "sys/class/net/eth0/speed": "1000\n",
            "sys/class/net/eth1/speed": "-1\n",
        },
    )
    first, second = interfaces(proc)
    assert (first["interface"], first["speed"], second["speed"]) == ("eth0", 125_000_000.0, None)
    assert (first["lost"], first["packets"]) == (16.0, 5.0)
    assert said("host.interfaces", [second], [second])["P-3052"] is Verdict.DENIED
    assert said("host.interfaces", [second], [{**second, "packets": 9e6}])["P-3052"] is Verdict.UNKNOWN


def test_a_core_is_slow_only_against_its_nominal_clock(tmp_path: Path) -> None:
    """The nominal clock comes from cpufreq, from the model's name or from the bogomips."""
    block = "processor\t: {0}\nmodel name\t: {1}\ncpu MHz\t\t: 1000.0\nbogomips\t: 5000.00\n"
    named, plain = block.format(0, "Xeon @ 3.00GHz"), block.format(1, "EPYC")
    steered = {"scaling_cur_freq": "900000", "cpuinfo_max_freq": "1000000"}
    ticks = "cpu  8 8 8 8 8 8 8 8 0 0\n" + "".join(f"cpu{n} 1 1 1 1 1 1 1 1 0 0\n" for n in range(3))
    files = {f"sys/devices/system/cpu/cpu2/cpufreq/{name}": text for name, text in steered.items()}
    proc = written(tmp_path, {**files, "proc/stat": ticks, "proc/cpuinfo": f"{named}\n{plain}"})
    assert [row["most_mhz"] for row in cores(proc)] == [3000.0, 2500.0, 1000.0]
    assert said("host.cores", list(cores(proc)), list(cores(proc)))["P-3008"] is Verdict.UNKNOWN


def test_the_program_of_a_process_is_placed() -> None:
    """This interpreter lies in no temporary folder; a process that shows no program is unknown."""
    own = HERE / str(os.getpid())
    assert program(own)["temporary"] is False
    assert program(own / "nothing") == {"temporary": None, "owned_by_root": None}
    assert float(str(own_memory(own, 4096)["own_bytes"])) > 1_000_000


def test_a_program_in_a_temporary_folder_is_seen(tmp_path: Path) -> None:
    """What runs out of /tmp, or was removed there since, is no installed program."""
    for number, file in enumerate(("/tmp/.x/kdevtmpfsi", "/dev/shm/a (deleted)")):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "exe").symlink_to(file)
    (tmp_path / "2").mkdir()
    (tmp_path / "2/exe").symlink_to("/usr/bin/python3")
    assert [program(tmp_path / name)["temporary"] for name in "012"] == [True, True, False]


@pytest.mark.parametrize("source", sorted(SOURCES))
def test_every_source_reads_this_host(source: str) -> None:
    """Each source gives rows here, or says why it cannot; all rows have the same columns."""
    try:
        rows = list(SOURCES[source](HERE))
    except (OSError, ValueError):
        pytest.skip(f"this host does not show what {source} reads")
    assert len({tuple(row) for row in rows}) <= 1


def test_the_busiest_threads_are_of_a_process_that_works(tmp_path: Path) -> None:
    """Of two processes only the one whose ticks rise is looked into; where none works the source says so."""
    line = "{0} (a b) R 0 0 0 0 0 0 0 0 0 0 {1} 0 0 0 0 0 1 0\n"
    proc = written(
        tmp_path, {f"proc/{pid}/{part}": line.format(pid, 5) for pid in (1, 2) for part in ("stat", f"task/{pid}/stat")}
    )
    with pytest.raises(ValueError, match="no process"):
        busiest(proc)
    stopping = threading.Event()

    def work() -> None:
        for ticks in count(6):
            (proc / "new").write_text(line.format(2, ticks))
            (proc / "new").replace(proc / "2/stat")
            if stopping.wait(0.01):
                return

    working = threading.Thread(target=work)
    working.start()
    try:
        rows = list(busiest(proc))
    finally:
        stopping.set()
        working.join()
    assert [(row["process"], row["thread"], row["name"], row["ticks"]) for row in rows] == [("2", "2", "a b", 5.0)]


def test_only_what_rises_in_every_interval_grows() -> None:
    """`least_step` is the smallest rise from one read to the next; a row that was not always there has none."""
    reads = Reads(
        tuple(
            ({"pid": 1.0, "n": float(steady)}, {"pid": 2.0, "n": float(once)}, *late)
            for steady, once, late in ((1, 1, ()), (3, 9, ()), (6, 9, ({"pid": 3.0, "n": 50.0},)))
        ),
        2.0,
        ("pid",),
    )
    values = [parse("least_step(n)").value(Scope(reads, {}, row)) for row in reads.last]
    assert values == [2.0, 0.0, None]
    assert parse("at_max(least_step(n), pid)").value(Scope.of(reads, {})) == 1.0


@for_each(
    ("age", "megabytes", "step", "verdict"),
    [(600, 400, 5, "CONFIRMED"), (5, 400, 5, "UNKNOWN"), (600, 40, 5, "UNKNOWN"), (600, 400, 0, "UNKNOWN")],
)
def test_a_leak_is_one_of_a_large_process_that_has_run_for_a_while(
    age: int, megabytes: int, step: int, verdict: str
) -> None:
    """What only begins, is small, or grew once and stays, is no leak; nor is one of an unknown age."""
    row: dict[str, Value] = {"pid": 1.0, "name": "a", "descriptors": 5.0, "descriptor_limit": 1024.0, "age": float(age)}
    reads: list[list[dict[str, Value]]] = [
        [{**row, "own_bytes": float((megabytes + step * n) << 20)}] for n in range(4)
    ]
    ageless: list[list[dict[str, Value]]] = [[{**read, "age": None} for read in rows] for rows in reads]
    assert said("host.growth", *reads, seconds=3.0)["P-3030"] is Verdict[verdict]
    assert said("host.growth", *ageless, seconds=3.0)["P-3030"] is Verdict.UNKNOWN


def test_the_memory_of_a_process_is_its_own(tmp_path: Path) -> None:
    """What a process shares with others, as a database's buffers, is no growth of its own."""
    folder = tmp_path / "7"
    folder.mkdir()
    (folder / "statm").write_text("900 500 450 1 0 40 0\n")
    assert own_memory(folder, 4096) == {"own_bytes": 50.0 * 4096}


def test_sockets_left_unclosed_are_seen_here() -> None:
    """A connection whose other side hung up is counted on this very host."""
    with socket.create_server(("127.0.0.1", 0)) as service:
        caller = socket.create_connection(service.getsockname())
        taken, _ = service.accept()
        caller.close()
        with taken:
            assert taken.recv(1) == b""
            assert float(str(next(iter(sockets(HERE)))["close_wait"])) >= 1


def test_processes_carry_their_program_and_memory() -> None:
    """Every process has the columns, known or not."""
    rows = list(processes(HERE))
    assert rows
    assert all({"temporary", "owned_by_root", "own_bytes"} <= row.keys() for row in rows)
