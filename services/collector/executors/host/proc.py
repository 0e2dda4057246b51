"""Sources of /proc and /sys, as rows of named numbers. Each takes the folder, to read another host's copy too."""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from lang.expressions import Row, Value
from services.collector.executors.host.cgroups import groups
from services.collector.executors.host.tasks import busiest, cores

MOST_PROCESSES = 4000
# In a copy of another host's files: the bytes of a page there.
PAGE_SIZE = "page_size"
_DISK = re.compile(r"(sd[a-z]+|vd[a-z]+|xvd[a-z]+|nvme\d+n\d+|md\d+|dm-\d+)$")
# Counters since the start, and pages that wait to be written.
_COUNTERS = ("pswpin", "pswpout", "oom_kill", "compact_stall", "pgmajfault")
_UNWRITTEN = ("nr_dirty", "nr_writeback", "nr_dirty_threshold")
_TICKS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
MOST_LOGS = 1000
# Where no program is installed, but where what breaks in is put.
_TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/", "/memfd:")
MOST_SOCKETS = 100_000
# States of /proc/net/tcp that tell something, by their number there.
_STATES = {"01": "established", "02": "syn_sent", "06": "time_wait", "08": "close_wait", "0A": "listening"}


def sockets(proc: Path) -> Iterable[Row]:
    """How many TCP sockets stand in each state, and how many local ports there are for calls to others."""
    states: Counter[str] = Counter()
    for line in islice(_sockets(proc), MOST_SOCKETS):
        states[_STATES.get(line.split()[3], "other")] += 1
    row: dict[str, float] = {name: float(states[name]) for name in (*_STATES.values(), "other")}
    first, last = (proc / "sys/net/ipv4/ip_local_port_range").read_text().split()
    return (row | {"ports": float(last) - float(first) + 1},)


def _sockets(proc: Path) -> Iterator[str]:
    with (proc / "net/tcp").open() as lines:
        yield from islice(lines, 1, None)
    with contextlib.suppress(FileNotFoundError), (proc / "net/tcp6").open() as lines:
        yield from islice(lines, 1, None)


def interfaces(proc: Path) -> Iterable[Row]:
    """Counters of each network card but the loopback; its speed in bytes a second, where it tells one."""
    for line in (proc / "net/dev").read_text().splitlines()[2:]:
        name, _, numbers = line.partition(":")
        counters = [float(number) for number in numbers.split()]
        if name.strip() != "lo" and len(counters) >= 12:
            yield {
                "interface": name.strip(),
                "received": counters[0],
                "sent": counters[8],
                "packets": counters[1] + counters[9],
                "lost": counters[2] + counters[3] + counters[10] + counters[11],
                "speed": _speed(proc.parent / "sys/class/net" / name.strip() / "speed"),
            }


def _speed(file: Path) -> float | None:
    """Cards of virtual machines often tell none, or -1."""
    with contextlib.suppress(OSError, ValueError):
        megabits = float(file.read_text())
        return megabits * 125_000 if megabits > 0 else None
    return None


def program(folder: Path) -> dict[str, Value]:
    """temporary: whether its file lies where no program belongs; owned_by_root: whether root put it there.

    None where it cannot be seen: a kernel's thread has none, another user's process shows none.
    """
    found: dict[str, Value] = {"temporary": None, "owned_by_root": None}
    with contextlib.suppress(OSError):
        path = os.readlink(folder / "exe")
        found["temporary"] = path.startswith(_TEMPORARY)
        if not path.endswith(" (deleted)"):
            found["owned_by_root"] = (folder / "exe").stat().st_uid == 0
    return found


