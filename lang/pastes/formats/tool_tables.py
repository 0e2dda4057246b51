"""What the tools of a host print, as tables by what they measure, whichever tool it was.

`cpu` (vmstat, top): one row a sample; `memory` (free, top, /proc/meminfo): one row; `filesystems` and `inodes` (df);
`disks` (iostat); `processes` (top); `pressure` (/proc/pressure); `huge_pages`; `pods` and `events` (kubectl).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

from lang import deferred_re as re
from lang.pastes.cells import named_rows, plain_name
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.model import Block, Table

Read = Callable[[PastedLines, int], Block | None]
# The words that a heading has, by what it measures; the first that fits names the table.
_HEADINGS: tuple[tuple[str, frozenset[str]], ...] = (
    ("cpu", frozenset(["r", "b", "swpd", "free", "si", "so", "us", "sy", "id", "wa"])),
    ("disks", frozenset(("Device", "%util"))),
    ("disks", frozenset(("Device:", "%util"))),
    ("averages", frozenset(("%user", "%system", "%idle"))),
    ("processes", frozenset(("PID", "USER", "%CPU"))),
    ("pods", frozenset(("NAME", "READY", "STATUS"))),
    ("events", frozenset(("TYPE", "REASON", "OBJECT", "MESSAGE"))),
    ("sockets", frozenset(("State", "Recv-Q", "Send-Q"))),
)
_OF_MOUNTS = ("Filesystem", "Size", "Used", "Avail", "Use%", "Mounted_on")
_SIZE = r"\s+\d+(?:\.\d+)?[KMGTP]?i?"
_MOUNT = re.compile(rf"\s*[\w./:-]+{_SIZE}{_SIZE}{_SIZE}\s+\d+%\s+/\S*\s*")
_SAMPLED = ("cpu", "disks")
# From so many samples on it tells something that a disk did the same in each.
_FEWEST = 3
# What top shares with vmstat; its `si` is another thing than vmstat's.
_SHARES = ("us", "sy", "ni", "id", "wa", "st")
_SIDES = (("mem", ""), ("内存", ""), ("swap", "swap_"), ("交换", "swap_"))
# The columns of `free` since 2014, also for output without its heading, and as a Chinese locale has them.
_USUAL = ("total", "used", "free", "shared", "buff/cache", "available")
_MEMORY_HEADINGS = dict(zip(("总计", "已用", "空闲", "共享", "缓冲/缓存", "可用"), _USUAL, strict=True))
_TOP = re.compile(r"\s*(?P<unit>[KMGT]iB) (?P<what>Mem|Swap) ?:")
_TOP_VALUE = re.compile(r"(\d+(?:\.\d+)?)\+? (total|free|used|buff/cache|avail Mem)")


def read_free(lines: PastedLines, at: int) -> Block | None:
    """The output of `free`, in English or Chinese, with its heading or the usual columns without it."""
    words = lines.lines[at].split()
    names = [_MEMORY_HEADINGS.get(word, word) for word in words]
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


def read_tool(lines: PastedLines, at: int) -> Block | None:
    """The output of a known tool that begins with line `at`."""
    line = lines.lines[at]
    for begins, read in _READERS:
        if line.lstrip().startswith(begins) and (found := read(lines, at)) is not None:
            return found
    return _read_heading(lines, at) or _read_mounts(lines, at)


def _read_mounts(lines: PastedLines, at: int) -> Block | None:
    """Rows of `df -h` that lost their heading: a device, three sizes, a share and where it is mounted."""
    last = at
    while last < len(lines.lines) and _MOUNT.fullmatch(lines.lines[last]):
        last += 1
    rows = [lines.lines[place].split() for place in range(at, last)]
    return Block("table", at, last, named_rows(_OF_MOUNTS, rows, "filesystems")) if rows else None


def _read_heading(lines: PastedLines, at: int) -> Block | None:
    """A table of columns apart by spaces, by its heading; a heading that comes again begins the next sample."""
    words = lines.lines[at].split()
    form = next((form for form, names in _HEADINGS if names.issubset(words)), None)
    if form is None:
        return None
    names = words[1:] if form == "averages" else words
    samples: list[list[Sequence[str]]] = [[]]
    last = at + 1
    while last < len(lines.lines):
        cells = lines.lines[last].split(maxsplit=len(names) - 1)
        if lines.lines[last].split() == words:
            samples.append([])
        elif len(cells) == len(names) and not (form in _SAMPLED and not cells[-1].replace(".", "").isdigit()):
            samples[-1].append(cells)
        elif not (form in _SAMPLED and _between(lines, last)):
            break
        last += 1
    rows = [row for sample in samples for row in sample]
    if form == "disks":
        return Block("table", at, last, _of_devices(names, [row for sample in samples[1:] for row in sample] or rows))
    return Block("table", at, last, named_rows(names, rows[1:] if form == "cpu" and len(rows) > 1 else rows, form))


def _of_devices(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A row for each device: the medians of its samples, told in the words of the sample in the middle.

    rows: without those of the first sample where there are more, for that is the average since the boot.
    """
    by_device: dict[str, list[Sequence[str]]] = {}
    for row in rows:
        by_device.setdefault(row[0], []).append(row)
    medians = [
        [name, *_medians([row[1:] for row in found]), _spread(names, found)] for name, found in by_device.items()
    ]
    table = named_rows([*names, "iops_spread_pct"], medians, "disks")
    return replace(table, told=tuple(" | ".join(_middle(found)) for found in by_device.values()))


