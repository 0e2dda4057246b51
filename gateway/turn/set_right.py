"""What the answer says of a correction that changed nothing on record."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import (
    AppliedCorrection,
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    NotedEvidence,
    SmalltalkKind,
    SmalltalkStep,
)
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.turn.amendments import ask_which
from gateway.turn.context import Turn
from lang.judging.amending import called_wrong, clauses_in, set_right, unsaid
from lang.judging.protesting import protests_in


def note_beside(turn: Turn) -> None:
    """Where the record was not changed, asks what a retraction means, or says that what was wrong was no evidence."""
    asked = turn.clarification if turn.clarification and turn.clarification.kind is not ClarifyKind.VAGUE else None
    noted = [entry for entry in turn.noted if entry.verdict is not Verdict.UNKNOWN]
    alone = all(isinstance(step, ClarifyStep | SmalltalkStep) for step in turn.plan.steps)
    if turn.corrections or asked or not turn.session.active() or (turn.session.clarification and not noted):
        return
    if turn.guessed and alone and not noted and ask_which(turn, turn.message):
        return
    scrapped = (each.name for each in protests_in(turn.message) if each.orders)
    called = "".join([*called_wrong(turn.message), *unsaid(turn.message), *scrapped][:1])
    told = (step.words for step in turn.plan.steps if isinstance(step, CorrectionStep) and step.words)
    instead = set_right(turn.message) or next(told, "")
    if called and called in instead:
        instead = ", ".join(clauses_in(turn.message.partition(called)[2])[1:]).strip()
    if (called or instead) and not any(_says_part(entry, called, instead) for entry in noted):
        turn.corrections.append(AppliedCorrection(LocalizedText(), called, instead))
        if not noted:
            turn.unclear.clear()
            turn.clarification = None
            turn.smalltalk = [kind for kind in turn.smalltalk if kind is not SmalltalkKind.OUT_OF_SCOPE]
        turn.unmatched[:] = [each for each in turn.unmatched if noted and each not in instead]


def _says_part(entry: NotedEvidence, *parts: str) -> bool:
    """Whether an entry was read from words of these parts of a message: the correction is told with it then."""
    return any(each and (each in entry.words or entry.words in each) for each in parts)
