"""Questions of the state of the case that were guessed at: words that ask none of it are no such question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from services.planner.case_questions.finder import find_case_question
from services.planner.model import (
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SmalltalkKind,
    SmalltalkStep,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.understand.acts.labels import Label
from services.planner.understand.questions.asked_otherwise import asks_what_tickets
from services.planner.understand.questions.looking_back import asks_if_heard, asks_standing, looks_back
from services.planner.understand.questions.of_the_cause import (
    asks_belief,
    asks_tickets,
    asks_why,
    asks_why_check,
    asks_why_not,
    names_share,
)
from services.planner.understand.read import label_alone

# From this probability on words by themselves ask a question; a model that was asked it in a case needs less.
_SURE, _LIKELY, _HEARD_FROM = 0.8, 0.6, 0.78
_LABELS: dict[QuestionKind | None, Label] = {
    QuestionKind.HELP: Label.HELP,
    QuestionKind.HYPOTHESES: Label.HYPOTHESES,
    QuestionKind.HISTORY: Label.HISTORY,
    QuestionKind.PROGRESS: Label.PROGRESS,
    QuestionKind.RELATIONS: Label.RELATIONS,
    QuestionKind.WHAT_IF: Label.WHAT_IF,
}
_NEXT = ("case_what_next", "case_what_now")
_WHY = ("case_why_ask", "case_how_sure", "case_why_percent", "case_why_this")
_HEARD = ("case_did_you_see",)
_HELP = ("case_all_steps", "case_command", "case_how_to_check", "case_what_now")


def without_guesses(steps: Sequence[PlanStep]) -> list[PlanStep]:
    """The steps without such questions that nobody asked; what is told in their words is told.

    Talk goes where anything else is asked or told; where nothing is, such a question asks what comes next.
    """
    certain = any(isinstance(each, QuestionStep) and each.topic is QuestionTopic.CERTAINTY for each in steps)
    kept = [each for step in steps for each in _as_told(step, certain)]
    remarks = [step for step in kept if isinstance(step, SmalltalkStep) and step.kind is SmalltalkKind.REMARK]
    if any(not isinstance(step, SmalltalkStep) for step in kept):
        kept = [step for step in kept if step not in remarks]
    guessed = (each.text for each in steps if isinstance(each, QuestionStep))
    return kept or [QuestionStep(QuestionKind.PROGRESS, text=words) for words in islice(guessed, 1)]


def _as_told(step: PlanStep, certain: bool) -> Iterator[PlanStep]:
    if not isinstance(step, QuestionStep) or step.topic is not None or _is_asked(step, certain):
        yield step
    elif not is_question(step.text) and (step.kind is not QuestionKind.HELP or _tells(step.text)):
        yield ObservationStep(step.text)


def _is_asked(step: QuestionStep, certain: bool) -> bool:
    """Whether a question without a topic is asked by its words. certain: how sure it is, is asked beside it."""
    words = step.text
    if words.startswith("/"):
        return True
    match step.kind:
        case QuestionKind.REASONING:
            return _asks_reasons(words) or (_points(step) and asks_why(words))
        case _ if _points(step):
            return True
        case QuestionKind.HISTORY if step.subject is not None:
            changed = step.subject.words == ""  # Whether what was told changes anything.
            return changed or asks_if_heard(words) is not None or _found(words, _HEARD, _HEARD_FROM) or _sounds_so(step)
        case QuestionKind.PROGRESS:
            puzzled = label_alone(words)[0] is Label.UNKNOWN
            return asks_standing(words) or _sounds_so(step) or (_found(words, _NEXT, _LIKELY) and not puzzled)
        case QuestionKind.HYPOTHESES:
            return _sounds_so(step) and not certain
        case QuestionKind.HISTORY if looks_back(words):
            return True
        case QuestionKind.HISTORY | QuestionKind.RELATIONS | QuestionKind.WHAT_IF:
            return _sounds_so(step)
        case QuestionKind.HELP:
            named = step.subject is not None and step.subject.id is not None  # "P-0022?"
            return named or is_question(words) or _found(words, _HELP, _LIKELY) or _sounds_so(step, _LIKELY)
    return True


def _tells(words: str) -> bool:
    """Whether words by themselves tell a fact, and are no scrap of a question or a protest."""
    label, share = label_alone(words)
    return label is Label.FACT and share >= _SURE


def _points(step: QuestionStep) -> bool:
    """Whether a question names an item of a list or an id, in what it is of or supposes."""
    named = (*(each.reference for each in step.assumptions), *([step.subject] if step.subject is not None else ()))
    return any(each.ordinal is not None or (each.id is not None and step.assumptions) for each in named)


def _asks_reasons(words: str) -> bool:
    """Whether words ask why something is believed or asked for, and not why it is so or what else it is."""
    if asks_why_check(words) or asks_belief(words) or asks_why_not(words):
        return True
    if asks_tickets(words) or asks_what_tickets(words):
        return True
    if not asks_why(words):
        return _found(words, _WHY[:1], _LIKELY)
    return names_share(words) or _found(words, _WHY, _SURE)


def _found(words: str, keys: Sequence[str], least: float) -> bool:
    found = find_case_question(words)
    return found is not None and found.key in keys and found.probability >= least


def _sounds_so(step: QuestionStep, least: float = _SURE) -> bool:
    """Whether the words are heard as a question of this kind by themselves, whatever stands around them."""
    label, share = label_alone(step.text)
    return label is _LABELS.get(step.kind) and share >= least
