"""Writes layers as YAML beside their data, and keeps verified answers in `examples:` without another change."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter, ValidationError

from services.analyst.semantic.schema import Example, Layer
from services.analyst.sources.opening import KINDS
from services.analyst.sources.source import Source
from services.chassis.errors import InvalidInput, NotFound
from services.chassis.problems import system_problem

_KEY = "examples"
_SIGNS = re.compile(r"[\s?？。.!！,，]+")
_EXAMPLES = TypeAdapter(tuple[Example, ...])
_PARTS = ("tables", "joins", "metrics", "dimensions", "hierarchies", "filters", "exclusions", "examples")


def plain_question(question: str) -> str:
    """A question without case and punctuation: two that are equal then ask the same."""
    return _SIGNS.sub(" ", question.casefold()).strip()


def read_examples(path: Path) -> tuple[Example, ...]:
    """The examples of a file that has nothing else; none without the file. Raises InvalidInput for other content."""
    if not path.exists():
        return ()
    try:
        content = yaml.safe_load(path.read_text("utf-8")) or {}
        return _EXAMPLES.validate_python(content.get(_KEY) or ())
    except (yaml.YAMLError, UnicodeDecodeError, ValidationError, AttributeError) as error:
        raise InvalidInput("layer_invalid.examples", path=str(path), what=str(error).splitlines()[0]) from None


def keep_example(path: Path, example: Example) -> None:
    """Adds an example to a file, in place of one of the same question. Makes the file where there is none.

    Raises InvalidInput for a file that is no YAML, or that cannot be written.
    """
    try:
        text = path.read_text("utf-8") if path.exists() else ""
        changed = _with_example(text, example)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        beside.write_text(changed, "utf-8")
        beside.replace(path)
    except OSError as error:
        raise InvalidInput("not_writable.layer", path=str(path), why=system_problem(error)) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidInput("layer_invalid.examples", path=str(path), what=str(error).splitlines()[0]) from None


def _with_example(text: str, example: Example) -> str:
    written = json.dumps(example.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False)
    key, listed = _listed(yaml.compose(text))
    if key is None:
        return f"{text.rstrip()}\n{_KEY}:\n  - {written}\n".lstrip("\n")
    same = next((one for one in listed.value if _question(one) == plain_question(example.question)), None)
    if same is not None:
        # A block mapping ends where the next entry begins: the white space between is kept.
        end = len(text[: same.end_mark.index].rstrip())
        return f"{text[: same.start_mark.index]}{written}{text[end:]}"
    if not isinstance(listed, yaml.SequenceNode) or listed.flow_style:
        kept = [json.dumps(one, ensure_ascii=False, default=str) for one in yaml.safe_load(text)[_KEY] or ()]
        lines = "".join(f"\n  - {one}" for one in [*kept, written])
        colon, end = text.index(":", key.end_mark.index) + 1, listed.end_mark.index
        return f"{text[:colon]}{lines}{text[max(colon, end) :] or chr(10)}"
    end = len(text[: listed.value[-1].end_mark.index].rstrip())
    return f"{text[:end]}\n{' ' * listed.start_mark.column}- {written}{text[end:] or chr(10)}"


def _listed(node: Any) -> tuple[Any, Any]:
    """The nodes of the key and of the list of examples; None where the file has none."""
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if key.value == _KEY:
            return key, value
    return None, None


def _question(node: Any) -> str:
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if key.value == "question":
            return plain_question(str(value.value))
    return ""


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


def sources_beside(path: Path, layer: Layer) -> tuple[Source, ...]:
    """The file or folder called like the layer's file or its dataset, else the files called like its tables.

    Raises NotFound where there is neither.
    """
    folder = path.parent
    stems = dict.fromkeys([path.name.split(".")[0], path.stem, layer.dataset])
    for stem in stems:
        for place in (*(folder / f"{stem}{ending}" for ending in sorted(KINDS)), folder / stem):
            if place.is_dir() or (place.is_file() and place != path):
                return (Source(path=place),)
    files = [
        place
        for table in layer.tables
        for place in (folder / f"{table.name}{ending}" for ending in sorted(KINDS))
        if place.is_file()
    ]
    if not files:
        raise NotFound("dataset_not_found.data", path=str(path), dataset=layer.dataset)
    return tuple(Source(path=place) for place in files)
