"""Which questions of the case a message asks, their steps, and what gives way to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from services.planner.case_questions.finder import MASK, find_case_question
from services.planner.case_questions.questions import CASE_QUESTIONS, GENERAL, About, subject
from services.planner.glossary.asking import meanings_in
from services.planner.model import (
    Assumption,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SmalltalkStep,
    SuggestionStep,
)
from services.planner.questions_asked.forms import is_bare
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.question_model import Asked, Found
from services.planner.questions_asked.steps_of_words import echoes
from services.planner.treatment.actions import actions_in, read_actions
from services.planner.treatment.done_marks import tells_it_was_done
from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.treatment.wanted.requests import with_action
from services.planner.treatment.wanted.wants import kinds_asked, wants_in
from services.planner.understand.acts.case_topics import may_close
from services.planner.understand.acts.likelihood import telling
from services.planner.understand.items.references import open_list
from services.planner.understand.questions.looking_back import asks_standing
from services.planner.understand.questions.of_the_cause import asks_belief
from services.planner.understand.questions.questions import asks_to_see
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.marks import opening_of
from services.planner.understand.text.messages import read
from services.planner.understand.text.segments import polarity_of

# From these probabilities on a question is taken: where its words ask, where they were taken for small talk, and where
# they were parsed as something else or have no sign of a question.
LIKELY, SURE, CERTAIN, PLAIN = 0.5, 0.65, 0.9, 0.95
# In a longer sentence several things are said.
_LONGEST = 160
# So short a sentence with a yes or no in it asks nothing else.
_SHORT = 10
# What is read by more than how it sounds, and what is told and not asked.
_PARSED_KINDS = (QuestionKind.DATA, QuestionKind.WHAT_IF)
# What asks for a list, in words that are all but its name.
_LISTS = (QuestionKind.HYPOTHESES, QuestionKind.HISTORY)
_LOOKING_BACK = ("case_where_read", "case_did_you_see")
_PARSED_TOPICS = (QuestionTopic.COMMAND, QuestionTopic.MEANING, QuestionTopic.RELATED)
_TOLD = (QuestionTopic.RECOVERED, QuestionTopic.NOT_HELPED, QuestionTopic.TREATED, QuestionTopic.UNTREATED)
# A guess at a cause is no question about one.
_OF_CAUSES = (
    "case_fits_symptom",
    "case_how_it_works",
    "case_how_sure",
    "case_may_i",
    "case_why_not_other",
    "case_why_this",
)
# What a complaint sounds like needs more.
_DOUBTFUL = (
    "case_did_you_see",
    "case_fits_symptom",
    "case_how_long",
    "case_no_effect",
    "case_summary",
    "case_which_one",
)
# What is asked of actions beside whether one may be taken.
_OF_ACTIONS = ("case_check_the_one", "case_no_rights", "case_verify_fixed", "case_which_one")
_CLOSE, _DIFFERENCE, _WHICH, _FITS = "case_close", "case_difference", "case_which_one", "case_fits_symptom"
_CHECK, _OTHER_CHECK, _SOURCE, _AGAIN = "case_how_to_check", "case_other_check", "case_where_read", "case_when_again"
_HOW_IT_WORKS, _NO_EFFECT = "case_how_it_works", "case_no_effect"
# What is asked of the leading cause, and from which belief on one leads.
_OF_LEADER = (QuestionTopic.MECHANISM, QuestionTopic.CONFIRMATION, QuestionTopic.RESUMING)
_LEADS = 0.2


def asked_of_case(said: str, view: SessionView, read_as: Callable[[str], frozenset[str]]) -> list[Asked]:
    """The questions of the case that sentences ask, where there is one; before, where something is from.

    read_as: the questions of the case as which words were read otherwise, which speaks for these.
    """
    if not (view.evidence or view.history):
        return []
    for each in meanings_in(said):
        said = said.replace(each.words, "\n")  # What a term means is asked by itself, whatever follows it.
    asking = [each for each in sentences_of(said) if len(each) <= _LONGEST and not _asks_nothing(each, view)]
    found = [(each, find_case_question(_without_names(each, view), read_as(each))) for each in asking]
    likely = [Asked(words, each) for words, each in found if each is not None and is_likely(words, each)]
    return [each for each in likely if view.evidence or each.found.key == _SOURCE]


def _asks_nothing(sentence: str, view: SessionView) -> bool:
    """Whether a sentence only repeats words of the answer with a mark, "yes what?", or is of another: "yes or no?"."""
    said = read(sentence).normal
    return (
        is_bare(sentence)
        or echoes(sentence, view)
        or (said.isascii() and len(said) <= _SHORT and polarity_of(said) is not None)
    )


def is_likely(words: str, found: Found) -> bool:
    """Whether words ask a question of the case found so.

    What is closed or archived may be a thing of the system, and who tells that something cannot be seen asks nothing.
    """
    if found.key not in CASE_QUESTIONS or (found.key == _CLOSE and not may_close(words)):
        return False
    if found.key == _OTHER_CHECK and telling(words) >= LIKELY and not is_question(list(clauses_of(words))[-1]):
        return False
    least = SURE if found.key in (*_DOUBTFUL, _AGAIN) else LIKELY
    return found.probability >= (least if is_question(words) else PLAIN if found.key == _AGAIN else CERTAIN)


def asks_to_check(words: str, view: SessionView) -> bool:
    """Whether words ask how an item is looked at that they call by its name."""
    asked = _without_names(words, view)
    found = find_case_question(asked) if asked != words else None
    return found is not None and found.key == _CHECK and is_likely(asked, found)


def _without_names(words: str, view: SessionView) -> str:
    """Words with a technical term for each item that they call by its name: what is asked of it is in the others."""
    for item in open_list(view).items:
        for name in filter(None, (item.name.zh, item.name.en)):
            words = words.replace(name, f" {MASK} ")
    return words


def step_of(key: str, words: str, said: str, view: SessionView) -> QuestionStep | None:
    """The step of a question; None for one that its own words answer, or that points at no item or leading cause."""
    if key == _HOW_IT_WORKS and asks_belief(words):
        return QuestionStep(QuestionKind.REASONING, None, words)
    asked = CASE_QUESTIONS[key]
    done = opening_of(read(words).normal, "may_be_it") or tells_it_was_done(read_actions(words))
    if asked.topic is QuestionTopic.RISK and done:
        return None  # That it was done, and whether somebody did it and that may be the cause, asks for no leave.
    if key == _WHICH and not (kinds_asked(words) or "blocker" in wants_in(read_actions(words))):
        return None  # "Which order", "what is that": no object of theirs is asked for.
    if key == _NO_EFFECT and not (view.treatments or done):
        return None  # Why a step changed nothing is asked of one that was taken.
    if asked.topic in _OF_LEADER and not (view.hypotheses and view.hypotheses[0].confidence >= _LEADS):
        return None
    about = subject(asked, words, view)
    if key == _FITS and not is_technical(read(words).normal):
        return None  # "Does that change anything?"
    if asked.kind is None or (asked.about is About.ITEM and (about is None or about.words is not None)):
        return None
    step = with_action(QuestionStep(asked.kind, about, words, topic=asked.topic), said, view)
    return step if isinstance(step, QuestionStep) else None


def _supposes_nothing(assumed: Sequence[Assumption]) -> bool:
    """Whether none of what is supposed is an item that was shown."""
    return all(each.reference.words is not None for each in assumed)


def gives_way(step: PlanStep, found: Found) -> bool:
    """Whether a question found so may stand in place of a step; what was parsed gives way to a sure one."""
    match step:
        case QuestionStep(kind=QuestionKind.WHAT_IF, assumptions=assumed) if _supposes_nothing(assumed):
            return found.probability >= SURE
        case QuestionStep(kind=kind, topic=topic, action=action, text=text):
            parsed = bool(action) or kind in _PARSED_KINDS or topic in _PARSED_TOPICS or asks_to_see(read(text).normal)
            points = step.subject is not None and (step.subject.ordinal is not None or step.subject.id is not None)
            listed = kind in _LISTS or (kind is QuestionKind.PROGRESS and asks_standing(text))
            kept = points or topic in _TOLD or (listed and found.key not in _LOOKING_BACK)
            to_see = found.key == _WHICH and asks_to_see(read(text).normal)
            if kept or to_see or topic is QuestionTopic.COMMON or (parsed and found.key in GENERAL):
                return False
            several = found.key == _DIFFERENCE and len(actions_in(text)) > 1
            least = SURE if several or found.key in _OF_ACTIONS else CERTAIN
            return found.probability >= (least if parsed else LIKELY)
        case SmalltalkStep():
            return found.probability >= SURE
        case SuggestionStep():
            return found.key not in _OF_CAUSES
    return True