def _spread(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """By how many per cent reads and writes together differ between samples; empty for fewer than three."""
    places = [names.index(name) for name in ("r/s", "w/s") if name in names]
    try:
        totals = [sum(float(row[place]) for place in places) for row in rows]
    except ValueError:
        return ""
    if len(totals) < _FEWEST or len(places) < len(("r/s", "w/s")) or not min(totals):
        return ""
    return f"{100 * (max(totals) / min(totals) - 1):.1f}"


def _middle(rows: Sequence[Sequence[str]]) -> Sequence[str]:
    """The sample that was neither most nor least busy, the later of two; how busy a device was stands last."""
    return sorted(rows, key=lambda row: float(row[-1]))[len(rows) // 2]


def _medians(rows: Sequence[Sequence[str]]) -> list[str]:
    """Column by column the middle value; a column that holds other than numbers keeps its last."""
    try:
        return [str(median(map(float, column))) for column in zip(*rows, strict=True)]
    except ValueError:
        return list(rows[-1])


def _between(lines: PastedLines, at: int) -> bool:
    """Blank lines and headings between the samples of one run."""
    line = lines.lines[at]
    if line.startswith(("procs", "avg-cpu", "Device")):
        return True
    later = lines.lines[at : at + 4]
    return any(part.startswith(("procs", "avg-cpu", "Device")) for part in later) or (
        lines.lines[at - 1].startswith("avg-cpu")
        or (at > 1 and lines.blank[at] and lines.lines[at - 2].startswith("avg-cpu"))
    )


def _read_vmstat(lines: PastedLines, at: int) -> Block | None:
    found = _read_heading(lines, at + 1) if at + 1 < len(lines.lines) else None
    return None if found is None or found.table is None else Block("table", at, found.last, found.table)


def _read_filesystems(lines: PastedLines, at: int) -> Block | None:
    heading = lines.lines[at].replace("Mounted on", "mounted_on").split()
    if len(heading) < 6:
        return None
    rows: list[list[str]] = []
    last = at + 1
    while last < len(lines.lines) and not lines.blank[last]:
        cells = lines.lines[last].split(maxsplit=len(heading) - 1)
        after = last + 1
        if len(cells) == 1 and after < len(lines.lines):
            # A long device name stands on a line of its own.
            cells += lines.lines[after].split(maxsplit=len(heading) - 2)
            after += 1
        if len(cells) != len(heading) or not any(cell.endswith("%") or cell == "-" for cell in cells):
            break
        rows.append(cells)
        last = after
    inodes = any(name.lower().startswith("iuse") or name == "Inodes" for name in heading)
    shared = ("filesystem", *(plain_name(name) for name in heading[1:-3]), "avail", "use_pct", "mounted_on")
    return (
        Block("table", at, last, Table(shared, tuple(map(tuple, rows)), "inodes" if inodes else "filesystems"))
        if rows
        else None
    )


def _read_top(lines: PastedLines, at: int) -> Block | None:
    """The summary of top: one sample of the CPU. Its processes follow as a table of their own."""
    last = at
    values: dict[str, str] = {}
    while last < len(lines.lines) and not lines.blank[last]:
        head, _, rest = lines.lines[last].partition(":")
        if last > at and (head.startswith("top - ") or head.rstrip().endswith("iB Mem")):
            break
        if "Cpu" in head:
            pairs = [part.split() for part in rest.replace("%", " ").split(",")]
            values = {pair[1]: pair[0] for pair in pairs if len(pair) == 2 and pair[1] in _SHARES}
        last += 1
    return Block("table", at, last, Table(tuple(values), (tuple(values.values()),), "cpu")) if values else None


def _read_pressure(lines: PastedLines, at: int) -> Block | None:
    """`some avg10=...` of each resource; the name of the resource stands above it in one way or another."""
    rows: list[list[str]] = []
    last, resource = at, ""
    while last < len(lines.lines):
        words = lines.lines[last].split()
        if words[:1] in (["some"], ["full"]) and len(words) == 5:
            rows.append([resource, words[0], *(word.partition("=")[2] for word in words[1:])])
        elif (
            len(words) in (1, 2)
            and words[0] != "some"
            and "".join(lines.lines[last + 1 : last + 2]).startswith("some avg")
        ):
            resource = words[-1].strip("=:/").rpartition("/")[2]
        else:
            break
        last += 1
    table = Table(("resource", "share", "avg10", "avg60", "avg300", "total"), tuple(map(tuple, rows)), "pressure")
    return Block("table", at, last, table) if rows else None


def _read_huge_pages(lines: PastedLines, at: int) -> Block | None:
    words = lines.lines[at].split()
    chosen = [word[1:-1] for word in words if word.startswith("[")]
    if {word.strip("[]") for word in words} != {"always", "madvise", "never"} or len(chosen) != 1:
        return None
    return Block("table", at, at + 1, Table(("chosen",), ((chosen[0],),), "huge_pages"))


def _read_description(lines: PastedLines, at: int) -> Block | None:
    """`kubectl describe`: lines of `Name: value`, read like one entry of a log, for what matters are its reasons."""
    if not any(line.startswith(("Namespace:", "Containers:")) for line in lines.lines[at : at + 12]):
        return None
    last = at
    while last < len(lines.lines) and (lines.blank[last] or lines.lines[last][:1] == " " or ":" in lines.lines[last]):
        last += 1
    return Block("log", at, last, Table(("time", "line"), (("", "\n".join(lines.lines[at:last])),), "log"))


_READERS: tuple[tuple[tuple[str, ...], Read], ...] = (
    (("procs ", "procs-"), _read_vmstat),
    (("Filesystem", "文件系统"), _read_filesystems),
    (("total", "总计", "Mem:", "内存"), read_free),
    (("top - ",), _read_top),
    (("== cpu", "== io", "== memory", "some avg", "/proc/pressure"), _read_pressure),
    (("MemTotal:", "PageTables:", "Dirty:", "Cached:"), read_meminfo),
    (("KiB Mem", "MiB Mem", "GiB Mem"), read_top_memory),
    (("[always]", "always"), _read_huge_pages),
    (("Name:",), _read_description),
)
