"""Puts what a message asks of a likely cause, and its library answers, into the turn's plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from lang import deferred_re as re
from lang.judging.unclaimed import said_by_nobody
from lang.modality import is_out_of_reach
from lang.numbers.filling import figures_in
from lang.objects import objects_in
from services.planner.case_questions.finder import find_case_question
from services.planner.case_questions.questions import GENERAL
from services.planner.glossary.asking import meanings_in
from services.planner.model import (
    CauseQuestion,
    CorrectionStep,
    FeedbackStep,
    Group,
    HypothesisView,
    LookStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    ResetStep,
    SessionView,
    Speaker,
    SuggestionStep,
    TurnPlan,
)
from services.planner.questions_asked.answer_forms import answers_of_cause
from services.planner.questions_asked.cause_reader import find_cause_question
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.steps_of_words import echoes, is_of, plain, rest_of, without
from services.planner.treatment.actions import read_actions
from services.planner.treatment.going_on import RERUN, asks_outcome
from services.planner.treatment.named_steps import STEP
from services.planner.treatment.sentences import clauses_of, refused_in, sentences_of
from services.planner.treatment.shown_actions import SESSION, asks_leave
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.items.references import nearest
from services.planner.understand.questions.of_the_cause import (
    asks_because,
    asks_belief,
    asks_how_so,
    draws_conclusion,
    wants_verdict,
)
from services.planner.understand.questions.questions import asks_to_see
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read

# From these probabilities on a question is answered: of words that ask it of the leading cause; of words that rather
# tell, of the cause behind, or of an action that was named; and in place of what was parsed.
LIKELY, SURE, CERTAIN = 0.43, 0.75, 0.85
# In a longer sentence several things are said; so many answers before are the last ones.
_LONGEST, _LAST = 160, 2
# So much of the last message is looked at, and by so much an answer is known: blanks may be filled in the rest.
_MOST_BEFORE, _OPENING = 400, 12
_ALONE = re.compile(r"(?:[\d.,]+\s*)?[a-z%]*\W*", re.IGNORECASE)
_COMMA = re.compile(r"[，,](?!\d)\s*|\s+and\s+")
_QUOTED = re.compile(r"[\"“「『][^\"”」』]+[\"”」』]")
_ENDS, _RESTART = ("terminate", "cancel"), "needs_restart"
_NEAR = 0.2  # So near to its name a cause is meant.
# What was done stays said whatever is asked beside it.
_TOLD = (QuestionTopic.RECOVERED, QuestionTopic.NOT_HELPED, QuestionTopic.TREATED, QuestionTopic.UNTREATED)
# What is wanted of the assistant itself, or points at something, in words that hardly anything else has.
_PARSED_KINDS = (
    QuestionKind.DATA,
    QuestionKind.HISTORY,
    QuestionKind.HYPOTHESES,
    QuestionKind.PROGRESS,
    QuestionKind.WHAT_IF,
)
_PARSED_TOPICS = (
    QuestionTopic.CERTAINTY,
    QuestionTopic.CLOSING,
    QuestionTopic.COMMAND,
    QuestionTopic.MEANING,
    QuestionTopic.OBJECT,
    QuestionTopic.RELIEF,
    QuestionTopic.RUNNING,
    QuestionTopic.SHARING,
    QuestionTopic.SOURCE,
    QuestionTopic.SUMMARY,
    QuestionTopic.URGENCY,
)


class _Asked(NamedTuple):
    """The words that ask a question, its cause and its place there, from 0, and how likely it is that one."""

    words: str
    cause: HypothesisView
    at: int
    probability: float


def with_cause_questions(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with what a message asks of a likely cause, in place of what else its words were taken for.

    What the message tells, and what it answers, stays.
    """
    known = [each for each in view.hypotheses if each.questions]
    if not known or said.startswith("/") or any(isinstance(step, ResetStep | LookStep) for step in plan.steps):
        return plan
    for asked in _asked_in(said, known, view, plan):
        plan = _with(plan, asked, known, view)
    if view.evidence:
        plan = replace(plan, steps=(*map(_with_verdict, plan.steps), *map(_for_verdict, _left_out(plan, said))))
    return _with_because(plan, said, view)


def _left_out(plan: TurnPlan, said: str) -> list[str]:
    """The sentences that ask for a yes or a no to a conclusion, and were read as nothing or as what to do."""
    asking = [each for each in sentences_of(said) if each.endswith(("?", "？")) and draws_conclusion(each)]
    acting = [each for each in plan.steps if isinstance(each, QuestionStep) and each.topic is QuestionTopic.RELIEF]
    return [each for each in asking if not any(is_of(step, each) for step in plan.steps if step not in acting)]


def _with_verdict(step: PlanStep) -> PlanStep:
    """What draws a conclusion as the question that it is: yes or no, and neither a hint for the search nor leave."""
    if isinstance(step, SuggestionStep | QuestionStep) and wants_verdict(step):
        return _for_verdict(step.text)
    return step


