"""Which answers of a turn are worth telling: those to what is asked, the nearest first, and none twice."""

from __future__ import annotations

from collections.abc import Iterator

from services.planner.glossary.known_terms import error_in
from services.planner.model import (
    Answer,
    ConclusionView,
    HelpAnswer,
    HistoryAnswer,
    HypothesesAnswer,
    ProgressAnswer,
    QuestionTopic,
    ReasoningAnswer,
    RelationsAnswer,
    TurnResults,
    WhatIfAnswer,
)
from services.planner.questions_asked.forms import protests
from services.planner.questions_asked.in_message import REPORTS
from services.planner.questions_asked.interrogatives import is_question
from services.planner.sizing.pool_sums import POOLS
from services.planner.sizing.share_done import PROGRESS
from services.planner.speak import diagnosis
from services.planner.speak.follow_ups.recovery import at_the_end, is_over
from services.planner.speak.ways.telling import tells_way
from services.planner.treatment.actions import read_actions
from services.planner.treatment.aftermath import RECOVERY
from services.planner.treatment.sentences import clauses_of, sentences_of, two_in
from services.planner.treatment.wanted.wants import tells, wants_in
from services.planner.understand.answers.facts_asked import FACTS
from services.planner.understand.questions.looking_back import asks_standing
from services.planner.understand.questions.of_the_cause import asks_why

# What the case itself is asked: beside it a general answer to the same words is one too many.
_OF_THE_CASE = (
    QuestionTopic.RISK,
    QuestionTopic.CERTAINTY,
    QuestionTopic.EFFECT,
    QuestionTopic.COMMAND,
    QuestionTopic.COMPARISON,
    QuestionTopic.RIGHTS,
)
# What may be told as well as asked.
_OFTEN_TOLD = (QuestionTopic.RESUMING, QuestionTopic.EFFECT)
# Topics that are found by the sound of words: of too many questions they come last.
_BY_SOUND = (QuestionTopic.MECHANISM, QuestionTopic.OBJECT, QuestionTopic.URGENCY)
# So many questions a reply answers; beyond so many of them only those that are asked outright.
_MOST, _ANYWAY = 3, 2
_ENDS = (".", "。", "!", "！")
# A clause of fewer characters is part of many questions.
_TELLING = 4


def worth_telling(results: TurnResults) -> list[Answer]:
    """The answers without those that another one, or the conclusion of the turn, gives anyway."""
    if is_over(results):
        return at_the_end(results)[:_ANYWAY]
    concluded = results.diagnosis.conclusion if results.diagnosis is not None else None
    new = concluded if concluded is not None and not concluded.repeated_conclusion else None
    kept = [each for each in results.answers if not _is_in_conclusion(each, new) and not _is_of_case(each, results)]
    if any(map(is_general, kept)):
        kept = [each for each in kept if not _is_any_why(each)]
    if any(isinstance(each, HelpAnswer) and two_in(each.text) for each in kept):
        kept = [each for each in kept if not _is_any_relief(each)]
    why = [each for each in kept if isinstance(each, ReasoningAnswer) and each.lines]
    named = [each for each in why if not each.leads] or why[:1]
    kept = [each for each in kept if not (each in why and each not in named) and not (why and _is_certainty(each))]
    leave = any(isinstance(each, HelpAnswer) and each.topic is QuestionTopic.RISK for each in kept)
    kept = [each for each in kept if not (_knows_nothing(each, results) or (leave and _is_any_object(each)))] or kept
    beside = len(kept) > 1 or not diagnosis.asks_only(results)
    kept = [each for each in kept if not (beside and isinstance(each, ProgressAnswer) and not _is_recap(each))]
    telling = [answer for answer in kept if not isinstance(answer, RelationsAnswer) or answer.relations]
    return _asked_first(sorted(telling or kept, key=lambda answer: not tells_how(answer)))


def _asked_first(kept: list[Answer]) -> list[Answer]:
    """The answers to what is asked before one to what is told; what only tells of the case is context."""
    refused = [each for each in kept if _explains_refusal(each)]
    asked = [each for each in kept if not is_report(each) and not (refused and _is_of_few_words(each))]
    reports = [each for each in kept if is_report(each) and not (asked and _is_context(each))]
    nearest = sorted(asked, key=_distance)
    nearest = [*nearest[:_ANYWAY], *filter(_is_asked_outright, nearest[_ANYWAY:])]
    reports = [each for each in reports if each not in refused]
    return [*refused, *(each for each in asked if each in nearest[:_MOST]), *reports[: _ANYWAY - bool(asked)]]


def _is_asked_outright(answer: Answer) -> bool:
    """Whether an answer is to words that ask, and do not object."""
    words = answer.text.partition("\n")[0] if isinstance(answer, HelpAnswer | ReasoningAnswer) else ""
    return not words or (is_question(words) and not protests(words))


def _distance(answer: Answer) -> tuple[bool, ...]:
    """How far an answer is from what the words name: one to a thing or an act by its name is nearest."""
    named = isinstance(answer, HelpAnswer) and (tells_way(answer) or _is_of_right(answer) or _is_reckoned(answer))
    by_words = _is_of_few_words(answer), _is_by_sound(answer), not _is_any_relief(answer)
    return not _is_of_record(answer), not named, *by_words


def _is_reckoned(answer: HelpAnswer) -> bool:
    """Whether an answer is reckoned from figures that were told."""
    figures = answer.topic is QuestionTopic.URGENCY and any(map(str.isdigit, answer.text))
    return figures or answer.action in (POOLS, PROGRESS, FACTS)


