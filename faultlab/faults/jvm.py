"""Faults inside a JVM beside the server: a small service whose threads or heap are in trouble."""

from __future__ import annotations

from faultlab.fault import Act, Fault, Needs
from faultlab.jvm import command
from faultlab.lab import Lab

_HEAP = "-Xmx64m"


def _burden(kind: str, *flags: str) -> Act:
    def start(lab: Lab) -> None:
        lab.burden(command(kind, _HEAP, *flags))

    return start


def _fault(name: str, zh: str, en: str, root_cause: str, start: Act) -> Fault:
    return Fault(name, zh, en, root_cause, 3, start, needs=Needs.JAVA, database=False)


FAULTS = (
    _fault(
        "java_deadlock",
        "两个工作线程按相反顺序加锁，整个线程池卡死",
        "Two workers take two locks in opposite order, and their pool stands still",
        "RC-3030",
        _burden("deadlock"),
    ),
    _fault(
        "java_hot_lock",
        "每个请求都抢同一把锁",
        "Every request needs the same lock",
        "RC-3029",
        _burden("hot_lock"),
    ),
    _fault(
        "java_pool_starved",
        "任务在自己的线程池里等子任务",
        "Tasks wait for others in the pool that they fill themselves",
        "RC-3031",
        _burden("pool_starved"),
    ),
    _fault(
        "java_slow_dependency",
        "所有工作线程都在等一个不回应的下游",
        "All workers wait for a service that does not answer",
        "RC-3040",
        _burden("slow_dependency"),
    ),
    _fault(
        "java_heap_small",
        "堆几乎被在用的对象占满，不停 Full GC",
        "What is in use nearly fills the heap: full collections without end",
        "RC-3025",
        _burden("heap_small"),
    ),
    _fault(
        "java_allocation",
        "每秒产生数百 MB 的短命对象",
        "Hundreds of megabytes a second of objects that nobody keeps",
        "RC-3027",
        _burden("allocation", "-Xmn8m"),
    ),
)
