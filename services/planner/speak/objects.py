"""The objects of the person's own system that were seen, named in answers and bound into steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lang import deferred_re as re
from lang.objects import Seen, objects_in
from services.planner.model import EvidenceView, Verdict

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


def objects_seen(seen: Iterable[EvidenceView]) -> tuple[Seen, ...]:
    """What evidence that is not denied names, each once: those that hold others up first, then as they were seen."""
    found = [
        each
        for view in seen
        if view.verdict is not Verdict.DENIED and view.verdict is not Verdict.UNKNOWN
        for words in (view.value, view.words)
        for each in objects_in(words)
    ]
    held = {(each.kind, each.name) for each in found if each.culprit}
    once = dict.fromkeys(Seen(each.kind, each.name, (each.kind, each.name) in held) for each in found)
    return tuple(sorted(once, key=lambda each: not each.culprit))


def objects_to_bind(seen: Iterable[EvidenceView]) -> Mapping[str, str]:
    """The one object of each kind that is on record; none where there are several. A session must hold others up."""
    names: dict[str, set[str]] = {}
    for each in objects_seen(view for view in seen if view.verdict is Verdict.CONFIRMED):
        if each.kind != "pid" or each.culprit:
            names.setdefault(each.kind, set()).add(each.name)
    return {kind: found.pop() for kind, found in names.items() if len(found) == 1}


def bind(text: str, objects: Mapping[str, str]) -> str:
    """A step's text with its blanks filled from what was seen; a blank that nobody knows stays."""
    return _BLANK.sub(lambda blank: objects.get(_BLANKS.get(blank[1] or blank[2], ""), blank[0]), text)
