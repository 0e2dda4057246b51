"""The plan of a turn with the ways and acts that a message asks about, in place of other guesses at its sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeGuard

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
from services.planner.treatment.named_steps import STEP
from services.planner.treatment.shown_actions import SESSION, settings_of, statements_shown
from services.planner.understand.text.word_lists import names
from services.planner.ways.acts import acts_in, roles_asked
from services.planner.ways.looks import platform_in
from services.planner.ways.looks_asked import LOOK, asks_how, asks_look, looks_in
from services.planner.ways.named_by import tells_little

ACT = "act"
# The right to look, whatever at.
ANYTHING = "anything"
_TEMPORARY = re.compile(r"pgsql_tmp(\d+)", re.ASCII)
_MOST = 2
# What the case knows of who or what it is.
_OF_CASE = (QuestionTopic.OBJECT, QuestionTopic.OF_CAUSE, QuestionTopic.IDENTIFICATION)
# Steps that only guess at words which ask.
_GUESSES = (ClarifyStep, SuggestionStep, SmalltalkStep)


def with_ways(plan: TurnPlan, said: str, message: str, view: SessionView) -> TurnPlan:
    """The plan with the platform that is named, and a step for each thing to be seen and each act asked about."""
    if said.startswith("/"):
        return plan
    plan = replace(plan, objects=(*plan.objects, *platform_in(said)))
    asked = list(_asked(said, message, view).items())[:_MOST]
    for key, sentences in asked:
        plan = _with(plan, key, sentences, message, view)
    for sentence, action in roles_asked(said, message, view):
        plan = _with_right(plan, sentence, action)
    return _with_right_to_look(plan, [key for key, _ in asked])


def _asked(said: str, message: str, view: SessionView) -> dict[str, list[str]]:
    """The questions by their keys, each with the sentences that ask it."""
    found: dict[str, list[str]] = {}
    aspects: dict[str, list[str]] = {}
    for act in acts_in(said):
        aspects.setdefault(act.key, []).extend(each for each in act.aspects if each not in aspects.get(act.key, ()))
        found.setdefault(act.key, []).append(act.sentence)
    asked = {" ".join((ACT, key, *aspects[key])): sentences for key, sentences in found.items()}
    before = next((each.text for each in reversed(view.history) if each.speaker is Speaker.USER), "")
    for look in looks_in(said, message, before):
        if _calls_item(look.sentence, view):
            continue
        asked.setdefault(f"{LOOK} {look.key}", []).append(look.sentence)
    return asked


def _calls_item(sentence: str, view: SessionView) -> bool:
    """Whether a sentence calls a listed check by its whole name: how to look at it, its own check tells."""
    names = (name for item in view.pending for name in (item.name.zh, item.name.en) if name)
    return any(name.lower() in sentence.lower() for name in names)


def _with(plan: TurnPlan, key: str, sentences: list[str], message: str, view: SessionView) -> TurnPlan:
    of_words = [each for each in plan.steps if any(is_of(each, sentence) for sentence in sentences)]
    if any(_is_known(each, sentences[0]) for each in of_words):
        return plan
    words = "\n".join((" ".join(sentences), " ".join(_fills(sentences[0], message, view))))
    step = QuestionStep(QuestionKind.HELP, None, words, topic=QuestionTopic.COMMON, common_question=key)
    kept: list[PlanStep] = []
    for each in plan.steps:
        stays = each not in of_words or _stays(each, sentences)
        kept += [each] if stays else _left(each, sentences, view)
    return replace(plan, steps=(*kept, step))


def _with_right(plan: TurnPlan, sentence: str, action: str) -> TurnPlan:
    """The plan with who may do an action, in place of what else a sentence was taken for."""
    step = QuestionStep(QuestionKind.HELP, None, sentence, topic=QuestionTopic.RIGHTS, action=action)
    kept = [each for each in plan.steps if not is_of(each, sentence) or _stays(each, [sentence])]
    return replace(plan, steps=(*kept, step))


def _is_known(step: PlanStep, sentence: str) -> bool:
    """Whether what a sentence asks is known better: a listed item by its check, a term, a step, or by the case.

    What it is or who, the case tells where it was asked of that; how it is seen, the way.
    """
    if not isinstance(step, QuestionStep):
        return False
    told = step.topic in (QuestionTopic.MEANING, QuestionTopic.EFFECT) or step.action == STEP
    return told or _points_at_check(step, sentence) or (step.topic in _OF_CASE and not asks_how(sentence))


def _points_at_check(step: PlanStep, sentence: str) -> bool:
    """Whether a step asks how to look at a listed item, by its number or its name, or as the one just mentioned."""
    if not isinstance(step, QuestionStep) or step.topic is not None or step.subject is None:
        return False
    bare = any(map(str.isdigit, step.text)) or tells_little(sentence)
    return (step.subject.ordinal is not None and bare) or step.subject.id is not None or step.subject.group is not None


def _stays(step: PlanStep, sentences: list[str]) -> bool:
    """Whether a step tells something, or is another way or act that is asked about."""
    match step:
        case QuestionStep(topic=topic, common_question=key):
            return topic in REPORTS or key.startswith((LOOK, ACT))
        case ObservationStep(text=text):
            return not (any(plain(text) in plain(each) for each in sentences) and asks_look(text))
    return not isinstance(step, _GUESSES)


def _left(step: PlanStep, sentences: list[str], view: SessionView) -> Iterable[PlanStep]:
    """What a question asks beside the sentences."""
    left = [step] if isinstance(step, QuestionStep) else []
    for sentence in sentences:
        longer = (each for each in left if len(plain(each.text)) > len(plain(sentence)))
        left = [each for one in longer for each in rest_of(one, sentence, view) if isinstance(each, QuestionStep)]
    return left


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


def _asks_to_look(step: PlanStep) -> TypeGuard[QuestionStep]:
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
    settings = settings_named(sentence) or [name for each in statements_shown(view) for name, _ in settings_of(each)]
    yield from (f"setting={name}" for name in list(settings)[:1])
