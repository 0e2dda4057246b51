"""Objects of somebody's system in what was seen: which session, table, slot it is, and steps that act on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

PID = "pid"
# Parts of the name of a column or signal, and the kind of object that it holds; the first that fits counts.
_KINDS = (
    ("slot", "slot"),
    ("gid", "gid"),
    ("indexrelname", "index"),
    ("index", "index"),
    ("sequence", "seq"),
    ("subscription", "subscription"),
    ("subname", "subscription"),
    ("application", "app"),
    ("relname", "table"),
    ("relation", "table"),
    ("table", "table"),
    ("mount", "mount"),
    ("pid", "pid"),
    ("blocked_by", "blocker"),
    ("usename", "role"),
    ("datname", "database"),
)
# Sessions that hold others up, by the name of the column or signal; other numbers are those of who waits.
_CULPRITS = ("blocker", "blocking", "blocked_by", "root", "holder", "idle")
_PAIR = re.compile(r"([A-Za-z_]\w*)\s*=\s*([^,|]+)")
_SAID = re.compile(
    r"(?<![A-Za-z_])(pid|slot|table|index|gid|复制槽|槽|表|索引|进程|会话)(?![A-Za-z_])\s*(?:是|为|叫|号|named|called|[:：])?\s*"
    r"[\"\'“‘`]?([A-Za-z_][\w.$]*[_.\d][\w.$]*|\d{2,7}(?![\w.%]))"
)
_SAID_KINDS = {"复制槽": "slot", "槽": "slot", "表": "table", "索引": "index", "进程": "pid", "会话": "pid"}
_NAME = re.compile(r"[A-Za-z_/][\w.$/:-]*")
# What a column of flags holds.
_NO_NAMES = frozenset(("yes", "no", "on", "off", "t", "f", "true", "false", "none", "null", "logical", "physical"))
_IDLE = "idle in transaction"
# A step's blanks, and the kind of object that fills them. A session is filled in only if it is the one to act on.
_BLANKS = {
    "pid": "pid",
    "root_pid": "pid",
    "holder_pid": "pid",
    "blocker_pid": "pid",
    "slot": "slot",
    "gid": "gid",
    "table": "table",
    "index": "index",
    "seq": "seq",
    "subscription": "subscription",
    "app": "app",
}
_BLANK = re.compile(r"<(\w+)>|:(pid|app)(?!\w)")


class Seen(NamedTuple):
    """An object: its kind, its name as it was seen, and whether it is what holds others up."""

    kind: str
    name: str
    culprit: bool = False


def is_object(name: str) -> bool:
    """True if a column or signal of this name holds an object."""
    return kind_of(name) != ""


def kind_of(name: str) -> str:
    """The kind of object that a column or signal holds; empty if it holds none."""
    lower = name.lower()
    return next((kind for part, kind in _KINDS if part in lower), "")


def _is_name(kind: str, value: str) -> bool:
    if kind in ("pid", "blocker"):
        return value.isdecimal() and int(value) > 1
    return _NAME.fullmatch(value) is not None and value.lower() not in _NO_NAMES


def objects_in(words: str) -> Iterator[Seen]:
    """The objects that words or values name: first by `name = value` as in what was read, then as in "pid 4711"."""
    idle = _IDLE in words.lower()
    for name, value in _PAIR.findall(words):
        kind = kind_of(name)
        if kind and _is_name(kind, value.strip().strip("{}")):
            held = idle or any(part in name.lower() for part in _CULPRITS)
            yield Seen("pid" if kind == "blocker" else kind, value.strip().strip("{}"), held)
    for said, name in _SAID.findall(words):
        kind = _SAID_KINDS.get(said, said)
        if name.isdecimal() is (kind == "pid"):
            yield Seen(kind, name, idle)


def objects_to_bind(confirmed: Iterable[str]) -> Mapping[str, str]:
    """The one object of each kind that confirmed words or values name; none of a kind with several.

    A session must hold others up: one that waits is no session to act on.
    """
    names: dict[str, set[str]] = {}
    for each in (each for words in confirmed for each in objects_in(words)):
        if each.kind != "pid" or each.culprit:
            names.setdefault(each.kind, set()).add(each.name)
    return {kind: found.pop() for kind, found in names.items() if len(found) == 1}


def bind(text: str, objects: Mapping[str, str]) -> str:
    """A step's text with its blanks filled from what was seen; a blank that nobody knows stays."""
    return _BLANK.sub(lambda blank: objects.get(_BLANKS.get(blank[1] or blank[2], ""), blank[0]), text)
