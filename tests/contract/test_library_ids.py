"""Code names no entry of a library: which phenomena and causes there are is the library's to say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.cases import for_each
from tests.support.house import ROOT, sources, text, tree

ROOMS = [
    "gateway",
    "redaction",
    "services/chassis",
    "services/engine",
    "services/knowledge",
    "services/matcher",
    "services/planner",
]
IDENTITY = re.compile(r"(P|RC)-\d{4,}")


def examples(module: ast.Module) -> Iterator[ast.AST]:
    """What stands in an argument `examples`, as a schema has them for its readers."""
    for node in ast.walk(module):
        if isinstance(node, ast.keyword) and node.arg == "examples":
            yield from ast.walk(node.value)


def named_ids(path: Path) -> list[str]:
    """The literals of a file that are an entry's id, with their lines; an id within a sentence explains something."""
    if not IDENTITY.search(text(path)):
        return []
    module = tree(path)
    shown = set(examples(module))
    return [
        f"{path}:{node.lineno} {node.value}"
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in shown
        if IDENTITY.fullmatch(node.value.strip())
    ]


@for_each("room", ROOMS)
def test_code_names_no_entry_of_a_library(room: str) -> None:
    """No module of a room has a literal that is the id of a phenomenon or of a root cause."""
    assert (ROOT / room).is_dir()
    assert [found for path in sources(room) for found in named_ids(path)] == []
