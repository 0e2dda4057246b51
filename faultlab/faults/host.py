"""Faults of the host the server runs on: each a process beside it. Their causes stand in the host's library."""

from __future__ import annotations

from faultlab.fault import Act, Fault
from faultlab.lab import Lab


def _burden(kind: str) -> Act:
    def start(lab: Lab) -> None:
        lab.burden_host(kind)

    return start


def _fault(kind: str, zh: str, en: str, root_cause: str, visible_after: float = 2) -> Fault:
    return Fault(f"host_{kind}", zh, en, root_cause, visible_after, _burden(kind), database=False)


FAULTS = (
    _fault("cpu", "主机上一个进程陷入热循环", "A process on the host spins", "RC-3001", 4),
    _fault("io", "主机上一个进程不停地写盘", "A process on the host writes all the time", "RC-3011", 4),
    _fault("forks", "脚本不停地拉起短命进程", "A script starts one short-lived process after the other", "RC-3009"),
    _fault("threads", "一个进程泄漏线程", "A process leaks threads", "RC-3010", 4),
    _fault("descriptors", "一个进程泄漏文件描述符", "A process leaks file descriptors", "RC-3032"),
    _fault("unclosed_sockets", "对端已断的连接没有关闭", "Connections whose other side hung up stay open", "RC-3032"),
    _fault("memory", "一个进程泄漏内存，被杀后又被拉起", "A process leaks memory until it is killed", "RC-3018", 40),
    _fault(
        "memory_limit",
        "容器内存上限太小，反复被杀",
        "A memory limit that is too small kills again and again",
        "RC-3021",
        6,
    ),
    _fault(
        "refused_calls", "下游不在，调用方不停重试", "A service that is not there is called again and again", "RC-3041"
    ),
    _fault("full_backlog", "监听队列太短，没人取连接", "A short listen queue that nobody takes from", "RC-3035"),
)
