"""Which questions of the field a message asks, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cache

from lang.modality import is_negated
from services.planner.case_questions.asked import asks_to_check
from services.planner.case_questions.questions import questions_as
from services.planner.common_questions.finder import USUAL, find_question
from services.planner.common_questions.known_answers import known_answers
from services.planner.model import Language, ObservationStep, SessionView, Speaker, TurnPlan
from services.planner.questions_asked.answer_forms import answers, without_verdict
from services.planner.questions_asked.forms import protests
from services.planner.questions_asked.parts import parts_of
from services.planner.questions_asked.question_model import Asked, Found
from services.planner.questions_asked.steps_of_words import is_of
from services.planner.treatment.actions import read_actions
from services.planner.treatment.shown_actions import shown_statements
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.questions.of_the_cause import asks_because, draws_conclusion
from services.planner.understand.questions.shown_values import cell_meant
from services.planner.understand.text.engines import find_engine

# From these probabilities on a question is answered: where nothing else was read in its words, where something was,
# where that names what it is about, and where its answer is to a question of another form.
LIKELY, SURE, CERTAIN, ANYWAY = 0.5, 0.65, 0.85, 0.75
_MOST_AROUND = 400
# An answer is known by its first words behind a yes or no: blanks may be filled in the rest.
_OPENING = 25


def questions_in(said: str, engine: str = USUAL, before: str = "", told: Set[str] = frozenset()) -> list[Asked]:
    """The common questions that the sentences of a message ask, each once, the likeliest first.

    before: what was being talked of when it came; told: questions that were answered, and were not what was asked.
    """
    about = f"{before}\n{said[:_MOST_AROUND]}"
    parts = ((part, _fitting(part, words, engine, about, frozenset(told))) for part, words in parts_of(said))
    asked = [Asked(part, each) for part, each in parts if each is not None]
    kept: list[Asked] = []
    for each in sorted(asked, key=lambda each: -each.found.probability):
        if not any(each.found.key == other.found.key or _overlap(each.words, other.words) for other in kept):
            kept.append(each)
    return kept


def _overlap(words: str, other: str) -> bool:
    return words in other or other in words


def _fitting(sentence: str, words: str, engine: str, about: str, told: frozenset[str]) -> Found | None:
    """The likeliest question; none where its answer is to another form than is asked in, unless sure."""
    found = find_question(words, engine, about, told)
    if found is None or not found.key:
        return None
    return found if found.probability >= ANYWAY or answers(found.key, sentence) else None


def asked_of_field(plan: TurnPlan, said: str, view: SessionView) -> Iterator[Asked]:
    """The common questions that are asked; whoever asks again after an answer may have asked another one."""
    engine, before, told = engine_of(plan, view), talked_of(view), told_in(view)
    other = {each.words: each for each in questions_in(said, engine, before, told)} if told else {}
    for likeliest in questions_in(said, engine, before):
        instead = other.get(likeliest.words)
        asked = instead if instead is not None and instead.found.probability >= SURE else likeliest
        again = asked.found.key in told and read_as(plan, asked.words)  # Told in general, it is asked of the case.
        least = CERTAIN if protests(asked.words) else LIKELY
        if asked.found.probability >= least and not again and not _is_of_case(asked, view):
            yield asked


def read_as(plan: TurnPlan, words: str) -> frozenset[str]:
    """The questions of the case as which words were read; of the field, where they were read as a common one."""
    of_words = [step for step in plan.steps if is_of(step, words)]
    return frozenset(key for step in of_words for key in questions_as(step))


def _is_of_case(asked: Asked, view: SessionView) -> bool:
    """Whether only the case tells what is asked: a value of their own table, an item's check, whether it is that."""
    if cell_meant(asked.words, view) or asks_to_check(asked.words, view):
        return True
    if not view.evidence:
        return False
    concludes = draws_conclusion(asked.words) or "related" in wants_in(read_actions(asked.words))
    return concludes or (asked.found.probability < CERTAIN and denies(asked.words))


def denies(words: str) -> bool:
    """Whether words deny something of this case beside what they ask, which no general answer heeds; a why may."""
    return is_negated(words) and not asks_because(words)


def possible_question(words: str, plan: TurnPlan, view: SessionView) -> str:
    """The key of the common question that words which else get no answer may ask; empty if none is likely enough."""
    beside = "\n".join(step.text for step in plan.steps if isinstance(step, ObservationStep))
    if asks_to_check(words, view) or (view.evidence and denies(f"{beside}\n{words}")):
        return ""
    about = f"{talked_of(view)}\n{words[:_MOST_AROUND]}"
    found = _fitting(words, words, engine_of(plan, view), about, told_in(view))
    return found.key if found is not None and found.probability >= LIKELY else ""


def likeliest_question(words: str, plan: TurnPlan, view: SessionView) -> Found | None:
    """The likeliest question that words ask beside what was told already; none where only the case tells."""
    found = _fitting(words, words, engine_of(plan, view), talked_of(view), told_in(view))
    return None if found is None or _is_of_case(Asked(words, found), view) else found


def told_in(view: SessionView) -> frozenset[str]:
    """The questions that the last answers answered."""
    told = "\n".join(each.text for each in view.history if each.speaker is Speaker.ASSISTANT)
    return frozenset(key for key, opening in _openings(view.language) if opening in told)


@cache
def _openings(language: Language | None) -> tuple[tuple[str, str], ...]:
    """What the answer to each common question begins with, behind its yes or no and a letter that may be a capital."""
    known = ((key, without_verdict(each.answer.say(language))) for key, each in known_answers().items())
    return tuple((key, answer[1 : _OPENING + 1]) for key, answer in known)


def engine_of(plan: TurnPlan, view: SessionView) -> str:
    """The engine that the person named last, else that of the library."""
    told = (find_engine(each.text) for each in reversed(view.history) if each.speaker is Speaker.USER)
    return plan.named_engine or next(filter(None, told), view.engine) or USUAL


def talked_of(view: SessionView) -> str:
    """The leading cause, and the first statement that the last answer showed."""
    leading = view.hypotheses[0].name.en if view.hypotheses else ""
    return "\n".join((leading, *shown_statements(view)[:1]))
