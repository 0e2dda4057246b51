"""What a piece of a message does."""

from __future__ import annotations

from enum import Enum

from services.planner.model import QuestionKind, Verdict


class Label(Enum):
    """What a piece of a message does; the value names its file of examples, where it has one."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    WEAK = "weak"
    FACT = "fact"
    ASIDE = "aside"
    ELSEWHERE = "elsewhere"
    SUSPICION = "suspicion"
    CORRECTION = "correction"
    VAGUE = "vague"
    RESET = "reset"
    SMALLTALK = "smalltalk"
    ORDER = "order"
    PROGRESS = "q_progress"
    HYPOTHESES = "q_hypotheses"
    RELATIONS = "q_relations"
    HISTORY = "q_history"
    REASONING = "q_reasoning"
    WHAT_IF = "q_what_if"
    DATA = "q_data"
    HELP = "q_help"
    # What holds in place of what a correction takes back.
    INSTEAD = "instead"
    # More of the step before it; where there is none, of the step after it.
    MORE = "more"

    @property
    def question(self) -> QuestionKind | None:
        """The kind of question; None for what is no question."""
        return QuestionKind(self.value.removeprefix("q_")) if self.value.startswith("q_") else None

    @property
    def verdict(self) -> Verdict | None:
        """The verdict of an answer; None for what is none, or a weak one."""
        return _VERDICTS.get(self)


_VERDICTS = {Label.YES: Verdict.CONFIRMED, Label.NO: Verdict.DENIED, Label.UNKNOWN: Verdict.UNKNOWN}
LABELS = tuple(Label)
ANSWERS = (Label.YES, Label.NO, Label.UNKNOWN, Label.WEAK)
