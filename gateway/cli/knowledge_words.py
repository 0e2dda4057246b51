"""What the verbs of `dbdiag knowledge` say, in Chinese and English, and which of the two: `--lang`, else the locale."""

from __future__ import annotations

import re

from gateway.cli.knowledge_phrases import FIGURES, PHRASES, STEPS
from gateway.cli.speaking import language

_ON_SERVER = re.compile(r"(\d+) queries on PostgreSQL (\d+)")


def say(key: str, **values: object) -> str:
    """One phrase in the verb's language, filled in."""
    return PHRASES[language()][key].format(**values)


def counted(count: int, thing: str) -> str:
    """`1 problem`, `2 problems`, `2 个问题`; `thing` is a phrase's key."""
    one = say(f"one_{thing}", count=count)
    return one if count == 1 or language() == "zh" else one + "s"


def step(name: str) -> str:
    """A step of the work as progress names it."""
    if language() == "en":
        return name
    if on_server := _ON_SERVER.fullmatch(name):
        return f"在 PostgreSQL {on_server[2]} 上跑 {on_server[1]} 条查询"
    return STEPS.get(name, name)


def figure(name: str) -> str:
    """A figure of an evaluation by its name."""
    plain = name.replace("_", " ")
    return FIGURES.get(name, plain) if language() == "zh" else plain
