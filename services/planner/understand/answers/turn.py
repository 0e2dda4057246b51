"""One message on its way to a plan: its steps, and what holds while a sentence of it is read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from services.planner.model import (
    ClarifyStep,
    FeedbackStep,
    ObservationStep,
    PlanStep,
    QuestionStep,
    ResetStep,
    SessionView,
)
from services.planner.understand.answers.feedback import Answers
from services.planner.understand.items.references import Asked, open_list
from services.planner.understand.text.clauses import Clause
from services.planner.understand.text.messages import Message


@dataclass
class Turn:
    """One message on its way to a plan.

    `unsure` are the words of clauses that are only guessed at, `fillers` the steps of those that say nothing of the field.
    `ordered` tells that the assistant was given orders. Of the sentence at hand: `opened` is the count of steps before it,
    `named` the ordinal of the item named last, `elsewhere` that it began with another system or time, `fact_start` where
    the fact stated last begins, `listed` the list it counts in when that is not the open one, `listed_before` that
    of the sentence before, `doubted` that it began with a doubt, `lead` a clause that
    only told when what follows is so.
    """

    message: Message
    view: SessionView
    answers: Answers
    unsure: list[str] = field(default_factory=list)
    fillers: list[PlanStep] = field(default_factory=list)
    named: int | None = None
    opened: int = 0
    elsewhere: bool = False
    fact_start: int = 0
    listed: Asked | None = None
    listed_before: Asked | None = None
    doubted: bool = False
    lead: Clause | None = None
    ordered: bool = False
    ordered_here: bool = False

    @property
    def steps(self) -> list[PlanStep]:
        """The steps so far, in the order of the message."""
        return self.answers.steps

    @property
    def answered(self) -> bool:
        """Whether something was answered in this message already."""
        return any(isinstance(step, FeedbackStep) for step in self.steps)

    @property
    def asked_list(self) -> Asked:
        """The list that the sentence at hand counts in."""
        return self.listed or open_list(self.view)

    @property
    def last_answered(self) -> FeedbackStep | None:
        """The answer that the step before gave, if it did."""
        step = self.steps[-1] if len(self.steps) > self.opened else None
        return step if isinstance(step, FeedbackStep) else None

    @property
    def sentence_answered(self) -> bool:
        """Whether the step before is an answer of this sentence, or asks one back."""
        step = self.steps[-1] if len(self.steps) > self.opened else None
        return isinstance(step, FeedbackStep) or (isinstance(step, ClarifyStep) and bool(step.references))

    @property
    def asked_back(self) -> bool:
        """Whether the step before asks back about an answer."""
        step = self.steps[-1] if self.steps else None
        return isinstance(step, ClarifyStep) and bool(step.references)

    @property
    def asked(self) -> bool:
        """Whether the step before is a question."""
        return bool(self.steps) and isinstance(self.steps[-1], QuestionStep)

    @property
    def only_asked(self) -> int | None:
        """The ordinal of the item that is asked, when it is the only one."""
        items = self.asked_list.items
        return items[0].ordinal if len(items) == 1 else None

    @property
    def asked_here(self) -> bool:
        """Whether the step before is a question of this sentence."""
        return self.asked and len(self.steps) > self.opened

    @property
    def last_stated(self) -> ObservationStep | None:
        """The fact that the step before stated in this sentence, if it did."""
        step = self.steps[-1] if len(self.steps) > self.opened else None
        return step if isinstance(step, ObservationStep) else None

    def extend_fact(self, clause: Clause) -> None:
        """Makes a clause part of the fact that was stated just before it."""
        stated = self.steps[-1]
        if isinstance(stated, ObservationStep):
            longer = replace(stated, text=self.message.words(self.fact_start, clause.end))
            self.fillers = [longer if step is stated else step for step in self.fillers]
            self.steps[-1] = longer

    def take_back(self) -> None:
        """The step before, and all that was answered in the same breath, was never said."""
        last = self.steps.pop()
        while isinstance(last, FeedbackStep) and self.steps and isinstance(self.steps[-1], FeedbackStep):
            if self.steps[-1].words != last.words:
                break
            self.steps.pop()
        self.fillers = [step for step in self.fillers if step is not last]
        self.answers.held, self.answers.last_refs, self.answers.last_verdict = (), (), None

    def open_sentence(self) -> None:
        """What held for the sentence before holds no more."""
        self.opened, self.named, self.elsewhere, self.ordered_here = len(self.steps), None, False, False
        self.listed, self.listed_before, self.doubted, self.lead = None, self.listed, False, None

    def begin_anew(self) -> None:
        """A new start: what was asked and said before counts no more."""
        self.view = SessionView(language=self.view.language)
        self.answers = Answers(self.view, [ResetStep()])
        self.named = None

    def add(self, step: PlanStep, guessed_from: str = "") -> None:
        """One more step; `guessed_from` is set when the rules are not sure of it."""
        if guessed_from:
            self.unsure.append(guessed_from)
        self.steps.append(step)

    def words(self, clause: Clause, span: tuple[int, int] | None = None) -> str:
        """The person's words for a clause, or for a span in it."""
        start, end = span or (0, clause.end - clause.start)
        return self.message.words(clause.start + start, clause.start + end)
