"""The one codec: frozen dataclasses to protobuf messages and back, by name; named tuples to messages alike.

A type mirrors its message as `protos/contract_types.py` writes it; a type may leave fields out. What is absent becomes
None where the type allows that, and an empty value elsewhere; a value that this build does not know becomes None.
`from_wire(to_wire(x, M), type(x)) == x` for every x.

Each type and message is compiled once into one function with a loop for each repeated field, so that a whole tree of
values is converted without a call for each of them; only a large type that stands in several places gets its own.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from google.protobuf.message import Message

Value = TypeVar("Value")
Wire = TypeVar("Wire", bound=Message)
# A type with more fields than this, those of its parts included, is converted by a function of its own.
_INLINED_FIELDS = 24


def to_wire(value: object, kind: type[Wire]) -> Wire:
    """A message of `kind` with the fields of the dataclass `value`."""
    message = kind()
    _writer(typing.cast(Any, type(value)), kind.DESCRIPTOR)(value, message)
    return message


def from_wire(message: Message, kind: type[Value]) -> Value:
    """A `kind` with the fields of `message`; fields the type does not know are ignored."""
    return typing.cast(Value, _reader(typing.cast(Any, kind), message.DESCRIPTOR)(message))


@dataclasses.dataclass(frozen=True)
class _Field:
    """A field of a type and of its message. kinds: one type, or those of a union; maybe: it may be None.

    whole: a part is written even where it says nothing, as in a named tuple.
    """

    name: str
    wire: Any
    kinds: tuple[Any, ...]
    repeated: bool
    maybe: bool
    whole: bool

    @property
    def members(self) -> list[tuple[str, Any, Any]]:
        """The types of a union with the name and the message of the field that holds each."""
        by_message = {field.message_type.name: field for field in self.wire.message_type.fields}
        held = [(kind, by_message[kind.__name__]) for kind in self.kinds]
        return [(field.name, kind, field.message_type) for kind, field in held]


@cache
def _fields(kind: Any, wire: Any) -> tuple[_Field, ...]:
    hints = typing.get_type_hints(kind)
    whole = issubclass(kind, tuple)
    names = kind._fields if whole else tuple(field.name for field in dataclasses.fields(kind))
    return tuple(_field(name, hints[name], wire, whole) for name in names)


def _field(name: str, hint: Any, wire: Any, whole: bool) -> _Field:
    if repeated := typing.get_origin(hint) is tuple:
        hint = typing.get_args(hint)[0]
    parts = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    kinds = tuple(part for part in parts if part is not type(None))
    return _Field(name, wire.fields_by_name[name], kinds, repeated, len(kinds) < len(parts), whole)


@cache
def _size(kind: Any, wire: Any) -> int:
    """How many fields a type has, those of its parts included."""
    count = len(_fields(kind, wire))
    for field in _fields(kind, wire):
        if len(field.kinds) > 1:
            count += sum(_size(member, message) for _, member, message in field.members)
        elif field.wire.message_type is not None and not _is_map(field):
            count += _size(field.kinds[0], field.wire.message_type)
    return count


def _is_map(field: _Field) -> bool:
    return typing.get_origin(field.kinds[0]) is Mapping or field.kinds[0] is Mapping


@cache
def _words(enum: Any, kind: type[StrEnum]) -> dict[int, StrEnum]:
    """The numbers of a wire enum with the members that stand for them."""
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    named = {value.number: value.name.removeprefix(prefix).lower() for value in enum.values}
    return {number: kind(word) for number, word in named.items() if word in set(kind)}


class _Source:
    """Python source that grows line by line, with the objects that it names."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.names: dict[str, Any] = {"new": object.__new__, "fill": object.__setattr__, "sign": math.copysign}
        self._made = 0

    def name(self, kind: str) -> str:
        """A new variable."""
        self._made += 1
        return f"{kind}{self._made}"

    def hold(self, kind: str, content: object) -> str:
        """A name for an object."""
        self.names[name := self.name(kind)] = content
        return name

    def add(self, depth: int, line: str) -> None:
        """A line at a depth."""
        self.lines.append(" " * depth + line)

    def compiled(self, function: str) -> Callable[..., Any]:
        """The function that the source defines."""
        exec("\n".join(self.lines), self.names)
        return typing.cast(Callable[..., Any], self.names[function])


