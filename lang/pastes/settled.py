"""Outputs that only a person can judge to the end, with what the person makes of them beside: "so yes", "所以算有"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lang.pastes.marks import MARKS, has_mark
from lang.pastes.model import Finding, Span, Verdict

_CLAUSE = re.compile(r"[^,，.。;；!！?？\n]+[?？]?")


def settle(finding: Finding, prose: Sequence[Span], value: str = "") -> Finding:
    """The finding as the words beside it decide it, where its output leaves it open and they are of one mind.

    value: what its rows show.
    """
    told = set(_judged(prose)) if finding.why == "open" else set()
    if len(told) != 1:
        return finding
    return replace(finding, verdict=told.pop(), standing="counts", why="rows", value=value)


def _judged(prose: Sequence[Span]) -> Iterator[Verdict]:
    for span in prose:
        for said in _CLAUSE.findall(span.words):
            if said.rstrip().endswith(MARKS.doubts):
                continue
            if has_mark(said, MARKS.it_is_not):
                yield "denied"
            elif has_mark(said, MARKS.it_is):
                yield "confirmed"


def merged(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """One finding a phenomenon: of several the surest, and confirmed before denied."""
    ranks = {"counts": 0, "proposed": 1, "needs_second_reading": 2}
    verdicts = {"confirmed": 0, "denied": 1, "unknown": 2}
    best: dict[str, Finding] = {}
    for finding in sorted(
        findings, key=lambda one: (one.verdict == "unknown", ranks[one.standing], verdicts[one.verdict])
    ):
        best.setdefault(finding.phenomenon_id, finding)
    return tuple(best[identity] for identity in dict.fromkeys(one.phenomenon_id for one in findings))