def _for_verdict(words: str) -> QuestionStep:
    return QuestionStep(QuestionKind.HELP, Reference(words=words), words, topic=QuestionTopic.RELATED)


def _with_because(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with a because for each why that was taken for leave to act; asked once more, for anything."""
    before = _why_before(view)
    for sentence in filter(asks_because, sentences_of(said)):
        why = QuestionStep(QuestionKind.HELP, Reference(words=sentence), sentence, topic=QuestionTopic.RELATED)
        if before:  # Asked once more, it is told in other words.
            why = QuestionStep(QuestionKind.HELP, None, sentence, topic=QuestionTopic.MECHANISM)
        of_words = [each for each in plan.steps if is_of(each, sentence)]
        asked = [each for each in of_words if isinstance(each, QuestionStep)]
        if all(_misses_because(each, again=bool(before)) for each in asked) and (asked or (before and of_words)):
            plan = replace(plan, steps=(*(each for each in plan.steps if each not in of_words), why))
    return plan


def _misses_because(step: QuestionStep, *, again: bool) -> bool:
    """Whether a why is answered with leave, a way or a list; one that is asked again, with grounds."""
    if step.action == STEP:
        return False  # "Why 30min?" is of the value in a step.
    grounds = step.topic is QuestionTopic.CERTAINTY or (step.topic is None and step.kind is QuestionKind.REASONING)
    listed = step.kind is QuestionKind.RELATIONS
    return (
        (again and grounds) or listed or step.topic in (QuestionTopic.RISK, QuestionTopic.RELIEF, QuestionTopic.EFFECT)
    )


def _asked_in(said: str, known: Sequence[HypothesisView], view: SessionView, plan: TurnPlan) -> Iterator[_Asked]:
    """The likely questions of the sentences, each of the cause that is the likeliest to be meant.

    The words that tell what was done ask nothing; nor does a figure or a word alone, or what a no answers.
    """
    before, told, refused = _why_before(view), "", refused_in(said)
    told_in = [each.words for each in plan.treatments]
    corrected = [each.words or "" for each in plan.steps if isinstance(each, CorrectionStep)]
    for sentence in sentences_of(said):
        before = told or (before if asks_because(sentence) else "")
        # "Did I not say cpu is high?" asks of the record, "why do you say so" of the grounds; "?" asks nothing.
        asks = (is_question(sentence) or asks_because(sentence)) and not said_by_nobody(sentence)
        tells = any(words in sentence for words in told_in) or any(sentence in words for words in corrected)
        tells = (tells or is_out_of_reach(sentence)) and not sentence.rstrip().endswith(("?", "？"))
        asks = asks and not asks_belief(sentence) and not echoes(sentence, view)
        asks = asks and not (tells or sentence in refused or _ALONE.fullmatch(sentence))
        parts = _readings(sentence, before) if asks and len(sentence) <= _LONGEST else []
        found = [each for words in parts for cause in known if (each := _find(sentence, words, cause, view))]
        best = max(found, key=lambda each: each.probability * each.cause.confidence, default=None)
        # How the cause works answers a why as well, where it was read as one.
        why = asks_because(sentence) and any(
            isinstance(each, QuestionStep) and is_of(each, sentence) for each in plan.steps
        )
        of_leader = best is not None and best.cause is known[0] and not why
        if best is not None and best.probability >= (LIKELY if of_leader else SURE):
            yield best
        told = sentence


def _why_before(view: SessionView) -> str:
    """What the last message asked the because of: whoever asks why once more means that."""
    last = next((each.text for each in reversed(view.history) if each.speaker is Speaker.USER), "")
    return next((sentence for sentence in sentences_of(last[:_MOST_BEFORE]) if asks_because(sentence)), "")


def _readings(sentence: str, before: str) -> list[str]:
    """A sentence that asks by its own words, with those before it, and by its clauses that ask the same.

    What asks in general of the case needs no words before it: "... which of them? how sure are you?".
    """
    why, general = asks_because(sentence), find_case_question(sentence)
    before = "" if general is not None and general.key in GENERAL and general.probability >= CERTAIN else before
    asking = [clause for clause in _COMMA.split(sentence) if (asks_because if why else is_question)(clause)]
    return list(dict.fromkeys((sentence, f"{before} {sentence}".strip(), *asking)))


def _find(sentence: str, words: str, cause: HypothesisView, view: SessionView) -> _Asked | None:
    """The likeliest question of a cause, in the form asked; a why is none that asks how, nor one just answered."""
    found = find_cause_question(words, cause.questions)
    if found is None or not answers_of_cause(question := cause.questions[found.at], sentence):
        return None
    why = asks_because(sentence)
    anew = why or asks_how_so(sentence) or not sentence.endswith(("?", "？"))
    if (why and not _wants_because(question)) or (anew and _is_told(question, view)):
        return None
    return _Asked(sentence, cause, found.at, found.probability)


def _wants_because(question: CauseQuestion) -> bool:
    return any(map(asks_because, (*question.asked_zh, *question.asked_en)))


def _is_told(question: CauseQuestion, view: SessionView) -> bool:
    """Whether the last answers have that of a question."""
    told = [each.text for each in view.history if each.speaker is Speaker.ASSISTANT]
    return any(question.answer.say(view.language)[:_OPENING] in text for text in told[-_LAST:])


def _with(plan: TurnPlan, asked: _Asked, known: Sequence[HypothesisView], view: SessionView) -> TurnPlan:
    about = Reference(id=asked.cause.root_cause_id)
    topic = QuestionTopic.OF_CAUSE
    step = QuestionStep(QuestionKind.HELP, about, asked.words, topic=topic, cause_question=asked.at + 1)
    causes = {each.root_cause_id for each in known}
    of_words = [each for each in plan.steps if is_of(each, asked.words) and not _tells(each, asked.words)]
    same = any(
        isinstance(each, QuestionStep) and (each.subject, each.cause_question) == (about, asked.at + 1)
        for each in plan.steps
    )
    if any(isinstance(each, SuggestionStep) and _suspects_another(each, asked, view) for each in of_words):
        return plan
    told = [each.text for each in view.history if each.speaker is Speaker.USER]
    whole = [each for each in of_words if without(each, asked.words) is None]  # Of the others something is left.
    if same or any(asked.probability < _least(each, causes, told) for each in whole):
        return plan
    rest = [each for old in of_words for each in rest_of(old, asked.words, view)]
    return replace(plan, steps=(*(each for each in plan.steps if each not in of_words), *rest, step))


def _suspects_another(step: SuggestionStep, asked: _Asked, view: SessionView) -> bool:
    """Whether a suspicion names another cause than the one whose library would answer it."""
    near = nearest(step.text, ((at, each.name, "") for at, each in enumerate(view.hypotheses)), least=_NEAR)
    return near is not None and view.hypotheses[near].root_cause_id != asked.cause.root_cause_id


def _tells(step: PlanStep, asked: str) -> bool:
    """Whether a step tells something that stays said whatever is asked beside it; a clause that asks tells nothing."""
    told = isinstance(step, QuestionStep) and step.topic in _TOLD
    only_asks = len([*clauses_of(asked)]) == 1
    states = isinstance(step, ObservationStep) and not (only_asks and plain(step.text) == plain(asked))
    return told or states or isinstance(step, FeedbackStep | CorrectionStep)


def _least(step: PlanStep, causes: set[str], told: Sequence[str]) -> float:
    """How likely a question has to be to stand in place of a step of its words, after messages; above 1: never."""
    match step:
        case QuestionStep(subject=Reference(group=Group.JUST_MENTIONED)):
            return CERTAIN  # "Where does that come from": the words alone tell no item from what was seen.
        case QuestionStep(subject=Reference(ordinal=int()) | Reference(group=str())):
            return 2.0
        case QuestionStep(subject=Reference(id=str(pointed))) if pointed not in causes:
            return 2.0
        case QuestionStep(topic=QuestionTopic.OF_CAUSE):
            return 2.0
        case SuggestionStep():
            return CERTAIN  # Who suspects a cause mostly asks nothing of the one that leads.
        case QuestionStep(kind=QuestionKind.HISTORY, subject=Reference()):
            return 2.0  # Whether it was heard, only the record tells.
        case QuestionStep(topic=QuestionTopic.EFFECT, action=str(action), text=text) if action and asks_outcome(text):
            return 2.0  # How to see that a step worked, what it sets tells.
        case QuestionStep(topic=QuestionTopic.MEANING, text=text) if meanings_in(text) or _QUOTED.search(text):
            return 2.0  # The glossary has it, or the case itself.
        case QuestionStep(topic=QuestionTopic.RISK, action=str(action), text=text) if action and (
            action == RERUN or SESSION.search(text)
        ):
            return 2.0  # What is asked of a session of theirs, no library can tell.
        case QuestionStep(topic=QuestionTopic.REMAINING, text=text) if not is_technical(read(text).normal):
            return 2.0  # "What's left" is asked of what is to be done.
        case QuestionStep(topic=QuestionTopic.URGENCY) if any(map(figures_in, told)):
            return 2.0  # How long their own disk lasts, their figures tell.
        case QuestionStep(topic=QuestionTopic.OBJECT) if any(each for text in told for each in objects_in(text)):
            return 2.0  # Which session it is, was said or pasted.
        case QuestionStep(topic=QuestionTopic.RISK, action="terminate" | "cancel", text=text) if asks_leave(text):
            return CERTAIN  # Leave to end a session needs more than what is lost by it.
        case QuestionStep(kind=kind, topic=topic, text=text):
            parsed = kind in _PARSED_KINDS or topic in _PARSED_TOPICS or asks_to_see(read(text).normal)
            acts = step.action and topic is QuestionTopic.RISK and _RESTART not in wants_in(read_actions(text))
            return CERTAIN if parsed else SURE if acts else LIKELY
    return LIKELY
