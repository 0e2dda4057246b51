"""The result of reading a question: an intent, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from services.analyst.questions.intent import Intent
from services.chassis.messages import Message


@dataclass(frozen=True)
class Guess:
    """Words that were taken for a name that they only resemble."""

    words: str
    name: str


@dataclass(frozen=True)
class Reading:
    """intent, or in place of it a question back with its options, or a refusal.

    ignored: words left out of it. partial: what was understood where a question is asked back; the answer to it can be
    read as the next question with `partial` as the intent before it.
    """

    intent: Intent | None = None
    question: Message | None = None
    options: tuple[str, ...] = ()
    refusal: Message | None = None
    guesses: tuple[Guess, ...] = ()
    ignored: tuple[str, ...] = ()
    partial: Intent | None = None


class Unclear(Exception):
    """Raised where only the person can tell what is meant."""

    def __init__(self, question: Message, options: tuple[str, ...] = ()) -> None:
        super().__init__(question.key)
        self.question, self.options = question, options


class Refused(Exception):
    """Raised where a question cannot be answered by data at all."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.key)
        self.reason = reason
