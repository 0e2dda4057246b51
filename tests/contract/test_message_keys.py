"""Messages are keys with details, and every key has a text in both languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from services.chassis.messages import table
from tests.support.cases import for_each
from tests.support.house import sources, text, tree

# Rooms that raise errors.
ROOMS = (
    *("services/chassis", "services/engine", "services/matcher", "services/knowledge", "services/collector"),
    *("services/planner", "services/analyst", "sql_admission", "faultlab", "gateway"),
)
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_DERIVED = re.compile(r"^\s*class \w+\(", re.MULTILINE)
_HAN = re.compile(r"[一-鿿]")


@cache
def error_names() -> frozenset[str]:
    """The names of all classes of the error tree, wherever they are defined, and `Message`."""
    bases = {
        node.name: {base.id if isinstance(base, ast.Name) else getattr(base, "attr", "") for base in node.bases}
        for path in sources("services", "gateway", "faultlab", "sql_admission")
        if _DERIVED.search(text(path))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
    }
    found = {"DbdiagError"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return frozenset(found | {"Message", "Misfit", "Refused", "BadUsage"})


def raised(path: Path) -> Iterator[ast.Call]:
    """The calls in a file that make an error or a message."""
    names = error_names()
    if not any(f"{name}(" in text(path) for name in names):
        return
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in names:
                yield node


def problem_of(call: ast.Call) -> str | None:
    """The way in which a call's message is not a key with its details; None if it is one."""
    first = call.args[0]
    if isinstance(first, ast.JoinedStr | ast.BinOp):
        return "a sentence in place of a key"
    if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
        return None
    if first.value not in table():
        return f"no text for {first.value!r}"
    given = {keyword.arg for keyword in call.keywords}
    named = {detail for text in table()[first.value].values() for detail in _PLACEHOLDER.findall(text)}
    # Details that are handed on whole cannot be read from the source.
    return None if None in given or len(call.args) > 1 or named <= given else f"lacks {sorted(named - given)}"


@for_each("room", ROOMS)
def test_every_error_is_a_key_with_its_details(room: str) -> None:
    """Each error that a room raises names a key of the tables and gives every detail of its text."""
    offenders = [
        f"{path}:{call.lineno} {problem}"
        for path in sources(room)
        for call in raised(path)
        if (problem := problem_of(call))
    ]
    assert offenders == []


def test_both_languages_have_the_same_details() -> None:
    """A text has the same placeholders in Chinese and English, and only the Chinese one is Chinese."""
    for key, texts in table().items():
        assert texts.keys() == {"en", "zh"}, key
        assert set(_PLACEHOLDER.findall(texts["en"])) == set(_PLACEHOLDER.findall(texts["zh"])), key
        assert not _HAN.search(texts["en"]), key
        assert _HAN.search(texts["zh"]) or not re.search(r"[a-z]{3}", _PLACEHOLDER.sub("", texts["zh"])), key


def test_no_text_is_left_over() -> None:
    """Every key of the tables stands in the code."""
    code = "\n".join(map(text, sources("services", "gateway", "faultlab", "sql_admission")))
    assert [key for key in table() if f'"{key}"' not in code] == []
