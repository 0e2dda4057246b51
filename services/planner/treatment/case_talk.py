"""Adds to a plan what a message tells or asks of the treatment: what was done, how it is since, what is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from lang import deferred_re as re
from lang.named_objects import objects_named
from lang.objects import Role, Seen
from lang.tokens import Text
from services.planner.model import (
    Aftermath,
    ClarifyStep,
    NamedObject,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    SmalltalkStep,
    Speaker,
    Status,
    SuggestionStep,
    Treatment,
    TurnPlan,
)
from services.planner.treatment.actions import Mention, actions_in, actions_of_step, mentions_in, read_actions
from services.planner.treatment.done_marks import aftermath_of, tells_it_was_done, was_done
from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.treatment.wants import wants_in, without

_TOPICS = {
    "summary": QuestionTopic.SUMMARY,
    "certainty": QuestionTopic.CERTAINTY,
    "related": QuestionTopic.RELATED,
    "urgency": QuestionTopic.URGENCY,
    "effect": QuestionTopic.EFFECT,
    "remaining": QuestionTopic.REMAINING,
    "object": QuestionTopic.OBJECT,
    "leave": QuestionTopic.RISK,
    "prevention": QuestionTopic.PREVENTION,
}
# Answers that tell in words what speaks for a cause.
_IN_WORDS = (QuestionTopic.RELATED, QuestionTopic.CERTAINTY)
# A command or statement as an answer shows it.
_CODE = re.compile(r"```\w*\n(.+?)```|`([^`\n]+)`", re.DOTALL)
_TAKES_BACK = re.compile(r"alter \w+ (?:\w+ )?reset\b|alter table \S+ reset", re.IGNORECASE)
_VALUE = re.compile(r"(?<![\w.])\d+", re.ASCII)
_NUMBER = re.compile(r"(?<![\w.:])\d{3,7}(?![\w.%:])", re.ASCII)
# Words that only point back, in as many characters.
_POINTS = re.compile(r"它|那个|这个|那|这|\b(?:it|that|this|thats|they|them)\b", re.IGNORECASE)
_POINTING = 24
# What is asked about again is what was done.
_STILL = re.compile(r"\bstill\b|还", re.IGNORECASE)
# How to see which one it is asks for the way.
_HOW = re.compile(r"\bhow (?:do|can|could|to|would)\b|怎么|如何")
_SPACES = re.compile(r"\s+")
# Holders and names of objects that one message may add.
_MOST_OBJECTS = 60


class _Said(NamedTuple):
    """What one message says of the treatment."""

    treatments: tuple[Treatment, ...]
    aftermath: Aftermath | None
    asked: tuple[QuestionStep, ...]
    # The sentences that ask, in one form of spaces.
    asking: tuple[str, ...]


def add_case_talk(plan: TurnPlan, said: str, message: str, view: SessionView) -> TurnPlan:
    """The plan with the objects, treatments and questions of the treatment in a message.

    said: the person's own words; message: with what was pasted. A question that is read here stands in place of what
    else its sentence was taken for; answers and observations stay.
    """
    plan = replace(plan, objects=_objects(message))
    if said.startswith("/") or (not view.evidence and not view.history):
        return plan
    heard = _hear(said, view, plan.pasted)
    topics = {step.topic for step in heard.asked}
    kept = [step for step in plan.steps if _topic_of(step) in topics or not _is_replaced(step, heard.asking)]
    if heard.asked:
        kept = [step for step in kept if not _asks_in_vain(step)]
    if any(step.topic in _IN_WORDS for step in heard.asked):
        kept = [step for step in kept if not (isinstance(step, QuestionStep) and step.kind is QuestionKind.REASONING)]
    given = {step.topic for step in kept if isinstance(step, QuestionStep)}
    new = {step.topic: step for step in reversed(heard.asked) if step.topic not in given}
    steps = [*kept, *(step for step in heard.asked if new.get(step.topic) is step)]
    steps = [_with_action(step, said, view) for step in steps]
    awaited = view.status is Status.CONCLUDED or any(each.action in _shown(view) for each in heard.treatments)
    if heard.asked and heard.aftermath is not Aftermath.WELL:
        steps = [step for step in steps if _topic_of(step) is not QuestionTopic.RECOVERED]
    over = heard.aftermath is Aftermath.WELL and view.status is Status.CONCLUDED and not heard.treatments
    if over and not any(_tells_treatment(step) for step in steps):
        steps.insert(0, QuestionStep(QuestionKind.HELP, text=said, topic=QuestionTopic.RECOVERED))
    if heard.treatments and awaited and not any(_tells_treatment(step) for step in steps):
        steps.insert(0, QuestionStep(QuestionKind.HELP, text=said, topic=QuestionTopic.TREATED))
    return replace(plan, steps=tuple(steps), treatments=heard.treatments, aftermath=heard.aftermath)


def _hear(said: str, view: SessionView, pasted: bool) -> _Said:
    treatments: list[Treatment] = []
    aftermath: Aftermath | None = None
    asked: list[QuestionStep] = []
    asking: list[str] = []
    acts = bool(actions_in(said)) or bool(view.treatments) or view.status is Status.CONCLUDED
    for sentence in sentences_of(said):
        for clause in clauses_of(sentence):
            treatments += _treatments(clause, sentence, said, view, pasted)
            aftermath = aftermath_of(read_actions(clause)) or aftermath
        steps = list(_asked(sentence, said, view, acts))
        asked += steps
        asking += [_plain(sentence)] if steps else []
    return _Said(_merged(treatments), aftermath, tuple(asked), tuple(asking))


def _asked(sentence: str, said: str, view: SessionView, acts: bool) -> Iterator[QuestionStep]:
    text = read_actions(sentence)
    wants = [want for want in wants_in(text) if want in _TOPICS]
    named = [mention for mention in mentions_in(text, _beside(said, view)) if not was_done(text, mention)]
    if "leave" in wants and not named and ("remaining" in wants or not _shown(view)):
        wants.remove("leave")
    for want, needed in (("effect", acts), ("remaining", acts and not ("leave" in wants and named))):
        if want in wants and not needed:
            wants.remove(want)
    if "object" in wants and _HOW.search(text.normal):
        wants.remove("object")
    if "urgency" in wants and "related" in wants:
        wants.remove("related")
    for want in wants:
        subject = Reference(words=_subject(text, said, want)) if want == "related" else None
        words = _with_last(said, view) if want == "urgency" else sentence
        yield QuestionStep(QuestionKind.HELP, subject, words, topic=_TOPICS[want])


def _subject(text: Text, said: str, want: str) -> str:
    """What a sentence asks about; where that only points back, with the sentence before it."""
    subject = without(text, want)
    if not _POINTS.search(subject) or len(subject) > _POINTING:
        return subject
    sentences = list(sentences_of(said))
    place = next((at for at, each in enumerate(sentences) if _plain(each) == _plain(text.original)), 0)
    return f"{sentences[place - 1]} {subject}" if place else subject


def _with_last(said: str, view: SessionView) -> str:
    """The message after what the person said or pasted last."""
    last = next((each.text for each in reversed(view.history) if each.speaker is Speaker.USER), "")
    return f"{said}\n{last}"


def _treatments(clause: str, sentence: str, said: str, view: SessionView, pasted: bool) -> Iterator[Treatment]:
    text = read_actions(clause)
    mentions = mentions_in(text, (sentence, *_beside(said, view)))
    done = [mention for mention in mentions if was_done(text, mention)]
    yield from (_treatment(mention, clause) for mention in done)
    if not done and not pasted and view.status is Status.CONCLUDED and tells_it_was_done(text):
        yield from (Treatment(action, clause) for action in _shown(view)[:1])


def _treatment(mention: Mention, clause: str) -> Treatment:
    names = [each.name for each in objects_named(clause)]
    return Treatment(mention.action, clause, tuple(dict.fromkeys((*names, *_NUMBER.findall(clause)))))


def _merged(treatments: list[Treatment]) -> tuple[Treatment, ...]:
    """Each action once, with all objects that were named of it."""
    found: dict[str, Treatment] = {}
    for each in treatments:
        before = found.get(each.action, each)
        found[each.action] = replace(before, objects=tuple(dict.fromkeys((*before.objects, *each.objects))))
    return tuple(found.values())


def _beside(said: str, view: SessionView) -> tuple[str, ...]:
    """Where a verb's target may be named: the message, and what was said and shown last."""
    return (said, *(utterance.text for utterance in reversed(view.history[-2:])))


