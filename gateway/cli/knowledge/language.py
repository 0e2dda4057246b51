"""The texts of `dbdiag knowledge`: phrases, counts, steps of the work, and figures."""

from __future__ import annotations

import re

from gateway.cli.language import Texts, language

TEXTS = Texts("knowledge")
say = TEXTS.say
_ON_SERVER = re.compile(r"(\d+) queries on PostgreSQL (\d+)")


def count_things(count: int, thing: str) -> str:
    """`1 problem`, `2 problems`, `2 个问题`; `thing` is part of a key."""
    one = say(f"one_{thing}", count=count)
    return one if count == 1 or language() == "zh" else one + "s"


def step(name: str) -> str:
    """The text for a step of the work; a step without one is shown as it is."""
    if on_server := _ON_SERVER.fullmatch(name):
        return say("step_queries_on_a_server", queries=on_server[1], version=on_server[2])
    return _find_name("step", name, name)


def figure(name: str) -> str:
    """The text for a figure of an evaluation."""
    return _find_name("figure", name, name.replace("_", " "))


def _find_name(kind: str, name: str, otherwise: str) -> str:
    key = f"{kind}_{name.replace(' ', '_')}"
    return say(key) if key in TEXTS.table else otherwise
