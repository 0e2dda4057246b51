"""Keeps verified answers in `examples:` of a YAML file, without a change of the rest of its text."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter, ValidationError

from services.analyst.semantic.schema import Example
from services.chassis.errors import InvalidInput
from services.chassis.problems import system_problem

_KEY = "examples"
_SIGNS = re.compile(r"[\s?？。.!！,，]+")
_EXAMPLES = TypeAdapter(tuple[Example, ...])


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
