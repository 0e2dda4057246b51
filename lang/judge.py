"""Decides what a statement says about a phenomenon: present, absent, or what has to be asked first. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from lang.amounts import Amounts, Missing, amount_of
from lang.binding import Says
from lang.modality import Mode, Where
from lang.statements import Reading, Statement
from lang.values import Value
from lang.vocabulary import Action, Event, Limit, Outcome, Predicate, Quantity, State, Subject, Unit, Vocabulary

_NEAR = 0.07
_MANY = 20
# A mere mention beside this many other words is part of another thought: its value is no question to ask.
_ELSE_SAID = 2


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


_RANK = (Standing.COUNTS, Standing.PROPOSED, Standing.NEEDS_BASE, Standing.NEEDS_VALUE)


@dataclass(frozen=True, slots=True)
class Why:
    """The reason of a finding: a key for the texts, and the details that fill them."""

    key: str
    details: Mapping[str, str | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a message says of one phenomenon.

    kind: a stable name of the kind of reading, by which its probability is looked up. words: the words of the message.
    """

    phenomenon_id: str
    verdict: Verdict
    standing: Standing
    kind: str
    words: str
    span: tuple[int, int]
    why: Why
    value: Value | None = None


@dataclass(frozen=True)
class Context:
    """What is known beside the message. pending: phenomena asked for last. amounts: quantities in their base unit."""

    pending: frozenset[str] = frozenset()
    amounts: Amounts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Ruling:
    verdict: Verdict
    standing: Standing
    kind: str
    key: str = ""


class Judge:
    """Judges readings by the predicates of phenomena."""

    def __init__(self, predicates: Mapping[str, Sequence[Predicate]], vocabulary: Vocabulary) -> None:
        self._subjects: dict[str, Subject] = {subject.id: subject for subject in vocabulary.subjects}
        self._by_subject: dict[str, list[tuple[str, Predicate, Limit | None]]] = defaultdict(list)
        for phenomenon_id, several in predicates.items():
            for predicate in several:
                if predicate.subject in self._subjects:
                    self._by_subject[predicate.subject].append((phenomenon_id, predicate, predicate.limit))

    def judge(self, reading: Reading, context: Context | None = None) -> tuple[Finding, ...]:
        """What a reading says, one finding a phenomenon, in the order of their ids."""
        context = context or Context()
        amounts = {**context.amounts, **_stated_amounts(reading, self._subjects)}
        found: dict[str, list[Finding]] = defaultdict(list)
        for statement in reading.statements:
            for finding in self._judge_statement(statement, amounts, context.pending):
                found[finding.phenomenon_id].append(finding)
        return tuple(_settle(found[phenomenon_id]) for phenomenon_id in sorted(found))

    def _judge_statement(self, statement: Statement, amounts: Amounts, pending: frozenset[str]) -> Iterator[Finding]:
        if not _may_count(statement):
            return
        rulings: dict[str, list[tuple[_Ruling, Predicate]]] = defaultdict(list)
        for phenomenon_id, predicate, limit in self._by_subject.get(statement.subject, ()):
            ruling = self._rule(statement, predicate, limit, amounts)
            if ruling is not None:
                rulings[phenomenon_id].append((_weigh(ruling, statement, phenomenon_id in pending), predicate))
        for phenomenon_id, several in rulings.items():
            # Of several predicates one is enough: what one confirms another does not deny.
            ruling, predicate = min(several, key=_by_worth)
            yield _finding(phenomenon_id, statement, ruling, predicate)

    def _rule(
        self, statement: Statement, predicate: Predicate, limit: Limit | None, amounts: Amounts
    ) -> _Ruling | None:
        subject = self._subjects[statement.subject]
        if isinstance(subject, Quantity):
            return _rule_quantity(statement, subject, predicate, limit, amounts)
        if isinstance(subject, Event):
            return _rule_event(statement, predicate, limit)
        if isinstance(subject, State):
            return _rule_state(statement, predicate)
        return _rule_action(statement, predicate) if isinstance(subject, Action) else None


def _by_worth(pair: tuple[_Ruling, Predicate]) -> tuple[int, bool]:
    return _RANK.index(pair[0].standing), pair[0].verdict is Verdict.DENIED


