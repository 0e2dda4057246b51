"""What looks back: whether something was heard, whether that changed anything, and where things stand."""

from __future__ import annotations

from collections.abc import Iterator

from services.planner.model import Group, QuestionKind, QuestionStep, Reference, SessionView
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

_HEARD = listed("asking.heard")
_CHANGES = listed("asking.changes_anything")
_WHEN = listed("asking.when")
_STANDING = listed("asking.standing")


def asks_if_heard(sentence: str) -> QuestionStep | None:
    """The question of a sentence that asks if something was heard, with the words for that; None for another one."""
    found = _HEARD.search(read(sentence).normal)
    if found is None:
        return None
    matter = next((words for words in found.groups() if words), "")
    return QuestionStep(QuestionKind.HISTORY, Reference(words=matter.strip() or sentence), sentence)


def heard_in(said: str, view: SessionView) -> Iterator[tuple[str, tuple[QuestionStep, ...]]]:
    """The sentences that ask if something was heard, or if that changed anything, with the question of the first kind."""
    asking = {sentence: asks_if_heard(sentence) for sentence in sentences_of(said) if view.evidence}
    heard = any(asking.values())
    for sentence, step in asking.items():
        if step is not None:
            yield sentence, (step,)
        elif _CHANGES.search(read(sentence).normal):
            yield sentence, () if heard else (QuestionStep(QuestionKind.HISTORY, Reference(words=""), sentence),)


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
