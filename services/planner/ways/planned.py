"""The plan of a turn with the ways and acts that a message asks about, in place of other guesses at its sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lang import deferred_re as re
from lang.objects.settings_said import settings_named
from services.planner.model import (
    ClarifyStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SmalltalkStep,
    Speaker,
    SuggestionStep,
    TurnPlan,
)
from services.planner.questions_asked.in_message import REPORTS
from services.planner.questions_asked.steps_of_words import is_of, plain, rest_of
from services.planner.treatment.actions import actions_in
from services.planner.treatment.shown_actions import SESSION, shown_statements
from services.planner.understand.text.word_lists import names
from services.planner.ways.acts import acts_in
from services.planner.ways.asked import LOOK, asks_look, looks_in

ACT = "act"
# The right to look, whatever at.
ANYTHING = "anything"
_TEMPORARY = re.compile(r"pgsql_tmp(\d+)", re.ASCII)
_MOST = 2
# Steps that only guess at words which ask.
_GUESSES = (ClarifyStep, SuggestionStep, SmalltalkStep)


def with_ways(plan: TurnPlan, said: str, message: str, view: SessionView) -> TurnPlan:
    """The plan with a step for each thing that is to be seen and each act that is asked about, at most two."""
    if said.startswith("/"):
        return plan
    asked = list(_asked(said, message))[:_MOST]
    for sentence, key in asked:
        plan = _with(plan, sentence, key, message, view)
    return _with_right_to_look(plan, [key for _, key in asked])


def _asked(said: str, message: str) -> Iterator[tuple[str, str]]:
    of_acts = {each.sentence: each for each in acts_in(said)}
    for each in of_acts.values():
        yield each.sentence, " ".join((ACT, each.key, *each.aspects))
    yield from ((each.sentence, f"{LOOK} {each.key}") for each in looks_in(said, message))


def _with(plan: TurnPlan, sentence: str, key: str, message: str, view: SessionView) -> TurnPlan:
    of_words = [each for each in plan.steps if is_of(each, sentence)]
    if any(_points_at_check(each) for each in of_words):
        return plan  # How a listed item is looked at, its check tells.
    words = "\n".join((sentence, " ".join(_fills(sentence, message, view))))
    step = QuestionStep(QuestionKind.HELP, None, words, topic=QuestionTopic.COMMON, common_question=key)
    kept: list[PlanStep] = []
    for each in plan.steps:
        kept += [each] if each not in of_words or _stays(each, sentence) else _left(each, sentence, view)
    return replace(plan, steps=(*kept, step))


def _points_at_check(step: PlanStep) -> bool:
    if not isinstance(step, QuestionStep) or step.topic is not None or step.subject is None:
        return False
    return any((step.subject.ordinal, step.subject.id, step.subject.group))


def _stays(step: PlanStep, sentence: str) -> bool:
    """Whether a step tells something, or is another way or act that is asked about."""
    match step:
        case QuestionStep(topic=topic, common_question=key):
            return topic in REPORTS or key.startswith((LOOK, ACT))
        case ObservationStep(text=text):
            return not (plain(text) in plain(sentence) and asks_look(text))
    return not isinstance(step, _GUESSES)


def _left(step: PlanStep, sentence: str, view: SessionView) -> Iterable[PlanStep]:
    """What a question asks beside a sentence."""
    longer = isinstance(step, QuestionStep) and len(plain(step.text)) > len(plain(sentence))
    return list(rest_of(step, sentence, view)) if longer else ()


def _with_right_to_look(plan: TurnPlan, asked: list[str]) -> TurnPlan:
    """The plan with the right to look where a question of rights names no act: none is guessed."""
    looked = next((each.partition(" ")[2] for each in asked if each.startswith(LOOK)), "")
    steps = []
    for step in plan.steps:
        if _asks_to_look(step):
            if looked:
                continue  # Who may is told with the way.
            step = replace(step, topic=QuestionTopic.COMMON, action="", common_question=f"{LOOK} {ANYTHING}")
        steps.append(step)
    return replace(plan, steps=tuple(steps))


def _asks_to_look(step: PlanStep) -> bool:
    if not isinstance(step, QuestionStep) or step.topic is not QuestionTopic.RIGHTS or actions_in(step.text):
        return False
    return names("ways.looking", step.text) and not step.action


def _fills(sentence: str, message: str, view: SessionView) -> Iterator[str]:
    """What fills the blanks of a statement, as kind=name: what the sentence names, or the message alone."""
    users = [each.text for each in view.history if each.speaker is Speaker.USER]
    if temporary := next((found[1] for text in (message, *reversed(users)) if (found := _TEMPORARY.search(text))), ""):
        yield f"temp_pid={temporary}"
    sessions = set(SESSION.findall(sentence)) or set(SESSION.findall(message.partition("\n")[0]))
    if len(sessions) == 1:
        yield f"pid={sessions.pop()}"
    settings = settings_named(sentence) or [name for each in shown_statements(view) for name in settings_named(each)]
    yield from (f"setting={name}" for name in list(settings)[:1])
