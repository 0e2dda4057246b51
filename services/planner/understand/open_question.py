"""The answer to an open contradiction or with a value asked for, and the question for a value that is missing.

The two sides of a contradiction are two options about one phenomenon: first what was said earlier, then what was said
now. Beside their numbers, the person may say which statement holds, or simply yes or no.
"""

from __future__ import annotations

from dataclasses import replace

from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Group,
    Item,
    ItemList,
    ObservationStep,
    PlanSource,
    PlanStep,
    QuestionStep,
    Reference,
    SessionView,
    Speaker,
    TurnPlan,
    Verdict,
)
from services.planner.understand.answers.stressed import points_at_more, stressed_answer
from services.planner.understand.items.amounts import verdict_on
from services.planner.understand.questions import looking
from services.planner.understand.questions.questions import asks_to_see, has_wh
from services.planner.understand.read import read_message
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import Message, language_of, read
from services.planner.understand.text.segments import is_bare, pointers_of
from services.planner.understand.text.tokens import Kind
from services.planner.understand.text.word_lists import listed

# What comes after the choice is another statement.
_NOW = listed("open_question.now")
_EARLIER = listed("open_question.earlier")
_NUMBER = listed("open_question.number")
_EARLIER_OPTION, _NOW_OPTION = 1, 2
_CHOICE = listed("open_question.choice")
# A number with a no is no longer.
_REFUSAL = 12
# Looked at, or changed: neither says how it is.
_UNSTATED = listed("open_question.unstated")
_STATED = listed("open_question.stated")


def shown_before(message: str, view: SessionView) -> tuple[Item, ...]:
    """The numbered list that a message answers past the one question that is open, or where the last answer had none."""
    said_by_us = [each for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT]
    listed = bool(view.options) or not said_by_us or bool(said_by_us[0].items)
    if listed and (len(view.options) != 1 or view.options[0].phenomenon_id == ""):
        return ()
    tokens = pointers_of(read(message).normal)
    said = {number for token in tokens if token.kind is Kind.ORDINALS for number in token.numbers}
    if not said or max(said) <= len(view.options):
        return ()
    lists = (each.items for each in said_by_us if each.items and each.items != view.options)
    items = next(lists, ())
    known = {item.ordinal for item in items}
    return items if items != view.pending and (said <= known if view.options else said & known) else ()


def in_shown(view: SessionView, items: tuple[Item, ...]) -> SessionView:
    """The view in which that list is asked, and nothing else is."""
    return replace(view, options=(), clarified_words="", pending=items)


def by_ids(steps: tuple[PlanStep, ...], items: tuple[Item, ...]) -> tuple[PlanStep, ...]:
    """The steps with the items of that list by their ids: what is asked by now may have other numbers."""
    ids = {item.ordinal: item.phenomenon_id for item in items}
    return tuple(_by_id(step, ids) for step in steps)


def _by_id(step: PlanStep, ids: dict[int, str]) -> PlanStep:
    match step:
        case FeedbackStep(reference=Reference(ordinal=int(ordinal), list=ItemList.PENDING)) if ordinal in ids:
            return replace(step, reference=Reference(id=ids[ordinal]))
        case QuestionStep(subject=Reference(ordinal=int(ordinal), list=ItemList.PENDING)) if ordinal in ids:
            return replace(step, subject=Reference(id=ids[ordinal]))
    return step


def is_contested(view: SessionView) -> bool:
    """Whether the open clarification asks which of two opposite statements holds."""
    return len(view.options) > 1 and len({item.phenomenon_id for item in view.options}) == 1


def chosen_side(message: str, view: SessionView) -> tuple[FeedbackStep, str] | None:
    """The side that the message begins with choosing, and the rest of the message; None when it does not choose."""
    if not is_contested(view):
        return None
    reading = read(message)
    for pattern, ordinal in ((_NOW, _NOW_OPTION), (_EARLIER, _EARLIER_OPTION)):
        found = pattern.match(reading.normal)
        if found is not None and found[0].strip():
            reference = Reference(ordinal=ordinal, list=ItemList.OPTIONS)
            step = FeedbackStep(reference, Verdict.CONFIRMED, reading.words(0, found.end()).rstrip(" ,，。.;；!！"))
            return step, reading.words(found.end(), len(reading.normal))
    return _numbered_side(reading)


def _numbered_side(reading: Message) -> tuple[FeedbackStep, str] | None:
    """The number of a side before a question about something else: "2. so how do I fix it"."""
    found = _CHOICE.match(reading.normal)
    rest = reading.normal[found.end() :] if found is not None else ""
    if found is None or not has_wh(rest) or asks_to_see(rest):
        return None
    reference = Reference(ordinal=int(found[1]), list=ItemList.OPTIONS)
    return FeedbackStep(reference, Verdict.CONFIRMED, found[1]), reading.words(found.end(), len(reading.normal))


