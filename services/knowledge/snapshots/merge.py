"""Merges two snapshots, such as a database's and its host's. Entries that are `same_as` each other become one.

Otherwise one fact under two ids would count as two pieces of evidence, and a phenomenon that one library explains would
look unexplained to the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lang.vocabulary import Subject, Vocabulary
from services.knowledge.library.vocabularies import make_vocabulary, subjects_by_place, unite
from services.knowledge.snapshots.compile import FORMAT, read_snapshot, to_canonical, views_part, vocabulary_part

# Goes up when equal snapshots join to other bytes than before.
MARK = "joined-3"
_Entry = dict[str, Any]
_Snapshot = Mapping[str, Any]


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
