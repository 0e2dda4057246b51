"""EXPLAIN as a table: one row a node, what stands below the plan on each of them.

A node under a Limit may stop early, so that it returns fewer rows than estimated without being estimated wrong:
`cut_short` says so. `inner_side` is the second child of a nested loop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.formats.tables.grids import skip_footer
from lang.pastes.model import Block, Table

_NODE = re.compile(
    r"(?P<indent>[\s|]*)(?:->\s+)?(?P<node>[A-Z][^(]{2,200}?)\s+"
    r"(?:\(cost=[\d.]+?\.\.(?P<total_cost>[\d.]+) rows=(?P<rows_estimated>\d+) width=\d+\)|(?=\(actual ))"
    r"(?: ?\((?:actual (?:time=[\d.]+?\.\.(?P<node_ms>[\d.]+) )?rows=(?P<rows_actual>[\d.]+) loops=(?P<loops>\d+)"
    r"|never executed)\))?"
)
_FACT = re.compile(
    r"(Rows Removed by Filter|Disk|Disk Usage|Batches|Workers Planned|Workers Launched|Planning Time|Execution Time"
    r"|Total):? ?([\d.]+)"
)
_FACTS = {
    "Rows Removed by Filter": "rows_removed",
    "Disk": "disk_kb",
    "Disk Usage": "disk_kb",
    "Batches": "batches",
    "Workers Planned": "workers_planned",
    "Workers Launched": "workers_launched",
    "Planning Time": "planning_ms",
    "Execution Time": "execution_ms",
    "Total": "jit_ms",
}
_FILTER = re.compile(r"[\s|]*Filter: (.+?)[\s|]*")
_BLOCKS = re.compile(r"[\s|]+Buffers: shared((?: (?:hit|read)=\d+)+)")
_OF_PLAN = ("planning_ms", "execution_ms", "jit_ms")
_TRIGGER = re.compile(
    r"\s*Trigger (?:for constraint )?(?P<name>\S+)(?: on (?P<table>\S+))?: time=(?P<ms>[\d.]+) calls=\d+\s*"
)
# The lines below a plan, which people copy alone.
_BELOW = ("Planning Time:", "Execution Time:", "Trigger ")
COLUMNS = (
    *("node", "total_cost", "rows_estimated", "rows_actual", "loops", "node_ms", "rows_removed", "disk_kb", "batches"),
    *(
        "workers_planned",
        "workers_launched",
        "cut_short",
        "inner_side",
        "filter",
        *_OF_PLAN,
        "triggers_ms",
        "trigger_name",
        "trigger_table",
        "blocks",
    ),
)
_BLOCKING = ("Sort", "HashAggregate", "Hash", "Aggregate", "GroupAggregate", "Materialize", "WindowAgg")
Node = dict[str, str]


class Trigger(NamedTuple):
    """A trigger that fired: of a constraint, it reads or writes the table on the constraint's other side."""

    name: str
    table: str
    ms: float


def read_plan(lines: PastedLines, at: int) -> Block | None:
    """The plan in text form that begins with line `at`, or the lines below one where its triggers stand alone."""
    line = lines.lines[at]
    begins = ("(cost=" in line or "(actual " in line) and _NODE.match(line)
    if not begins and not (line.lstrip().startswith(_BELOW) and _has_triggers(lines, at)):
        return None
    last = at
    while last < len(lines.lines) and (_is_of_plan(lines.lines[last]) or last == at):
        last += 1
    return Block("table", at, skip_footer(lines, last), plan_from_lines(lines.lines[at:last]))


def _has_triggers(lines: PastedLines, at: int) -> bool:
    below = takewhile(lambda line: line.lstrip().startswith(_BELOW), lines.lines[at:])
    return any(_TRIGGER.fullmatch(line) for line in below)


def _is_of_plan(line: str) -> bool:
    return (line[:1].isspace() and bool(line.strip())) or line.startswith(
        ("Planning", "Execution", "JIT", "Settings", "Trigger", "->")
    )


def plan_from_lines(lines: Sequence[str]) -> Table:
    """The nodes of a plan in text form, in its order."""
    nodes: list[Node] = []
    above: list[tuple[int, Node]] = []
    whole: Node = {}
    fired: list[Trigger] = []
    told: list[str] = []
    for line in lines:
        if found := _NODE.match(line):
            depth = len(found["indent"])
            while above and above[-1][0] >= depth:
                above.pop()
            row = {name: value for name, value in found.groupdict().items() if value is not None and name != "indent"}
            nodes.append(_begin(row, [node for _, node in above]))
            above.append((depth, nodes[-1]))
            told.append(line[found.start("node") :].strip(" |"))
            continue
        if found := _TRIGGER.fullmatch(line):
            fired.append(Trigger(found["name"], found["table"] or "", float(found["ms"])))
        for column, value in _facts_in(line):
            of = whole if column in _OF_PLAN else nodes[-1] if nodes else {}
            # Below the plan stands what planning read.
            of[column] = of.get(column, value) if column == "blocks" else value
    return _table(nodes or [{"node": ""}], whole | _fired(fired), told or [line.strip() for line in lines[:1]])


