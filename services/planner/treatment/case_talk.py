"""Adds to a plan what a message tells or asks of the treatment: what was done, how it is since, what is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

from lang.objects import role_told
from lang.objects.figures_shown import transactions_in
from lang.objects.named_objects import objects_named, tables_in
from lang.outcomes import speaks_against_recovery
from lang.pastes import Executed
from lang.tokens import read_text
from services.planner.glossary.asking import asks_at
from services.planner.glossary.known_terms import error_in, with_refusal
from services.planner.model import (
    Aftermath,
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    NamedObject,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    ResetStep,
    SessionView,
    SmalltalkStep,
    Status,
    SuggestionStep,
    TurnPlan,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.actions import actions_in, mentions_in, read_actions
from services.planner.treatment.aftermath import RECOVERY, aftermath_in, good_news_in
from services.planner.treatment.bearing import bearing_on_treatment, lacking_in
from services.planner.treatment.deeds import mistaken_action
from services.planner.treatment.done_marks import denies_deeds, tells_it_ended, tells_now
from services.planner.treatment.durations import began_in
from services.planner.treatment.folding import as_fact, in_order, together, without_wider
from services.planner.treatment.going_on import asked_by, going_on, rows_running_in, with_cure, without_bare_next
from services.planner.treatment.named_steps import STEP, is_news, is_of_a_step, objects_to_it, without_mere_numbers
from services.planner.treatment.reports import treatments_in
from services.planner.treatment.sentences import is_short, sentences_of, told_clauses
from services.planner.treatment.shown_actions import asks_leave
from services.planner.treatment.wanted.requests import agreement_in, explained_in, of_its_deed, uncorrected, with_action
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.questions.of_the_cause import of_belief

_IN_WORDS = (QuestionTopic.RELATED, QuestionTopic.CERTAINTY)  # Answers that tell in words what speaks for a cause.
_TELL_TREATMENT = (
    QuestionTopic.RECOVERED,
    QuestionTopic.NOT_HELPED,
    QuestionTopic.EFFECT,
    QuestionTopic.REMAINING,
    QuestionTopic.SUMMARY,
    QuestionTopic.TREATED,
    QuestionTopic.UNTREATED,
)
_SHORT = _MOST_OBJECTS = 60  # A longer message is a story; objects that one message may add.
_GOOD = Aftermath.WELL, Aftermath.BETTER
_LIKELY = 0.8  # A cause that leads so clearly has been acted on, or could have been.


def add_case_talk(
    plan: TurnPlan, said: str, message: str, view: SessionView, ran: tuple[Executed, ...] = ()
) -> TurnPlan:
    """The plan with the objects, treatments and questions of the treatment in a message.

    said: the person's own words; message: with what was pasted; ran: the statements that were run. A question read here
    stands in place of what else its sentence was taken for.
    """
    objects = (*_objects(message), *rows_running_in(message), *bearing_on_treatment(said, view, message))
    plan = replace(plan, objects=objects, began=began_in(said, aftermath_in(said, view), view))
    if said.startswith("/"):
        return plan
    if not view.evidence and not view.history:
        return replace(plan, steps=tuple(_with_questions(plan, said, view, tuple(explained_in(said)))))
    told = treatments_in(with_refusal(said, message), view, ran, plan.pasted)
    plan = replace(plan, treatments=told, aftermath=aftermath_in(said, view))
    if plan.aftermath is None and _wants_to_close(plan, view):
        plan = replace(plan, aftermath=Aftermath.WELL)
    asked = _with_questions(plan, said, view, asked_by(said, view))
    beside = uncorrected(said, plan.steps)
    steps = _with_mistake([with_action(step, beside, view) for step in without_wider([*map(as_fact, asked)])], said)
    steps = [of_its_deed(step, plan.treatments) for step in steps if not _is_of_deed(step, plan)]
    steps = _with_denial(_with_reports(steps, plan, said, view), plan, said, view)
    steps = without_mere_numbers(without_bare_next(with_cure(steps, said, view)), message, view)
    steps = [going_on(of_belief(step), view) for step in steps]
    return replace(plan, steps=tuple(_as_good_news(step, said) for step in steps))


def _wants_to_close(plan: TurnPlan, view: SessionView) -> bool:
    """Whether the case is to be closed after something was done: then it is well, as the person judges."""
    done = bool(view.treatments) or any(not each.undone for each in plan.treatments)
    return done and any(map(_is_closing, plan.steps))


def _with_mistake(steps: list[PlanStep], said: str) -> list[PlanStep]:
    """The steps with the risk of a deed in place of a correction, where it was the mistake: "killed the wrong one"."""
    action = mistaken_action(text := read_actions(said), mentions_in(text))
    if not action:
        return steps
    risk = QuestionStep(QuestionKind.HELP, text=said, topic=QuestionTopic.RISK, action=action)
    return [risk, *(step for step in steps if not isinstance(step, CorrectionStep | ClarifyStep))]


def _as_good_news(step: PlanStep, said: str) -> PlanStep:
    """A report of a recovery with the words that tell it."""
    if isinstance(step, QuestionStep) and step.topic is QuestionTopic.RECOVERED:
        return replace(step, text=good_news_in(said))
    return step


def _with_questions(
    plan: TurnPlan, said: str, view: SessionView, wanted: Sequence[tuple[str, tuple[QuestionStep, ...]]]
) -> list[PlanStep]:
    """The steps with what is asked in place of what else its sentences were taken for; each topic once."""
    if not wanted and not view.evidence and not view.history:
        return list(plan.steps)
    closing = [_plain(step.text) for step in plan.steps if _is_closing(step)]
    found = [each for each in wanted if not any(words in _plain(each[0]) for words in closing)]
    asking = [_plain(sentence) for sentence, _ in found]
    asked = [step for _, steps in found for step in steps]
    kept = [step for step in plan.steps if _has_context(step) or not _is_replaced(step, asking)]
    if any(step.topic is QuestionTopic.RISK for step in asked):
        asked = [*(step for step in kept if _is_of_risk(step)), *asked]
        kept = [step for step in kept if not _is_of_risk(step)]
    kept = [step for step in kept if not _is_of_a_step(step, asked)]
    asked = together(asked)
    if agreement_in(said, view):
        kept = [step for step in kept if not isinstance(step, FeedbackStep)]
    if asked or any(isinstance(step, QuestionStep) and step.kind is QuestionKind.REASONING for step in kept):
        kept = [step for step in kept if not _asks_in_vain(step)]
    if any(step.topic in _IN_WORDS for step in asked):
        kept = [step for step in kept if not (isinstance(step, QuestionStep) and step.kind is QuestionKind.REASONING)]
    well = plan.aftermath is Aftermath.WELL
    over = well or _tells_beside(plan, said)
    untold = (QuestionTopic.NOT_HELPED if well else None, None if over else QuestionTopic.RECOVERED)
    kept = [step for step in kept if _topic_of(step) is None or _topic_of(step) not in untold]
    given = {_topic_of(step) for step in kept} - {None}
    new = {step.topic: step for step in reversed(asked) if step.topic not in given}
    return in_order([*kept, *(step for step in asked if new.get(step.topic) is step)], said)


def _is_of_a_step(step: PlanStep, asked: Sequence[QuestionStep]) -> bool:
    """Whether an observation or a guess is part of a question of a step, or of an objection to one."""
    whole = [each for each in asked if each.action == STEP or objects_to_it(each.text)]
    return any(is_of_a_step(step, each.action) for each in whole)


def _with_reports(steps: list[PlanStep], plan: TurnPlan, said: str, view: SessionView) -> list[PlanStep]:
    """The steps after one for what was done or how it is since, unless one of them tells it anyway."""
    topic = _reported(steps, plan, said, view)
    if topic is QuestionTopic.RECOVERED and view.aftermath is not Aftermath.WELL:
        steps = [step for step in steps if _topic_of(step) is not QuestionTopic.REMAINING]  # It tells what is left.
    if topic is not QuestionTopic.UNTREATED and any(_topic_of(step) in _TELL_TREATMENT for step in steps):
        return steps
    if topic is None or (topic is QuestionTopic.EFFECT and any(map(_is_of_risk, steps))):
        return steps
    kept = [step for step in steps if not _is_no_report(step, topic)]
    of_failed = topic in (QuestionTopic.UNTREATED, QuestionTopic.RIGHTS)
    action = plan.treatments[0].action if of_failed else ""
    text = plan.treatments[0].words if of_failed and error_in(plan.treatments[0].words) else said
    return [with_action(QuestionStep(QuestionKind.HELP, text=text, topic=topic, action=action), said, view), *kept]


def _reported(steps: Sequence[PlanStep], plan: TurnPlan, said: str, view: SessionView) -> QuestionTopic | None:
    """What a report is answered as; in the first message of a case what was done is only kept."""
    if any(not each.undone for each in plan.treatments):
        told = QuestionTopic.RECOVERED if plan.aftermath in _GOOD else QuestionTopic.TREATED
        return told if view.evidence else None
    if any(is_news(each, view) for each in plan.treatments):
        return QuestionTopic.RIGHTS if lacking_in(plan.treatments[0].words) else QuestionTopic.UNTREATED
    if view.treatments and plan.aftermath is Aftermath.UNCHANGED and is_short(said):
        return QuestionTopic.EFFECT
    if view.treatments and is_short(said) and tells_it_ended(read_actions(said)) and not is_question(said):
        return QuestionTopic.TREATED
    treated = bool(view.treatments) or view.status is Status.CONCLUDED
    if plan.aftermath in _GOOD and (treated or (plan.aftermath is Aftermath.WELL and _tells_only_that(said, steps))):
        return QuestionTopic.RECOVERED
    return None


def _is_of_deed(step: PlanStep, plan: TurnPlan) -> bool:
    """Whether leave is read into the very words by which something was done, or asked in none for what is done."""
    done = [each for each in plan.treatments if not each.undone]
    if not _is_of_risk(step):
        return False
    asked_again = asks_leave(step.text) and step.action in actions_in(step.text)
    told = step.text.split("\n", 1)[0]
    return any(told == each.words or (step.action == each.action and not asked_again) for each in done)


def _with_denial(steps: list[PlanStep], plan: TurnPlan, said: str, view: SessionView) -> list[PlanStep]:
    """The steps after one that takes back what was believed to be over or done, where the message denies it."""
    taken_back = view.aftermath is Aftermath.WELL and plan.aftermath is Aftermath.UNCHANGED
    leads = bool(view.hypotheses) and view.hypotheses[0].confidence >= _LIKELY
    concluded = (leads or view.status is Status.CONCLUDED) and not view.treatments
    denied = concluded and plan.aftermath is not Aftermath.WELL and denies_deeds(said)
    if not (taken_back or denied) or any(_topic_of(step) is QuestionTopic.UNTREATED for step in steps):
        return steps
    kept = [step for step in steps if not _is_of_denial(step, said)]
    action = RECOVERY if taken_back else ""
    return [QuestionStep(QuestionKind.HELP, text=said, topic=QuestionTopic.UNTREATED, action=action), *kept]


def _is_of_denial(step: PlanStep, said: str) -> bool:
    """Whether a step is a guess at words that deny, or takes them for news of a remedy."""
    match step:
        case QuestionStep(topic=QuestionTopic.RECOVERED | QuestionTopic.NOT_HELPED) | ResetStep() | SmalltalkStep():
            return True
        case FeedbackStep(words=words) | ClarifyStep(words=words) | SuggestionStep(text=words):
            return denies_deeds(words) or _plain(words) == _plain(said)
        case CorrectionStep(words=words, original=original):
            return any(denies_deeds(each) for each in (words, original.words) if each)
    return False


def _tells_beside(plan: TurnPlan, said: str) -> bool:
    """Whether a message tells more than what was done, so that it can tell how things are; a question does not."""
    done = {each.words for each in plan.treatments if not each.undone}
    return bool(done) and any(not (each in done or is_question(each)) for each in told_clauses(said))


def _tells_only_that(said: str, steps: Sequence[PlanStep]) -> bool:
    """Whether what a message tells beside what it asks is short, and nothing in it speaks against a recovery."""
    asked = [_plain(step.text) for step in steps if isinstance(step, QuestionStep) and step.text]
    told = " ".join(each for each in sentences_of(said) if not any(words in _plain(each) for words in asked))
    return len(told) <= _SHORT and not speaks_against_recovery(read_text(told))


def _is_no_report(step: PlanStep, topic: QuestionTopic) -> bool:
    """Whether a step is a guess at words that report: a riddle, talk, or an answer that points at no item."""
    match step:
        case ResetStep():
            return True
        case CorrectionStep(verdict=None, words=str(told)):
            # How many there are now, after something was done, takes nothing back of what was.
            return topic is QuestionTopic.TREATED and tells_now(read_actions(told))
        case QuestionStep(topic=QuestionTopic.RISK | QuestionTopic.RIGHTS, text=text):
            untold = error_in(text) is not None or "?" not in read_actions(text).normal
            return topic is QuestionTopic.RIGHTS or (topic is QuestionTopic.UNTREATED and untold)
        case ClarifyStep() | SmalltalkStep() | SuggestionStep():
            return topic is not QuestionTopic.TREATED or not isinstance(step, SuggestionStep)
        case FeedbackStep(reference=reference, words=words, by_name=by_name):
            tells = topic in (QuestionTopic.RECOVERED, QuestionTopic.UNTREATED)
            return tells and reference.id is None and (by_name or not any(map(str.isdigit, words)))
    return False


def _has_context(step: PlanStep) -> bool:
    """Whether a question carries words of before, which tell what it is about."""
    return isinstance(step, QuestionStep) and step.topic is not None and "\n" in step.text


def _is_replaced(step: PlanStep, asking: list[str]) -> bool:
    match step:
        case QuestionStep(kind=QuestionKind.DATA):
            return False
        case QuestionStep(topic=QuestionTopic.RECOVERED | QuestionTopic.NOT_HELPED):
            return False
        case ObservationStep(text=words):
            return any(_plain(words) in sentence for sentence in asking) and asks_at(words, 0)
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
    return step.subject is None and "remedy" not in wants_in(read_actions(step.text))


def _is_closing(step: PlanStep) -> TypeGuard[QuestionStep]:
    return _topic_of(step) is QuestionTopic.CLOSING


def _is_of_risk(step: PlanStep) -> TypeGuard[QuestionStep]:
    return isinstance(step, QuestionStep) and step.topic is QuestionTopic.RISK


def _topic_of(step: PlanStep) -> QuestionTopic | None:
    return step.topic if isinstance(step, QuestionStep) else None


def _plain(words: str) -> str:
    return "".join(words.lower().split()).rstrip("?？")


def _objects(message: str) -> tuple[NamedObject, ...]:
    named = (*objects_named(message)[:_MOST_OBJECTS], *transactions_in(message, tables_in(message)))
    return tuple(NamedObject(each.kind, each.name, role_told(each), each.said) for each in named)
