"""Corrections known by how they are said: "fat-fingered it, the pool is at 38", "I'll eat my words on the CPU"."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import CorrectionStep, Group, ItemList, Reference, SessionView
from services.planner.understand.classifier.acts import Act, act_of
from services.planner.understand.corrections.corrections import says_wrong
from services.planner.understand.items.item_names import named, near_evidence
from services.planner.understand.items.references import open_list
from services.planner.understand.judging.classified import masked
from services.planner.understand.text.clauses import Sentence
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import Message
from services.planner.understand.text.segments import is_bare, pointers_of, polarity_of
from services.planner.understand.text.word_lists import compile_words

_SURE = 0.6
_CERTAIN = 0.9
_LIKELY = 0.4
_SAID_AGAIN = compile_words("corrections.said_again", r"(?:i|we) (?:said|told you|wrote|meant)(?![a-z])")
_DIGIT = re.compile(r"\d")


def joined(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The sentences, one that only says "that was wrong" taken together with the one that says what is right."""
    found: list[Sentence] = []
    for sentence in sentences:
        if (
            found
            and (_announces(found[-1]) or _protests(found[-1], sentence))
            and not sentence.clauses[-1].asks
            and not sentence.clauses[0].pasted
        ):
            found[-1] = Sentence((*found[-1].clauses, *sentence.clauses))
        else:
            found.append(sentence)
    return tuple(found)


def _protests(sentence: Sentence, following: Sentence) -> bool:
    """Whether a sentence only says no to how the assistant took what the next one says again: "no no. i said ..."."""
    return bool(_SAID_AGAIN.match(following.text)) and polarity_of(sentence.text) is not None and is_bare(sentence.text)


def _announces(sentence: Sentence) -> bool:
    """Whether a sentence announces a correction and does not make it yet."""
    if sentence.clauses[0].pasted or any(_DIGIT.search(clause.text) for clause in sentence.clauses):
        return False
    if act_of(masked(sentence.text)).of(Act.CORRECTION) >= _CERTAIN:
        return True
    return (says_wrong(sentence.text) or _admits(sentence.text)) and not is_technical(sentence.text)


def _admits(text: str) -> bool:
    return act_of(masked(text)).of(Act.CORRECTION) >= _SURE


def _owns_up(text: str, view: SessionView) -> bool:
    """Whether a clause about something in evidence, and nothing that is asked, likely says that it was a mistake."""
    if act_of(masked(text)).of(Act.CORRECTION) < _LIKELY or _DIGIT.search(text):
        return False
    return near_evidence(text, view) is not None and named(text, open_list(view)) is None


def mistake_of(sentence: Sentence, message: Message, view: SessionView) -> CorrectionStep | None:
    """The correction of something in evidence that a sentence makes by the way it is said; None when it makes none."""
    again = next((clause for clause in sentence.clauses if _SAID_AGAIN.match(clause.text)), None)
    said_before = near_evidence(again.text, view) if again is not None else None
    if again is not None and said_before is not None:
        return CorrectionStep(
            Reference(ordinal=said_before + 1, list=ItemList.EVIDENCE), words=message.words(again.start, again.end)
        )
    admitting = [clause for clause in sentence.clauses if _admits(clause.text) or _owns_up(clause.text, view)]
    if not admitting or not view.evidence:
        return None
    asked = named(sentence.text, open_list(view))
    place = near_evidence(sentence.text, view)
    speaks_of = view.evidence[place].phenomenon_id if place is not None else None
    if asked is not None and asked.item.phenomenon_id != speaks_of and not says_wrong(sentence.text):
        return None
    original = Reference(group=Group.LAST_TURN)
    if place is not None:
        original = Reference(ordinal=place + 1, list=ItemList.EVIDENCE)
    stated = [clause for clause in sentence.clauses if clause not in admitting]
    stated = stated or [clause for clause in sentence.clauses if _DIGIT.search(clause.text)]
    if not stated:
        return CorrectionStep(original, retract=True)
    verdict = polarity_of(stated[-1].text) if is_bare(stated[-1].text) else None
    if verdict is not None:
        pointed = pointers_of(stated[-1].text)
        return None if pointed and place is None else CorrectionStep(original, verdict=verdict)
    # A number is what holds, rather than how it came to the wrong one.
    told = next((clause for clause in stated if _DIGIT.search(clause.text)), stated[0])
    return CorrectionStep(original, words=message.words(told.start, told.end))
