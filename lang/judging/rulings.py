"""What one statement says by one predicate: a verdict, and what it is worth. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from math import isclose

from lang import deferred_re as re
from lang.cues import word_set
from lang.modality import When
from lang.numbers.amounts import Amounts, Missing, amount_of
from lang.numbers.model import BOUNDLESS, TIMES, Value
from lang.numbers.numerals import Range
from lang.polarity import tells_how_often
from lang.says import Says
from lang.statements import Statement
from lang.vocabulary import Action, Event, Limit, Outcome, Predicate, Quantity, State, Subject, Unit, parse_test

_NEAR = 0.07
_CORES = re.compile(r"(?i)(\d+) ?(?:v?cpus?|cores?|核|个核)")
# That it is another thing, or that there is none of such.
_IS_NOT_IT = re.compile(r"(?i)\bnot (?:the|our|my|any|a)\b|n['’]t (?:have|got|the|our|my|any|a)\b|不是|没有|谁说")
_MANY = 20
_SAME = 1e-6
# A mere mention beside this many other words is part of another thought, and no question to ask: a number is asked for
# where nothing else is said ("theres only one volume" is no word on how full it is).
_ELSE_SAID, _ANY_SAID = 2, 1


class Verdict(StrEnum):
    """What was said of a phenomenon."""

    CONFIRMED = "confirmed"
    DENIED = "denied"


class Standing(StrEnum):
    """What a finding is worth: it counts at once, waits for a yes, or lacks the value or what to compare it with."""

    COUNTS = "counts"
    PROPOSED = "proposed"
    NEEDS_VALUE = "needs_value"
    NEEDS_BASE = "needs_base"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one predicate makes of one statement. key: why, where the kind does not say it."""

    verdict: Verdict
    standing: Standing
    kind: str
    key: str = ""


def rule(
    statement: Statement, subject: Subject, predicate: Predicate, limit: Limit | None, amounts: Amounts
) -> Ruling | None:
    """What a statement says by a predicate about its subject. amounts: quantities in their base units."""
    ruling = _rule(statement, subject, predicate, limit, amounts)
    if ruling is not None and ruling.verdict is Verdict.DENIED and statement.meaning.when is When.AT_TIMES:
        return None  # "Fine by day": the trouble is at another time, of which that says nothing.
    if ruling is None or not predicate.sign or ruling.verdict is Verdict.DENIED:
        return ruling
    return replace(ruling, standing=Standing.PROPOSED) if ruling.standing is Standing.COUNTS else ruling


def _rule(
    statement: Statement, subject: Subject, predicate: Predicate, limit: Limit | None, amounts: Amounts
) -> Ruling | None:
    if isinstance(subject, Quantity):
        return _rule_quantity(statement, subject, predicate, limit, amounts)
    if isinstance(subject, Event):
        return _rule_event(statement, predicate, limit)
    if isinstance(subject, State):
        return _rule_state(statement, predicate)
    return _rule_action(statement, predicate) if isinstance(subject, Action) else None


def _counts_cores(statement: Statement) -> bool:
    """Whether the value of a statement is the number of cores in its words."""
    return statement.value is not None and statement.value.number in map(float, _CORES.findall(statement.words))


@cache
def _no_tool() -> re.Pattern[str]:
    tools = "|".join(sorted(word_set("tools")))
    return re.compile(rf"(?i)(?:\bno|\bwithout|n['’]?t have(?: an?| any)?|没有?|没装)\s*(?:{tools})\b")


def _rule_quantity(
    statement: Statement, subject: Quantity, predicate: Predicate, limit: Limit | None, amounts: Amounts
) -> Ruling | None:
    if statement.says is Says.NONE:
        # "It's not the disk" is no word on how full it is, and "there is no iostat" none on the disk.
        another = subject.unit is Unit.PERCENT and _IS_NOT_IT.search(statement.words) is not None
        another |= _no_tool().search(statement.words) is not None
        return _fine("none", predicate) if subject.bad != "down" and not another else None
    if subject.unit is Unit.PERCENT and statement.value is not None and _counts_cores(statement):
        return None  # "100, all 16 cores": that is how many there are.
    if predicate.trend is not None and (statement.trend is not None or limit is None):
        return _rule_trend(statement, predicate)
    if limit is None:
        return None
    if statement.says is Says.VALUE or (limit.usual and statement.trend == "flat"):
        return _between(_rule_value(statement, subject, limit, amounts), statement, predicate)
    return _rule_level(statement, subject, predicate, limit)


