"""What a clause is about when it names nothing that was asked: "the disks are fine" says nothing of locks."""

from __future__ import annotations

from collections.abc import Sequence

from services.planner.model import Verdict
from services.planner.understand.items.references import Asked
from services.planner.understand.text.clauses import Clause
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.segments import is_bare, polarity_of, segments_of
from services.planner.understand.text.word_lists import compile_words

# States, and words that stand for anything that was asked: they are no subject.
_STATE = compile_words("judging.subjects_state")
_THAT = compile_words("judging.that", r"[这那][种样类些几个仨俩两三四行]")


def has_own_subject(text: str) -> bool:
    """Whether a clause that names no item is about a thing of the field, so that its verdict is of that thing."""
    return is_technical(_STATE.sub(" ", text))


def opens_contrast(clauses: Sequence[Clause], index: int, asked: Asked) -> bool:
    """Whether a bare no only opens the clause after it, which says no of a thing of its own: "no, cpu is fine"."""
    if index + 1 >= len(clauses) or not _is_plain_no(clauses[index].text):
        return False
    following = clauses[index + 1].text
    if not has_own_subject(following):
        return False
    return polarity_of(following) is Verdict.DENIED


def _is_plain_no(text: str) -> bool:
    """Whether a clause is a no and points at nothing, not even at all."""
    segments = segments_of(text)
    return (
        is_bare(text)
        and not _THAT.search(text)
        and len(segments) == 1
        and not segments[0].refs
        and segments[0].verdict is Verdict.DENIED
    )