@cache
def _reader(kind: Any, wire: Any) -> Callable[[Any], Any]:
    source = _Source()
    source.add(0, "def read(message):")
    made = _read_record(source, 1, "message", kind, wire)
    source.add(1, f"return {made}")
    return source.compiled("read")


def _read_record(source: _Source, depth: int, message: str, kind: Any, wire: Any) -> str:
    """Adds the lines that make a value of a message; the variable that holds it."""
    # As a constructor would, without a Python call for each: a frozen type of a contract only keeps its fields.
    values = ", ".join(f"{field.name!r}: {_read_field(source, depth, message, field)}" for field in _fields(kind, wire))
    made = source.name("value")
    source.add(depth, f"{made} = new({source.hold('Type', kind)})")
    source.add(depth, f"fill({made}, '__dict__', {{{values}}})")
    return made


def _read_field(source: _Source, depth: int, message: str, field: _Field) -> str:
    """Adds what has to be done before; an expression for the value of a field."""
    content = f"{message}.{field.name}"
    if _is_map(field):
        return f"dict({content})"
    if field.repeated:
        return _read_items(source, depth, content, field)
    if field.wire.message_type is not None:
        return _read_part(source, depth, message, field)
    if field.wire.enum_type is not None:
        words = source.hold("words", _words(field.wire.enum_type, field.kinds[0]))
        found = f"{words}.get({content})"
        return f"{found} if {message}.HasField({field.name!r}) else None" if field.wire.has_presence else found
    if field.wire.has_presence and field.maybe:
        return f"{content} if {message}.HasField({field.name!r}) else None"
    return content


def _read_items(source: _Source, depth: int, content: str, field: _Field) -> str:
    if field.wire.message_type is None and field.wire.enum_type is None:
        return f"tuple({content})"
    items, item = source.name("items"), source.name("item")
    source.add(depth, f"{items} = []")
    source.add(depth, f"for {item} in {content}:")
    if field.wire.message_type is None:
        words = source.hold("words", _words(field.wire.enum_type, field.kinds[0]))
        source.add(depth + 1, f"{item} = {words}.get({item})")
        source.add(depth + 1, f"if {item} is not None: {items}.append({item})")
    elif len(field.kinds) > 1:
        made = _read_union(source, depth + 1, item, field)
        source.add(depth + 1, f"if {made} is not None: {items}.append({made})")
    else:
        made = _read_value(source, depth + 1, item, field.kinds[0], field.wire.message_type)
        source.add(depth + 1, f"{items}.append({made})")
    return f"tuple({items})"


def _read_part(source: _Source, depth: int, message: str, field: _Field) -> str:
    """The lines for a single message, which may be absent."""
    made = source.name("part")
    nothing = "None" if field.maybe else source.hold("empty", field.kinds[0]())
    source.add(depth, f"{made} = {nothing}")
    source.add(depth, f"if {message}.HasField({field.name!r}):")
    part = source.name("message")
    source.add(depth + 1, f"{part} = {message}.{field.name}")
    if len(field.kinds) > 1:
        found = _read_union(source, depth + 1, part, field)
    else:
        found = _read_value(source, depth + 1, part, field.kinds[0], field.wire.message_type)
    source.add(depth + 1, f"{made} = {found}")
    return made


def _read_value(source: _Source, depth: int, message: str, kind: Any, wire: Any) -> str:
    if _size(kind, wire) > _INLINED_FIELDS:
        return f"{source.hold('read', _reader(kind, wire))}({message})"
    return _read_record(source, depth, message, kind, wire)


