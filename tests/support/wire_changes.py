"""What a change of the contracts breaks for callers of an earlier release: binary, JSON and generated code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)


def breaks(old: FileDescriptorSet, new: FileDescriptorSet) -> list[str]:
    """One line for each thing that callers of `old` miss in `new`; additions are none."""
    messages, enums, services = _messages(new), _enums(new), _services(new)
    found: list[str] = []
    for name, message in _messages(old).items():
        found += _message_breaks(name, message, messages[name]) if name in messages else [f"{name}: removed"]
    for name, enum in _enums(old).items():
        found += _enum_breaks(name, enum, enums[name]) if name in enums else [f"{name}: removed"]
    for name, service in _services(old).items():
        found += _service_breaks(name, service, services[name]) if name in services else [f"{name}: removed"]
    return found


def _message_breaks(name: str, old: DescriptorProto, new: DescriptorProto) -> Iterator[str]:
    fields = {field.number: field for field in new.field}
    for field in old.field:
        there = fields.get(field.number)
        if there is None:
            yield f"{name}.{field.name}: removed or renumbered"
        elif _shape(old, field) != _shape(new, there):
            yield f"{name}.{field.name}: {_shape(old, field)} became {_shape(new, there)}"
    # The end of a range is no part of it in messages, and is part of it in enums.
    still = [range(given.start, given.end) for given in new.reserved_range]
    yield from _given_up(name, [range(given.start, given.end) for given in old.reserved_range], still)


def _shape(message: DescriptorProto, field: FieldDescriptorProto) -> tuple[str, ...]:
    """What has to stay of a field: name, type, label, and how its absence is told."""
    group = message.oneof_decl[field.oneof_index].name if field.HasField("oneof_index") else ""
    kind = field.type_name or FieldDescriptorProto.Type.Name(field.type)
    presence = "optional" if field.proto3_optional else group
    return (field.name, kind, FieldDescriptorProto.Label.Name(field.label), presence)


def _enum_breaks(name: str, old: EnumDescriptorProto, new: EnumDescriptorProto) -> Iterator[str]:
    values = {(value.number, value.name) for value in new.value}
    yield from (f"{name}.{value.name}: removed" for value in old.value if (value.number, value.name) not in values)
    still = [range(given.start, given.end + 1) for given in new.reserved_range]
    yield from _given_up(name, [range(given.start, given.end + 1) for given in old.reserved_range], still)


def _given_up(name: str, old: list[range], new: list[range]) -> Iterator[str]:
    for reserved in old:
        # A reservation may grow, or be merged with another; it may not shrink.
        if not any(given.start <= reserved.start and reserved.stop <= given.stop for given in new):
            yield f"{name}: reserved numbers {reserved.start} to {reserved.stop - 1} given up"


def _service_breaks(name: str, old: ServiceDescriptorProto, new: ServiceDescriptorProto) -> Iterator[str]:
    methods = {
        (rpc.name, rpc.input_type, rpc.output_type, rpc.client_streaming, rpc.server_streaming) for rpc in new.method
    }
    for rpc in old.method:
        if (rpc.name, rpc.input_type, rpc.output_type, rpc.client_streaming, rpc.server_streaming) not in methods:
            yield f"{name}.{rpc.name}: removed, or asks or answers something else"


def _messages(files: FileDescriptorSet) -> dict[str, DescriptorProto]:
    return {name: message for file in files.file for name, message in _nested(file.package, file.message_type)}


def _nested(prefix: str, messages: Iterable[DescriptorProto]) -> Iterator[tuple[str, DescriptorProto]]:
    for message in messages:
        name = f"{prefix}.{message.name}"
        yield name, message
        yield from _nested(name, message.nested_type)


def _enums(files: FileDescriptorSet) -> dict[str, EnumDescriptorProto]:
    top = {f"{file.package}.{enum.name}": enum for file in files.file for enum in file.enum_type}
    inner = {f"{name}.{enum.name}": enum for name, message in _messages(files).items() for enum in message.enum_type}
    return top | inner


def _services(files: FileDescriptorSet) -> dict[str, ServiceDescriptorProto]:
    return {f"{file.package}.{service.name}": service for file in files.file for service in file.service}