def _shown(view: SessionView, words: str = "") -> tuple[str, ...]:
    """The actions of the statements in the last answer, in their order; first those with a number that is asked about.

    A statement that takes a setting back is none. Where nothing was shown, it is what was done last.
    """
    last = next((each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), "")
    codes = [found[1] or found[2] for found in _CODE.finditer(last) if not _TAKES_BACK.match(found[1] or found[2])]
    numbers = _VALUE.findall(words)
    codes.sort(key=lambda code: not any(number in code for number in numbers))
    done = tuple(each.action for each in reversed(view.treatments))
    return (*_named(codes), *done)


def _named(codes: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(action for code in codes for action in sorted(actions_of_step("", code))))


def _with_action(step: PlanStep, said: str, view: SessionView) -> PlanStep:
    """A question of the treatment with the action that it is about."""
    if not isinstance(step, QuestionStep) or step.topic not in (QuestionTopic.RISK, QuestionTopic.EFFECT):
        return step
    text = read_actions(step.text)
    mentions = mentions_in(text, _beside(said, view))
    asked = [mention.action for mention in mentions if not was_done(text, mention)]
    named = asked or [mention.action for mention in mentions]
    if not named and view.treatments and _STILL.search(step.text):
        named = [view.treatments[-1].action]
    return replace(step, action=next(iter(named or _shown(view, step.text)), ""))


