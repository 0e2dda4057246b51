"""A new case begins only where plain words ask for one: nobody loses a record by a protest, a question or a restart."""

from __future__ import annotations

from dataclasses import replace

from lang import deferred_re as re
from lang.judging.amending import clauses_in
from services.planner.model import CorrectionStep, Group, ObservationStep, PlanStep, Reference, ResetStep, TurnPlan
from services.planner.understand.corrections.marked_corrections import has_words
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import names

# The words of a new start that a protest is about.
_ASKED = re.compile(r"[?？]\s*$|[吗么]\s*[?？]*$")
_POLITE = re.compile(r"^(?:\W|ok|please|hey)*(?:can|could) (?:we|you)\b|^let'?s\b|^(?:能不能|可以|能)")


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
