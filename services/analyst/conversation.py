"""What a question continues: the intents of the questions before it, read again, oldest first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from services.analyst.questions.intent import Intent
from services.analyst.questions.parser import Parser


def previous_intent(questions: Sequence[str], parser: Parser, today: dt.date) -> Intent | None:
    """The intent that the next question may continue; None at the beginning of a conversation."""
    previous: Intent | None = None
    for question in questions:
        reading = parser.read(question, today, previous)
        previous = reading.intent or reading.partial or previous
    return previous
