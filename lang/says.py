"""What a clause can say of a subject, and what one says of a mentioned one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lang.numbers.model import Value
from lang.subjects import Mention
from lang.vocabulary import Outcome


class Says(StrEnum):
    """What kind of thing a clause says of a subject."""

    VALUE = "value"
    NONE = "none"
    FINE = "fine"
    BAD = "bad"
    HIGH = "high"
    LOW = "low"
    TREND = "trend"
    STATE_BAD = "state_bad"
    STATE_GOOD = "state_good"
    OUTCOME = "outcome"
    MENTION = "mention"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a clause says of a mentioned subject.

    amount: the value of a word ("full" is 100), in the base unit. rest: the value is the rest of the whole.
    whole: a second value in the clause, of which the first is a part. covered: all tokens that the claim rests on.
    """

    mention: Mention
    says: Says
    value: Value | None = None
    amount: float | None = None
    whole: Value | None = None
    rest: bool = False
    trend: str | None = None
    outcome: Outcome | None = None
    covered: frozenset[int] = frozenset()