def _rule_trend(statement: Statement, predicate: Predicate) -> Ruling | None:
    if statement.trend is None:
        zero = statement.value is not None and statement.value.is_zero
        return _fine("zero", predicate) if zero or statement.says is Says.FINE else None
    verdict = Verdict.CONFIRMED if statement.trend == predicate.trend else Verdict.DENIED
    return Ruling(verdict, Standing.COUNTS, "trend")


def _rule_value(statement: Statement, subject: Quantity, limit: Limit, amounts: Amounts) -> Ruling | None:
    amount = amount_of(statement, subject, limit, amounts)
    if amount is None:
        return None
    if isinstance(amount, Missing):
        standing = Standing.NEEDS_BASE if amount is Missing.BASE else Standing.NEEDS_VALUE
        return Ruling(Verdict.CONFIRMED, standing, standing.value)
    holds = _holds(limit, amount)
    if holds is None:
        return Ruling(Verdict.CONFIRMED, Standing.NEEDS_VALUE, "value_around_limit")
    verdict = Verdict.CONFIRMED if holds else Verdict.DENIED
    kind = (
        "word_value"
        if statement.value is None
        else "multiple"
        if limit.usual
        else "zero"
        if amount == (0, 0)
        else "value"
    )
    if verdict is Verdict.DENIED and any(_is_near(limit, end, amount) for end in amount):
        return Ruling(verdict, Standing.PROPOSED, "value_near_limit")
    return Ruling(verdict, Standing.COUNTS, kind)


def _between(ruling: Ruling | None, statement: Statement, predicate: Predicate) -> Ruling | None:
    """The ruling on a value; one that is short of the limit and not clearly so is asked about."""
    if ruling is None or ruling.verdict is not Verdict.DENIED or predicate.clear is None or statement.value is None:
        return ruling
    clear = parse_test(predicate.clear)
    if all(clear.holds(end) for end in statement.value.readings.get(clear.unit, (0.0, 0.0))):
        return ruling
    return Ruling(Verdict.CONFIRMED, Standing.PROPOSED, "value_near_limit")


def _holds(limit: Limit, amount: Range) -> bool | None:
    """Whether an amount is beyond a limit; None where its least and its most disagree.

    A bound in the place of the limit decides: "not over 10 minutes" denies "over 10 minutes", and "at least" too.
    """
    low, high = amount
    if low == 0 and isclose(high, limit.limit, rel_tol=_SAME):
        return limit.holds(low)
    if high >= BOUNDLESS * _SAME and isclose(low, limit.limit, rel_tol=_SAME):
        return limit.holds(high)
    return limit.holds(low) if limit.holds(low) == limit.holds(high) else None


def _is_near(limit: Limit, end: float, amount: Range) -> bool:
    decides = amount[0] < amount[1] and isclose(end, limit.limit, rel_tol=_SAME)
    return limit.limit > 0 and abs(end - limit.limit) <= _NEAR * limit.limit and not decides


def _rule_level(statement: Statement, subject: Quantity, predicate: Predicate, limit: Limit) -> Ruling | None:
    """Words without a number: fine and good degrees deny, bad ones are worth what the bare mention is."""
    good = {"up": Says.LOW, "down": Says.HIGH}.get(subject.bad or "")
    if subject.bad == "up" and limit.sign in ("<", "<=") and statement.says in (Says.FINE, Says.LOW):
        return Ruling(Verdict.CONFIRMED, Standing.COUNTS, "degree")  # "The CPU is idle" where it has to be below 30 %.
    if statement.says is Says.FINE or statement.says is good:
        return _fine("fine" if statement.says is Says.FINE else "degree", predicate)
    # "A lot of" is more than a few; of what is counted it is not four times the cores or twice the usual.
    relative = (limit.whole is not None or limit.usual) and subject.unit in (Unit.COUNT, Unit.PER_SECOND)
    counted = limit.unit is Unit.COUNT and not relative
    few = counted and limit.sign in (">", ">=") and limit.limit <= _MANY
    if statement.says in (Says.BAD, Says.HIGH, Says.LOW):
        many = statement.says is Says.BAD and few and not limit.usual and not tells_how_often(statement.words)
        return Ruling(Verdict.CONFIRMED, Standing.COUNTS, "many") if many else _bare("degree", predicate)
    if statement.says is Says.TREND and statement.trend == subject.bad:
        return Ruling(Verdict.CONFIRMED, Standing.NEEDS_VALUE, "trend_without_value")
    # What is named as a complaint is about as many as a low limit asks for: yes or no is easier than a number.
    alone = len(statement.leftover) < (_ELSE_SAID if few else _ANY_SAID)
    if statement.says is Says.MENTION and alone and predicate.bare != "nothing":
        return Ruling(Verdict.CONFIRMED, Standing.PROPOSED if few else Standing.NEEDS_VALUE, "mention")
    return None


