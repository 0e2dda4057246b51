"""Of each answer: which forms of question it answers, and of what it speaks. Derived from its own words, once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from lang import deferred_re as re
from services.planner.case_questions.finder import find_case_question
from services.planner.case_questions.questions import questions_as
from services.planner.common_questions.known_answers import known_answers
from services.planner.model import CauseQuestion, QuestionKind, QuestionStep, QuestionTopic, SessionView
from services.planner.questions_asked.forms import Form, agree, forms_of, forms_worded, restarted
from services.planner.sizing.asked import AMOUNT
from services.planner.treatment.actions import actions_in, read_actions
from services.planner.treatment.named_steps import STEP
from services.planner.treatment.wanted.wants import TOPICS, tells, wants_in
from services.planner.understand.questions.questions import asks_to_see
from services.planner.understand.text.messages import read
from services.planner.ways.looks_asked import LOOK, asks_look

# What the answer to a topic is an answer to, where the words were taken for it by their sound.
_OF_TOPIC: Mapping[QuestionTopic, frozenset[Form]] = {
    QuestionTopic.CERTAINTY: frozenset((Form.WHETHER, Form.MUCH, Form.WHY, Form.HOW, Form.WHAT)),
    QuestionTopic.CLOSING: frozenset((Form.HOW,)),
    QuestionTopic.COMMAND: frozenset((Form.HOW, Form.WHAT, Form.WHICH, Form.WHETHER)),
    QuestionTopic.COMPARISON: frozenset((Form.WHICH, Form.WHETHER, Form.WHAT)),
    QuestionTopic.MECHANISM: frozenset((Form.WHY, Form.HOW, Form.WHAT)),
    QuestionTopic.OBJECT: frozenset((Form.WHICH, Form.WHAT)),
    QuestionTopic.RELATED: frozenset((Form.WHETHER, Form.WHY, Form.HOW)),
    QuestionTopic.RELIEF: frozenset((Form.WHAT, Form.HOW, Form.WHICH, Form.WHETHER)),
    QuestionTopic.REMAINING: frozenset((Form.WHAT, Form.HOW, Form.WHICH, Form.MUCH)),
    QuestionTopic.RISK: frozenset((Form.WHETHER, Form.WHAT)),
    QuestionTopic.SOURCE: frozenset((Form.WHICH, Form.WHAT, Form.HOW)),
    QuestionTopic.URGENCY: frozenset((Form.LONG, Form.MUCH)),
}
_OF_LOOK = frozenset((Form.HOW, Form.WHICH, Form.WHAT, Form.MUCH, Form.WHETHER))
_OF_ITEM = frozenset((Form.HOW, Form.WHAT, Form.WHICH))
_SURE = 0.75
# What an answer that is a yes or a no begins with.
_VERDICT = re.compile(
    r"(?P<en>(?:Yes|No)(?:,\s+|[.:]\s+))(?P<rest>\S)"
    r"|(?P<zh>(?:不会|会|不能|能|不可以|可以|不要|不用|不需要|要|不是|是|没有|有|不行|行|对)(?:的)?[，。：；]\s*)"
)
_CODE = re.compile(r"`([^`]+)`")
_CHANGES = re.compile(
    r"(?i)\s*(?:alter|set|drop|create|kill|select\s+pg_(?:terminate|cancel|reload|drop)\w*|vacuum|analyze|reindex"
    r"|truncate|delete|update|insert|purge|stop|start|reset|change|grant|revoke|systemctl|rm|kubectl)\b"
)


def misses(step: QuestionStep, words: str, view: SessionView) -> bool:
    """Whether the answer to a step cannot be one to the words that it was read in, by the forms of both."""
    asked = forms_worded(words)
    match step:
        case QuestionStep(topic=QuestionTopic.COMMON, common_question=key):
            return key.startswith(LOOK) and bool(asked) and asked.isdisjoint(_OF_LOOK)
        case QuestionStep(action=action) if action == STEP:
            return False  # Of a step that is named by its number more is known.
        case QuestionStep(topic=QuestionTopic.OF_CAUSE):
            question = _question_of(step, view)
            return question is not None and not answers_of_cause(question, words)
        case QuestionStep(topic=QuestionTopic.IDENTIFICATION, action=action) if action == AMOUNT:
            valued = any(map(str.isdigit, words)) or tells(read_actions(words), "enough")
            return asked == {Form.WHETHER} and not valued
        case QuestionStep(topic=QuestionTopic() as topic):
            of_form = not asked or not asked.isdisjoint(_OF_TOPIC.get(topic, asked))
            return not of_form and not _is_explicit(step, topic, words)
        case QuestionStep(kind=QuestionKind.HELP):
            return not asks_to_see(read(words).normal) and bool(asked) and asked.isdisjoint(_OF_ITEM)
    return False


def _is_explicit(step: QuestionStep, topic: QuestionTopic, words: str) -> bool:
    """Whether words ask for the topic of a step by words of its own, or surely by the model of the case's questions."""
    if any(TOPICS.get(want) is topic for want in wants_in(read_actions(words))):
        return True
    if topic is QuestionTopic.RISK and actions_in(words):
        return True
    found = find_case_question(words)
    sure = found is not None and found.probability >= _SURE and found.key in questions_as(step)
    return sure and topic is not QuestionTopic.CLOSING  # "Are we done" sounds like it.


