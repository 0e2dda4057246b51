"""The YAML of libraries: read strictly (a duplicate key is an error), written in one stable form."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import yaml
from pydantic import BaseModel


class _StrictLoader(yaml.CSafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key.value} stands twice", key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


class _PlainDumper(yaml.CSafeDumper):
    def ignore_aliases(self, data: object) -> bool:
        return True


def _words(dumper: _PlainDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_PlainDumper.add_representer(str, _words)


def read_yaml(text: str) -> Any:
    """The one document in `text`. Raises yaml.YAMLError with its place."""
    return yaml.load(text, Loader=_StrictLoader)


def write_yaml(value: object) -> str:
    """`value` as YAML: keys in the order given, Unicode as it is, lines of at most 120 characters where words allow."""
    return yaml.dump(value, Dumper=_PlainDumper, allow_unicode=True, sort_keys=False, width=116)


def entry_yaml(entry: BaseModel) -> str:
    """A library entry as people write it: defaults left out, keys in the order of the model."""
    return write_yaml(entry.model_dump(mode="json", exclude_defaults=True, by_alias=True))
