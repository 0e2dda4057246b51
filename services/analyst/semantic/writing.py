"""Writes a layer as YAML that people go on editing: one entry a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from services.analyst.semantic.schema import Layer

_PARTS = ("tables", "joins", "metrics", "dimensions", "hierarchies", "filters", "exclusions", "examples")


def write_layer(layer: Layer, remarks: Sequence[str] = ()) -> str:
    """The YAML of a layer, with remarks as comments at its top."""
    return "\n".join([*(f"# {remark}" for remark in remarks), *_lines(layer)]) + "\n"


def _lines(layer: Layer) -> Iterator[str]:
    content = _plain(layer.model_dump(exclude_defaults=True))
    yield "version: 1"
    yield f"dataset: {_flow(layer.dataset)}"
    for key in ("title", "calendar"):
        if key in content:
            yield f"{key}: {_flow(content[key])}"
    if layer.as_of:
        yield f"as_of: {layer.as_of.isoformat()}"
    for part in _PARTS:
        entries = content.get(part)
        if entries:
            yield f"{part}:"
            yield from (f"  - {_flow(entry)}" for entry in entries)
        elif part in ("tables", "metrics", "dimensions"):
            yield f"{part}: []"


def _plain(value: Any) -> Any:
    """A value with lists in place of tuples; keys keep their types: a value 1 is no text."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _flow(value: Any) -> str:
    """A value on one line."""
    text: str = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=float("inf"), sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")
