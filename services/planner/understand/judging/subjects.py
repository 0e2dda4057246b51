"""What a clause is about when it names nothing that was asked: "the disks are fine" says nothing of locks."""

from __future__ import annotations

from collections.abc import Sequence

from lang import deferred_re as re
from services.planner.model import Verdict
from services.planner.understand.items.references import Asked
from services.planner.understand.text.clauses import Clause
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.lexicon import words
from services.planner.understand.text.segments import is_bare, polarity_of, segments_of

# States, and words that stand for anything that was asked: they are no subject.
_STATE = re.compile(
    r"慢|卡|挂|满|崩|宕|飙|缓慢|抖动|报错|错误|告警|等待|时间|情况|"
    + words(
        "slow\\w*|full|down|stuck|hung|active|idle|errors?|growing|grow\\w*|wait\\w*|spikes?|hit|load(?:ed)?|logs?|usage|blocked"
    )
)
_THAT = re.compile(
    r"[这那][种样类些几个仨俩两三四行]|该|此类|任何|上述|以上|"
    + words("such|like (?:that|this|those|these)|of (?:that|the) kind|any of|either of|none of|all of|those|these")
)


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