def read_answering(message: str, view: SessionView) -> tuple[TurnPlan, tuple[str, ...]]:
    """The plan of a message as `read_message` makes it; what answers an offer or an open question is so taken."""
    look = looking.asked_to_look(message, view)
    if look is None:
        return _read(message, view)
    step, rest = look
    if not rest:
        return TurnPlan((step,), looking.language_of(message, view), PlanSource.RULES), ()
    plan, unsure = _read(rest, view)
    return replace(plan, steps=(*plan.steps, step)), unsure


def _read(message: str, view: SessionView) -> tuple[TurnPlan, tuple[str, ...]]:
    if shown := shown_before(message, view):
        plan, unsure = _read(message, in_shown(view, shown))
        return replace(plan, steps=by_ids(plan.steps, shown)), unsure
    chosen = chosen_side(message, view)
    if chosen is None and not is_contested(view):
        stressed = stressed_answer(message, view)
        if stressed is not None:
            return _with_rest(*stressed, message, view)
    if chosen is None:
        plan, unsure = read_message(message, view)
        plan = replace(plan, steps=tuple(_of_one_thing(step) for step in plan.steps))
        return _with_value_asked(_settled(plan, message, view)), unsure
    step, rest = chosen
    if not rest:
        return TurnPlan((step,), language_of(message, view.language), PlanSource.RULES), ()
    plan, unsure = read_message(rest, replace(view, options=(), clarified_words=""))
    return replace(plan, steps=(step, *plan.steps)), unsure


def _with_rest(step: FeedbackStep, rest: str, message: str, view: SessionView) -> tuple[TurnPlan, tuple[str, ...]]:
    """The plan of an answer with what is said beside it, which is of no other item unless it points at one."""
    if not rest.strip():
        return TurnPlan((step,), language_of(message, view.language), PlanSource.RULES), ()
    others = points_at_more(rest)
    plan, unsure = read_message(rest, view if others else replace(view, options=(), pending=(), clarified_words=""))
    beside = tuple(each for each in plan.steps if others or not isinstance(each, FeedbackStep | ClarifyStep))
    return replace(plan, steps=(step, *beside)), unsure


def _settled(plan: TurnPlan, message: str, view: SessionView) -> TurnPlan:
    """The plan with a bare yes or no, or a bare value, taken for what was asked back."""
    if is_contested(view):
        return replace(plan, steps=tuple(_of_contested(step, view) for step in plan.steps))
    if len(view.options) == 1 and [type(step) for step in plan.steps] == [ClarifyStep] and len(message) < 30:
        verdict = verdict_on(read(message).normal, view.options[0]) if _NUMBER.fullmatch(message) else None
        if verdict is not None:
            reference = Reference(ordinal=view.options[0].ordinal, list=ItemList.OPTIONS)
            return replace(plan, steps=(FeedbackStep(reference, verdict, message),))
    return plan


def _of_one_thing(step: PlanStep) -> PlanStep:
    """A statement that names a thing of its own is no answer to every item at once."""
    match step:
        case FeedbackStep(reference=Reference(group=Group.ALL), words=words):
            said = read(words).normal
            if is_technical(said) and not is_bare(said):
                return ObservationStep(words, step.certainty)
    return step


def _with_value_asked(plan: TurnPlan) -> TurnPlan:
    """A plan that only names something and not how it is, as a question for the value."""
    if len(plan.steps) == 1 and isinstance(plan.steps[0], ObservationStep):
        words = read(plan.steps[0].text).normal.strip(" .。!！")
        if _UNSTATED.fullmatch(words) and not _STATED.search(words):
            return replace(plan, steps=(ClarifyStep(ClarifyKind.MISSING_VALUE, plan.steps[0].text),))
    return plan


def _of_contested(step: PlanStep, view: SessionView) -> PlanStep:
    phenomenon = Reference(id=view.options[0].phenomenon_id)
    match step:
        case FeedbackStep(reference=Reference(ordinal=int(), list=ItemList.OPTIONS), verdict=Verdict.DENIED):
            # "1. there is no DDL" repeats the first statement; "1 no" refuses it.
            return replace(step, verdict=Verdict.CONFIRMED) if len(step.words) > _REFUSAL else step
        case FeedbackStep(reference=Reference(group=Group.ALL, list=ItemList.OPTIONS)):
            if step.verdict is Verdict.UNKNOWN:
                return replace(step, reference=Reference(ordinal=_EARLIER_OPTION, list=ItemList.OPTIONS))
            bare = is_bare(read(step.words).normal)
            return replace(step, reference=phenomenon) if bare else ObservationStep(step.words)
        case ClarifyStep(kind=ClarifyKind.AMBIGUOUS_FEEDBACK):
            bare = is_bare(read(step.words).normal)
            return FeedbackStep(phenomenon, Verdict.CONFIRMED, step.words) if bare else ObservationStep(step.words)
    return step
