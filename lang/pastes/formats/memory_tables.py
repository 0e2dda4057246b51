"""What `free`, `top` and /proc/meminfo print of a host's memory, as a table `memory` or `meminfo` of one row."""

from __future__ import annotations

import re

from lang.pastes.cells import plain_name
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.model import Block, Table

_SIDES = (("mem", ""), ("内存", ""), ("swap", "swap_"), ("交换", "swap_"))
# The columns of `free` since 2014, also for output without its heading, and as a Chinese locale has them.
_USUAL = ("total", "used", "free", "shared", "buff/cache", "available")
_HEADINGS = dict(zip(("总计", "已用", "空闲", "共享", "缓冲/缓存", "可用"), _USUAL, strict=True))
_TOP = re.compile(r"\s*(?P<unit>[KMGT]iB) (?P<what>Mem|Swap) ?:")
_TOP_VALUE = re.compile(r"(\d+(?:\.\d+)?)\+? (total|free|used|buff/cache|avail Mem)")


def read_free(lines: PastedLines, at: int) -> Block | None:
    """The output of `free`, in English or Chinese, with its heading or the usual columns without it."""
    words = lines.lines[at].split()
    names = [_HEADINGS.get(word, word) for word in words]
    headed = names[:2] == ["total", "used"]
    if not headed:
        names = list(_USUAL)
        if _side(words[0]) != "" or len(words) != len(names) + 1:
            return None
    last = at + 1 if headed else at
    values: dict[str, str] = {}
    while last < len(lines.lines) and (head := lines.lines[last].split())[:1] and head[0].endswith((":", "：")):
        side = _side(head[0])
        found = zip(names, head[1:], strict=False)
        values |= {("other_" if side is None else side) + plain_name(name): cell for name, cell in found}
        last += 1
    return _table(at, last, values, "memory") if "total" in values else None


def read_top_memory(lines: PastedLines, at: int) -> Block | None:
    """The memory in the summary of top: what is available stands in the line of the swap."""
    values: dict[str, str] = {}
    last = at
    while last < len(lines.lines) and (head := _TOP.match(lines.lines[last])):
        side = "swap_" if head["what"] == "Swap" else ""
        for number, name in _TOP_VALUE.findall(lines.lines[last]):
            key = "available" if name == "avail Mem" else side + plain_name(name)
            values[key] = f"{number} {head['unit']}"
        last += 1
    return _table(at, last, values, "memory") if "total" in values else None


def read_meminfo(lines: PastedLines, at: int) -> Block | None:
    """Lines of /proc/meminfo."""
    values: dict[str, str] = {}
    last = at
    while last < len(lines.lines) and len(words := lines.lines[last].split()) in (2, 3) and words[0].endswith(":"):
        name = plain_name(words[0][:-1])
        if name in values:
            break
        values[name] = " ".join(words[1:])
        last += 1
    return _table(at, last, values, "meminfo") if len(values) > 1 else None


def _side(word: str) -> str | None:
    """What a line of `free` is about: the memory (empty), the swap, or None for a total."""
    return next((side for begins, side in _SIDES if word.lower().startswith(begins)), None)


def _table(at: int, last: int, values: dict[str, str], form: str) -> Block:
    return Block("table", at, last, Table(tuple(values), (tuple(values.values()),), form))
