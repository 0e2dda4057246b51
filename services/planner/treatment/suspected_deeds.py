"""Questions whether something that was told is the cause: what they point at, and that it is no treatment then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lang import deferred_re as re
from services.planner.model import (
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    SmalltalkStep,
    Speaker,
    SuggestionStep,
    TurnPlan,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.steps_of_words import is_of, plain
from services.planner.treatment.folding import in_order
from services.planner.treatment.sentences import sentences_of
from services.planner.treatment.shown_actions import SESSION
from services.planner.understand.questions.of_the_cause import asks_same
from services.planner.understand.text.word_lists import listed

_IS_IT = listed("of_the_cause.is_it")
_POINTERS = listed("of_the_cause.pointers")
# What such a question is taken for by its other words.
_MISTAKEN = (
    *(None, QuestionTopic.CERTAINTY, QuestionTopic.COMMON, QuestionTopic.EFFECT, QuestionTopic.IDENTIFICATION),
    *(QuestionTopic.MECHANISM, QuestionTopic.OBJECT, QuestionTopic.RELATED, QuestionTopic.RISK),
)
# So many sentences before it may hold what is meant; a longer one is an output.
_NEAR, _LONGEST = 2, 300


def with_suspects(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with each question whether something is the cause as that, with the words that tell what is meant."""
    if said.startswith("/") or not view.evidence:
        return plan
    sentences = [*sentences_of(said)]
    for place, asked in enumerate(sentences):
        if is_question(asked) and _IS_IT.search(asked.lower()) and not (SESSION.search(asked) or asks_same(asked)):
            plan = _with(plan, asked, _meant(asked, sentences[:place], view), said)
    return plan


def _with(plan: TurnPlan, asked: str, meant: str, said: str) -> TurnPlan:
    of_words = [each for each in plan.steps if is_of(each, asked) and not isinstance(each, SmalltalkStep)]
    if any(isinstance(each, SuggestionStep) or _names_more(each, meant or asked) for each in of_words):
        return plan
    kept = [each for each in plan.steps if each not in of_words or not _is_mistaken(each, asked)]
    question = QuestionStep(QuestionKind.HELP, Reference(words=meant or asked), asked, topic=QuestionTopic.RELATED)
    return replace(plan, steps=tuple(in_order([*kept, question], said)))


def _names_more(step: PlanStep, meant: str) -> bool:
    """Whether it was read as this question with what it points at."""
    if not isinstance(step, QuestionStep) or step.topic is not QuestionTopic.RELATED or step.subject is None:
        return False
    return len(plain(step.subject.words or "")) > len(plain(meant))


def _is_mistaken(step: PlanStep, asked: str) -> bool:
    match step:
        case QuestionStep(kind=kind, topic=topic, text=text):
            asks = kind in (QuestionKind.HELP, QuestionKind.PROGRESS, QuestionKind.RELATIONS, QuestionKind.REASONING)
            return asks and topic in _MISTAKEN and len(plain(text)) <= len(plain(asked))
        case ObservationStep(text=text):
            return plain(text) in plain(asked) and bool(_IS_IT.search(text.lower()))
    return False


def _meant(asked: str, before: list[str], view: SessionView) -> str:
    """What is meant: what was just told, where the question only points; else what was told of the thing it names."""
    named = {*_names_in(_POINTERS.sub(" ", asked.lower()))}
    told = [each for each in before if not is_question(each) and len(each) <= _LONGEST]
    if not named:
        return " ".join((*told[-_NEAR:], asked)) if told else ""
    talk = [each for text in _said(view) for each in reversed([*sentences_of(text)]) if len(each) <= _LONGEST]
    same = [each for each in (*reversed(told), *talk) if not is_question(each) and named & {*_names_in(each.lower())}]
    return f"{same[0]} {asked}" if same else ""


def _said(view: SessionView) -> Iterator[str]:
    """What the person said, the last message first."""
    return (each.text for each in reversed(view.history) if each.speaker is Speaker.USER)


def _names_in(words: str) -> Iterator[str]:
    """The longer words in letters, and the pairs of Chinese characters."""
    for run in re.compile(r"[a-z_]{4,}|[\u4e00-\u9fff]+").findall(words):
        if run.isascii():
            yield run
        else:
            yield from (run[at : at + 2] for at in range(len(run) - 1))


def without_suspected(plan: TurnPlan) -> TurnPlan:
    """The plan without treatments of which it asks whether they are it: "they purged the table, is that why?"."""
    about = [plain(words) for step in plan.steps for words in _words_asked_about(step)]
    kept = tuple(each for each in plan.treatments if each.undone or not _stands_in(each.words, about))
    if kept == plan.treatments:
        return plan
    done = any(not each.undone for each in kept)
    steps = tuple(step for step in plan.steps if done or not _reports(step))
    return replace(plan, treatments=kept, steps=steps)


def _stands_in(words: str, about: list[str]) -> bool:
    return any(plain(words) in each for each in about)


def _words_asked_about(step: PlanStep) -> tuple[str, ...]:
    """The words of which a step asks whether they have to do with the trouble."""
    if isinstance(step, SuggestionStep):
        return (step.text,)
    if not isinstance(step, QuestionStep) or step.topic is not QuestionTopic.RELATED:
        return ()
    return (step.text, step.subject.words or "") if step.subject is not None else (step.text,)


def _reports(step: PlanStep) -> bool:
    return isinstance(step, QuestionStep) and step.topic is QuestionTopic.TREATED
