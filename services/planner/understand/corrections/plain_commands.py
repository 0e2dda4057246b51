"""Plain commands to the record, a new case among them: a message or a clause that says nothing else."""

from __future__ import annotations

from dataclasses import replace

from lang import deferred_re as re
from lang.judging.amending import clauses_in, names_a_line, only_errs, only_puts_back, puts_back, takes_back, unsaid
from lang.modality import admits_mistake
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    Group,
    ObservationStep,
    PlanStep,
    Reference,
    ResetStep,
    SessionView,
    SmalltalkStep,
    TurnPlan,
)
from services.planner.understand.corrections.marked_corrections import has_words
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import names

_LAST = Reference(group=Group.LAST_TURN)
_TAKEN, _PUT = CorrectionStep(_LAST, retract=True), CorrectionStep(_LAST, retract=False)
_COMMAND = "/"
# The words of a new start that a protest is about.
_ASKED = re.compile(r"[?？]\s*$|[吗么]\s*[?？]*$")
_POLITE = re.compile(r"^(?:\W|ok|please|hey)*(?:can|could) (?:we|you)\b|^let'?s\b|^(?:能不能|可以|能)")


def keep_plain_commands(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan in which all of the last turn is taken back by a message that does nothing else, and by no other.

    What was taken back is put back in words; while a choice is open, only by words that cannot answer it.
    """
    if said.strip().startswith(_COMMAND):
        return plan
    settling = bool(view.options)
    if takes_back(said) and view.evidence:
        return replace(plan, steps=(_TAKEN,))
    if only_puts_back(said, settling):
        return replace(plan, steps=(_PUT,))
    if view.evidence and not settling and only_errs(said) and not any(map(_points, plan.steps)):
        return replace(plan, steps=(ClarifyStep(ClarifyKind.VAGUE, said.strip()),))
    beside = _takes_back_beside(said)
    steps = tuple(step for step in plan.steps if beside or not _sweeps_last(step))
    if puts_back(said, settling):
        steps = (_PUT, *(step for step in steps if not _is_beside(step)))
    if steps == plan.steps:
        return plan
    return replace(plan, steps=steps or (ClarifyStep(ClarifyKind.VAGUE, said.strip()),))


def _points(step: PlanStep) -> bool:
    """Whether a step corrects one entry."""
    return isinstance(step, CorrectionStep) and step.original.ordinal is not None


def _takes_back_beside(said: str) -> bool:
    """Whether a clause takes back, and those beside it neither say nor name anything but that something was wrong."""
    clauses = clauses_in(said)
    rest = [each for each in clauses if not takes_back(each)]
    tells = (is_technical(each) or names_a_line(each) for each in rest if not admits_mistake(each))
    return len(rest) < len(clauses) and not (unsaid(said) or any(tells))


def _sweeps_last(step: PlanStep) -> bool:
    """Whether a step takes back or changes whatever was said last."""
    return (
        isinstance(step, CorrectionStep)
        and step.original.group is not None
        and step.words is None
        and (step.retract is not False)
    )


def _is_beside(step: PlanStep) -> bool:
    """Whether a step is no more than an echo of the words that put something back."""
    echo = isinstance(step, ClarifyStep | SmalltalkStep) or (isinstance(step, CorrectionStep) and step.words is None)
    return echo or (isinstance(step, FeedbackStep) and step.reference.group is not None)


def keep_plain_starts(plan: TurnPlan, said: str) -> TurnPlan:
    """The plan with a new start only where the message plainly asks for one; a protest against one takes it back.

    What the message says beside the words that were taken for a start is a statement.
    """
    text = read(said).normal
    if protests_a_start(text):
        steps = tuple(step for step in plan.steps if not isinstance(step, ResetStep))
        return replace(plan, steps=(CorrectionStep(Reference(group=Group.LAST_TURN), retract=False), *steps))
    if not any(isinstance(step, ResetStep) for step in plan.steps) or asks_for_a_start(text):
        return plan
    kept: list[PlanStep] = [step for step in plan.steps if not isinstance(step, ResetStep)]
    return replace(plan, steps=tuple(kept) or (ObservationStep(said.strip()),))


def asks_for_a_start(text: str) -> bool:
    """True if a clause of a normalised text asks for a new case, and none refuses or questions it."""
    if text.strip() == "/reset":
        return True
    if protests_a_start(text) or (_ASKED.search(text) and not _POLITE.search(text.strip())):
        return False
    return any(has_words("starting", each) and not is_refused(each) for each in clauses_in(text))


def is_refused(clause: str) -> bool:
    """True if a clause refuses a start, tells of one, or names a thing of the database that was started again."""
    return has_words("protesting", clause) or (is_technical(clause) and not has_words("elsewhere", clause))


def protests_a_start(text: str) -> bool:
    """True if a clause refuses a new start that was made: "谁让你重新开始了"."""
    return any(names("named.starting_over", each) and has_words("protesting", each) for each in clauses_in(text))
