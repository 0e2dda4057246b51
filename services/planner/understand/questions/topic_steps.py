"""The step that a topic is, what a question holds, and which want relief whatever else they were taken for."""

from __future__ import annotations

from lang.cues import cue_terms
from lang.outcomes import names_action
from lang.tokens import read_text
from services.planner.model import (
    Group,
    LookStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SmalltalkKind,
    SmalltalkStep,
    TurnPlan,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.actions import read_actions
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.acts.case_topics import likely_topic
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import compile_words, listed

# From this share on a topic is taken for sure.
SURE = 0.6
_REQUEST = compile_words(
    "questions.request", r"[再来给]我?[个条句段]?", r"(?<!慢)查询?", r"的? ?(?:sql|语句|命令|脚本)", r"[?!.,;]"
)
_WHAT_IS_WRONG = listed("asking.what_is_wrong")


def step_of(wanted: str, words: str) -> QuestionStep | SmalltalkStep | LookStep:
    """The step of a topic."""
    match wanted:
        case "look":
            return LookStep(False, words.strip())
        case "beyond":
            return SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE)
        case "next":
            return QuestionStep(QuestionKind.PROGRESS, text=words)
        case "reasons":
            return QuestionStep(QuestionKind.REASONING, Reference(group=Group.JUST_MENTIONED), words)
        case "assistant":
            return QuestionStep(QuestionKind.HELP, text="/help")
        case "statement":
            return QuestionStep(QuestionKind.HELP, Reference(words=thing_asked(words)), words)
    return QuestionStep(QuestionKind.HELP, text=words, topic=QuestionTopic(wanted))


def cry_for_help(step: PlanStep, plan: TurnPlan) -> PlanStep:
    """A bare "help" beside a fault that is told wants relief, and "what is wrong?" what is known: not how to use this."""
    told = any(isinstance(each, ObservationStep) for each in plan.steps)
    if not told or not isinstance(step, QuestionStep) or step.kind is not QuestionKind.HELP:
        return step
    bare = step.topic is None and step.subject is None
    return step_of("next" if asks_for_nothing(step) else "relief", step.text) if bare else step


def asks_what_to_do(step: QuestionStep) -> bool:
    """Whether a question was taken for how to look at what it tells, and asks what to do."""
    subject = step.subject if step.kind is QuestionKind.HELP and step.topic is None else None
    wants = wants_in(read_actions(step.text))
    numbered = subject is not None and subject.words is None and any(map(str.isdigit, step.text))
    return subject is not None and ("cure" in wants or ("remedy" in wants and not numbered))


def thing_asked(words: str) -> str:
    """What a statement is asked for, without the words that only ask: "give me a query for the locks" is about locks."""
    thing = _REQUEST.sub(" ", read(words).normal).strip()
    return thing if len(thing) > 1 else words


def asks_what_an_action_does(words: str) -> bool:
    """Whether a supposition is of something that the person would do: "what happens if I kill it"."""
    wanted, share = likely_topic(words)
    return wanted == "risk" and share >= SURE and names_action(read_text(words))


def tells_plan(words: str) -> bool:
    """Whether words only tell what the person is about to do: "I'll cancel it then"."""
    return not is_question(words) and any(cue.payload == "plan" for cue in cue_terms().find(read_text(words)))


def asks_for_nothing(step: QuestionStep) -> bool:
    """Whether a question names nothing of the field: one of relations or suppositions, or a bare "what is wrong"."""
    if step.kind is QuestionKind.HELP:
        return step.subject is None and _WHAT_IS_WRONG.fullmatch(read(step.text).normal.strip()) is not None
    if step.kind is QuestionKind.RELATIONS:
        return step.subject is None and not is_technical(read(step.text).normal)
    words = [each.reference.words for each in step.assumptions]
    return step.kind is QuestionKind.WHAT_IF and not any(
        word is None or is_technical(read(word).normal) for word in words
    )
