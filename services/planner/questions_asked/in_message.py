"""Which question of the field or of the case a message asks, and how the turn's plan is with it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from lang import deferred_re as re
from services.planner.case_questions.asked import asked_of_case, gives_way, is_likely, step_of
from services.planner.case_questions.finder import OF_THE_FIELD, find_case_question, is_of_field
from services.planner.case_questions.questions import CASE_QUESTIONS, GENERAL, questions_as
from services.planner.glossary.asking import meanings_in
from services.planner.model import (
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
    TurnPlan,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.of_field import (
    CERTAIN,
    LIKELY,
    SURE,
    asked_of_field,
    denies,
    likeliest_question,
    read_as,
)
from services.planner.questions_asked.question_model import Asked
from services.planner.questions_asked.steps_of_words import is_of, plain
from services.planner.treatment.actions import actions_in, read_actions
from services.planner.treatment.going_on import asks_outcome
from services.planner.treatment.sentences import sentences_of
from services.planner.treatment.wanted.wants import state_in
from services.planner.understand.questions.of_the_cause import asks_belief
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read

# By so much less likely the question of the case still goes first: its answer knows more.
_CASE_FIRST = 0.15
# In a longer sentence several things are said.
_LONGEST = 160
# A pause in what is said, between Chinese words a space as well.
_PAUSE = re.compile(r"\s*(?:…+|\.{3,})\s*|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
# What a general answer may stand in place of; the case knows better what has a topic of its own.
_TELLING = (ObservationStep, ClarifyStep, SmalltalkStep)
# Topics that words are often taken for by their sound.
_BY_SOUND = (
    QuestionTopic.CERTAINTY,
    QuestionTopic.EFFECT,
    QuestionTopic.MEANING,
    QuestionTopic.MECHANISM,
    QuestionTopic.RELATED,
    QuestionTopic.RELIEF,
    QuestionTopic.REMAINING,
    QuestionTopic.URGENCY,
)
# What was done and how it is since: told, whatever is asked beside it.
REPORTS = (QuestionTopic.TREATED, QuestionTopic.RECOVERED, QuestionTopic.NOT_HELPED, QuestionTopic.UNTREATED)
_KINDS = (QuestionKind.HELP, QuestionKind.WHAT_IF, QuestionKind.REASONING, QuestionKind.RELATIONS)


def with_questions(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with the questions that the person's own words ask, in place of what else they were taken for.

    Each is asked of the case or of the field, whichever is likelier.
    """
    if said.startswith("/"):
        return plan
    common = {each.words: each for each in asked_of_field(plan, said, view)}
    for asked in asked_of_case(said, view, partial(read_as, plan)):
        other = common.get(asked.words)
        if other is None:
            plan = _with(plan, asked, said, view)
        elif asked.found.probability + _CASE_FIRST >= other.found.probability:
            plan = _with(plan, asked, said, view)
            del common[asked.words]
    for asked in common.values():
        if not (view.hypotheses and asks_belief(asked.words)):
            plan = _with(plan, asked, said, view)
    return _answered_anyway(plan, said, view)


