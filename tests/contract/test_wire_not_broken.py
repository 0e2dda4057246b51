"""Callers of every earlier release still find all they use: the contracts are only added to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorSet

from tests.contract.released.__main__ import build
from tests.support.cases import for_each
from tests.support.wire_changes import breaks

RELEASES = sorted((Path(__file__).parent / "released").glob("*.binpb"))


@pytest.fixture(scope="module")
def current(tmp_path_factory: pytest.TempPathFactory) -> FileDescriptorSet:
    """The contracts as they are."""
    target = tmp_path_factory.mktemp("current") / "current.binpb"
    build(target)
    return FileDescriptorSet.FromString(target.read_bytes())


def test_the_last_release_is_kept() -> None:
    """There is a release to compare with; `python -m tests.contract.released` writes another."""
    assert RELEASES


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.stem)
def test_the_wire_is_not_broken(release: Path, current: FileDescriptorSet) -> None:
    """Nothing of a release is removed, renumbered or changed in its type, and no reserved number is used again."""
    assert breaks(FileDescriptorSet.FromString(release.read_bytes()), current) == []


def sample() -> FileDescriptorSet:
    """A small contract with one of everything."""
    files = FileDescriptorSet()
    file = files.file.add(name="a.proto", package="a.v1", syntax="proto3")
    message = file.message_type.add(name="Thing")
    message.oneof_decl.add(name="kind")
    message.oneof_decl.add(name="_score")
    string, double = FieldDescriptorProto.TYPE_STRING, FieldDescriptorProto.TYPE_DOUBLE
    one = FieldDescriptorProto.LABEL_OPTIONAL
    message.field.add(name="id", number=1, type=string, label=one)
    message.field.add(name="words", number=2, type=string, label=one, oneof_index=0)
    message.field.add(name="score", number=3, type=double, label=one, oneof_index=1, proto3_optional=True)
    message.reserved_range.add(start=7, end=9)
    inner = message.nested_type.add(name="Part")
    inner.field.add(name="size", number=1, type=double, label=one)
    enum = file.enum_type.add(name="Kind")
    enum.value.add(name="KIND_UNSPECIFIED", number=0)
    enum.value.add(name="KIND_ONE", number=1)
    enum.reserved_range.add(start=5, end=5)
    service = file.service.add(name="Things")
    service.method.add(name="Get", input_type=".a.v1.Thing", output_type=".a.v1.Thing")
    return files


def thing(files: FileDescriptorSet) -> DescriptorProto:
    return files.file[0].message_type[0]


def kind(files: FileDescriptorSet) -> EnumDescriptorProto:
    return files.file[0].enum_type[0]


def doctored(change: Callable[[FileDescriptorSet], object]) -> list[str]:
    new = sample()
    change(new)
    return breaks(sample(), new)


def set_field(index: int, **values: object) -> Callable[[FileDescriptorSet], None]:
    def change(files: FileDescriptorSet) -> None:
        for name, value in values.items():
            setattr(thing(files).field[index], name, value)

    return change


def swap_reservation(files: FileDescriptorSet) -> None:
    del thing(files).reserved_range[:]
    thing(files).field.add(name="again", number=8, type=FieldDescriptorProto.TYPE_STRING)


@for_each(
    ("change", "told"),
    [
        (lambda files: thing(files).field.pop(0), "a.v1.Thing.id: removed"),
        (set_field(0, number=12), "a.v1.Thing.id: removed or renumbered"),
        (set_field(0, name="name"), "a.v1.Thing.id: "),
        (set_field(0, type=FieldDescriptorProto.TYPE_BYTES), "TYPE_BYTES"),
        (set_field(0, label=FieldDescriptorProto.LABEL_REPEATED), "LABEL_REPEATED"),
        (lambda files: thing(files).field[1].ClearField("oneof_index"), "a.v1.Thing.words: "),
        (lambda files: thing(files).field[2].ClearField("proto3_optional"), "a.v1.Thing.score: "),
        (swap_reservation, "a.v1.Thing: reserved numbers 7 to 8 given up"),
        (lambda files: thing(files).nested_type[0].field.pop(), "a.v1.Thing.Part.size: removed"),
        (lambda files: thing(files).nested_type.pop(), "a.v1.Thing.Part: removed"),
        (lambda files: kind(files).value.pop(), "a.v1.Kind.KIND_ONE: removed"),
        (lambda files: kind(files).reserved_range.pop(), "a.v1.Kind: reserved numbers 5 to 5 given up"),
        (lambda files: files.file[0].enum_type.pop(), "a.v1.Kind: removed"),
        (lambda files: files.file[0].service[0].method.pop(), "a.v1.Things.Get: removed"),
        (lambda files: setattr(files.file[0].service[0].method[0], "server_streaming", True), "a.v1.Things.Get: "),
        (lambda files: files.file[0].service.pop(), "a.v1.Things: removed"),
        (lambda files: files.file.pop(), "a.v1.Thing: removed"),
    ],
)
def test_the_comparer_tells_each_kind_of_break(change: Callable[[FileDescriptorSet], object], told: str) -> None:
    """A doctored contract is told with what was broken in it."""
    assert any(told in line for line in doctored(change))


def add_everywhere(files: FileDescriptorSet) -> None:
    thing(files).field.add(name="new", number=4, type=FieldDescriptorProto.TYPE_STRING)
    thing(files).reserved_range[0].end = 12
    kind(files).value.add(name="KIND_TWO", number=2)
    files.file[0].service[0].method.add(name="Put", input_type=".a.v1.Thing", output_type=".a.v1.Thing")
    files.file[0].message_type.add(name="Another")
    files.file.add(name="b.proto", package="b.v1")


def test_additions_break_nothing() -> None:
    """New fields, values, methods, messages, files and reservations are no break."""
    assert doctored(add_everywhere) == []
    assert doctored(lambda files: None) == []
