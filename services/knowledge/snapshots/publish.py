"""Merges, compiles and publishes library files after changes; never overrides a person's publication.

Entries of several libraries that are `same_as` each other become one: otherwise one fact under two ids would count as
two pieces of evidence, and a phenomenon that one library explains would look unexplained to the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial, reduce
from pathlib import Path
from typing import Any

from lang.vocabulary import Subject, Vocabulary
from services.knowledge.library.shipped_libraries import FOLDER, of_engine
from services.knowledge.library.vocabularies import make_vocabulary, subjects_by_place, unite
from services.knowledge.model import Manifest
from services.knowledge.snapshots.compile import (
    FORMAT,
    compile_library,
    read_snapshot,
    snapshot_id,
    to_canonical,
    views_part,
    vocabulary_part,
)
from services.knowledge.snapshots.shipped_snapshot import find_shipped, mark_of
from services.knowledge.snapshots.store import SnapshotStore
from services.knowledge.sql_texts import load_admitted

STARTUP = "startup"
_AUTHOR = "diagnose"
# Goes up when equal snapshots join to other bytes than before.
MARK = "joined-3"
_Entry = dict[str, Any]
_Snapshot = Mapping[str, Any]


def build(store: SnapshotStore, paths: Sequence[Path], *, author: str, reason: str) -> Manifest:
    """The stored, not yet published snapshot of the libraries; compiled only when their files changed.

    Raises InvalidLibrary, also for refused SQL.
    """
    mark = mark_of(paths)
    known = store.with_fingerprint(mark)
    if known is not None:
        return known
    content = find_shipped(mark) or compile_admitted(paths)
    return store.add(content, author=author, reason=reason, fingerprint=mark)


def compile_admitted(paths: Sequence[Path]) -> bytes:
    """The canonical bytes of libraries whose SQL is admitted. Raises InvalidLibrary."""
    return compile_library(load_admitted(paths, trusted=FOLDER))


def publish_at_startup(store: SnapshotStore, paths: Sequence[Path]) -> Manifest:
    """The current snapshot after a start: the libraries' own, unless a person has published one.

    Raises InvalidLibrary when the libraries have to be compiled and cannot.
    """
    current = store.current_id()
    if current is not None:
        store.point()
        manifest = store.manifest(current)
        known = store.with_fingerprint(mark_of(paths)) if manifest.author == STARTUP else manifest
        if known == manifest:
            return manifest
    built = build(store, paths, author=STARTUP, reason="libraries at start-up")
    return store.publish(built.snapshot_id, author=STARTUP, reason="libraries at start-up")


def prepare(store: SnapshotStore, current: str, configured: Sequence[Path], engines: Sequence[str]) -> str:
    """The id of the snapshot for a target whose checks use these engines, stored and not published.

    The current snapshot serves the engines that the configured libraries cover; each other engine adds the library that
    ships for it.
    """
    libraries = [of_engine(engine) for engine in engines] or [None]
    extra = [path for path in dict.fromkeys(libraries) if path is not None and path not in configured]
    parts = [current] if any(path not in extra for path in libraries) else []
    for path in extra:
        parts.append(build(store, [path], author=_AUTHOR, reason=f"the library of {path.name}").snapshot_id)
    return reduce(partial(_joined, store), parts)


def _joined(store: SnapshotStore, first: str, other: str) -> str:
    """Both snapshots as one, joined at most once."""
    mark = f"{MARK}-{snapshot_id(f'{first} {other}'.encode())}"
    known = store.with_fingerprint(mark)
    if known is None:
        content = join(store.read(first), store.read(other))
        known = store.add(content, author=_AUTHOR, reason="two libraries as one", fingerprint=mark)
    return known.snapshot_id


def join(first: bytes, other: bytes) -> bytes:
    """The canonical bytes of both snapshots as one. Of an id that both have the first's entry counts; a cause that the
    first knows under another id gets the other's links as well, and keeps its own words. A subject that both have gets
    the terms of both.

    Raises InvalidInput when one of them is no snapshot.
    """
    one, two = read_snapshot(first), read_snapshot(other)
    names = _names_in(one, two)
    causes = _by_id(one["root_causes"])
    for cause in two["root_causes"]:
        _add_cause(causes, cause, names)
    tickets = [_renamed(ticket, names) for ticket in two["tickets"]]
    phenomena = [entry for entry in two["phenomena"] if entry["id"] not in names]
    body = {
        "phenomena": _by_id(phenomena) | _by_id(one["phenomena"]),
        "root_causes": causes,
        "tickets": _by_id(tickets) | _by_id(one["tickets"]),
    }
    listed = {kind: [body[kind][name] for name in sorted(body[kind])] for kind in body}
    views = _by_id(two.get("views", [])) | _by_id(one.get("views", []))
    shared = vocabulary_part(_both_vocabularies(one, two)) | views_part([views[name] for name in sorted(views)])
    return to_canonical({"format": FORMAT} | listed | shared)


def _both_vocabularies(one: _Snapshot, two: _Snapshot) -> Vocabulary:
    """The subjects of both; of one that both have, the terms are united and all else is the first's."""
    subjects: dict[str, Subject] = {}
    for snapshot in (one, two):
        for _, subject in subjects_by_place(Vocabulary.model_validate(snapshot.get("vocabulary", {}))):
            subjects[subject.id] = unite(subjects.get(subject.id, subject), subject)
    return make_vocabulary(subjects.values())


def _names_in(one: _Snapshot, two: _Snapshot) -> dict[str, str]:
    """The id in the first snapshot of each entry of the other that the first knows under an id of its own."""
    known = {entry["id"] for entry in _entries(one)}
    return {
        entry["id"]: same
        for entry in _entries(two)
        for same in entry.get("same_as", ())
        if same in known and entry["id"] not in known
    }


def _entries(snapshot: _Snapshot) -> Iterator[_Entry]:
    yield from snapshot["phenomena"]
    yield from snapshot["root_causes"]


def _by_id(entries: list[_Entry]) -> dict[str, _Entry]:
    return {entry["id"]: entry for entry in entries}


def _add_cause(causes: dict[str, _Entry], cause: _Entry, names: Mapping[str, str]) -> None:
    links = {names.get(link["phenomenon"], link["phenomenon"]): link for link in cause["links"]}
    identity = names.get(cause["id"], cause["id"])
    if cause["id"] in causes:
        return
    own = causes.get(identity, cause | {"links": []})
    linked = {name: link | {"phenomenon": name} for name, link in links.items()}
    linked |= {link["phenomenon"]: link for link in own["links"]}
    causes[identity] = own | {"links": [linked[name] for name in sorted(linked)]}


def _renamed(ticket: _Entry, names: Mapping[str, str]) -> _Entry:
    """A ticket with the ids of the merged snapshot."""
    phenomena = sorted({names.get(name, name) for name in ticket["phenomena"]})
    return ticket | {"root_cause": names.get(ticket["root_cause"], ticket["root_cause"]), "phenomena": phenomena}
