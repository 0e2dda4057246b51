"""Arbitrary values of the planner's dataclasses, for properties that hold whatever a turn brings."""

from __future__ import annotations

import dataclasses
import random
import types
from enum import StrEnum
from typing import Any, Union, get_args, get_origin, get_type_hints

from services.planner.model import CorrectionStep, Group, Reference, Verdict

WORDS = (
    "",
    "锁等待很多",
    "CPU 95%",
    "reports are slow",
    "SELECT 1",
    "a, b",
    "没有“锁”",
    'no "lock"',
    "P-0012",
    "`x`",
    "…",
)


def made(kind: Any, dice: random.Random) -> Any:
    """A value of a type: any of its shapes, empty ones included."""
    if get_origin(kind) is tuple:
        return tuple(made(get_args(kind)[0], dice) for _ in range(dice.randint(0, 3)))
    if get_origin(kind) in (types.UnionType, Union):
        return made(dice.choice(get_args(kind)), dice)
    if kind is type(None):
        return None
    if dataclasses.is_dataclass(kind):
        return _record(kind, dice)
    if issubclass(kind, StrEnum):
        return dice.choice(list(kind))
    simple: dict[type, Any] = {
        bool: dice.random() < 0.5,
        int: dice.randint(0, 5),
        float: dice.choice((0.0, 0.004, 0.31, 0.5, 0.996, 1.0, 3.25)),
        str: dice.choice(WORDS),
    }
    return simple[kind]


def _record(kind: Any, dice: random.Random) -> Any:
    hints = get_type_hints(kind)
    values = {field.name: made(hints[field.name], dice) for field in dataclasses.fields(kind)}
    if kind is Reference:
        one: dict[str, Any] = {"ordinal": 2, "id": "P-0003", "group": Group.ALL, "words": "锁"}
        name = dice.choice(list(one))
        return Reference(list=values["list"], **{name: one[name]})
    if kind is CorrectionStep:
        after: dict[str, Any] = {"verdict": Verdict.DENIED, "words": "IO 很高", "retract": True}
        name = dice.choice(list(after))
        return CorrectionStep(values["original"], **{name: after[name]})
    return kind(**values)