def own_memory(folder: Path, page_bytes: int) -> dict[str, Value]:
    """own_bytes: of the memory that it holds, what it shares with no file and no other process."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = (folder / "statm").read_text().split()
        return {"own_bytes": float((int(fields[1]) - int(fields[2])) * page_bytes)}
    return {"own_bytes": None}


def logs(proc: Path) -> Iterable[Row]:
    """Each file in the host's log folder and in the folders there, with its size in bytes.

    Raises OSError where there is no such folder.
    """
    root = proc.parent / "var/log"
    # Raises for a folder that cannot be listed, which is not the same as an empty one.
    next(root.iterdir(), None)
    return [row for path in islice(_files(root), MOST_LOGS) if (row := _file(path, root)) is not None]


def _files(root: Path) -> Iterator[Path]:
    yield from root.glob("*")
    yield from root.glob("*/*")


def _file(path: Path, root: Path) -> Row | None:
    with contextlib.suppress(OSError):
        if path.is_file() and not path.is_symlink():
            return {"log": str(path.relative_to(root)), "bytes": float(path.stat().st_size)}
    return None


def cpu(proc: Path) -> Iterable[Row]:
    """Ticks of all CPUs together since the start, with the CPUs, the load and the running and blocked tasks."""
    lines = (proc / "stat").read_text().splitlines()
    total = next(line for line in lines if line.startswith("cpu ")).split()[1:9]
    row: dict[str, float] = {name: float(ticks) for name, ticks in zip(_TICKS, total, strict=True)}
    row["all_ticks"] = sum(row.values())
    row["busy"] = row["all_ticks"] - row["idle"] - row["iowait"] - row["steal"]
    row["cpus"] = float(sum(1 for line in lines if re.match(r"cpu\d", line)))
    for line in lines:
        name, _, number = line.partition(" ")
        if name in ("ctxt", "processes", "procs_running", "procs_blocked"):
            row[name] = float(number)
    row["load1"] = float((proc / "loadavg").read_text().split()[0])
    return (row,)


def memory(proc: Path) -> Iterable[Row]:
    """/proc/meminfo in kB, and what /proc/vmstat counts: pages swapped and processes killed since the start."""
    row: dict[str, float] = {}
    for line in (proc / "meminfo").read_text().splitlines():
        name, _, rest = line.partition(":")
        row[re.sub(r"\W", "_", name).lower()] = float(rest.split()[0])
    for line in (proc / "vmstat").read_text().splitlines():
        name, _, number = line.partition(" ")
        if name in (*_COUNTERS, *_UNWRITTEN):
            row[name] = float(number)
    return (row,)


def pressure(proc: Path) -> Iterable[Row]:
    """PSI: the share of time in which some or all tasks stood still for a resource."""
    row: dict[str, float] = {}
    for resource in ("cpu", "io", "memory"):
        for line in (proc / "pressure" / resource).read_text().splitlines():
            kind, *pairs = line.split()
            for name, _, number in (pair.partition("=") for pair in pairs):
                row[f"{resource}_{kind}_{name}"] = float(number)
    return (row,)


def disks(proc: Path) -> Iterable[Row]:
    """Counters of each whole disk."""
    for line in (proc / "diskstats").read_text().splitlines():
        fields = line.split()
        if len(fields) >= 14 and _DISK.match(fields[2]):
            numbers = [float(number) for number in fields[3:14]]
            yield {
                "device": fields[2],
                "reads": numbers[0],
                "writes": numbers[4],
                "read_ms": numbers[3],
                "write_ms": numbers[7],
                "busy_ms": numbers[9],
                "queue_ms": numbers[10],
                "bytes": (numbers[2] + numbers[6]) * 512,
            }


def network(proc: Path) -> Iterable[Row]:
    """Counters of TCP, the host's sockets and its connection tracking."""
    row: dict[str, float] = {}
    for name in ("snmp", "netstat"):
        lines = (proc / "net" / name).read_text().splitlines()
        for heading, values in zip(lines[::2], lines[1::2], strict=False):
            group = heading.split(":")[0].lower()
            pairs = zip(heading.split()[1:], values.split()[1:], strict=False)
            row |= {f"{group}_{column.lower()}": float(number) for column, number in pairs}
    for key, file in (("conntrack_used", "nf_conntrack_count"), ("conntrack_most", "nf_conntrack_max")):
        with contextlib.suppress(OSError, ValueError):
            row[key] = float((proc / "sys/net/netfilter" / file).read_text())
    return (row,)


