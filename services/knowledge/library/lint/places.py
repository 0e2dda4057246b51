"""The line of a field in a YAML file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import yaml

Line = Callable[[Path, str], int]


def line_finder() -> Line:
    """Finds lines of fields; reads each file once."""
    read = cache(_composed)

    def line(file: Path, field: str) -> int:
        if file.suffix != ".yaml":
            return 0
        node: yaml.Node | None = read(file)
        found = 1
        for part in filter(None, field.split(".")):
            node, found = _inside(node, part, found)
        return found

    return line


def _composed(file: Path) -> yaml.Node | None:
    return yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def _inside(node: yaml.Node | None, part: str, line: int) -> tuple[yaml.Node | None, int]:
    """The node of a key or position, and its line; stays at the nearest one above where there is no such part."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == part:
                return value, key.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode) and part.isdigit() and int(part) < len(node.value):
        item = node.value[int(part)]
        return item, item.start_mark.line + 1
    return None, line
