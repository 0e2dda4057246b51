"""How fast something changes, as a message tells it: two readings with a time between, or what is left and a rate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from lang import deferred_re as re
from lang.numbers.filling import Measure, figures_in
from lang.numbers.model import Role, Value
from lang.numbers.values import read_values
from lang.parts import cues_of, is_content
from lang.tokens import Text, read_text
from lang.vocabulary import Unit
from services.planner.model import CorrectionStep, PlanStep, QuestionKind, QuestionStep, QuestionTopic, TurnPlan
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.steps_of_words import is_of
from services.planner.treatment.actions import read_actions
from services.planner.treatment.durations import now_in
from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.text.word_lists import listed

_DAY, _HOUR, _MINUTE = 86400.0, 3600.0, 60.0
_TIME_LEFT = "time_left"
_CONFIRMS = listed("progress.confirms")
# What a rate is of, for each dimension of what is left; a bare reading may be in any.
_RATES = {Unit.COUNT: "/s", Unit.BYTES: "B/s"}
_UNITS = (Unit.PERCENT, Unit.BYTES, Unit.SECONDS, Unit.COUNT)
_CLOCK = re.compile(r"(?<![\d:])(?P<hour>[01]?\d|2[0-3])(?:[:：](?P<minute>[0-5]\d)(?![\d:])|\s*点(?P<half>半)?)")
_AT_HOUR = re.compile(r"\bat (?P<hour>[01]?\d|2[0-3])(?![\d.:%\w])")
_NOW = re.compile(r"\bnow\b|现在|目前|眼下|这会儿", re.IGNORECASE)
_EARLIER = re.compile(r"^\s*(?:ago|earlier|before)\b|^\s*(?:之?前|以前)", re.IGNORECASE)
_TOOK = re.compile(r"\b(?:in|within|over|took)\s*(?:the last\s*)?$|(?:用了|花了|过了|在|经过)\s*$", re.IGNORECASE)
_LEFT = re.compile(r"\b(?:to go|left|remaining|behind|backlog|queued)\b|剩|积压|还有|待|没归档|没回放", re.IGNORECASE)
_COMES_IN = re.compile(
    r"\b(?:new|incoming|added|adds|grows?|coming in|arrives?|writes?)\b|新增|新的|进来|产生|增加|涨", re.IGNORECASE
)


class Pace(NamedTuple):
    """What there is by now, and by how much that changes in a second, below 0 where it falls; both in one unit."""

    now: float
    speed: float
    unit: str


class _Reading(NamedTuple):
    at: float
    value: Value


def with_time_left(plan: TurnPlan, said: str) -> TurnPlan:
    """The plan with the question how long it takes, where the message that asks it tells figures to reckon with."""
    asking = [each for each in sentences_of(said) if asks_time_left(each)]
    grows = any(each.measure is Measure.GROWTH for each in figures_in(said))
    if not asking or not (grows or pace_in(said)):
        return plan
    steps = [each for each in plan.steps if not (isinstance(each, CorrectionStep) and is_of(each, asking[0]))]
    steps = [each for each in steps if not _is_other(each, asking[0])]
    asked = QuestionStep(QuestionKind.HELP, None, said, topic=QuestionTopic.URGENCY)
    return replace(plan, steps=(*steps, asked))


def _is_other(step: PlanStep, asked: str) -> bool:
    """Whether a step is another reading of a question how long it takes."""
    if not isinstance(step, QuestionStep):
        return False
    by_words = step.topic in (QuestionTopic.EFFECT, QuestionTopic.CERTAINTY) and is_of(step, asked)
    return step.topic is QuestionTopic.URGENCY or by_words


def asks_time_left(sentence: str) -> bool:
    """Whether a sentence asks how long it takes, or whether the time is right that it reckons."""
    if _TIME_LEFT in wants_in(read_actions(sentence)):
        return True
    confirms = is_question(sentence) and _CONFIRMS.search(sentence.lower()) is not None
    return confirms and any(Unit.SECONDS in each.readings and not each.bare for each in _values(sentence))


def pace_in(said: str) -> Pace | None:
    """How fast the one quantity of a message changes; None where it tells no speed, or of more than one."""
    found = [each for each in (_of_readings(said), _of_rates(said), _of_change(said)) if each is not None]
    return found[0] if found else None


def _of_readings(said: str) -> Pace | None:
    """By two readings, each with its time: "4900 s at 10:00, 3100 at 10:20", "10 分钟前 4900，现在 3100"."""
    clauses = [clause for sentence in sentences_of(said) for clause in clauses_of(sentence)]
    readings = [each for clause in clauses for each in _timed(clause, said)]
    for before, after in pairwise(readings):
        unit = str(_unit_of(before.value, after.value))
        passed = (after.at - before.at) % _DAY
        if unit and passed:
            first, last = (_amount(each.value, unit) for each in (before, after))
            return Pace(last, (last - first) / passed, unit)
    return None


def _timed(clause: str, said: str) -> Iterator[_Reading]:
    """The reading of a clause that tells one amount and the time of it."""
    text = read_text(clause)
    ago = [each for each in _values(clause) if Unit.SECONDS in each.readings and _is_earlier(each, clause)]
    at_hour = _AT_HOUR.search(text.normal)
    hours = {float(at_hour["hour"])} if at_hour is not None else set()
    values = [each for each in _values(clause) if each not in ago and not (each.bare and each.number in hours)]
    clock = _CLOCK.search(text.normal) or at_hour
    now = _seconds(now_in(said))
    if len(values) != 1 or (values[0].bare and _has_own_noun(values[0], text)):
        return
    if ago:
        yield _Reading((now or 0.0) - ago[0].readings[Unit.SECONDS][1], values[0])
    elif clock is not None:
        half = clock.groupdict().get("half")
        minute = float(clock.groupdict().get("minute") or (30 if half else 0))
        yield _Reading(float(clock["hour"]) * _HOUR + minute * _MINUTE, values[0])
    elif _NOW.search(clause):
        yield _Reading(now or 0.0, values[0])


def _has_own_noun(value: Value, text: Text) -> bool:
    """Whether a word that says something of its own stands right behind a number: "3 users now"."""
    return (
        value.last < len(text.tokens)
        and is_content(text.tokens[value.last])
        and not any(cue.first == value.last for cue in cues_of(text))
    )


def _of_rates(said: str) -> Pace | None:
    """By what is left and how much of it is done a minute, and how much comes in: "14.7k to go, 40 a minute"."""
    clauses = [clause for sentence in sentences_of(said) for clause in re.split(r" and |而", sentence)]
    parts = [part for clause in clauses for part in clauses_of(clause)]
    left = [(part, each) for part in parts if _LEFT.search(part) for each in _values(part)]
    for unit, rate in _RATES.items():
        amounts = [each for _, each in left if unit in each.readings and rate not in each.readings]
        rates = [(part, each) for part in parts for each in _values(part) if rate in each.readings]
        out = [each.readings[rate][1] for part, each in rates if not _COMES_IN.search(part)]
        if len(amounts) == 1 and len(out) == 1:
            comes = sum(each.readings[rate][1] for part, each in rates if _COMES_IN.search(part))
            return Pace(amounts[0].readings[unit][1], comes - out[0], unit)
    return None


def _of_change(said: str) -> Pace | None:
    """By a change with the time that it took: "from 5000 to 3100 in 20 minutes"."""
    for sentence in sentences_of(said):
        values = _values(sentence)
        changed = [each for each in values if each.before]
        took = [each for each in values if Unit.SECONDS in each.readings and _took(each, sentence)]
        if len(changed) == 1 and len(took) == 1 and (unit := _unit_of(changed[0], changed[0])):
            value, seconds = changed[0], took[0].readings[Unit.SECONDS][1]
            last, first = value.readings[unit][1], (value.before or {}).get(unit, (0.0, 0.0))[1]
            return Pace(last, (last - first) / seconds, unit) if seconds else None
    return None


def _values(text: str) -> list[Value]:
    kept = (Role.VALUE, Role.BASE, Role.AGO)
    return [each for each in read_values(read_text(text)) if each.role in kept]


def _unit_of(*values: Value) -> str:
    """The unit that all of some values have; a bare one has that of the others."""
    told = [each for each in values if not each.bare] or values
    return next((str(unit) for unit in _UNITS if all(unit in each.readings for each in told)), "")


def _amount(value: Value, unit: str) -> float:
    return value.number if value.bare else value.readings[unit][1]


def _is_earlier(value: Value, clause: str) -> bool:
    text = read_text(clause)
    return value.role is Role.AGO or bool(_EARLIER.search(text.normal[text.span(value.first, value.last)[1] :]))


def _took(value: Value, sentence: str) -> bool:
    text = read_text(sentence)
    return bool(_TOOK.search(text.normal[: text.span(value.first, value.last)[0]]))


def _seconds(clock: str) -> float | None:
    hour, _, minute = clock.partition(":")
    return float(hour) * _HOUR + float(minute) * _MINUTE if minute else None