def _is_replaced(step: PlanStep, asking: tuple[str, ...]) -> bool:
    match step:
        case (
            QuestionStep(kind=QuestionKind.DATA)
            | QuestionStep(topic=QuestionTopic.RECOVERED | QuestionTopic.NOT_HELPED)
        ):
            return False
        case QuestionStep(text=words) | SuggestionStep(text=words) | ClarifyStep(words=words):
            said = _plain(words)
            return any(said in sentence or sentence in said for sentence in asking) and not words.startswith("/")
        case SmalltalkStep():
            return bool(asking)
    return False


def _asks_in_vain(step: PlanStep) -> bool:
    """Whether a step asks for help with nothing that its words name, beside a question that is read."""
    if not isinstance(step, QuestionStep) or step.kind is not QuestionKind.HELP or step.topic is not None:
        return False
    bare = step.subject is None and not step.text.startswith("/")
    return bare and "remedy" not in wants_in(read_actions(step.text))


def _topic_of(step: PlanStep) -> QuestionTopic | None:
    return step.topic if isinstance(step, QuestionStep) else None


def _tells_treatment(step: PlanStep) -> bool:
    told = (QuestionTopic.RECOVERED, QuestionTopic.NOT_HELPED, QuestionTopic.EFFECT, QuestionTopic.REMAINING)
    return isinstance(step, QuestionStep) and step.topic in (*told, QuestionTopic.SUMMARY, QuestionTopic.TREATED)


def _plain(words: str) -> str:
    return _SPACES.sub("", words.lower())


def _objects(message: str) -> tuple[NamedObject, ...]:
    return tuple(NamedObject(each.kind, each.name, _role(each), each.said) for each in objects_named(message))[
        :_MOST_OBJECTS
    ]


def _role(seen: Seen) -> str:
    return "holds" if seen.culprit and seen.role is not Role.DDL else str(seen.role)
