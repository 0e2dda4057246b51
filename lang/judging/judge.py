"""Decides what a reading says about phenomena: present, absent, or what has to be asked first. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lang.judging.products import numbers_of, sum_of, with_products
from lang.judging.rulings import Ruling, Standing, Verdict, rule
from lang.modality import Mode, Where
from lang.numbers.amounts import Amounts
from lang.numbers.model import Value
from lang.says import Says
from lang.statements import Reading, Statement
from lang.vocabulary import Limit, Outcome, Predicate, Quantity, Subject, Unit, Vocabulary

# A bare word beside so many others is as likely a part of another thought: fewer cost more than they save.
_LADEN = 4
_WHOLE = 100
# Less than this share of a limit is small whatever is usual.
_FAR_BELOW = 0.1
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


class Judge:
    """Judges readings by the predicates of phenomena."""

    def __init__(self, predicates: Mapping[str, Sequence[Predicate]], vocabulary: Vocabulary) -> None:
        self._subjects: dict[str, Subject] = {subject.id: subject for subject in vocabulary.subjects}
        self._products = tuple(quantity for quantity in vocabulary.quantities if quantity.factors)
        self._by_subject: dict[str, list[tuple[str, Predicate, Limit | None]]] = defaultdict(list)
        self._joint: list[tuple[str, tuple[Predicate, ...], frozenset[str]]] = []
        for phenomenon_id, several in predicates.items():
            for predicate in several:
                if predicate.with_:
                    parts = (predicate, *predicate.with_)
                    self._joint.append((phenomenon_id, parts, frozenset(part.subject for part in parts)))
                elif predicate.subject in self._subjects:
                    self._by_subject[predicate.subject].append((phenomenon_id, predicate, predicate.limit))

    def judge(self, reading: Reading, context: Context | None = None) -> tuple[Finding, ...]:
        """What a reading says, one finding a phenomenon, in the order of their ids."""
        context = context or Context()
        reading = with_products(reading, self._products)
        if not reading.statements:
            return ()
        amounts = {**context.amounts, **_stated_amounts(reading, self._subjects)}
        found: dict[str, list[Finding]] = defaultdict(list)
        for statement in reading.statements:
            for finding in self._judge_statement(statement, amounts, context.pending):
                found[finding.phenomenon_id].append(finding)
        named = {statement.subject for statement in reading.statements}
        for phenomenon_id, parts in ((name, parts) for name, parts, subjects in self._joint if subjects <= named):
            confirmed = [self._confirm_part(phenomenon_id, part, reading, amounts) for part in parts]
            if together := [finding for finding in confirmed if finding is not None]:
                # The part that is worth least tells what they are worth together.
                least = max(together, key=lambda finding: _RANK.index(finding.standing))
                found[phenomenon_id] += [replace(least, kind="joint")] if len(together) == len(parts) else []
        found = {phenomenon_id: findings for phenomenon_id, findings in found.items() if findings}
        return tuple(_settle(found[phenomenon_id]) for phenomenon_id in sorted(found))

    def retracted(self, reading: Reading) -> tuple[str, ...]:
        """The phenomena of which a reading takes back what was said, in the order of their ids."""
        subjects = {each.subject for each in reading.statements if each.meaning.mode is Mode.RETRACTED}
        return tuple(sorted({name for subject in subjects for name, _, _ in self._by_subject.get(subject, ())}))

    def begun(self, reading: Reading) -> frozenset[str]:
        """The phenomena of whose joint predicates a reading confirms some part and not all."""
        begun = set()
        named = {statement.subject for statement in reading.statements}
        for phenomenon_id, parts in ((name, parts) for name, parts, subjects in self._joint if subjects & named):
            confirmed = [self._confirm_part(phenomenon_id, part, reading, {}) is not None for part in parts]
            begun |= {phenomenon_id} if any(confirmed) and not all(confirmed) else set()
        return frozenset(begun)

    def begun_products(self, reading: Reading) -> frozenset[str]:
        """The phenomena about a product of which a reading states a factor, what the product is compared with, or a
        multiplication that may be its.
        """
        stated = _stated_amounts(reading, self._subjects)
        multiplied = bool(self._products) and sum_of(numbers_of(reading)) is not None
        begun = {each.id for each in self._products if multiplied or stated.keys() & {*each.factors, each.whole}}
        return frozenset(name for subject in begun for name, _, _ in self._by_subject.get(subject, ()))

    def _confirm_part(self, phenomenon_id: str, part: Predicate, reading: Reading, amounts: Amounts) -> Finding | None:
        """The finding by which a reading confirms one part of a joint predicate, the one that is worth most."""
        subject = self._subjects.get(part.subject)
        confirmed = []
        for statement in reading.statements:
            if subject is not None and statement.subject == part.subject and _may_count(statement, part):
                ruling = rule(statement, subject, part, part.limit, amounts)
                if ruling is not None and ruling.verdict is Verdict.CONFIRMED:
                    confirmed.append(_finding(phenomenon_id, statement, _weigh(ruling, statement, False), part))
        decided = [finding for finding in confirmed if finding.standing in _RANK[:2]]
        return min(decided, key=lambda finding: _RANK.index(finding.standing), default=None)

    def _judge_statement(self, statement: Statement, amounts: Amounts, pending: frozenset[str]) -> Iterator[Finding]:
        statement = self._with_share(statement)
        rulings: dict[str, list[tuple[Ruling, Predicate]]] = defaultdict(list)
        for phenomenon_id, predicate, limit in self._by_subject.get(statement.subject, ()):
            if not _may_count(statement, predicate) or (predicate.asked and phenomenon_id not in pending):
                continue
            ruling = rule(statement, self._subjects[statement.subject], predicate, limit, amounts)
            if ruling is not None:
                rulings[phenomenon_id].append((_weigh(ruling, statement, phenomenon_id in pending), predicate))
        if any(predicate.asked for several in rulings.values() for _, predicate in several):
            rulings = {phenomenon_id: several for phenomenon_id, several in rulings.items() if phenomenon_id in pending}
        for phenomenon_id, several in rulings.items():
            yield _finding(phenomenon_id, statement, *_decide(several, statement))

    def _with_share(self, statement: Statement) -> Statement:
        """A bare number of a share of bytes is a percentage: no disk is 98 bytes full."""
        subject, value = self._subjects[statement.subject], statement.value
        whole = self._subjects.get(subject.whole or "") if isinstance(subject, Quantity) else None
        if not isinstance(whole, Quantity) or whole.unit is not Unit.BYTES or value is None or not value.bare:
            return statement
        low, high = value.readings.get(Unit.COUNT, (0.0, 0.0))
        if Unit.COUNT not in value.readings or high > _WHOLE or value.whole or statement.whole:
            return statement
        return replace(statement, value=replace(value, readings={**value.readings, Unit.PERCENT: (low, high)}))


def _decide(several: Sequence[tuple[Ruling, Predicate]], statement: Statement) -> tuple[Ruling, Predicate]:
    """Of several predicates one is enough: what one confirms another does not deny.

    A value short of one limit denies only what a lower usual value could not confirm: commits of 400 ms are
    below a second, and slow where 2 ms are usual.
    """
    best = min(several, key=_by_worth)
    ruling, limit = best[0], best[1].limit
    open_ = [pair for pair in several if pair[0].standing is Standing.NEEDS_BASE]
    if not open_ or limit is None or statement.value is None or ruling.verdict is not Verdict.DENIED:
        return best
    amount = statement.value.readings.get(limit.unit, (0.0, 0.0))[1]
    return open_[0] if amount > _FAR_BELOW * limit.limit else best


def _by_worth(pair: tuple[Ruling, Predicate]) -> tuple[int, bool]:
    return _RANK.index(pair[0].standing), pair[0].verdict is Verdict.DENIED


def _finding(phenomenon_id: str, statement: Statement, ruling: Ruling, predicate: Predicate) -> Finding:
    details = {"subject": statement.subject, "test": predicate.test or "", "says": statement.says.value}
    why = Why(ruling.key or ruling.kind, details)
    words, span = statement.words, statement.span
    return Finding(phenomenon_id, ruling.verdict, ruling.standing, ruling.kind, words, span, why, statement.value)


def _may_count(statement: Statement, predicate: Predicate) -> bool:
    """Claims about this system as it is now; for an action and its outcome, and where the past counts, as it was."""
    undone = statement.says is Says.NONE and predicate.outcome is Outcome.TROUBLE_BEGAN  # "No deploy last night".
    if statement.says is Says.OUTCOME or predicate.past or undone:
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
            and statement.meaning.is_fact
        ):
            stated[subject.id] = statement.value.readings[subject.unit][0]
    return stated


def _weigh(ruling: Ruling, statement: Statement, pending: bool) -> Ruling:
    """A hedge, or much else in the clause, makes a proposal of what no number decides; mended words are a kind."""
    hedged = statement.meaning.mode is Mode.HEDGED
    doubted = hedged or _content(statement.leftover) >= _LADEN
    if doubted and ruling.standing is Standing.COUNTS and ruling.kind in ("event", "degree", "many") and not pending:
        ruling = replace(ruling, standing=Standing.PROPOSED)
    prefix = "hedged_" if hedged else "misspelt_" if statement.misspelt else ""
    return replace(ruling, kind=prefix + ruling.kind, key=ruling.key or ruling.kind)


def _content(words: Iterable[str]) -> float:
    """The number of words; a Chinese one has two characters."""
    return sum(1.0 if word.isascii() else 0.5 for word in words)


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