def _finding(phenomenon_id: str, statement: Statement, ruling: _Ruling, predicate: Predicate) -> Finding:
    details = {"subject": statement.subject, "test": predicate.test or "", "says": statement.says.value}
    why = Why(ruling.key or ruling.kind, details)
    words, span = statement.words, statement.span
    return Finding(phenomenon_id, ruling.verdict, ruling.standing, ruling.kind, words, span, why, statement.value)


def _may_count(statement: Statement) -> bool:
    """Claims about this system as it is now; for an action and its outcome, as it was too."""
    if statement.says is Says.OUTCOME:
        return statement.meaning.mode in (Mode.ASSERTED, Mode.HEDGED) and statement.meaning.where is not Where.ELSEWHERE
    return statement.meaning.is_fact


def _stated_amounts(reading: Reading, subjects: Mapping[str, Subject]) -> dict[str, float]:
    """The quantities of this message in their base unit, for what is compared with them."""
    stated: dict[str, float] = {}
    for statement in reading.statements:
        subject = subjects.get(statement.subject)
        if (
            isinstance(subject, Quantity)
            and statement.value
            and subject.unit in statement.value.readings
            and statement.meaning.where is Where.HERE
        ):
            stated[subject.id] = statement.value.readings[subject.unit][0]
    return stated


def _rule_quantity(
    statement: Statement, subject: Quantity, predicate: Predicate, limit: Limit | None, amounts: Amounts
) -> _Ruling | None:
    if statement.says is Says.NONE:
        return _fine("none", predicate) if subject.bad != "down" else None
    if predicate.trend is not None and (statement.trend is not None or limit is None):
        return _rule_trend(statement, predicate)
    if limit is None:
        return None
    if statement.says is Says.VALUE or (limit.usual and statement.trend == "flat"):
        return _rule_value(statement, subject, limit, amounts)
    return _rule_level(statement, subject, predicate, limit)


def _rule_trend(statement: Statement, predicate: Predicate) -> _Ruling | None:
    if statement.trend is None:
        zero = statement.value is not None and statement.value.is_zero
        return _fine("zero", predicate) if zero or statement.says is Says.FINE else None
    verdict = Verdict.CONFIRMED if statement.trend == predicate.trend else Verdict.DENIED
    return _Ruling(verdict, Standing.COUNTS, "trend")


def _rule_value(statement: Statement, subject: Quantity, limit: Limit, amounts: Amounts) -> _Ruling | None:
    amount = amount_of(statement, subject, limit, amounts)
    if amount is None:
        return None
    if isinstance(amount, Missing):
        standing = Standing.NEEDS_BASE if amount is Missing.BASE else Standing.NEEDS_VALUE
        return _Ruling(Verdict.CONFIRMED, standing, standing.value)
    holds = {limit.holds(end) for end in amount}
    if len(holds) > 1:
        return _Ruling(Verdict.CONFIRMED, Standing.NEEDS_VALUE, "value_around_limit")
    verdict = Verdict.CONFIRMED if holds == {True} else Verdict.DENIED
    kind = (
        "word_value"
        if statement.value is None
        else "multiple"
        if limit.usual
        else "zero"
        if amount == (0, 0)
        else "value"
    )
    if (
        verdict is Verdict.DENIED
        and limit.limit
        and any(abs(end - limit.limit) <= _NEAR * limit.limit for end in amount)
    ):
        return _Ruling(verdict, Standing.PROPOSED, "value_near_limit")
    return _Ruling(verdict, Standing.COUNTS, kind)


def _rule_level(statement: Statement, subject: Quantity, predicate: Predicate, limit: Limit) -> _Ruling | None:
    """Words without a number: fine and good degrees deny, bad ones are worth what the bare mention is."""
    good = {"up": Says.LOW, "down": Says.HIGH}.get(subject.bad or "")
    if statement.says is Says.FINE or statement.says is good:
        return _fine("fine" if statement.says is Says.FINE else "degree", predicate)
    if statement.says in (Says.BAD, Says.HIGH, Says.LOW):
        many = (
            statement.says is Says.BAD
            and limit.unit is Unit.COUNT
            and limit.sign in (">", ">=")
            and limit.limit <= _MANY
        )
        return _Ruling(Verdict.CONFIRMED, Standing.COUNTS, "many") if many else _bare("degree", predicate)
    if statement.says is Says.TREND and statement.trend == subject.bad:
        return _Ruling(Verdict.CONFIRMED, Standing.NEEDS_VALUE, "trend_without_value")
    if statement.says is Says.MENTION and len(statement.leftover) < _ELSE_SAID:
        return _Ruling(Verdict.CONFIRMED, Standing.NEEDS_VALUE, "mention")
    return None