def answers(key: str, words: str) -> bool:
    """Whether the answer to a common question may be one to words that ask, by the forms of both."""
    known = known_answers()[key]
    return _fits(words, (known.asked.en, known.asked.zh), known.answer.en)


def answers_of_cause(question: CauseQuestion, words: str) -> bool:
    """Whether a library's answer to a question of a cause may be one to words that ask, by the forms of both."""
    return _fits(words, (*question.asked_en, *question.asked_zh), question.answer.en)


def _fits(words: str, asked: Iterable[str], answer: str) -> bool:
    known = _forms(tuple(asked), answer)
    things, restarts = restarted(words), _restarts(tuple(asked), answer)
    if things and restarts and not things & restarts:
        return False
    if asks_look(words) and _only_changes(answer):
        return False
    return agree(forms_of(words), known)


@cache
def _forms(asked: tuple[str, ...], answer: str) -> frozenset[Form]:
    """The forms of the wordings of a question, and of its answer: a yes or a no, a statement that says how."""
    found = {form for each in asked for form in forms_of(each)}
    told = {Form.WHETHER: _VERDICT.match(answer) is not None, Form.HOW: bool(_statements(answer))}
    return frozenset(found | {form for form, is_told in told.items() if is_told} if found else ())


def _statements(answer: str) -> list[str]:
    return [each for each in _CODE.findall(answer) if " " in each]


@cache
def _restarts(asked: tuple[str, ...], answer: str) -> frozenset[str]:
    return frozenset(kind for each in asked for kind in restarted(each)) or restarted(answer)


@cache
def _only_changes(answer: str) -> bool:
    """Whether the statements of an answer all change something: who wants to look is not helped by them."""
    statements = _statements(answer)
    return bool(statements) and all(map(_CHANGES.match, statements))


def _question_of(step: QuestionStep, view: SessionView) -> CauseQuestion | None:
    cause = step.subject.id if step.subject is not None else None
    of_cause = (each.questions for each in view.hypotheses if each.root_cause_id == cause)
    return next((each[step.cause_question - 1] for each in of_cause if len(each) >= step.cause_question), None)


def without_verdict(answer: str) -> str:
    """An answer without the yes or no that it begins with, which nobody asked for."""
    found = _VERDICT.match(answer)
    if found is None:
        return answer
    left = answer[found.start("rest") if found["en"] else found.end() :]
    return left[:1].upper() + left[1:] if found["en"] and left[:2] != left[:2].upper() else left
