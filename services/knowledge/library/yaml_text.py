"""The YAML of libraries: read strictly (a duplicate key is an error), written in one form; its problems in words."""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterable
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from lang import vocabulary
from lang.pastes.own_queries import views
from services.chassis.messages import Message
from services.knowledge.library import schema


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


def verbatim(words: str) -> Message:
    """The words of another program, the same in every language."""
    return Message("verbatim", {"words": words})


def validation_problems(error: ValidationError, known: Iterable[str] | None = None) -> list[tuple[str, Message]]:
    """Field path and problem for each validation error of pydantic.

    For an unknown key the nearest of the `known` keys is suggested; by default these are the keys of library entries.
    """
    found = []
    for item in error.errors(include_url=False, include_input=False):
        place = ".".join(str(part) for part in item["loc"]) or "the entry"
        what = verbatim(item["msg"])
        if item["type"] == "extra_forbidden":
            keys = _entry_keys() if known is None else known
            what = Message("library_problem.unknown_key", {"nearest": nearest(str(item["loc"][-1]), keys)})
        found.append((place, what))
    return found


def _entry_keys() -> set[str]:
    named = [*vars(schema).values(), *vars(vocabulary).values(), *vars(views).values()]
    models = (value for value in named if isinstance(value, type) and issubclass(value, BaseModel))
    return {item.alias or key for model in models for key, item in model.model_fields.items()}


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most like one; `none` if none is known."""
    return next(iter(difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.0)), "none")
