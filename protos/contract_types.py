"""Writes the frozen dataclasses of every contract, from the descriptors of the .proto files.

A message is a frozen dataclass, an enum a StrEnum. A repeated field is a tuple, an unspecified enum None. A message
field is an empty value when it is absent; it is None where the contract says `optional`, or its comment "absent". A
message that holds nothing but one of several messages is the union of their types; of any other oneof each member is a
field that may be None. What is deprecated is left out. A type that several contracts declare alike is written once, in
`dbdiag/vocabulary.py`, so that values pass between contracts as they are. `dbdiag/frozen.py` makes the dataclasses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

VOCABULARY = "dbdiag.vocabulary"
_SCALARS = {
    FieldDescriptorProto.TYPE_STRING: ("str", '""'),
    FieldDescriptorProto.TYPE_BYTES: ("bytes", 'b""'),
    FieldDescriptorProto.TYPE_BOOL: ("bool", "False"),
    FieldDescriptorProto.TYPE_DOUBLE: ("float", "0.0"),
    FieldDescriptorProto.TYPE_FLOAT: ("float", "0.0"),
}
_HEADER = (
    '"""{title}. Generated from protos/ by `make proto`; not to be edited."""\n\nfrom __future__ import annotations\n'
)
_DECORATOR = """
if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from dbdiag.frozen import dataclass, set_field
"""
_SAY = '''
    def say(self, language: str | None) -> str:
        """The text in `language`, English where it is None; in the other one where that is missing."""
        return (self.zh or self.en) if language == "zh" else (self.en or self.zh)
'''


@dataclass(frozen=True)
class Type:
    """One type of a contract as source. shape: tells apart those of one name; needs: the types it is made of."""

    name: str
    source: str
    shape: str
    needs: tuple[str, ...] = ()


def write(contracts: FileDescriptorSet, target: Path) -> None:
    """Writes the vocabulary and one module a contract below `target`."""
    (target / "dbdiag" / "frozen.py").write_text(Path(__file__).with_name("frozen.py").read_text())
    modules = {file.name: dict(_types(file)) for file in contracts.file}
    shared = _shared(modules.values())
    (target / "dbdiag" / "vocabulary.py").write_text(_module("Types that several contracts share", shared, {}))
    for name, types in modules.items():
        own = {name: found for name, found in types.items() if name not in shared or shared[name].shape != found.shape}
        used = {name: shared[name] for name in types if name not in own}
        path = target / name.replace(".proto", "_types.py")
        path.write_text(_module(f"The types of {name}", own, used))


def _shared(modules: Iterable[Mapping[str, Type]]) -> dict[str, Type]:
    """The types that at least two contracts declare alike, with all that they are made of."""
    found = [found for types in modules for found in types.values()]
    often = Counter((found.name, found.shape) for found in found)
    return {found.name: found for found in reversed(found) if often[found.name, found.shape] > 1}


def _module(title: str, own: Mapping[str, Type], used: Mapping[str, Type]) -> str:
    ordered = list(_ordered(own))
    body = "\n\n".join(found.source for found in ordered)
    imports = ["from dataclasses import field"] if "field(" in body else []
    imports += ["from enum import StrEnum"] if "(StrEnum)" in body else []
    imports.append("from typing import TYPE_CHECKING")
    if "Mapping[" in body:
        imports.insert(0, "from collections.abc import Mapping")
    imports.append(_DECORATOR)
    if used:
        imports.append(f"from {VOCABULARY} import {', '.join(sorted(used))}")
    names = sorted([*own, *used])
    listed = "".join(f'    "{name}",\n' for name in names)
    return _HEADER.format(title=title) + "\n" + "\n".join(imports) + f"\n\n__all__ = [\n{listed}]\n\n\n" + body


def _ordered(types: Mapping[str, Type]) -> Iterator[Type]:
    """Each type after those it is made of, else in the order of the contract."""
    done: set[str] = set()

    def after(found: Type) -> Iterator[Type]:
        if found.name not in done:
            done.add(found.name)
            for name in found.needs:
                if name in types:
                    yield from after(types[name])
            yield found

    for found in types.values():
        yield from after(found)


def _types(file: FileDescriptorProto) -> Iterator[tuple[str, Type]]:
    said = {tuple(item.path): item.leading_comments for item in file.source_code_info.location}
    messages = {f".{file.package}.{message.name}": message for message in file.message_type}
    for index, enum in enumerate(file.enum_type):
        yield enum.name, _enum(enum, said, index, f"{file.package}.{enum.name}")
    for index, message in enumerate(file.message_type):
        if not message.options.deprecated:
            yield message.name, _message(message, messages, said, index, f"{file.package}.{message.name}")


def _enum(enum: EnumDescriptorProto, said: Mapping[tuple[int, ...], str], index: int, full_name: str) -> Type:
    prefix = enum.value[0].name.removesuffix("UNSPECIFIED")
    lines = [f"class {enum.name}(StrEnum):", f'    """{_doc(said.get((5, index), ""), full_name)}"""', ""]
    for place, value in enumerate(enum.value):
        if value.number:
            lines += _comment(said.get((5, index, 2, place), ""))
            word = value.name.removeprefix(prefix)
            lines.append(f'    {word} = "{word.lower()}"')
    shape = " ".join(f"{value.name}={value.number}" for value in enum.value)
    return Type(enum.name, "\n".join(lines) + "\n", shape)


def _message(
    message: DescriptorProto,
    messages: Mapping[str, DescriptorProto],
    said: Mapping[tuple[int, ...], str],
    index: int,
    full_name: str,
) -> Type:
    fields = {place: field for place, field in enumerate(message.field) if not field.options.deprecated}
    needs = tuple(_short(field) for field in fields.values() if field.type_name and not _entry(message, field))
    if is_union(message):
        members = " | ".join(needs)
        return Type(message.name, f"{message.name} = {members}\n", members, needs)
    lines = ["@dataclass(frozen=True)", f"class {message.name}:"]
    lines.append(f'    """{_doc(said.get((4, index), ""), full_name)}"""')
    declared = []
    for place, field in fields.items():
        comment = said.get((4, index, 2, place), "")
        declared += [*_comment(comment), f"    {field.name}: {_annotation(message, field, messages, comment)}"]
    source = "\n".join([*lines, *([""] if declared else []), *declared]) + "\n"
    source += _init(
        [field.name for field in fields.values()], {field.name for field in fields.values() if _entry(message, field)}
    )
    if [field.name for field in fields.values()] == ["zh", "en"]:
        source += _SAY
    shape = " ".join(line for line in declared if not line.strip().startswith("#"))
    return Type(message.name, source, shape, needs)


def _init(names: Sequence[str], mappings: Collection[str]) -> str:
    """The constructor, which type checkers know from the fields. mappings: those that begin as an empty one."""
    if not names:
        return ""
    taken = ", ".join(f"{name}=None" if name in mappings else f"{name}={name}" for name in names)
    kept = [f"{{}} if {name} is None else {name}" if name in mappings else name for name in names]
    lines = [f'            set_field(self, "{name}", {value})' for name, value in zip(names, kept, strict=True)]
    return "\n".join(["", "    if not TYPE_CHECKING:", "", f"        def __init__(self, {taken}):", *lines]) + "\n"


def is_union(message: DescriptorProto) -> bool:
    """Whether a message holds nothing but one of several messages of different types."""
    kinds = [field.type_name for field in message.field if field.type == FieldDescriptorProto.TYPE_MESSAGE]
    whole = all(field.HasField("oneof_index") and not field.proto3_optional for field in message.field)
    return whole and len(message.oneof_decl) == 1 and len(set(kinds)) == len(message.field) > 0


def _annotation(
    message: DescriptorProto, field: FieldDescriptorProto, messages: Mapping[str, DescriptorProto], comment: str
) -> str:
    entry = _entry(message, field)
    if entry is not None:
        key, value = (_scalar(part)[0] for part in entry.field)
        return f"Mapping[{key}, {value}] = field(default_factory=dict)"
    kind, default = (_short(field), f"{_short(field)}()") if field.type_name else _scalar(field)
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"tuple[{kind}, ...] = ()"
    nothing = field.type == FieldDescriptorProto.TYPE_ENUM or field.HasField("oneof_index")
    if field.type == FieldDescriptorProto.TYPE_MESSAGE:
        nothing = nothing or is_union(messages[field.type_name]) or "absent" in comment.lower()
    return f"{kind} | None = None" if nothing else f"{kind} = {default}"


def _scalar(field: FieldDescriptorProto) -> tuple[str, str]:
    return _SCALARS.get(field.type, ("int", "0"))


def _entry(message: DescriptorProto, field: FieldDescriptorProto) -> DescriptorProto | None:
    """The entries of a map field; None for any other."""
    return next((inner for inner in message.nested_type if field.type_name.endswith(f".{inner.name}")), None)


def _short(field: FieldDescriptorProto) -> str:
    return field.type_name.rpartition(".")[2]


def _doc(comment: str, full_name: str) -> str:
    text = re.sub(r"\s*\n\s*", "\n    ", comment.strip()) or f"`{full_name}`."
    return text.replace("\\", "\\\\").replace('"""', "'''")


def _comment(comment: str) -> list[str]:
    return [f"    # {line.strip()}" for line in comment.strip().split("\n") if line.strip()]
