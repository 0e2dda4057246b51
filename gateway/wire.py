"""Dataclasses to protobuf messages and back, field by field, by name.

A dataclass of this package mirrors its message: same field names; nested dataclasses for messages, tuples for repeated
fields, a StrEnum for an enum (`VERDICT_DENIED` is `denied`, `..._UNSPECIFIED` is None), None for what is absent.
`from_wire(to_wire(x, M), type(x)) == x` for every x.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.message import Message

Value = TypeVar("Value")
Wire = TypeVar("Wire", bound=Message)


def to_wire(value: object, kind: type[Wire]) -> Wire:
    """A message of `kind` with the fields of the dataclass `value`."""
    message = kind()
    _fill(message, value)
    return message


def from_wire(message: Message, kind: type[Value]) -> Value:
    """A `kind` with the fields of `message`; fields the dataclass does not know are passed over."""
    values = {}
    for name, shape in _shapes_of(kind).items():
        field = message.DESCRIPTOR.fields_by_name[name]
        values[name] = _read(message, field, shape)
    return kind(**{name: value for name, value in values.items() if value is not _ABSENT})


def _fill(message: Message, value: object) -> None:
    for name in _shapes_of(type(value)):
        content = getattr(value, name)
        if content is None:
            continue
        field = message.DESCRIPTOR.fields_by_name[name]
        if field.is_repeated:
            _extend(getattr(message, name), field, content)
        elif field.message_type is not None:
            inner = getattr(message, name)
            inner.SetInParent()
            _fill(inner, content)
        else:
            setattr(message, name, _scalar(field, content))


def _extend(target: Any, field: Any, items: tuple[object, ...]) -> None:
    for item in items:
        if field.message_type is not None:
            _fill(target.add(), item)
        else:
            target.append(_scalar(field, item))


def _scalar(field: Any, value: object) -> object:
    if field.enum_type is not None:
        return _numbers(field.enum_type)[str(value)]
    return value


class _Shape(typing.NamedTuple):
    kind: Any
    repeated: bool
    optional: bool


_ABSENT = object()


def _read(message: Message, field: Any, shape: _Shape) -> object:
    content = getattr(message, field.name)
    if shape.repeated:
        return tuple(_item(field, item, shape.kind) for item in content)
    if field.has_presence and not message.HasField(field.name):
        return None if shape.optional else _ABSENT
    return _item(field, content, shape.kind)


def _item(field: Any, content: Any, kind: Any) -> object:
    if field.message_type is not None:
        return from_wire(content, kind)
    if field.enum_type is not None:
        word = _words(field.enum_type)[content]
        return None if word == "unspecified" else kind(word)
    return content


def _shapes_of(kind: Any) -> dict[str, _Shape]:
    return _shapes(kind)


@cache
def _shapes(kind: Any) -> dict[str, _Shape]:
    hints = typing.get_type_hints(kind)
    return {field.name: _shape(hints[field.name]) for field in dataclasses.fields(kind)}


def _shape(hint: Any) -> _Shape:
    optional = False
    if isinstance(hint, types.UnionType):
        hint = next(part for part in typing.get_args(hint) if part is not type(None))
        optional = True
    if typing.get_origin(hint) is tuple:
        return _Shape(typing.get_args(hint)[0], True, optional)
    return _Shape(hint, False, optional)


@cache
def _words(enum: Any) -> dict[int, str]:
    """Numbers of an enum to the words its StrEnum uses: the name without the prefix all values share."""
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return {value.number: value.name.removeprefix(prefix).lower() for value in enum.values}


@cache
def _numbers(enum: Any) -> dict[str, int]:
    return {word: number for number, word in _words(enum).items()}


def is_word_of(enum: EnumDescriptor, kind: type[StrEnum]) -> bool:
    """Whether a StrEnum has exactly the words of a wire enum, for the test that keeps them together."""
    return {str(member) for member in kind} == set(_words(enum).values()) - {"unspecified"}