def _is_of_record(answer: Answer) -> bool:
    """Whether a text of the case was ordered, or where it stands or what was told is asked: that is always answered."""
    if isinstance(answer, ProgressAnswer | HistoryAnswer):
        return _is_recap(answer) if isinstance(answer, ProgressAnswer) else not answer.heard
    return isinstance(answer, HelpAnswer) and answer.brief is not None


def _is_of_right(answer: HelpAnswer) -> bool:
    return answer.topic is QuestionTopic.RIGHTS and bool(answer.action)


def _explains_refusal(answer: Answer) -> bool:
    """Whether an answer is to a statement that a server refused, which comes first."""
    return isinstance(answer, HelpAnswer) and is_report(answer) and error_in(answer.text) is not None


def _is_of_few_words(answer: Answer) -> bool:
    """Whether an answer is a list or the grounds of the case, which tell what nobody may have asked."""
    return not isinstance(answer, HelpAnswer) or answer.topic is None


def _is_by_sound(answer: Answer) -> bool:
    return isinstance(answer, HelpAnswer) and answer.topic in _BY_SOUND


def is_report(answer: Answer) -> bool:
    """Whether an answer is to what was done, or to how it is since, and not to a question of that."""
    return isinstance(answer, HelpAnswer) and (answer.topic in REPORTS or _is_context(answer))


def _is_context(answer: Answer) -> bool:
    """Whether an answer is to a statement of what is to be done or never was, which goes with a question beside it."""
    if not isinstance(answer, HelpAnswer):
        return False
    if answer.topic is QuestionTopic.UNTREATED:
        return answer.action != RECOVERY and error_in(answer.text) is None
    return answer.topic in _OFTEN_TOLD and answer.text.endswith(_ENDS) and not is_question(answer.text)


def tells_how(answer: Answer) -> bool:
    """Whether an answer tells how the cause works: that comes before what else is told of it."""
    related = isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.RELATED
    return related and isinstance(answer, HelpAnswer) and asks_why(answer.text)


def is_verdict(answer: HelpAnswer) -> bool:
    """Whether an answer is a verdict on what is asked: whoever asks again wants it again."""
    matter = answer.matter if answer.topic is QuestionTopic.RELATED else None
    return matter is not None and bool(matter.area or matter.root_cause_id or matter.change)


def _is_recap(answer: ProgressAnswer) -> bool:
    """Whether where things stand is asked, and not only what comes next."""
    return not answer.text or asks_standing(answer.text)


def is_general(answer: Answer) -> bool:
    """Whether it is an answer of the field, the same in every case."""
    return isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.COMMON


def _is_certainty(answer: Answer) -> bool:
    """Whether how sure it is was asked: why in full begins with that."""
    return isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.CERTAINTY


def _is_any_relief(answer: Answer) -> bool:
    """Whether what to do was asked in general: which of two things to do is nearer to it."""
    return isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.RELIEF and not two_in(answer.text)


def _knows_nothing(answer: Answer, results: TurnResults) -> bool:
    """Whether all that can be said is that nothing was done or named that the question could be of."""
    if isinstance(answer, WhatIfAnswer):
        return not answer.assumed
    of_deed = isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.EFFECT and not answer.action
    return of_deed and not results.treatments


def _is_any_object(answer: Answer) -> bool:
    """Whether words were taken by their sound for which one it is, which they do not ask."""
    if not isinstance(answer, HelpAnswer) or answer.topic is not QuestionTopic.OBJECT:
        return False
    return not {"object", "blocker"}.intersection(wants_in(read_actions(answer.text)))


def is_of_cause(answer: Answer) -> bool:
    """Whether it is the library's own answer to a question of a cause."""
    return isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.OF_CAUSE


def _is_any_why(answer: Answer) -> bool:
    """Whether reasons were given for a why that names no cause and no share: a general answer is nearer to it."""
    if not isinstance(answer, ReasoningAnswer) or not answer.text or answer.question is not None:
        return False
    return not (tells(read_actions(answer.text), "certainty") or any(map(str.isdigit, answer.text)))


def _is_in_conclusion(answer: Answer, new: ConclusionView | None) -> bool:
    """Whether a new conclusion tells it: the causes, and why this one; or it is a general answer that nobody asked."""
    if new is None:
        return False
    if isinstance(answer, HelpAnswer) and is_general(answer):
        return not answer.text.rstrip().endswith(("?", "？"))
    same = isinstance(answer, ReasoningAnswer) and answer.root_cause_id == new.root_cause_id and not answer.question
    return same or isinstance(answer, HypothesesAnswer)


def _is_of_case(answer: Answer, results: TurnResults) -> bool:
    """Whether a general answer is to words that the case answers as well."""
    if not isinstance(answer, HelpAnswer) or not is_general(answer):
        return False
    asked = "".join(answer.text.casefold().split())
    return any(clause in asked for other in results.answers for clause in _asked_of_case(other))


def _asked_of_case(answer: Answer) -> Iterator[str]:
    """The clauses to which the case is the answer."""
    if not isinstance(answer, HelpAnswer | ReasoningAnswer) or _is_any_why(answer):
        return
    if isinstance(answer, HelpAnswer) and answer.topic not in _OF_THE_CASE:
        return
    for clause in (clause for sentence in sentences_of(answer.text) for clause in clauses_of(sentence)):
        plain = "".join(clause.casefold().split()).strip("?？。.!！,，")
        if len(plain) >= _TELLING:
            yield plain
