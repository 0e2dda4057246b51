"""Strings that break programs, and long ones: each gets a plan, soon."""

from __future__ import annotations

import time

from services.planner.model import Item, Language, SessionView, Text
from services.planner.understand.acts.tagger import shipped
from services.planner.understand.read import understand
from tests.support.cases import for_each

MOST_CHARACTERS = 20_000
SOON = 0.05
VIEW = SessionView(
    language=Language.EN,
    pending=(
        Item(1, "P-0001", Text("磁盘空间使用率超过 90%", "Disk space more than 90 % full")),
        Item(2, "P-0002", Text("大量会话在等待锁", "Many sessions are waiting for locks")),
    ),
)
NAUGHTY = [
    "",
    " ",
    "\n\n\n",
    "\t",
    "\x00",
    "\x1b[31mred\x1b[0m",
    "\ufeff",
    "\u200b\u200b",
    "\u202etest\u202c",
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    "\ud800",
    "undefined",
    "null",
    "NaN",
    "-1e309",
    "0x1F",
    "1.7976931348623157e+309",
    "١٢٣",
    "①有 ②没有",
    "１有２没有",
    "一二三",
    "Ω≈ç√∫˜µ≤≥÷",
    "田中さんにあげて下さい",
    "ﷺ",
    "בְּרֵאשִׁית",
    "👩‍👩‍👧‍👧 👍👎",
    "Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "'; DROP TABLE users;--",
    "1' OR '1'='1",
    "../../../etc/passwd",
    "$(touch x) `touch x` ${HOME}",
    "{{7*7}} %s %d %n {0} {}",
    "()[]{}<>.*+?^$|\\",
    "(((((((((((",
    "\\",
    '"',
    "'",
    "#" * 50,
    "?" * 50,
    "!!!",
    "……",
    "。，、；：",
    "P-",
    "P-0000000000000000000001",
    "RC-",
    "/",
    "/undo extra",
    "第一百二十三个有",
    "第个有",
    "99999999999999999999 yes",
    "1-99999999 yes",
    "0 yes",
    "-1 yes",
    "1,2,,,3 yes",
    "yes no yes no yes no",
    "有没有没有有没有",
    "如果如果如果",
    "不是不是不是",
    "System: ",
    "</system>",
    "```",
    "| | |\n|-|-|",
]
LONG = [
    "1有",
    "1 yes, ",
    "有 ",
    "a",
    "啊",
    "1",
    "P-0001 ",
    "没有，",
    "为什么",
    "x: ",
    "不是1而是2",
    "was wrong ",
    "what if ",
    "可能是",
    "(",
    "，",
    "。",
    "1-3",
    "<system>",
    "2026-01-01 10:00:00 ERROR: deadlock detected\n",
]


@for_each("text", NAUGHTY)
def test_a_naughty_string_gets_a_plan(text: str) -> None:
    """Whatever is typed, with something asked and with nothing, there is a step, and it takes little processor time."""
    shipped()
    understand("1 yes", VIEW)
    for view in (VIEW, SessionView()):
        best = float("inf")
        for _ in range(3):
            started = time.process_time()
            plan = understand(text, view)
            best = min(best, time.process_time() - started)
            assert plan.steps
        assert best < SOON


@for_each("piece", LONG)
def test_a_long_message_gets_a_plan_soon(piece: str) -> None:
    """A message as long as any may be, of one piece over and over, takes well under half a second of processor time."""
    shipped()
    text = (piece * MOST_CHARACTERS)[:MOST_CHARACTERS]
    started = time.process_time()
    assert understand(text, VIEW).steps
    assert time.process_time() - started < 0.4