def files(proc: Path) -> Iterable[Row]:
    """File handles of the whole host."""
    used, _, most = (float(number) for number in (proc / "sys/fs/file-nr").read_text().split())
    return ({"used": used, "most": most},)


def processes(proc: Path) -> Iterable[Row]:
    """Each process but this one: ticks, memory, threads, state, and where readable its descriptors and their limit."""
    own = os.getpid() if proc == Path("/proc") else 0
    page, up = _page_bytes(proc), _up_seconds(proc)
    for folder in sorted(proc.glob("[0-9]*"), key=lambda path: int(path.name))[:MOST_PROCESSES]:
        with contextlib.suppress(OSError, ValueError, IndexError):
            if int(folder.name) != own:
                yield _process(folder, page, up)


def _page_bytes(proc: Path) -> int:
    """Of this machine; a copy of another host's files says which its pages have."""
    try:
        return int((proc / PAGE_SIZE).read_text())
    except (OSError, ValueError):
        return os.sysconf("SC_PAGE_SIZE")


def _up_seconds(proc: Path) -> float | None:
    with contextlib.suppress(OSError, ValueError):
        return float((proc / "uptime").read_text().split()[0])
    return None


def _open_files(folder: Path) -> int:
    """Descriptors of a process; a copy of another host's files has their number in the place of their folder."""
    try:
        return len(os.listdir(folder / "fd"))
    except NotADirectoryError:
        return int((folder / "fd").read_text())


def _process(folder: Path, page_bytes: int, up_seconds: float | None) -> Row:
    text = (folder / "stat").read_text(encoding="utf-8", errors="replace")
    name = text[text.index("(") + 1 : text.rindex(")")]
    fields = text[text.rindex(")") + 2 :].split()
    row: dict[str, float | str | None] = {
        "pid": float(folder.name),
        "name": name,
        "state": fields[0],
        "ticks": float(fields[11]) + float(fields[12]),
        "threads": float(fields[17]),
        "age": None if up_seconds is None else up_seconds - float(fields[19]) / os.sysconf("SC_CLK_TCK"),
        "rss_bytes": float(fields[21]) * page_bytes,
        "descriptors": None,
        "descriptor_limit": None,
        "io_bytes": None,
        **own_memory(folder, page_bytes),
        **program(folder),
    }
    with contextlib.suppress(OSError, ValueError, IndexError):
        row["descriptors"] = float(_open_files(folder))
        limits = (folder / "limits").read_text()
        row["descriptor_limit"] = float(limits.split("Max open files")[1].split()[0])
    with contextlib.suppress(OSError, ValueError, KeyError):
        counters = dict(line.split(": ") for line in (folder / "io").read_text().splitlines())
        row["io_bytes"] = float(counters["read_bytes"]) + float(counters["write_bytes"])
    return row


SOURCES: dict[str, Callable[[Path], Iterable[Row]]] = {
    "cpu": cpu,
    "memory": memory,
    "pressure": pressure,
    "disks": disks,
    "network": network,
    "files": files,
    "processes": processes,
    "groups": groups,
    "logs": logs,
    "interfaces": interfaces,
    "sockets": sockets,
    "busiest": busiest,
    "cores": cores,
}
# The files that each source reads, so that they can be fetched from another host; those of processes are found there.
FILES: dict[str, tuple[str, ...]] = {
    "cpu": ("stat", "loadavg"),
    "memory": ("meminfo", "vmstat"),
    "pressure": ("pressure/cpu", "pressure/io", "pressure/memory"),
    "disks": ("diskstats",),
    "network": (
        "net/snmp",
        "net/netstat",
        "sys/net/netfilter/nf_conntrack_count",
        "sys/net/netfilter/nf_conntrack_max",
    ),
    "files": ("sys/fs/file-nr",),
    "interfaces": ("net/dev",),
    "sockets": ("net/tcp", "net/tcp6", "sys/net/ipv4/ip_local_port_range"),
    "cores": ("stat", "cpuinfo"),
}