def _facts_in(line: str) -> Iterator[tuple[str, str]]:
    yield from ((_FACTS[name], value) for name, value in _FACT.findall(line))
    if condition := _FILTER.fullmatch(line):
        yield "filter", condition[1]
    if read := _BLOCKS.match(line):
        yield "blocks", str(sum(map(int, re.findall(r"\d+", read[1]))))


def _fired(triggers: Sequence[Trigger]) -> Node:
    """The time of all triggers, and the slowest of them by name, with its table where the plan prints that."""
    if not triggers:
        return {}
    slowest = max(triggers, key=lambda one: one.ms)
    total = f"{sum(one.ms for one in triggers):.10g}"
    return {"triggers_ms": total, "trigger_name": slowest.name, "trigger_table": slowest.table}


def _trigger_of(fired: Mapping[str, Any]) -> Trigger:
    name = fired.get("Constraint Name") or fired.get("Trigger Name") or ""
    return Trigger(str(name), str(fired.get("Relation") or ""), float(fired.get("Time", 0)))


def plan_from_json(value: Any) -> Table | None:
    """The nodes of a plan in JSON form; None for other JSON."""
    top = value[0] if isinstance(value, list) and value else value
    if not isinstance(top, dict) or not isinstance(top.get("Plan"), dict):
        return None
    whole = {"planning_ms": top.get("Planning Time"), "execution_ms": top.get("Execution Time")}
    jit = top.get("JIT", {}).get("Timing", {}).get("Total") if isinstance(top.get("JIT"), dict) else None
    fired = [_trigger_of(each) for each in top.get("Triggers", ()) if isinstance(each, dict)]
    totals = whole | {"jit_ms": jit} | _fired(fired)
    given = {name: str(found) for name, found in totals.items() if found is not None}
    nodes = list(_walk(top["Plan"], ()))
    return _table(nodes, given, [node["node"] for node in nodes])


def _walk(plan: Mapping[str, Any], above: tuple[Node, ...]) -> Iterator[Node]:
    facts = {
        "node": " ".join(str(plan[name]) for name in ("Node Type", "Relation Name") if plan.get(name)),
        "filter": plan.get("Filter"),
        "total_cost": plan.get("Total Cost"),
        "rows_estimated": plan.get("Plan Rows"),
        "rows_actual": plan.get("Actual Rows"),
        "loops": plan.get("Actual Loops"),
        "node_ms": plan.get("Actual Total Time"),
        "rows_removed": plan.get("Rows Removed by Filter"),
        "disk_kb": plan.get("Disk Usage")
        or (plan.get("Sort Space Used") if plan.get("Sort Space Type") == "Disk" else None),
        "batches": plan.get("HashAgg Batches") or plan.get("Hash Batches"),
        "workers_planned": plan.get("Workers Planned"),
        "workers_launched": plan.get("Workers Launched"),
        "blocks": plan.get("Shared Hit Blocks", 0) + plan.get("Shared Read Blocks", 0) or None,
    }
    node = _begin({name: str(fact) for name, fact in facts.items() if fact is not None}, [*above])
    yield node
    for child in plan.get("Plans", ()):
        if isinstance(child, dict) and len(above) < 200:
            yield from _walk(child, (*above, node))


def _begin(row: Node, above: Sequence[Node]) -> Node:
    """A node with what its place in the plan and its having been run say."""
    near = list(takewhile(lambda node: not node["node"].startswith(_BLOCKING), reversed(above)))
    row["cut_short"] = "t" if any(node["node"].startswith("Limit") for node in near) else "f"
    parent = above[-1] if above else {}
    # A nested loop's children are counted on it: the second one is its inner side.
    parent["children"] = str(int(parent.get("children", "0")) + 1)
    row["inner_side"] = "t" if parent.get("node", "").startswith("Nested Loop") and parent["children"] == "2" else "f"
    if "rows_actual" in row:
        # A plan that was run prints these only where they are not zero.
        row.update(
            {
                "rows_removed": row.get("rows_removed", "0"),
                "disk_kb": row.get("disk_kb", "0"),
                "batches": row.get("batches", "1"),
            }
        )
    return row


def _table(nodes: Sequence[Node], whole: Node, told: Sequence[str]) -> Table:
    if "execution_ms" in whole:
        whole.setdefault("jit_ms", "0")
        whole.setdefault("triggers_ms", "0")
    rows = tuple(tuple((node | whole).get(name, "") for name in COLUMNS) for node in nodes)
    return Table(COLUMNS, rows, "plan", tuple(told))
