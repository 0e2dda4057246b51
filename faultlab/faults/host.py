"""Faults of the host the server runs on: each a process beside it. Their causes stand in the host's library."""

from __future__ import annotations

from faultlab.fault import Fault
from faultlab.lab import Lab


def _cpu(lab: Lab) -> None:
    lab.burden_host("cpu")


def _io(lab: Lab) -> None:
    lab.burden_host("io")


def _descriptors(lab: Lab) -> None:
    lab.burden_host("descriptors")


def _threads(lab: Lab) -> None:
    lab.burden_host("threads")


FAULTS = (
    Fault("host_cpu", "主机上一个进程陷入热循环", "A process on the host spins", "RC-3001", 4, _cpu, database=False),
    Fault(
        "host_io",
        "主机上一个进程不停地写盘",
        "A process on the host writes all the time",
        "RC-3011",
        4,
        _io,
        database=False,
    ),
    Fault(
        "host_descriptors",
        "一个进程泄漏文件描述符",
        "A process leaks file descriptors",
        "RC-3032",
        2,
        _descriptors,
        database=False,
    ),
    Fault(
        "host_threads",
        "大量线程等一把锁",
        "Hundreds of threads wait for one lock",
        "RC-3031",
        2,
        _threads,
        database=False,
    ),
)
