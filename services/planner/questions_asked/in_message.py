"""Which question of the field or of the case a message asks, and how the turn's plan is with it."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from functools import cache, partial

from lang import deferred_re as re
from lang.modality import is_negated
from services.planner.case_questions.asked import asked_of_case, asks_to_check, gives_way, is_likely, step_of
from services.planner.case_questions.finder import OF_THE_FIELD, find_case_question, is_of_field
from services.planner.case_questions.questions import CASE_QUESTIONS, GENERAL, questions_as
from services.planner.common_questions.finder import USUAL, find_question
from services.planner.common_questions.known_answers import known_answers
from services.planner.glossary.asking import meanings_in
from services.planner.model import (
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    Language,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    Speaker,
    SuggestionStep,
    TurnPlan,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.parts import parts_of
from services.planner.questions_asked.question_model import Asked
from services.planner.questions_asked.steps_of_words import is_of, plain
from services.planner.treatment.actions import actions_in, read_actions
from services.planner.treatment.going_on import asks_outcome
from services.planner.treatment.sentences import sentences_of
from services.planner.treatment.shown_actions import shown_statements
from services.planner.treatment.wanted.wants import state_in, wants_in
from services.planner.understand.questions.of_the_cause import asks_because, asks_belief, draws_conclusion
from services.planner.understand.questions.shown_values import cell_meant
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.engines import find_engine
from services.planner.understand.text.messages import read

# From these probabilities on a question is answered: where nothing else was read in its words, where something was, and
# where that names what it is about.
LIKELY, SURE, CERTAIN = 0.5, 0.65, 0.85
# By so much less likely the question of the case still goes first: its answer knows more.
_CASE_FIRST = 0.15
# How much words that ask have to say, and may: "why JIT?" says too little, in a long story several things are said.
_LEAST, _LONGEST = 8, 160
_WORD = re.compile(r"[a-z_]+|[\u4e00-\u9fff]", re.IGNORECASE)
_WEIGHT = 2
_MOST_AROUND = 400
# An answer is known by its first words: blanks may be filled in the rest.
_OPENING = 25
# A pause in what is said, between Chinese words a space as well.
_PAUSE = re.compile(r"\s*(?:…+|\.{3,})\s*|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_COLONS = (":", "：")
# What parts two questions of a sentence; a space may stand within one.
_COMMA = re.compile(r"[，,](?!\d)\s*")
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


def question_in(said: str, engine: str = USUAL, before: str = "", told: Set[str] = frozenset()) -> Asked | None:
    """The likeliest common question that a message asks in a sentence, or in two of them.

    before: what was being talked of when it came; told: questions that were answered, and were not what was asked.
    """
    about = f"{before}\n{said[:_MOST_AROUND]}"
    found = ((sentence, find_question(words, engine, about, frozenset(told))) for sentence, words in parts_of(said))
    asked = (Asked(sentence, each) for sentence, each in found if each is not None)
    return max(asked, key=lambda each: each.found.probability, default=None)


def with_questions(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with the questions that the person's own words ask, in place of what else they were taken for.

    Each is asked of the case or of the field, whichever is likelier; one question of the field a message.
    """
    if said.startswith("/"):
        return plan
    common = _common_in(plan, said, view)
    for asked in asked_of_case(said, view, partial(_read_as, plan)):
        if common is None or common.words != asked.words:
            plan = _with(plan, asked, said, view)
        elif asked.found.probability + _CASE_FIRST >= common.found.probability:
            plan, common = _with(plan, asked, said, view), None
    if common is not None and not (view.hypotheses and asks_belief(common.words)):
        plan = _with(plan, common, said, view)
    return _answered_anyway(plan, said, view)


def _answered_anyway(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with the likeliest answer where a message asks, and nothing of it was read as a question."""
    if not view.evidence or not all(isinstance(step, _TELLING) for step in plan.steps):
        return plan
    beside = any(isinstance(step, SmalltalkStep) and step.kind is SmalltalkKind.OUT_OF_SCOPE for step in plan.steps)
    for words in (each for each in _asking(said, beside) if is_question(each) and len(each) <= _LONGEST):
        if beside and not (is_technical(read(words).normal) or _is_general(words)):
            continue
        readings = (find_case_question(words), find_question(words, _engine(plan, view), _before(view), _told(view)))
        known = [each for each in readings if each is not None and each.key != OF_THE_FIELD]
        known = [
            each for each in known if (is_likely(words, each) if each.key in CASE_QUESTIONS else not _denies(words))
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


def _common_in(plan: TurnPlan, said: str, view: SessionView) -> Asked | None:
    """The common question that is asked; whoever asks again after an answer may have asked another one."""
    engine, before, told = _engine(plan, view), _before(view), _told(view)
    other = question_in(said, engine, before, told) if told else None
    asked = other if other and other.found.probability >= SURE else question_in(said, engine, before)
    if asked is None or asked.found.probability < LIKELY or cell_meant(asked.words, view):
        return None  # What a value of the person's own table means, its column tells.
    if asks_to_check(asked.words, view):
        return None  # How a listed item is looked at, its check tells.
    if view.evidence and (draws_conclusion(asked.words) or "related" in wants_in(read_actions(asked.words))):
        return None  # Whether it is that, or has to do with it, only the case tells.
    if view.evidence and asked.found.probability < CERTAIN and _denies(asked.words):
        return None
    if asked.found.key in told and _read_as(plan, asked.words):
        return None  # Told once in general, what is asked again is of the case.
    return asked


def _denies(words: str) -> bool:
    """Whether words deny something of this case beside what they ask, which no general answer heeds; a why may."""
    return is_negated(words) and not asks_because(words)


def _read_as(plan: TurnPlan, words: str) -> frozenset[str]:
    """The questions of the case as which words were read; of the field, where they were read as a common one."""
    of_words = [step for step in plan.steps if is_of(step, words)]
    return frozenset(key for step in of_words for key in questions_as(step))


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


def possible_question(words: str, plan: TurnPlan, view: SessionView) -> str:
    """The key of the common question that words which else get no answer may ask; empty if none is likely enough."""
    beside = "\n".join(step.text for step in plan.steps if isinstance(step, ObservationStep))
    if asks_to_check(words, view) or (view.evidence and _denies(f"{beside}\n{words}")):
        return ""
    found = find_question(words, _engine(plan, view), f"{_before(view)}\n{words[:_MOST_AROUND]}", _told(view))
    return found.key if found is not None and found.probability >= LIKELY else ""


def _told(view: SessionView) -> frozenset[str]:
    """The questions that the last answer answered."""
    last = next((each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), "")
    return frozenset(key for key, opening in _openings(view.language) if opening in last)


@cache
def _openings(language: Language | None) -> tuple[tuple[str, str], ...]:
    """What the answer to each common question begins with."""
    return tuple((key, each.answer.say(language)[:_OPENING]) for key, each in known_answers().items())


def _engine(plan: TurnPlan, view: SessionView) -> str:
    """The engine that the person named last, else that of the library."""
    told = (find_engine(each.text) for each in reversed(view.history) if each.speaker is Speaker.USER)
    return plan.named_engine or next(filter(None, told), view.engine) or USUAL


def _before(view: SessionView) -> str:
    """The leading cause, and the first statement that the last answer showed."""
    leading = view.hypotheses[0].name.en if view.hypotheses else ""
    return "\n".join((leading, *shown_statements(view)[:1]))


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
