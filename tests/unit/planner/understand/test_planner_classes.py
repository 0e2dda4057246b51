"""Classes of wordings: each was misread once in one wording, and is held here in many, in both languages."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from services.planner.labelled_cases import PlanForm, form_of
from services.planner.model import Item, SessionView, Text
from services.planner.understand.answers.plan_checks import drop_sweeps
from services.planner.understand.read import understand

ITEMS = {
    "conn": Text("连接数接近 max_connections 上限", "Connections near the max_connections limit"),
    "cpu": Text("CPU 使用率持续高于 90%", "CPU usage stays above 90 %"),
    "dead": Text("日志中频繁出现死锁", "Deadlocks show up often in the log"),
    "hit": Text("共享缓冲区命中率低于 90%", "Shared buffer hit ratio below 90 %"),
    "idle": Text("大量 idle in transaction 会话", "Many sessions idle in transaction"),
    "io": Text("磁盘 IO 利用率接近 100%", "Disk IO utilisation near 100 %"),
    "lag": Text("备库复制延迟大", "Replication lag on the standby is large"),
    "lock": Text("大量会话在等待锁", "Many sessions are waiting for locks"),
    "oom": Text("进程被 OOM killer 杀掉", "Backends are killed by the OOM killer"),
    "slot": Text("存在不活跃的复制槽", "A replication slot is inactive"),
    "space": Text("磁盘空间使用率超过 90%", "Disk space more than 90 % full"),
    "stats": Text("统计信息过期（超过 7 天未 ANALYZE）", "Statistics are stale (no ANALYZE for more than 7 days)"),
    "tuples": Text("表中死元组比例高（n_dead_tup 超过 20%）", "High ratio of dead tuples (n_dead_tup above 20 %)"),
    "tx": Text("存在运行超过 1 小时的长事务", "A transaction has been open for more than one hour"),
    "vacuum": Text("热点表的 autovacuum 长时间没有运行", "Autovacuum has not run on a hot table for a long time"),
    "wal": Text("pg_wal 目录异常增大", "The pg_wal directory grows abnormally"),
}
FILE = Path(__file__).parents[1] / "wordings.jsonl"


class Wording(NamedTuple):
    """A message, what is asked about, and what is right: verdicts by item, kinds of questions, how many facts."""

    message: str
    asked: str
    right: str


@cache
def wordings() -> dict[str, list[Wording]]:
    """The wordings of the file by their class."""
    found: dict[str, list[Wording]] = {}
    for row in map(json.loads, FILE.read_text(encoding="utf-8").splitlines()):
        found.setdefault(row["class"], []).append(Wording(row["message"], row["asked"], row["right"]))
    return found


@cache
def plan(message: str, asked: str) -> PlanForm:
    """What a message comes to while these items are asked about."""
    pending = tuple(Item(ordinal, name, ITEMS[name]) for ordinal, name in enumerate(asked.split(), 1))
    view = SessionView(pending=pending)
    return form_of(understand(message, view), view, ITEMS)


def told(form: PlanForm) -> str:
    """A plan in the form of the table: verdicts and questions, then the one thing that stands for the rest."""
    parts = [
        f"{verdict}:{'+'.join(sorted(ids))}"
        for verdict, ids in (("yes", form.confirmed), ("no", form.denied), ("unknown", form.unknown))
        if ids
    ]
    parts += [f"ask:{'+'.join(sorted(form.questions))}"] if form.questions else []
    parts += ["reset"] if form.reset else []
    return " ".join(parts)


def wanted(right: str) -> str:
    """The verdicts, questions and reset of a row."""
    parts = (
        part.split(":") for part in right.split() if part.split(":")[0] in ("yes", "no", "unknown", "ask", "reset")
    )
    return " ".join(":".join((part[0], *("+".join(sorted(end.split("+"))) for end in part[1:]))) for part in parts)


def fits(form: PlanForm, message: str, right: str) -> bool:
    """Whether a plan is right: verdicts, questions and new starts exactly, facts by how many and with all numbers."""
    if right in ("never", "no denial"):
        return not form.denied and (right == "no denial" or not form.confirmed)
    facts = re.search(r"facts:(\d)", right)
    numbers = set(re.findall(r"\d+", message)) <= set(re.findall(r"\d+", " ".join(form.observations)))
    return (
        told(form) == wanted(right)
        and (facts is None or (len(form.observations) == int(facts[1]) and numbers))
        and ("guess" not in right or (len(form.suggestions) == 1 and not form.observations))
        and ("clarify" not in right or form.clarify)
        and ("talk" not in right or (form.smalltalk and not form.observations))
    )


def claims_only(form: PlanForm, wording: Wording) -> bool:
    """Whether a plan confirms and denies nothing that the message does not confirm or deny."""
    if wording.right in ("never", "no denial"):
        return fits(form, wording.message, wording.right)
    given = dict(part.split(":") for part in wording.right.split() if part.startswith(("yes:", "no:")))
    confirmed, denied = (set(given.get(kind, "").split("+")) for kind in ("yes", "no"))
    return set(form.confirmed) <= confirmed and set(form.denied) <= denied


def test_no_wording_of_a_class_is_taken_for_evidence_that_it_is_not() -> None:
    """Nothing is confirmed or denied that the message does not confirm or deny."""
    every = [one for rows in wordings().values() for one in rows]
    assert len(every) >= 290
    assert [one for one in every if not claims_only(plan(one.message, one.asked), one)] == []


def test_a_class_of_wordings_is_read_alike() -> None:
    """Of the wordings of a class at most one in ten is not read wholly right, and of a short class one."""
    missed = {
        name: [one for one in rows if not fits(plan(one.message, one.asked), one.message, one.right)]
        for name, rows in wordings().items()
    }
    assert {name: found for name, found in missed.items() if len(found) > max(1, len(wordings()[name]) // 10)} == {}


def test_a_no_beside_a_question_is_no_answer_to_a_whole_list() -> None:
    """Who asks back has objected to what was said, and looked at none of the list; a no to all of it says so."""
    pending = tuple(Item(ordinal, name, ITEMS[name]) for ordinal, name in enumerate(("lock", "dead", "slot"), 1))
    view = SessionView(pending=pending)
    for message, denied in (
        ("eh? no. why the disk, how certain is that?", 0),
        ("not loaded at all. why would that be?", 0),
        ("2 of 7 is not much. how sure are you?", 0),
        ("none of these. what else could it be?", 3),
        ("no to all. what next?", 3),
        ("no", 3),
    ):
        form = form_of(drop_sweeps(understand(message, view), message), view, ITEMS)
        assert len(form.denied) == denied, message


def test_an_empty_result_is_no_answer_to_a_whole_list() -> None:
    """What came back empty is the one query that was run, unless it is said of all."""
    pending = tuple(Item(ordinal, name, ITEMS[name]) for ordinal, name in enumerate(("lock", "dead", "slot"), 1))
    view = SessionView(pending=pending)
    for message, denied in (
        ("autovacuum 那个查了 空的", 0),
        ("慢查询那条跑了，空的", 0),
        ("三个都是空的", 3),
        ("都查了，都是0行", 3),
        ("都没有", 3),
    ):
        form = form_of(drop_sweeps(understand(message, view), message), view, ITEMS)
        assert len(form.denied) == denied, message
