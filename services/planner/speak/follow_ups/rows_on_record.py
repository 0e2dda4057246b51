"""The row or words on record that name an object."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import EvidenceView, TurnResults, Verdict
from services.planner.speak.objects import shown_behind

# Names of columns and signals of the session in the way.
_IN_THE_WAY = r"\w*(?:blocked_by|blocker|blocking|holder|root)\w*\s*=\s*\{?"


def row_of(name: str, results: TurnResults) -> EvidenceView | None:
    """The confirmed row or words that name it: where it is the first cell, else where it stands first."""
    found = [
        view
        for view in results.seen
        if view.verdict is Verdict.CONFIRMED and (stands_in(name, view.words) or stands_in(name, view.value))
    ]
    return min(found, key=lambda view: _place(name, view), default=None)


def stands_in(name: str, text: str) -> bool:
    """Whether a name or number stands in a text by itself."""
    return _found(name, text) is not None


def _found(name: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w|\.\w)", text, re.ASCII)


def _place(name: str, view: EvidenceView) -> int:
    at = _found(name, view.words)
    return at.start() if at else len(view.words) + 1


def is_shown_in_the_way(name: str, results: TurnResults) -> bool:
    """Whether a row of the case or a confirmed check names this session as the one in the way."""
    confirmed = (view for view in results.seen if view.verdict is Verdict.CONFIRMED)
    return bool(shown_behind(name, results)) or any(tells_blocker(view.value, name) for view in confirmed)


def tells_blocker(value: str, name: str) -> bool:
    """Whether what a check or a row showed names this session as the one in the way."""
    return re.compile(rf"(?<![A-Za-z0-9_]){_IN_THE_WAY}{re.escape(name)}(?!\d)").search(value) is not None