def _read_union(source: _Source, depth: int, message: str, field: _Field) -> str:
    made, chosen = source.name("one"), source.name("chosen")
    source.add(depth, f"{made} = None")
    source.add(depth, f"{chosen} = {message}.WhichOneof({field.wire.message_type.oneofs[0].name!r})")
    for name, kind, wire in field.members:
        source.add(depth, f"if {chosen} == {name!r}:")
        part = source.name("message")
        source.add(depth + 1, f"{part} = {message}.{name}")
        source.add(depth + 1, f"{made} = {_read_value(source, depth + 1, part, kind, wire)}")
    return made


@cache
def _writer(kind: Any, wire: Any) -> Callable[[Any, Any], None]:
    source = _Source()
    source.add(0, "def write(value, message):")
    _write_record(source, 1, "value", "message", kind, wire)
    return source.compiled("write")


def _write_record(source: _Source, depth: int, value: str, message: str, kind: Any, wire: Any) -> None:
    """Adds the lines that put a value into a message."""
    source.add(depth, "pass")
    for field in _fields(kind, wire):
        content = source.name("content")
        source.add(depth, f"{content} = {value}.{field.name}")
        target = f"{message}.{field.name}"
        if _is_map(field):
            source.add(depth, f"if {content}: {target}.update({content})")
        elif field.repeated:
            _write_items(source, depth, content, target, field)
        else:
            _write_field(source, depth, content, target, field)


def _write_field(source: _Source, depth: int, content: str, target: str, field: _Field) -> None:
    if field.maybe:
        source.add(depth, f"if {content} is not None:")
        depth += 1
    if field.wire.message_type is not None:
        part = source.name("message")
        source.add(depth, f"{part} = {target}")
        if field.maybe or field.whole:
            source.add(depth, f"{part}.SetInParent()")
        _write_part(source, depth, content, part, field)
    elif field.maybe:
        source.add(depth, f"{target} = {_scalar(source, content, field)}")
    else:
        # What says nothing is not written, so that an empty part stays absent; only a negative zero says something.
        signed = f" or sign(1.0, {content}) < 0" if field.kinds[0] is float else ""
        source.add(depth, f"if {content}{signed}: {target} = {content}")


def _scalar(source: _Source, content: str, field: _Field) -> str:
    if field.wire.enum_type is None:
        return content
    words = _words(field.wire.enum_type, field.kinds[0])
    return f"{source.hold('numbers', {word: number for number, word in words.items()})}[{content}]"


def _write_items(source: _Source, depth: int, content: str, target: str, field: _Field) -> None:
    if field.wire.message_type is None and field.wire.enum_type is None:
        source.add(depth, f"if {content}: {target}.extend({content})")
        return
    item = source.name("item")
    source.add(depth, f"for {item} in {content}:")
    if field.wire.message_type is None:
        source.add(depth + 1, f"{target}.append({_scalar(source, item, field)})")
        return
    part = source.name("message")
    source.add(depth + 1, f"{part} = {target}.add()")
    _write_part(source, depth + 1, item, part, field)


def _write_part(source: _Source, depth: int, value: str, message: str, field: _Field) -> None:
    if len(field.kinds) == 1:
        _write_value(source, depth, value, message, field.kinds[0], field.wire.message_type)
        return
    for name, kind, wire in field.members:
        source.add(depth, f"if type({value}) is {source.hold('Type', kind)}:")
        part = source.name("message")
        source.add(depth + 1, f"{part} = {message}.{name}")
        source.add(depth + 1, f"{part}.SetInParent()")
        _write_value(source, depth + 1, value, part, kind, wire)


def _write_value(source: _Source, depth: int, value: str, message: str, kind: Any, wire: Any) -> None:
    if _size(kind, wire) > _INLINED_FIELDS:
        source.add(depth, f"{source.hold('write', _writer(kind, wire))}({value}, {message})")
    else:
        _write_record(source, depth, value, message, kind, wire)
