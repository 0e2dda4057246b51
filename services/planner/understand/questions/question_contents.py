"""What a question holds: a thing that a statement is to show, an action, or nothing of the field."""

from __future__ import annotations

from lang.cues import cue_terms
from lang.outcomes import names_action
from lang.tokens import read_text
from services.planner.model import QuestionKind, QuestionStep
from services.planner.questions_asked.interrogatives import is_question
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
