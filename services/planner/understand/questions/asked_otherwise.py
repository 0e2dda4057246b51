"""What a question asks that was read as a call for a check or for figures, and is neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from lang.cues import cue_terms
from lang.tokens import read_text
from services.planner.case_questions.asked import LIKELY, SURE, is_likely, step_of
from services.planner.case_questions.finder import OF_THE_FIELD, find_case_question
from services.planner.case_questions.questions import CASE_QUESTIONS, LOOKS
from services.planner.model import (
    ClarifyStep,
    FeedbackStep,
    Item,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
)
from services.planner.treatment.actions import actions_in, asking_words, read_actions
from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.treatment.wanted.requests import with_action
from services.planner.treatment.wanted.wants import tells, wants_in
from services.planner.understand.items.item_names import called, is_called
from services.planner.understand.items.references import open_list
from services.planner.understand.questions.data_questions import asks_for_data
from services.planner.understand.questions.looking_back import changes_anything
from services.planner.understand.questions.of_the_cause import asks_tickets
from services.planner.understand.questions.questions import asks_to_see
from services.planner.understand.text.marks import opening_of
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

_HOW = "case_how_to_check"
_EITHER_OR = listed("treatment.either_or")
# What is asked of an action, or in general beside it.
_OF_ONE = (QuestionTopic.RISK, QuestionTopic.COMMON)
# What asks for what is to be done, or for its statement.
_WANTS_STEPS = frozenset(("remedy", "cure", "command", "rights", "overview", "blocker"))


def with_looks(steps: Sequence[PlanStep], said: str, view: SessionView) -> list[PlanStep]:
    """The steps with the command of an item that is called by its whole name as how to look at it.

    Whoever asks how to look at an item does not answer it in the same breath, unless by its number.
    """
    asked = open_list(view)
    item = called(said, asked)
    looks = [_as_look(step, asked.at(item.ordinal), said) if item is not None else step for step in steps]
    wanted = [each for step in looks for each in _items_looked_for(step, asked.items)]
    return [step for step in looks if not (wanted and _answers_one(step, wanted))]


def _as_look(step: PlanStep, item: Reference, said: str) -> PlanStep:
    if not isinstance(step, QuestionStep) or step.topic is not QuestionTopic.COMMAND:
        return step
    asking = next((each for each in sentences_of(said) if step.text in each), step.text)
    return QuestionStep(QuestionKind.HELP, item, asking)


def _items_looked_for(step: PlanStep, items: Sequence[Item]) -> Iterator[Item]:
    if isinstance(step, QuestionStep) and (step.kind, step.topic) == (QuestionKind.HELP, None):
        yield from (each for each in items if _means(step.subject, each))


def _means(reference: Reference | None, item: Item) -> bool:
    return reference is not None and (reference.id or reference.ordinal) in (item.phenomenon_id, item.ordinal)


def _answers_one(step: PlanStep, wanted: Sequence[Item]) -> bool:
    """Whether a step takes words without a number for an answer to an item that is looked for, or only calls it."""
    match step:
        case FeedbackStep(reference=reference, words=words):
            return not any(map(str.isdigit, words)) and any(_means(reference, each) for each in wanted)
        case ClarifyStep(references=references, words=words):
            return bool(references) and not any(map(str.isdigit, words))
        case ObservationStep(text=words):
            return any(is_called(each, words) for each in wanted)
    return False


def asks_no_look(step: QuestionStep, common: Callable[[str], str]) -> bool:
    """Whether a question that was read as one for an item's check does not ask how anything is seen or done.

    common: the common question that words may ask.
    """
    if step.subject is None or step.subject.id is not None or step.text.startswith("/"):
        return False
    if step.subject.ordinal is not None and any(map(str.isdigit, step.text)):
        return False  # "And 2?"
    if asks_to_see(read(step.text).normal) or _WANTS_STEPS.intersection(wants_in(read_actions(step.text))):
        return False
    found = find_case_question(step.text)
    least = LIKELY if found is not None and found.key in (_HOW, OF_THE_FIELD) else SURE
    if found is None or found.probability < least:
        return True
    return bool(common(step.text)) if found.key == OF_THE_FIELD else found.key not in LOOKS


def without_look(step: QuestionStep, key: str, view: SessionView) -> PlanStep:
    """That question as the one of the case or of the field that it is; what asks nothing known tells of the item."""
    found = find_case_question(step.text)
    if found is not None and found.key in CASE_QUESTIONS and is_likely(f"{step.text}?", found):
        asked = step_of(found.key, step.text, step.text, view)
        if asked is not None:
            return asked
    if key:
        return QuestionStep(QuestionKind.HELP, None, step.text, topic=QuestionTopic.COMMON, common_question=key)
    return ObservationStep(step.text)


def of_tickets(step: QuestionStep, view: SessionView) -> PlanStep | None:
    """The step of a question for tickets that wants no figure: what they are, which ones, or talk; None of another."""
    data = step.kind is QuestionKind.DATA
    if data and asks_tickets(step.text):
        return QuestionStep(QuestionKind.REASONING, None, step.text)
    if data and asks_for_data(step, view):
        return None
    if asks_what_tickets(step.text):
        return QuestionStep(QuestionKind.REASONING, None, step.text)
    return SmalltalkStep(SmalltalkKind.REMARK) if data else None


def asks_what_tickets(words: str) -> bool:
    """Whether words ask what the tickets are that an answer counts, or where they come from."""
    return "what_tickets" in wants_in(read_actions(words))


def asked_of_action(step: PlanStep, said: str, view: SessionView) -> PlanStep:
    """A question that sets two actions against each other as one for the better, and whether something is enough.

    Whether somebody did it, and that may be the cause, asks for no leave.
    """
    if not isinstance(step, QuestionStep):
        return step
    if step.topic is QuestionTopic.RISK and opening_of(read(step.text).normal, "may_be_it"):
        return QuestionStep(QuestionKind.HELP, Reference(words=step.text), step.text, topic=QuestionTopic.RELATED)
    if step.topic is QuestionTopic.CLOSING and _refuses(step.text):
        return SmalltalkStep(SmalltalkKind.REMARK)
    if step.topic is QuestionTopic.OBJECT and _sets_causes_apart(step.text):
        return QuestionStep(QuestionKind.HYPOTHESES, None, step.text)
    if changes_anything(step):
        return QuestionStep(QuestionKind.HISTORY, Reference(words=""), step.text)
    if step.topic in _OF_ONE and (words := _set_against(step, said)):
        return QuestionStep(QuestionKind.HELP, text=words, topic=QuestionTopic.COMPARISON)
    return _asks_if_enough(step, said, view) if step.topic is QuestionTopic.CERTAINTY else step


def _sets_causes_apart(words: str) -> bool:
    """Whether words ask which of two things it is, and not which of two sessions or what to do."""
    return _EITHER_OR.search(words) is not None and not (actions_in(words) or any(map(str.isdigit, words)))


def _refuses(words: str) -> bool:
    """Whether a word of denial stands in words: "not closing anything"."""
    return any(found.payload == "negation" for found in cue_terms().find(read_text(words)))


def _set_against(step: QuestionStep, said: str) -> str:
    """The words around an "or" between two actions, if a question is of one of them; else empty."""
    for left, right in pairwise(_EITHER_OR.split(said)):
        before, after = _naming_one(["", *sentences_of(left)][-1]), next(iter(clauses_of(right)), "")
        one, other = actions_in(asking_words(before))[-1:], actions_in(asking_words(after))[:1]
        if one and other and one != other and (step.action in (*one, *other) or after.strip() in step.text):
            return f"{before.strip().rstrip('?？')} or {after.strip()}"
    return ""


def _naming_one(sentence: str) -> str:
    """The last clause of a sentence if it names an action, else the whole of it."""
    last = ["", *clauses_of(sentence)][-1]
    return last if actions_in(asking_words(last)) else sentence


def _asks_if_enough(step: QuestionStep, said: str, view: SessionView) -> PlanStep:
    """A question whether something is enough as one of the action that the message names."""
    named = next((each for each in (step.text, *sentences_of(said)) if actions_in(asking_words(each))), "")
    if not named or not tells(read_actions(step.text), "enough"):
        return step
    words = step.text if named == step.text else f"{named} {step.text}?"
    return with_action(QuestionStep(QuestionKind.HELP, text=words, topic=QuestionTopic.RISK), said, view)
