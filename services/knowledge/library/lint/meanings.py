"""The vocabulary and the predicates of phenomena: whether they fit each other and the texts that people see."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from lang.vocabulary import Event, Limit, Predicate, Quantity, Subject, Unit
from services.knowledge.library.lint.findings import Report, Severity
from services.knowledge.library.schema import PhenomenonEntry
from services.knowledge.library.shipped_libraries import FOLDER

_KINDS = {"quantity": "quantities", "event": "events", "state": "states", "action": "actions"}
# The unit of a limit that a quantity may be compared with, besides its own.
_ALSO = {Unit.PER_CORE: Unit.COUNT}
_NUMBER = re.compile(r"(?<![\w.-])(\d+(?:[ ,]\d{3})*(?:\.\d+)?)\s*(%|[a-zA-Z]+|[\u4e00-\u9fff]{1,3})?")
_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10, "twice": 2, "doubled": 2, "twofold": 2,
    "threefold": 3, "fourfold": 4, "fivefold": 5, "tenfold": 10, "twenty": 20,
    "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "十": 10,
}  # fmt: skip
_WORD = re.compile(r"([a-z]+|[两二三四五十](?=[倍个]))\s*(?=([a-z]+)?)")
_SCALES: dict[Unit, dict[str, float]] = {
    Unit.PERCENT: {"%": 1, "percent": 1},
    Unit.BYTES: {"B": 1, "kB": 2**10, "KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40},
    Unit.SECONDS: {
        **{"ms": 0.001, "s": 1, "second": 1, "seconds": 1, "minute": 60, "minutes": 60, "hour": 3600, "hours": 3600},
        **{"day": 86400, "days": 86400, "毫秒": 0.001, "秒": 1, "分钟": 60, "小时": 3600, "天": 86400},
    },
}
_LOOKS = frozenset({"read", "reads", "readings", "samples", "line", "lines", "row", "rows", "次", "行", "轮"})
_OTHER_UNITS = frozenset(unit for scales in _SCALES.values() for unit in scales)
_TENS = {"万": 1e4, "亿": 1e8, "million": 1e6, "billion": 1e9}


def contradicts(text: str, limits: list[Limit]) -> bool:
    """Whether a text names values in the unit of some limit, and none of these is one of the limits in that unit."""
    for unit in {limit.unit for limit in limits}:
        named = {round(limit.limit, 6) for limit in limits if limit.unit is unit}
        every = {round(value, 6) for value in values_in(text, unit, looks=True)}
        if any(values_in(text, unit)) and not every & named:
            return True
    return False


def values_in(text: str, unit: Unit, looks: bool = False) -> Iterator[float]:
    """The values in the base of `unit` (bytes, seconds, percent, a number); rates are not read.

    looks: also numbers of rows and reads, which may be the limit ("3 rows or more") or not ("in 3 of 5 reads").
    """
    if unit is Unit.COUNT:
        for word, after in _WORD.findall(text.lower()):
            if word in _WORDS and (looks or after not in _LOOKS):
                yield _WORDS[word]
    for number, after in _NUMBER.findall(text):
        value = float(number.replace(" ", "").replace(",", ""))
        scales = _SCALES.get(unit, {})
        named = next((name for name in scales if after == name or (after.startswith(name) and not name.isascii())), "")
        if named:
            yield value * scales[named]
        elif (
            unit is Unit.COUNT and not _begins_with(after, _OTHER_UNITS) and (looks or not _begins_with(after, _LOOKS))
        ):
            yield value * next((scale for word, scale in _TENS.items() if after.startswith(word)), 1)


def _begins_with(after: str, words: frozenset[str]) -> bool:
    return after in words or any(after.startswith(word) for word in words if not word.isascii())


def check_meanings(report: Report) -> None:
    """All rules about the vocabulary and the predicates."""
    for entry in report.library.phenomena.values():
        if "means" not in entry.model_fields_set and report.library.files[entry.id].is_relative_to(FOLDER):
            report.add(Severity.ERROR, "no-predicate", (entry.id, "observe"))
        for at, predicate in enumerate(entry.means):
            _fits_its_subject(report, (entry.id, f"means.{at}"), predicate)
        _agrees_with_its_texts(report, entry)
    _equal_predicates(report)
    _contested_terms(report)
    _unused_subjects(report)


def _fits_its_subject(report: Report, place: tuple[str, str], predicate: Predicate) -> None:
    subjects = {subject.id: subject for subject in report.library.vocabulary.subjects}
    kind = next(kind for kind in _KINDS if getattr(predicate, kind))
    subject = subjects.get(predicate.subject)
    if subject is None or subject not in getattr(report.library.vocabulary, _KINDS[kind]):
        report.add(Severity.ERROR, "predicate-subject", place, subject=predicate.subject, kind=kind)
    elif predicate.limit and not _fits(predicate.limit, subject):
        report.add(Severity.ERROR, "predicate-unit", place, test=predicate.test, unit=getattr(subject, "unit", "count"))
    if predicate.limit and predicate.limit.whole not in {None, *subjects}:
        report.add(Severity.ERROR, "predicate-subject", place, subject=predicate.limit.whole, kind="quantity")


def _fits(limit: Limit, subject: Subject) -> bool:
    """Whether values of the subject can be compared with the limit."""
    if isinstance(subject, Event):
        return limit.unit in (Unit.COUNT, Unit.PER_SECOND, Unit.PERCENT) and not limit.whole
    if not isinstance(subject, Quantity):
        return False
    if limit.usual or limit.whole:
        return limit.unit is Unit.COUNT
    return limit.unit in (subject.unit, _ALSO.get(subject.unit)) or (limit.unit is Unit.PERCENT and bool(subject.whole))


def _agrees_with_its_texts(report: Report, entry: PhenomenonEntry) -> None:
    quantities = {quantity.id: quantity for quantity in report.library.vocabulary.quantities}
    limits = [predicate.limit for predicate in entry.means if predicate.test and predicate.limit]
    for predicate in entry.means:
        quantity = quantities.get(predicate.subject)
        if quantity and quantity.complement.all and predicate.limit and predicate.limit.unit is Unit.PERCENT:
            # "less than 5 % free" says "more than 95 % used".
            limits.append(replace(predicate.limit, limit=100.0 - predicate.limit.limit))
    for path, text in (("name", entry.name), ("observe.present_when", entry.observe.present_when)):
        for language in ("zh", "en"):
            if contradicts(getattr(text, language), limits):
                tests = ", ".join(predicate.test for predicate in entry.means if predicate.test)
                report.add(Severity.WARNING, "predicate-text", (entry.id, f"{path}.{language}"), tests=tests)


def _equal_predicates(report: Report) -> None:
    """Two phenomena that the same statements make present are one, or one of them needs another predicate.

    One may mean more than the other: a full disk is also what "no space left" says.
    """
    first: dict[object, str] = {}
    for entry in report.library.phenomena.values():
        if entry.means:
            other = report.library.phenomena[first.setdefault(frozenset(map(_told, entry.means)), entry.id)]
            if other.id != entry.id and other.id not in entry.same_as and entry.id not in other.same_as:
                report.add(Severity.WARNING, "predicate-of-two", (entry.id, "means"), other=other.id)


def _told(predicate: Predicate) -> tuple[object, ...]:
    """What decides; `> 90` and `>= 90` are the same to a person."""
    limit = predicate.limit
    test = limit and (limit.sign[0], limit.limit, limit.unit, limit.usual, limit.whole)
    beside = frozenset(map(_told, predicate.with_))
    return predicate.subject, test, predicate.trend, predicate.state and predicate.is_, predicate.outcome, beside


def _contested_terms(report: Report) -> None:
    """A term that two subjects of one kind and unit claim in the same company can mean either."""
    first: dict[object, str] = {}
    for subject in report.library.vocabulary.subjects:
        company = frozenset(_folded(term) for term in subject.beside.all)
        for language in ("zh", "en"):
            for at, term in enumerate(getattr(subject.say, language)):
                claim = (type(subject), getattr(subject, "unit", None), company, _folded(term))
                other = first.setdefault(claim, subject.id)
                if other != subject.id:
                    place = (subject.id, f"say.{language}.{at}")
                    report.add(Severity.WARNING, "term-of-two", place, term=term, other=other)


def _folded(term: str) -> frozenset[str]:
    return frozenset(part.strip().casefold() for part in term.split("+"))


def _unused_subjects(report: Report) -> None:
    used = {name for entry in report.library.phenomena.values() for name in _named(entry)}
    parts: dict[str, set[str]] = defaultdict(set)
    for quantity in report.library.vocabulary.quantities:
        for other in (quantity.whole or "", *quantity.factors):
            parts[other].add(quantity.id)
    vocabulary = report.library.vocabulary
    for subject in (*vocabulary.subjects, *vocabulary.facilities):
        if subject.id not in used and not used & parts[subject.id]:
            report.add(Severity.HINT, "unused-subject", (subject.id, "id"))


def _named(entry: PhenomenonEntry) -> Iterator[str]:
    yield from entry.needs
    for predicate in entry.means:
        for part in (predicate, *predicate.with_):
            yield part.subject
            if part.limit and part.limit.whole:
                yield part.limit.whole
