"""The objects of the person's own system that evidence names."""

from __future__ import annotations

from collections.abc import Iterable

from lang.objects import Seen, objects_in
from services.planner.model import EvidenceView, Verdict


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
