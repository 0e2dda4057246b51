"""Labels that are not sure enough for what they would drop or record."""

from __future__ import annotations

from dataclasses import replace

from lang.judging.out_of_reach import reachable_in
from services.planner.model import FeedbackStep, PlanStep, Verdict
from services.planner.understand.acts.labels import ANSWERS, Label
from services.planner.understand.answers.subjects import restricts_answer
from services.planner.understand.pieces import Piece
from services.planner.understand.text.domain import is_technical

# So sure it has to be that a piece with words of the field says nothing.
DROPPING, DROPS, _OPENS = (Label.ASIDE, Label.ELSEWHERE), 0.35, 0.8
# So sure it has to be that a piece without a word for it could not be looked at.
_UNSAID = 0.6
# So sure a new start has to be that names a thing of the field: "killed the session".
_RESETS = 0.95


def doubted_label(piece: Piece, label: Label, share: float, answered: bool) -> Label:
    """The label; that of a statement where the label drops words of the field, or is hardly likelier than others.

    answered: the step before is an answer of the same sentence.
    """
    if piece.clause.asks or piece.clause.pasted or piece.pointed:
        return label
    technical = is_technical(piece.text)
    if label is Label.UNKNOWN and any(each.within for each in reachable_in(piece.text)):
        return Label.ASIDE  # "The list that I could not see, I can see now."
    if answered and restricts_answer(piece):
        return Label.ELSEWHERE
    if label is Label.RESET and technical and share < _RESETS:
        return Label.FACT
    if label in DROPPING and technical and share < (_OPENS if piece.first else DROPS) and not piece.names:
        return Label.FACT
    if (
        label is Label.UNKNOWN
        and share < _UNSAID
        and not (piece.names or piece.groups or Verdict.UNKNOWN in piece.verdicts)
    ):
        return Label.FACT if technical and not answered else Label.ASIDE
    if label is Label.ORDER and share < _UNSAID:
        return Label.VAGUE
    if label is Label.SUSPICION and share < _UNSAID and not (technical or piece.names):
        return Label.ASIDE  # "The analysts are all over me" suspects nothing.
    guessed = label in (*ANSWERS, *DROPPING, Label.MORE, Label.CORRECTION) and share < DROPS
    if guessed and not (piece.names or piece.bare or piece.verdicts or piece.groups):
        return Label.FACT
    return label


def could_not_look(made: list[PlanStep], piece: Piece) -> bool:
    """Turns the no before a piece into an unknown, where the piece says that it is for want of looking."""
    last = made[-1] if made else None
    if piece.pointed or piece.names or piece.first or piece.groups:
        return False
    if not isinstance(last, FeedbackStep) or last.verdict is not Verdict.DENIED:
        return False
    for at in range(len(made) - 1, -1, -1):
        step = made[at]
        if not isinstance(step, FeedbackStep) or step.words != last.words:
            break
        made[at] = replace(step, verdict=Verdict.UNKNOWN, certainty=None)
    return True
