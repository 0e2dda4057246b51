"""Which setting a number in a sentence is a value of, by the words of its own clause: mostly of none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lang import deferred_re as re
from lang.numbers.model import Role, Value
from lang.numbers.signs import NO_LIMIT, is_negative
from lang.numbers.values import read_values
from lang.objects.settings_said import (
    MEMORY,
    amount_of,
    as_written,
    is_set,
    is_wanted,
    same_kind,
    settings_named,
    unit_of,
    values_named,
    written,
)
from lang.parts import cues_of, is_content
from lang.tokens import Text, read_text
from lang.vocabulary import Unit
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.actions import mentions_in, read_actions
from services.planner.treatment.sentences import clauses_of
from services.planner.treatment.wanted.wants import wants_in, words_of
from services.planner.understand.questions.of_the_cause import asks_because
from services.planner.understand.text.word_lists import expression

# The actions that set values.
ACTIONS = frozenset(("set_parameter", "switch_setting", "resize_pool"))
_OF_VALUE = ("size", "leave", "enough")
# What is counted, right behind a number or after one word: "200 open connections".
_COUNTED = re.compile(rf"\s*(?:[a-z]+\s+)?{expression('treatment', 'counted')}")
# A verb that brings to a value: 调到, 改成, 设为.
_BRINGS = re.compile(r"[\u4e00-\u9fff][到成回为]\s*$|[设改调开用]\s*$")
_BROUGHT = 2
# The settings that may be meant without a name, with the values that are known of each.
Spoken = Mapping[str, tuple[str, ...]]


class Amount(NamedTuple):
    """A setting that is asked about, and the value that is spoken of; empty where the value is asked for."""

    name: str
    value: str = ""


class Referents(NamedTuple):
    """What numbers may be values of.

    known: settings with the values spoken of; meant: those that need no name now; others: amounts that the last answer
    told of something else.
    """

    known: Spoken
    meant: frozenset[str]
    others: frozenset[str] = frozenset()


def values_in(text: str) -> list[Value]:
    """The numbers of a text that may be values that somebody chooses: none below zero."""
    read = read_text(text)
    values = (each for each in read_values(read) if each.role in (Role.VALUE, Role.BASE))
    return [each for each in values if not is_negative(each, read)]


def tied_in(sentence: str, of: Referents) -> list[Amount]:
    """The values that a sentence has, each with its setting: by the name beside it, else as a clause that asks of it.

    Of a sentence with a clause that asks why, the values of that clause.
    """
    clauses = list(clauses_of(sentence))
    parts = [each for each in clauses if asks_because(each)] or clauses
    found = list(dict.fromkeys(each for clause in parts for each in _in_clause(clause, sentence, of)))
    if found or not is_question(sentence):
        return found
    return [Amount(each.name, each.value) for each in values_named(sentence) if each.value not in ("", NO_LIMIT)]


def asks_of_value(words: str) -> bool:
    """Whether words ask of a value: if it is enough, too much or allowed, why it is that, or to set it."""
    wants = wants_in(read_actions(words))
    return sets_value(words) or asks_because(words) or any(each in _OF_VALUE for each in wants)


def sets_value(words: str) -> bool:
    """Whether words tell to set something, or that it was set."""
    return is_wanted(words) or is_set(words) or any(each.action in ACTIONS for each in mentions_in(read_actions(words)))


def _in_clause(clause: str, sentence: str, of: Referents) -> Iterator[Amount]:
    """The values of a clause that asks of them, or is of a sentence that does so with one that is known."""
    if settings_named(clause):
        told = values_named(clause) if asks_of_value(clause) or is_question(clause) else ()
        yield from (Amount(each.name, each.value) for each in told if each.value not in ("", NO_LIMIT))
        return
    values, text = values_in(clause), read_text(clause)
    alone = _has_no_other_noun(clause, text, values)
    asked = asks_of_value(clause) or sets_value(sentence)
    for value in (each for each in values if not _is_counted(each, text)):
        again = _again(value, of)
        if again and not value.bare and asks_of_value(sentence):
            yield again
        elif alone and (asked or (not value.bare and is_question(clause))):
            yield from (again,) if again else _as_new(value, of) if len(values) == 1 else ()


def _again(value: Value, of: Referents) -> Amount | None:
    """The setting of which a value is known: with its unit, or by its number alone."""
    told = written(value.readings, value)
    if told in of.known.get(MEMORY, ()):
        return None
    same = (
        Amount(name, each)
        for name, known in of.known.items()
        for each in known
        if (_number_of(each) == value.number if value.bare else each == told)
    )
    return next(same, None)


def _as_new(value: Value, of: Referents) -> Iterator[Amount]:
    """A number that was not told before, as a value of the one setting that is meant and takes it."""
    if written(value.readings, value) in (*of.others, *of.known.get(MEMORY, ())):
        return
    found = [Amount(name, told) for name in of.known if name in of.meant and (told := _in_unit(value, name, of.known))]
    yield from found if len(found) == 1 else ()


def _in_unit(value: Value, name: str, known: Spoken) -> str:
    """A number as a value of a setting, a bare one in the unit of the last value; empty where it cannot be."""
    last = known[name][0]
    if not value.bare:
        told = written(value.readings, value)
        return told if unit_of(name) in value.readings and same_kind(told, last) else ""
    amount, number = amount_of(last), _number_of(last)
    return as_written(value.number * amount / number, unit_of(name)) if amount and number else ""


def _number_of(value: str) -> float | None:
    amount = re.compile(r"\d+(?:\.\d+)?").match(value)
    return float(amount[0]) if amount is not None else None


def _is_counted(value: Value, text: Text) -> bool:
    """Whether a number counts something that stands right behind it: "三个", "200 open connections", "187G free"."""
    after = text.normal[text.span(value.first, value.last)[1] :]
    return (value.bare or Unit.COUNT in value.readings) and _COUNTED.match(after) is not None


def _has_no_other_noun(clause: str, text: Text, values: list[Value]) -> bool:
    """Whether a clause has no word of its own beside its values: it asks or sets, and names nothing else."""
    covered = {at for each in values for at in each.covered}
    covered |= {at for each in cues_of(text) for at in range(each.first, each.last)}
    read = read_actions(clause)
    setting = [each for each in mentions_in(read) if each.action in ACTIONS]
    spans = [read.span(each.first, each.last) for each in setting]
    spans += [read.span(each.first, each.last) for each in words_of(_OF_VALUE, read)]
    for value in values:
        start = text.span(value.first, value.last)[0]
        spans += [(start - _BROUGHT, start)] if _BRINGS.search(text.normal[:start]) else []
    own = [text.span(at, at + 1) for at, each in enumerate(text.tokens) if at not in covered and is_content(each)]
    return not any(not any(first <= start and end <= last for first, last in spans) for start, end in own)