def _fine(kind: str, predicate: Predicate) -> _Ruling | None:
    return _Ruling(Verdict.DENIED, Standing.COUNTS, kind) if predicate.fine else None


def _bare(kind: str, predicate: Predicate) -> _Ruling | None:
    if predicate.bare == "nothing":
        return None
    return _Ruling(Verdict.CONFIRMED, Standing.COUNTS if predicate.bare == "counts" else Standing.PROPOSED, kind)


def _rule_event(statement: Statement, predicate: Predicate, limit: Limit | None) -> _Ruling | None:
    if statement.says in (Says.NONE, Says.FINE):
        return _fine(statement.says.value, predicate)
    value = statement.value
    if value is not None and value.is_zero:
        return _fine("zero", predicate)
    if predicate.trend is not None:
        return _rule_trend(statement, predicate) if statement.trend else None
    if value is not None and limit is not None:
        return _rule_count(value, predicate, limit)
    if statement.trend in ("flat", "down"):
        return None  # A count that stands still says nothing of the times before.
    if statement.says in (Says.BAD, Says.HIGH) or statement.trend == "up":
        return _Ruling(
            Verdict.CONFIRMED, Standing.COUNTS if predicate.bare != "nothing" else Standing.PROPOSED, "event_often"
        )
    return _bare("event", predicate) if statement.says is not Says.LOW else None


def _rule_count(value: Value, predicate: Predicate, limit: Limit) -> _Ruling | None:
    """How often an event happened; a share of something else is no count, yet says that it happens."""
    count = value.readings.get(limit.unit) or (value.readings.get(Unit.PER_SECOND) if limit.limit == 0 else None)
    if count is None:
        return _bare("event_share", predicate)
    if limit.holds(count[0]) != limit.holds(count[1]):
        return _Ruling(Verdict.CONFIRMED, Standing.NEEDS_VALUE, "value_around_limit")
    return _Ruling(Verdict.CONFIRMED if limit.holds(count[0]) else Verdict.DENIED, Standing.COUNTS, "event_count")


def _rule_state(statement: Statement, predicate: Predicate) -> _Ruling | None:
    says = {Says.STATE_BAD: "bad", Says.STATE_GOOD: "good"}.get(statement.says)
    if says is None:
        return None
    return _Ruling(Verdict.CONFIRMED if says == predicate.is_ else Verdict.DENIED, Standing.COUNTS, "state")


def _rule_action(statement: Statement, predicate: Predicate) -> _Ruling | None:
    if statement.says is Says.NONE:
        done = predicate.outcome is Outcome.DONE
        return _Ruling(Verdict.DENIED, Standing.COUNTS, "not_done") if done else None
    if statement.outcome is predicate.outcome:
        return _Ruling(Verdict.CONFIRMED, Standing.COUNTS, "outcome")
    return _Ruling(Verdict.DENIED, Standing.COUNTS, "outcome") if statement.outcome in predicate.absent_if else None


def _weigh(ruling: _Ruling, statement: Statement, pending: bool) -> _Ruling:
    """A hedge makes a proposal of what no number decides; a mended word is its own kind."""
    hedged = statement.meaning.mode is Mode.HEDGED
    if hedged and ruling.standing is Standing.COUNTS and ruling.kind in ("event", "degree", "many") and not pending:
        ruling = replace(ruling, standing=Standing.PROPOSED)
    prefix = "hedged_" if hedged else "misspelt_" if statement.misspelt else ""
    return replace(ruling, kind=prefix + ruling.kind, key=ruling.key or ruling.kind)


def _settle(findings: Iterable[Finding]) -> Finding:
    """One finding of several about a phenomenon: the one worth most; two that count and disagree are proposed."""
    ordered = sorted(findings, key=lambda finding: _RANK.index(finding.standing))
    best = ordered[0]
    against = [each for each in ordered if each.verdict is not best.verdict and each.standing is Standing.COUNTS]
    if best.standing is Standing.COUNTS and against:
        valued = [each for each in ordered if each.standing is Standing.COUNTS and each.value is not None]
        return replace(
            valued[-1] if valued else best, standing=Standing.PROPOSED, kind="disagreement", why=Why("disagreement")
        )
    return best
