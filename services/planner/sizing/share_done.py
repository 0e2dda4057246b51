"""How far something has got and how long the rest takes: what is done, of how much, in which time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from lang import deferred_re as re
from lang.numbers.model import Value
from lang.numbers.values import read_values
from lang.tokens import read_text
from lang.vocabulary import Unit
from services.planner.model import PlanStep, QuestionKind, QuestionStep, QuestionTopic, SessionView, Speaker, TurnPlan
from services.planner.questions_asked.steps_of_words import is_of
from services.planner.sizing.pace import asks_time_left
from services.planner.treatment.durations import now_in
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.text.word_lists import listed

# In place of an action: how long the rest takes at the pace so far.
PROGRESS = "progress"
_DONE = listed("progress.done")
_BEFORE_REST, _AFTER_REST = listed("progress.before_rest"), listed("progress.after_rest")
# What such a question is taken for by its other words.
_MISTAKEN = (
    *(None, QuestionTopic.EFFECT, QuestionTopic.URGENCY, QuestionTopic.CERTAINTY, QuestionTopic.RISK),
    *(QuestionTopic.ALTERNATIVE, QuestionTopic.RIGHTS, QuestionTopic.OF_CAUSE, QuestionTopic.RELATED),
)
_WHOLE = 100.0
_DAY, _HOUR, _MINUTE = 86400.0, 3600.0, 60.0
_UNITS = (Unit.COUNT, Unit.BYTES)
# What servers print of a change or a scan that runs, and of the whole of it.
_RUNNING = re.compile(r"(?:trx_)?rows_modified\s*[:|=]?\s*(\d+)", re.IGNORECASE)
_STARTED = re.compile(r"trx_started\s*[:|=]?\s*(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)", re.IGNORECASE)
_ALL_ROWS = re.compile(r"(?:affected rows|rows affected)\D{0,3}(\d+)|(\d+) rows affected", re.IGNORECASE)
_ROWS_OF = re.compile(r"行|rows?\b|\bdelet|\bupdat|删|改", re.IGNORECASE)
_BACK = 4


class Progress(NamedTuple):
    """What is done, of how much, in how many seconds; said: the seconds that the person reckons for the rest."""

    done: float
    whole: float
    seconds: float
    said: float = 0.0

    @property
    def left(self) -> float:
        """The seconds that the rest takes at the same pace."""
        return (self.whole - self.done) / self.done * self.seconds


def with_progress(plan: TurnPlan, said: str, message: str, view: SessionView) -> TurnPlan:
    """The plan with the question how long the rest takes, where the talk tells how far it has got in which time."""
    asking = [each for each in sentences_of(said) if asks_time_left(each)]
    if not asking or said.startswith("/"):
        return plan
    found = progress_in(said, message, view)
    if found is None:
        return plan
    text = "\n".join((asking[0], " ".join(map(str, found))))
    step = QuestionStep(QuestionKind.HELP, text=text, topic=QuestionTopic.IDENTIFICATION, action=PROGRESS)
    return replace(plan, steps=(*(each for each in plan.steps if not _is_mistaken(each, asking[0])), step))


def progress_of(text: str) -> Progress | None:
    """The figures behind such a question."""
    figures = text.partition("\n")[2].split()
    return Progress(*map(float, figures)) if figures else None


def progress_in(said: str, message: str, view: SessionView) -> Progress | None:
    """How far it has got: by an amount of another, a share, or what a server prints of a change that runs."""
    own = _reckoned(said)
    for sentence in sentences_of(said):
        values = _values(sentence)
        took = [each for each in values if _is_time(each) and not _is_ahead(each, sentence)]
        parts = [part for each in values if (part := _part(each, sentence)) is not None]
        if took and parts and 0 < parts[0][0] < parts[0][1]:
            return Progress(*parts[0], took[0].readings[Unit.SECONDS][1], own)
    return _of_server([message, *_before(view)], now_in(said) or _clock_told(view), own)


def _part(value: Value, sentence: str) -> tuple[float, float] | None:
    """What is done and the whole, of a value with its whole or a share that is done."""
    for unit in _UNITS:
        if value.whole and unit in value.readings and unit in value.whole:
            return value.readings[unit][1], value.whole[unit][1]
    if Unit.PERCENT in value.readings and _DONE.search(sentence.lower()):
        return value.readings[Unit.PERCENT][1], _WHOLE
    return None


def _of_server(texts: Sequence[str], now: str, own: float) -> Progress | None:
    """By the rows that a transaction has changed since it started, and all that the statement changes."""
    done = next((int(found[1]) for text in texts if (found := _RUNNING.search(text))), 0)
    started = next((found[1] for text in texts if (found := _STARTED.search(text))), "")
    rows = [count for text in texts for count in _rows_told(text) if count > done]
    if not (done and started and now and rows):
        return None
    since = datetime.fromisoformat(started)
    hour, _, minute = now.partition(":")
    passed = int(hour) * _HOUR + int(minute) * _MINUTE - (since.hour * _HOUR + since.minute * _MINUTE)
    return Progress(done, rows[0], passed % _DAY, own) if passed % _DAY else None


def _rows_told(text: str) -> Iterator[float]:
    """How many rows a text tells that a statement changes in all."""
    yield from (float(one or other) for one, other in _ALL_ROWS.findall(text))
    for sentence in sentences_of(text):
        if _ROWS_OF.search(sentence) and len(sentence) < 200:
            yield from (each.readings[Unit.COUNT][1] for each in _values(sentence) if Unit.COUNT in each.readings)


def _before(view: SessionView) -> list[str]:
    said = [each.text for each in reversed(view.history) if each.speaker is Speaker.USER]
    return said[:_BACK]


def _clock_told(view: SessionView) -> str:
    return next((now for text in _before(view) if (now := now_in(text))), "")


def _reckoned(said: str) -> float:
    """The time that the person reckons for the rest; 0 where none is told."""
    for sentence in filter(asks_time_left, sentences_of(said)):
        ahead = [each for each in _values(sentence) if _is_time(each) and _is_ahead(each, sentence)]
        if ahead:
            return ahead[-1].readings[Unit.SECONDS][1]
    return 0.0


def _is_time(value: Value) -> bool:
    return Unit.SECONDS in value.readings and not value.bare and not value.whole


def _is_ahead(value: Value, sentence: str) -> bool:
    """Whether a time is that of the rest: "about 3 more hours", "还要三个小时"."""
    text = read_text(sentence)
    start, end = text.span(value.first, value.last)
    return bool(_BEFORE_REST.search(text.normal[:start]) or _AFTER_REST.match(text.normal[end:]))


def _values(text: str) -> list[Value]:
    return [each for each in read_values(read_text(text))]


def _is_mistaken(step: PlanStep, asked: str) -> bool:
    """Whether a step is another reading of a question how long it takes."""
    if not isinstance(step, QuestionStep):
        return False
    return step.topic in _MISTAKEN and is_of(step, asked)
