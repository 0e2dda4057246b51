"""What questions of one message come to: several that are one, the narrower of two, and a fact that one points at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from services.planner.model import ObservationStep, PlanStep, QuestionKind, QuestionStep, QuestionTopic
from services.planner.treatment.actions import actions_in, read_actions
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.text.word_lists import listed

# So many letters tell where words stand in a message.
_BEGINNING = 12
_SEVERAL = 2
_MATTERS = listed("treatment.matters")


def together(asked: list[QuestionStep]) -> list[QuestionStep]:
    """The questions of an action as one, with its command; so those for what is explained or looked for."""
    for topic in (QuestionTopic.MEANING, QuestionTopic.OBJECT):
        asked = _as_one([step for step in asked if step.topic is topic], asked)
    if any(step.topic is QuestionTopic.EFFECT for step in asked):
        # Whether it matters goes with what is asked of a step: "why did it not fall, is that ok?"
        asked = [step for step in asked if not _asks_if_it_matters(step)]
    kept = [step.text for step in asked if step.topic is QuestionTopic.PREVENTION]
    # How to keep it from coming back asks no leave for what was shown before.
    asked = [step for step in asked if step.topic is not QuestionTopic.RISK or step.text not in kept]
    risks = [step for step in asked if step.topic is QuestionTopic.RISK]
    if not risks:
        return asked
    commands = [step for step in asked if step.topic is QuestionTopic.COMMAND and _asks_of_action(step)]
    return _as_one([*risks, *commands], asked)


def _asks_if_it_matters(step: QuestionStep) -> bool:
    of_action = step.topic is not QuestionTopic.RISK or bool(actions_in(step.text))
    return not of_action and _MATTERS.search(step.text.lower()) is not None


def without_wider(steps: list[PlanStep]) -> list[PlanStep]:
    """The steps without a question of an action whose words have those of another question of one in them."""
    risks = [each for each in steps if isinstance(each, QuestionStep) and each.topic is QuestionTopic.RISK]
    wider = [each for each in risks if any(other.text in each.text and other is not each for other in risks)]
    return [step for step in steps if not any(step is each for each in wider)]


def as_fact(step: PlanStep) -> PlanStep:
    """A question of what a fact shows as that fact, where its words have a figure and point at no item of a list."""
    if not isinstance(step, QuestionStep) or step.kind is not QuestionKind.HELP or step.topic is not None:
        return step
    points = step.subject is not None and (step.subject.ordinal is not None or step.subject.id is not None)
    figure = any(map(str.isdigit, step.text))
    shows = figure and not points and "shows" in wants_in(read_actions(step.text))
    return ObservationStep(step.text) if shows else step


def in_order(steps: Sequence[PlanStep], said: str) -> list[PlanStep]:
    """The steps with their questions in the order of the message; one put together of its words is where they begin."""
    asking = (step for step in steps if isinstance(step, QuestionStep))
    questions = iter(sorted(asking, key=lambda step: max(said.find(step.text), said.find(step.text[:_BEGINNING]))))
    return [next(questions) if isinstance(step, QuestionStep) else step for step in steps]


def _as_one(folded: list[QuestionStep], asked: list[QuestionStep]) -> list[QuestionStep]:
    """The questions with these put together into their first."""
    if len(folded) < _SEVERAL:
        return asked
    texts = dict.fromkeys(step.text for step in asked if step in folded)
    action = next((each.action for each in folded if each.action), "")
    first = replace(folded[0], text=" ".join(texts), action=action)
    return [first if step is folded[0] else step for step in asked if step is folded[0] or step not in folded]


def _asks_of_action(step: QuestionStep) -> bool:
    return "overview" not in wants_in(read_actions(step.text))
