"""Reads a semantic layer from YAML; what is wrong is named by line and key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from services.analyst.semantic.schema import Layer
from services.chassis.errors import InvalidInput, NotFound
from services.chassis.messages import Message
from services.chassis.problems import field_problem

_SHOWN = 8
_OF_UNIONS = ("str", "int", "float", "bool", "TimeParts")


class _Loader(yaml.SafeLoader):
    """Keeps no aliases and no duplicate keys."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Refuses aliases: a file of a few lines could otherwise fill the memory."""
        if self.check_event(yaml.events.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "aliases are not supported", event.start_mark)
        return super().compose_node(parent, index)

    def compose_mapping_node(self, anchor: Any) -> Any:
        """Refuses a key that stands twice: which of the two counts, the writer cannot know."""
        node = super().compose_mapping_node(anchor)
        seen: set[str] = set()
        for key, _ in node.value:
            if str(key.value) in seen:
                raise yaml.composer.ComposerError(None, None, f"the key {key.value} is there twice", key.start_mark)
            seen.add(str(key.value))
        return node


def load_layer(path: Path) -> Layer:
    """The layer of a file. Raises NotFound without the file and InvalidInput naming line and key."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise NotFound("dataset_not_found.file", path=str(path), why=error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        raise InvalidInput("layer_invalid.encoding", path=str(path), at=error.start) from None
    return read_layer(text, str(path))


def read_layer(text: str, path: str = "layer") -> Layer:
    """The layer of a text; `path` stands in errors."""
    node, content = _parse(text, path)
    if not isinstance(content, dict):
        raise InvalidInput("layer_invalid.no_mapping", path=path)
    try:
        return Layer.model_validate(content)
    except ValidationError as error:
        found = {(_line_of(node, each["loc"]), _key(each["loc"])): field_problem(each) for each in error.errors()}
        problems = tuple(
            Message("layer_invalid.problem", {"line": line, "key": key, "what": what})
            for (line, key), what in list(found.items())[:_SHOWN]
        )
        raise InvalidInput("layer_invalid.fields", path=path, problems=problems) from None


def _parse(text: str, path: str) -> tuple[Any, Any]:
    """The YAML node of a text, for its lines, and the content."""
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        content = loader.construct_document(node) if node is not None else None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error)
        line = mark.line + 1 if mark else 1
        raise InvalidInput("layer_invalid.yaml", path=path, line=line, what=str(what)) from None
    except (RecursionError, ValueError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InvalidInput("layer_invalid.yaml", path=path, line=1, what=what) from None
    return node, content


def line_of(text: str, *location: int | str) -> int:
    """The line of the deepest part of `location` that a layer's text has; 1 for a text that is no YAML."""
    try:
        return _line_of(_Loader(text).get_single_node(), location)
    except (yaml.YAMLError, RecursionError):
        return 1


def _key(location: tuple[int | str, ...]) -> str:
    """The way to a key; pydantic puts the names of a union's types into it."""
    return ".".join(str(part) for part in location if part not in _OF_UNIONS) or "file"


def _line_of(node: Any, location: tuple[int | str, ...]) -> int:
    """The line of the deepest node on the way to a location."""
    line = node.start_mark.line + 1
    for part in location:
        following = None
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == str(part):
                    line, following = key.start_mark.line + 1, value
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            following = node.value[part]
            line = following.start_mark.line + 1
        if following is None:
            return int(line)
        node = following
    return int(line)