def _fine(kind: str, predicate: Predicate) -> Ruling | None:
    return Ruling(Verdict.DENIED, Standing.COUNTS, kind) if predicate.fine else None


def _bare(kind: str, predicate: Predicate) -> Ruling | None:
    if predicate.bare == "nothing":
        return None
    return Ruling(Verdict.CONFIRMED, Standing.COUNTS if predicate.bare == "counts" else Standing.PROPOSED, kind)


def _rule_event(statement: Statement, predicate: Predicate, limit: Limit | None) -> Ruling | None:
    if predicate.rules_out:
        absent = statement.says is Says.MENTION
        return Ruling(Verdict.DENIED, Standing.COUNTS, "none") if absent else None
    if statement.says in (Says.NONE, Says.FINE):
        return _fine(statement.says.value, predicate)
    value = statement.value
    if value is not None and value.is_zero:
        return _fine("zero", predicate)
    if predicate.trend is not None:
        return _rule_trend(statement, predicate) if statement.trend else None
    if predicate.past and statement.meaning.when not in (When.NOW, When.AT_TIMES):
        return Ruling(Verdict.CONFIRMED, Standing.COUNTS, "event")  # What is told of the past has happened.
    if value is not None and limit is not None:
        return _rule_count(value, predicate, limit, statement.trend)
    if statement.trend in ("flat", "down"):
        return None  # A count that stands still says nothing of the times before.
    if statement.says in (Says.BAD, Says.HIGH) or statement.trend == "up":
        return Ruling(
            Verdict.CONFIRMED, Standing.COUNTS if predicate.bare != "nothing" else Standing.PROPOSED, "event_often"
        )
    return _bare("event", predicate) if statement.says is not Says.LOW else None


def _rule_count(value: Value, predicate: Predicate, limit: Limit, trend: str | None) -> Ruling | None:
    """How often an event happened; a share of something else is no count, yet says that it happens.

    A share of at most so much says nothing: "bloat is below 5 %". "Four times" is a count where nothing grew by it.
    """
    count = value.readings.get(limit.unit) or (value.readings.get(Unit.PER_SECOND) if limit.limit == 0 else None)
    if count is None and trend is None and limit.unit is Unit.COUNT and value.before is None:
        count = value.readings.get(TIMES)
    if count is None and value.bound is not None and value.bound.side == "at_most":
        return None
    if count is None:
        return _bare("event_share", predicate)
    holds = _holds(limit, count)
    if holds is None:
        return Ruling(Verdict.CONFIRMED, Standing.NEEDS_VALUE, "value_around_limit")
    return Ruling(Verdict.CONFIRMED if holds else Verdict.DENIED, Standing.COUNTS, "event_count")


def _rule_state(statement: Statement, predicate: Predicate) -> Ruling | None:
    says = {Says.STATE_BAD: "bad", Says.STATE_GOOD: "good", Says.FINE: "good"}.get(statement.says)
    if says is None or (statement.says is Says.FINE and not predicate.fine):
        return None
    return Ruling(Verdict.CONFIRMED if says == predicate.is_ else Verdict.DENIED, Standing.COUNTS, "state")


def _rule_action(statement: Statement, predicate: Predicate) -> Ruling | None:
    if statement.says is Says.NONE:
        # What was not done, nothing began with.
        needed = predicate.outcome in (Outcome.DONE, Outcome.TROUBLE_BEGAN)
        return Ruling(Verdict.DENIED, Standing.COUNTS, "not_done") if needed else None
    if statement.outcome is predicate.outcome:
        return Ruling(Verdict.CONFIRMED, Standing.COUNTS, "outcome")
    if statement.outcome is Outcome.DONE and predicate.outcome is Outcome.TROUBLE_BEGAN:
        # That it was done is told for a reason: whether the trouble began with it is asked.
        return Ruling(Verdict.CONFIRMED, Standing.PROPOSED, "done_before")
    return Ruling(Verdict.DENIED, Standing.COUNTS, "outcome") if statement.outcome in predicate.absent_if else None
