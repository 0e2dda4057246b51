"""What the last answer showed: the text itself, and whether it set one check apart."""

from __future__ import annotations

from services.planner.model import Item, SessionView, Speaker

# What opens and closes a command as an answer shows it.
CODE = "```"
AT_HOST = f"{CODE}sh"
_ONE_BLOCK = 2


def last_answer(view: SessionView) -> str:
    """The last answer; empty before the first."""
    return next((each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), "")


def told_to_look(view: SessionView) -> str:
    """The last answer from the name of the first check on, where it stands there: what it told to look at."""
    shown = last_answer(view)
    names = (name for each in view.pending[:1] for name in (each.name.zh, each.name.en) if name)
    return next((shown[shown.index(f"{name}**") :] for name in names if f"{name}**" in shown), shown)


def shown_check(view: SessionView) -> Item | None:
    """The first of the checks that are asked, where the last answer set it apart and gave no more than one command."""
    shown = last_answer(view)
    first = view.pending[0] if view.pending and shown.count(CODE) <= _ONE_BLOCK else None
    names = (first.name.zh, first.name.en) if first is not None else ()
    return first if any(name and f"{name}**" in shown for name in names) else None
