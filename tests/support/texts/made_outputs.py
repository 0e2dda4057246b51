"""Rows made for a check's rule: of each verdict that the rule can give, and copied the way tired people copy."""

from __future__ import annotations

import ast
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from lang.pastes import RowRule
from lang.pastes.cells import type_rows
from lang.pastes.judge_rows import judge_rows
from lang.pastes.model import Table, Verdict
from tests.support.texts.printed_tables import PRINTERS, Cells, Printer

_TRIES = 800
_OTHERS = (
    "0",
    "7",
    "1200",
    "90000000",
    "public.orders",
    "t",
    "f",
    "00:00:05",
    "12:00:00",
    "2026-11-24 05:00:00+00",
    "",
)
Constant = str | float | bool


def make_rows(names: Sequence[str], rule: RowRule, verdict: Verdict) -> list[list[str]]:
    """Rows that the rule gives the verdict; empty where none were found. The same at every call."""
    chance = random.Random(7)
    constants = _constants(rule)
    for _ in range(_TRIES):
        rows = [[_cell(constants.get(name, ()), chance) for name in names] for _ in range(chance.choice((1, 1, 2, 4)))]
        typed = type_rows(Table(tuple(names), tuple(map(tuple, rows))), rule.texts)
        if judge_rows(rule, (typed,), 0.0) == verdict:
            return rows
    return []


def _constants(rule: RowRule) -> Mapping[str, Sequence[Constant]]:
    """The columns of a rule with what they stand beside."""
    found: dict[str, dict[Constant, None]] = defaultdict(dict)
    for expression in rule.expressions:
        for node in ast.walk(expression.tree):
            if isinstance(node, ast.Compare | ast.Call):
                parts = list(ast.walk(node))
                values = [part.value for part in parts if isinstance(part, ast.Constant)]
                for name in (part.id for part in parts if isinstance(part, ast.Name)):
                    found[name].update(dict.fromkeys(value for value in values if isinstance(value, str | float | int)))
    return {name: tuple(values) for name, values in found.items()}


def _cell(constants: Sequence[Constant], chance: random.Random) -> str:
    if not constants or chance.random() < 0.05:
        return chance.choice(_OTHERS)
    value = chance.choice(constants)
    if isinstance(value, bool):
        return chance.choice("tf")
    return value if isinstance(value, str) else f"{chance.choice((value, value * 2 + 1, value / 2, 0, value + 1)):.10g}"


def _without_ruler(names: Sequence[str], rows: Cells) -> str:
    lines = PRINTERS["aligned"](names, rows).split("\n")
    return "\n".join([lines[0], *lines[2:-1]])


def _trimmed(names: Sequence[str], rows: Cells) -> str:
    """Cut at the beginning and the end of each line, as chat programs do."""
    return "\n".join(line.strip() for line in PRINTERS["aligned"](names, rows).split("\n"))


def _quoted(names: Sequence[str], rows: Cells) -> str:
    return "\n".join(f"> {line}" for line in PRINTERS["aligned"](names, rows).split("\n"))


SLOPPY: dict[str, Printer] = {"no ruler": _without_ruler, "trimmed": _trimmed, "quoted": _quoted}


def say_around(text: str) -> Iterator[str]:
    """The output with words and prompts around it that say nothing more."""
    yield f"here you go:\n\n{text}"
    yield f"跑完了，结果：\n{text}\n你看看"
    yield f"```\n{text}\n```"
    yield f"{text}\n\nshop=# "


def reorder(names: Sequence[str], rows: Cells, needed: frozenset[str]) -> tuple[list[str], list[list[str]]]:
    """The columns backwards, without the last that the rule does not need."""
    spare = next((name for name in reversed(names) if name not in needed), "") if len(names) > 2 else ""
    kept = [place for place in reversed(range(len(names))) if names[place] != spare]
    return [names[place] for place in kept], [[row[place] for place in kept] for row in rows]
