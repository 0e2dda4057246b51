"""What a what-if question supposes, and what somebody tells and wonders about."""

from __future__ import annotations

from dataclasses import replace

from lang.parts import cues_of
from lang.tokens import read_text
from services.planner.model import (
    Assumption,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    SuggestionStep,
    TurnPlan,
    Verdict,
)
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.items.references import open_list
from services.planner.understand.pieces import Piece
from services.planner.understand.text.numerals import canonical_id
from services.planner.understand.text.segments import segments_of
from services.planner.understand.text.tokens import Kind
from services.planner.understand.text.word_lists import listed

_WONDERS = listed("of_the_cause.wonders")


def assumed(piece: Piece, words: str, view: SessionView) -> tuple[Assumption, ...]:
    """What a what-if question supposes."""
    asked = open_list(view)
    found: list[Assumption] = []
    for segment in segments_of(_supposed(piece.text)):
        verdict = segment.verdict or Verdict.CONFIRMED
        for token in segment.refs:
            if token.kind is Kind.ID:
                found.append(Assumption(Reference(id=canonical_id(token.text)), verdict))
            elif token.kind is Kind.ORDINALS:
                found += [Assumption(asked.at(number), verdict) for number in token.numbers if asked.find(number)]
    if found:
        return tuple(found)
    verdict = next((segment.verdict for segment in piece.segments if segment.verdict), Verdict.CONFIRMED)
    return (Assumption(Reference(words=words), verdict),)


def _supposed(text: str) -> str:
    """A text without its words for supposing, so that what points begins it: "1 were yes" of "what if 1 were yes"."""
    read = read_text(text)
    for cue in cues_of(read):
        if cue.name == "supposition":
            start, end = read.span(cue.first, cue.last)
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def with_wondered(plan: TurnPlan, said: str) -> TurnPlan:
    """The plan with what a message wonders about beside what it tells, where nothing in the plan asks it."""
    asked = [
        each.text
        for each in plan.steps
        if isinstance(each, SuggestionStep) or (isinstance(each, QuestionStep) and each.topic is QuestionTopic.RELATED)
    ]
    found = [told for each in sentences_of(said) if (told := _told(each))]
    new = [told for told in found if not any(told in words or words in told for words in asked)]
    return replace(plan, steps=(*plan.steps, *map(SuggestionStep, new))) if new else plan


def _told(sentence: str) -> str:
    """What a sentence tells before it wonders; "" if it wonders about nothing."""
    wonders = _WONDERS.search(sentence.lower())
    told = sentence[: wonders.start()].strip(" ,，、") if wonders is not None else ""
    return told.replace("，", ",").rpartition(",")[2].strip()
