"""What looks back: whether something was heard, whether that changed anything, and where things stand."""

from __future__ import annotations

from collections.abc import Iterator

from services.planner.model import Group, QuestionKind, QuestionStep, QuestionTopic, Reference, SessionView
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

_HEARD = listed("asking.heard")
_CHANGES = listed("asking.changes_anything")
_WHEN = listed("asking.when")
_STANDING = listed("asking.standing")
_TOLD_BACK, _DONE_BACK = listed("asking.told_back"), listed("asking.done_back")
_RULED_OUT = listed("asking.ruled_out_back")


def asks_if_heard(sentence: str) -> QuestionStep | None:
    """The question of a sentence that asks if something was heard, with the words for that; None for another one."""
    found = _HEARD.search(read(sentence).normal)
    if found is None:
        return None
    matter = next((words for words in found.groups() if words), "")
    return QuestionStep(QuestionKind.HISTORY, Reference(words=matter.strip() or sentence), sentence)


def asks_what_was_told(words: str) -> bool:
    """Whether what the person said so far is to be read back."""
    return _TOLD_BACK.search(read(words).normal) is not None


def asks_what_was_done(words: str) -> bool:
    """Whether what the person did so far is to be read back."""
    return _DONE_BACK.search(read(words).normal) is not None


def looks_back(words: str) -> bool:
    """Whether words want read back what was told, done or ruled out, and no text written of it."""
    asked = asks_what_was_told(words) or _RULED_OUT.search(read(words).normal) is not None
    return asked or asks_what_was_done(words)


def heard_in(said: str, view: SessionView) -> Iterator[tuple[str, tuple[QuestionStep, ...]]]:
    """The sentences that ask if something was heard, or if that changed anything, with the question of the first kind."""
    asking = {sentence: asks_if_heard(sentence) for sentence in sentences_of(said) if view.evidence}
    heard = any(asking.values())
    for sentence, step in asking.items():
        if step is not None:
            yield sentence, (step,)
        elif view.evidence and looks_back(sentence):
            yield sentence, _read_back(sentence)
        elif _CHANGES.search(read(sentence).normal):
            yield sentence, () if heard else (QuestionStep(QuestionKind.HISTORY, Reference(words=""), sentence),)


def _read_back(sentence: str) -> tuple[QuestionStep, ...]:
    """What a sentence wants read back, as questions: what was told or done, and what was ruled out."""
    ruled_out = QuestionStep(QuestionKind.HELP, text=sentence, topic=QuestionTopic.RULED_OUT)
    told = asks_what_was_told(sentence) or asks_what_was_done(sentence)
    return (
        *([QuestionStep(QuestionKind.HISTORY, text=sentence)] if told else ()),
        *([ruled_out] if _RULED_OUT.search(read(sentence).normal) else ()),
    )


def changes_anything(step: QuestionStep) -> bool:
    """Whether a question that names nothing is whether what was just told changes anything."""
    points = step.subject is None or step.subject.group is Group.JUST_MENTIONED
    return (
        points
        and step.topic is None
        and not step.text.startswith("/")
        and _CHANGES.search(read(step.text).normal) is not None
    )


def asks_standing(asked: str) -> bool:
    """Whether a question is where things stand, and not only what comes next."""
    return asked.startswith("/") or _STANDING.search(read(asked).normal) is not None


def asks_when(asked: str) -> bool:
    """Whether a question is when something may be done."""
    return _WHEN.search(read(asked).normal) is not None