def _answered_anyway(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with the likeliest answer where a message asks, and nothing of it was read as a question."""
    if not view.evidence or not all(isinstance(step, _TELLING) for step in plan.steps):
        return plan
    beside = any(isinstance(step, SmalltalkStep) and step.kind is SmalltalkKind.OUT_OF_SCOPE for step in plan.steps)
    for words in (each for each in _asking(said, beside) if is_question(each) and len(each) <= _LONGEST):
        if beside and not (is_technical(read(words).normal) or _is_general(words)):
            continue
        readings = (find_case_question(words), likeliest_question(words, plan, view))
        known = [each for each in readings if each is not None and each.key != OF_THE_FIELD]
        known = [
            each for each in known if (is_likely(words, each) if each.key in CASE_QUESTIONS else not denies(words))
        ]
        best = max(known, key=lambda each: each.probability, default=None)
        step = _step_of(Asked(words, best), said, view) if best and best.probability >= LIKELY else None
        if step is not None:
            left = [each for each in plan.steps if isinstance(each, ObservationStep) or not is_of(each, words)]
            return replace(plan, steps=(*left, step))
    return plan


def _asking(said: str, beside: bool) -> list[str]:
    """The sentences of a message; beside talk of something else, what its pauses part: "got a coffee... what next"."""
    return [part for each in sentences_of(said) for part in (_PAUSE.split(each) if beside else (each,))]


def _is_general(words: str) -> bool:
    """Whether words that name nothing of the field ask what any case is asked: what to look at next, how sure it is."""
    found = find_case_question(words)
    return found is not None and found.key in GENERAL and found.probability >= LIKELY


def _with(plan: TurnPlan, asked: Asked, said: str, view: SessionView) -> TurnPlan:
    """The plan with a question in place of what its words were taken for; as it is where that is surer."""
    step = _step_of(asked, said, view)
    told: list[PlanStep] = [each for each in plan.steps if isinstance(each, QuestionStep) and each.topic in REPORTS]
    of_words = [each for each in plan.steps if is_of(each, asked.words) and each not in told]
    if step is None:
        return plan
    if same := [plain(each.text) for each in of_words if isinstance(each, QuestionStep) and _is_asked(asked, each)]:
        return replace(plan, steps=tuple(each for each in plan.steps if not _states(each, same)))
    if any(_asks_more(each, asked.words) for each in of_words) or any(_is_same(each, step) for each in plan.steps):
        return plan
    told += [each for each in of_words if asked.found.key in CASE_QUESTIONS and _tells(each)]
    if any(not _gives_way(each, asked) for each in of_words if each not in told):
        return plan
    kept = (each for each in plan.steps if each in told or each not in of_words)
    return replace(plan, steps=(*kept, step))


def _step_of(asked: Asked, said: str, view: SessionView) -> QuestionStep | None:
    """The step of a question; None for one of the case that its own words answer, or that points at no item."""
    key, words = asked.found.key, asked.words
    if key in CASE_QUESTIONS:
        return step_of(key, words, said, view)
    return QuestionStep(QuestionKind.HELP, None, words, topic=QuestionTopic.COMMON, common_question=key)


def _asks_more(step: PlanStep, words: str) -> bool:
    """Whether a question with a topic is asked in these words and others."""
    return isinstance(step, QuestionStep) and step.topic is not None and len(plain(step.text)) > len(plain(words))


def _tells(step: PlanStep) -> bool:
    """Whether a step tells something that stays said whatever is asked beside it: an answer, a correction, a figure."""
    if isinstance(step, FeedbackStep | CorrectionStep):
        return True
    return isinstance(step, ObservationStep) and any(map(str.isdigit, step.text))


def _is_asked(asked: Asked, step: QuestionStep) -> bool:
    return asked.found.key in questions_as(step)


def _states(step: PlanStep, asking: list[str]) -> bool:
    """Whether words that were read as a question were taken for a statement as well."""
    return isinstance(step, ObservationStep) and plain(step.text) in asking


def _is_same(step: PlanStep, other: QuestionStep) -> bool:
    """Whether a step asks what another one does."""
    same = isinstance(step, QuestionStep) and (step.kind, step.topic) == (other.kind, other.topic)
    return same and other.topic is not QuestionTopic.COMMON


def _gives_way(step: PlanStep, asked: Asked) -> bool:
    """Whether the answer to a question found so may stand in place of a step."""
    words, found = asked
    if found.key in CASE_QUESTIONS:
        return gives_way(step, found)
    match step:
        case QuestionStep(topic=None, kind=kind, subject=subject):
            least = SURE if subject is None else CERTAIN
            return kind in _KINDS and not _points_at_item(subject) and found.probability >= least
        case QuestionStep(topic=QuestionTopic.MEANING) if meanings_in(words):
            return False  # The glossary has it.
        case QuestionStep(topic=QuestionTopic.EFFECT, action=str(action), text=text) if action and asks_outcome(text):
            return False  # How to see that a step worked, what it sets tells.
        case QuestionStep(topic=topic):
            of_case = bool(actions_in(words) or state_in(read_actions(words)))
            by_field = LIKELY if topic is QuestionTopic.RELIEF else SURE  # "What now" names nothing of the field.
            least = by_field if not of_case and is_of_field(words) else CERTAIN
            return topic in _BY_SOUND and found.probability >= least
        case SuggestionStep() | CorrectionStep() | FeedbackStep():
            return False
        case ObservationStep():
            return found.probability >= (LIKELY if is_of_field(words) else SURE)
    return True


def _points_at_item(subject: Reference | None) -> bool:
    return subject is not None and (subject.ordinal is not None or subject.id is not None)
