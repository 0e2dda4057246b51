"""Questions what a state means that an output shows, whether it is bad, and whether it works or is stuck."""

from __future__ import annotations

from dataclasses import replace

from lang import deferred_re as re
from services.planner.glossary.known_states import Seen, states_in
from services.planner.model import (
    ClarifyStep,
    FeedbackStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    SmalltalkStep,
    Speaker,
    TurnPlan,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.steps_of_words import is_of, plain
from services.planner.treatment.folding import in_order
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.text.word_lists import listed

# How a line behind a question names the state that it is of.
STATE = "state = "
_MEANS = listed("states.means")
_GOES_ON = listed("states.goes_on")
_POINTS = listed("states.points")
# What such a question is taken for by its other words.
_MISTAKEN = (
    *(None, QuestionTopic.MEANING, QuestionTopic.COMMON, QuestionTopic.OF_CAUSE, QuestionTopic.RELATED),
    *(QuestionTopic.MECHANISM, QuestionTopic.CERTAINTY, QuestionTopic.URGENCY, QuestionTopic.IDENTIFICATION),
)
_KINDS = (QuestionKind.HELP, QuestionKind.PROGRESS, QuestionKind.REASONING, QuestionKind.RELATIONS)
# A line with cells, or with a name and its value; a sentence has neither.
_CELLS = re.compile(r"\||\t|^\s*[A-Za-z_]{3,}: \S", re.ASCII)
_OUTPUT = "|"
_MOST = 2


def with_states(plan: TurnPlan, said: str, message: str, view: SessionView) -> TurnPlan:
    """The plan with each question of a state as that: of the one it names, else of the one that was just told."""
    if said.startswith("/"):
        return plan
    talk = (message, *(each.text for each in view.history if each.speaker is Speaker.USER))
    shown = "\n".join(line for text in talk for line in text.splitlines() if _CELLS.search(line))
    engine = plan.named_engine or view.engine
    for sentence in sentences_of(said):
        asks = _MEANS.search(sentence.lower()) and (is_question(sentence) or _GOES_ON.search(sentence.lower()))
        found = _meant(sentence, said, engine, shown) if asks else []
        if found:
            plan = _with(plan, sentence, found, said)
    return plan


def _meant(sentence: str, said: str, engine: str, shown: str) -> list[Seen]:
    """The states that a sentence asks about; where it points and names none, the last one that is told beside it."""
    named = states_in(sentence, engine, shown)
    if named:
        return named[:_MOST]
    pointing = _POINTS.search(sentence.lower()) is not None
    told = [each for each in sentences_of(said) if not (_OUTPUT in each or is_question(each))] if pointing else []
    return [each for words in told for each in states_in(words, engine)][-1:]


def _with(plan: TurnPlan, sentence: str, found: list[Seen], said: str) -> TurnPlan:
    lines = [sentence, *(f"{STATE}{each.state.state_id}" for each in found)]
    asked = QuestionStep(
        QuestionKind.HELP, Reference(words=found[0].words), "\n".join(lines), topic=QuestionTopic.MEANING
    )
    kept = [each for each in plan.steps if not (is_of(each, sentence) and _is_mistaken(each, sentence))]
    return replace(plan, steps=tuple(in_order([*kept, asked], said)))


def _is_mistaken(step: PlanStep, sentence: str) -> bool:
    match step:
        case QuestionStep(kind=kind, topic=topic, text=text):
            if kind is QuestionKind.PROGRESS and not _MEANS.search(text.lower()):
                return False
            within = topic is None or len(plain(text)) <= len(plain(sentence))
            return kind in _KINDS and topic in _MISTAKEN and within
        case ObservationStep(text=words) | ClarifyStep(words=words) | FeedbackStep(words=words):
            return plain(words) in plain(sentence) and not any(map(str.isdigit, words))
        case SmalltalkStep():
            return True
    return False
