"""By what a session remembers a clarification, so that it is never asked again."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import Clarification, ClarifyKind


def keys_of(asked: Clarification) -> set[str]:
    """The words of the clarification, and its options where they matter more than the words."""
    ids = sorted({option.phenomenon_id for option in asked.options})
    choice = {f"{asked.kind}:{' '.join(ids)}"}
    if asked.kind is ClarifyKind.CONTRADICTION:
        return choice
    words = {asked.words} - {""}
    return choice | words if ids and asked.kind is not ClarifyKind.NO_SUCH_ITEM else words
