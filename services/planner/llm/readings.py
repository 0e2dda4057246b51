"""Validates a model's reading of the unclear parts of a message and converts it into plan steps.

A row may only refer to an item that was shown and quote words of its part. The verdict of an answer is read by the
rules; a question, a guess or a command to the assistant is never an answer.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from services.planner.llm.unread_parts import QUESTIONS as QUESTION_LABELS
from services.planner.llm.unread_parts import Part
from services.planner.model import (
    FeedbackStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
    Verdict,
)
from services.planner.understand.acts.labels import Label
from services.planner.understand.acts.likelihood import likely_label
from services.planner.understand.items.references import open_list
from services.planner.understand.questions import questions
from services.planner.understand.text import observations, smalltalk
from services.planner.understand.text.domain import opens_question
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

QUESTIONS = ("progress", "hypotheses", "relations", "history", "reasoning", "data", "help")
# So likely a part is a question or a guess that no word of it asks.
_ASKS = 0.75
_VERDICTS = {"confirmed": Verdict.CONFIRMED, "denied": Verdict.DENIED, "unknown": Verdict.UNKNOWN}
# Words that address the assistant or its records: such a part is never evidence, whatever the model reads into it.
_ORDERS = listed("model_texts.orders")


class ReadingRow(BaseModel):
    """The model's reading of one part; a part may have several rows."""

    model_config = ConfigDict(extra="forbid")

    part: int = Field(ge=1)
    kind: Literal["question", "suspicion", "observation", "answer", "talk", "unclear"]
    words: str = Field(default="", json_schema_extra={"minLength": 1})
    question: Literal["", "progress", "hypotheses", "relations", "history", "reasoning", "data", "help"] = ""
    item: int = Field(default=0, ge=0)
    verdict: Literal["", "confirmed", "denied", "unknown"] = ""


class Reading(BaseModel):
    """The model's answer: at least one row per part."""

    model_config = ConfigDict(extra="forbid")

    rows: list[ReadingRow]


class Unusable(ValueError):
    """An invalid reading; its text is the reason code."""


def steps_of(reading: Reading, parts: tuple[Part, ...], message: str, view: SessionView) -> dict[int, list[PlanStep]]:
    """New steps by part number, from 1; a part read as unclear or implausible has none. Raises Unusable."""
    found: dict[int, list[PlanStep]] = {number: [] for number in range(1, len(parts) + 1)}
    if {row.part for row in reading.rows} != set(found):
        raise Unusable("model_wrong_parts")
    for row in reading.rows:
        part = parts[row.part - 1]
        if row.kind == "unclear":
            continue
        step = _step(row, part, message, view)
        if row.kind in part.may:
            found[row.part].append(step)
    return found


def _step(row: ReadingRow, part: Part, message: str, view: SessionView) -> PlanStep:
    words = row.words.strip()
    if not words or words not in part.words:
        raise Unusable("model_invented_words")
    if row.kind == "question":
        return _question(row, words, part, view)
    if row.kind == "suspicion":
        return SuggestionStep(words)
    if row.kind == "talk":
        return SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE)
    if claims_nothing(part.words, message):
        raise Unusable("model_claimed_for_a_question")
    if row.kind == "observation":
        return ObservationStep(words, observations.certainty_of(read(part.words).normal))
    return _answer(row, words, part, view)


def _question(row: ReadingRow, words: str, part: Part, view: SessionView) -> QuestionStep:
    if not row.question:
        raise Unusable("model_named_no_question")
    kind = part.asks or QuestionKind(row.question)
    return questions.question(kind, read(words).normal, words, view)


def _answer(row: ReadingRow, words: str, part: Part, view: SessionView) -> FeedbackStep:
    asked = open_list(view)
    if asked.find(row.item) is None:
        raise Unusable("model_invented_item")
    verdict = _VERDICTS.get(row.verdict)
    # The verdict of the whole part counts: a quoted fragment may lack its negation.
    if verdict is None or part.verdict is not verdict:
        raise Unusable("model_wrong_verdict")
    return FeedbackStep(asked.at(row.item), verdict, words)


def claims_nothing(part: str, message: str) -> bool:
    """True if a part is a question, a guess or a command, and so never evidence."""
    text = read(part).normal
    after = message[message.find(part) + len(part) :].lstrip()
    asked = after[:1] in ("?", "？")
    return (
        asked
        or opens_question(text)
        or likely_label(part, SessionView()).of(*QUESTION_LABELS, Label.SUSPICION) >= _ASKS
        or smalltalk.commands_assistant(text)
        or _ORDERS.search(text) is not None
    )
