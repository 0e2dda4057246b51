"""Settings of a server as a person or an output tells them: a name with its value, and the count of connections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from lang import deferred_re as re
from lang.cues import load_lexicon
from lang.judging.proposed_acts import is_proposed
from lang.listed import lists_beside
from lang.modality import Mode, When, Where
from lang.numbers.model import Readings, Role, Value
from lang.numbers.signs import as_signed
from lang.numbers.values import read_values
from lang.objects.servers_and_clients import clients_counted
from lang.parts import is_content
from lang.statements import Reader, Statement
from lang.tokens import Text, read_text
from lang.vocabulary import Name, Quantity, Terms, Unit, Vocabulary

_LISTED = lists_beside(__file__)

# The kinds of a setting's value: as it is, as it was before, and as the person would have it.
SETTING, SETTING_BEFORE, SETTING_WANTED = "setting", "setting_before", "setting_wanted"
OF_SETTINGS = (SETTING, SETTING_BEFORE, SETTING_WANTED)
# What is kept beside settings: the memory of the server, and its version.
MEMORY, VERSION = "memory", "server_version"
_AMOUNT = r"\d+(?:\.\d+)?\s?(?:[kmgt]i?b?|ms|min|s|h)?(?![\w%.]*\d)(?![A-Za-z_])"
_LIMIT = _LISTED.pattern("limit", re.IGNORECASE | re.ASCII)
_VALUE = re.compile(_AMOUNT, re.IGNORECASE | re.ASCII)
# Of "pg 13 -> 17" it is the second.
_VERSION = _LISTED.pattern("version", re.IGNORECASE | re.ASCII)
_LIMITS = "_timeout"
# A switch in a row or at the end of a clause; "pg_wal is on nvme1n1" tells none.
_SWITCHED = _LISTED.pattern("switched", re.ASCII | re.MULTILINE)
# "SHOW max_wal_size; gives 2GB" is one sentence.
_SHOW = re.compile(r"\b(show \w+);", re.IGNORECASE | re.ASCII)
# The console of PgBouncer has a pool of its own.
_POOL_MODE, _CONSOLE, _POOL_SIZE = "pool_mode", "pgbouncer", "maximum_pool_size"
_SWITCH = ("on", "off")
_NAME = re.compile(r"[a-z]+(?:_[a-z]+)+")
_NAMED_BEFORE = re.compile(rf"(?<![\w.])({_NAME.pattern})[\s=:]*$")
# Before a name: something else is not it.
_DENIED = re.compile(r"(?:不是|并非|而非|\bnot|n't|\bno)(?: (?:a|the|my|our|your))?\s*$")
_UNIT = re.compile(r"(\d*)([A-Za-z]+)")
_PLAIN = re.compile(r"(\d+(?:\.\d+)?)([A-Za-z]*)")
_SIZES = {"TB": 2.0**40, "GB": 2.0**30, "MB": 2.0**20, "kB": 1024.0}
_TIMES = {"h": 3600.0, "min": 60.0, "s": 1.0, "ms": 0.001}
_SCALES = {**_SIZES, **_TIMES, "K": 1024.0, "M": 2.0**20, "G": 2.0**30, "T": 2.0**40, "B": 1.0, "d": 86400.0}
_TOLD_SO = ((MEMORY, Mode.ASKED), (_POOL_SIZE, Mode.NORM))  # What a pool is supposed to hold is its limit.
_STATED = (Mode.ASSERTED, Mode.HEDGED, Mode.SUSPECTED)
# A bare number of bytes from here on is one; a smaller one counts something else.
_BYTES_FROM = 2.0**20
_ENDLESS = 2.0**64  # No setting takes as much.
# So many tokens before or after a size stands the word for memory.
_BEFORE, _AFTER = 4, 3


class Told(NamedTuple):
    """A setting with its value and the one that it had before, as a server writes them; empty where not told.

    span: of the words that tell it.
    """

    name: str
    value: str = ""
    before: str = ""
    span: tuple[int, int] = (0, 0)


@cache
def _reader() -> Reader:
    lexicon = load_lexicon("settings")
    quantities = [
        _quantity(name, unit, Terms(en=(name, *lexicon["say"].get(name, ()))), Terms())
        for unit in (Unit.BYTES, Unit.SECONDS, Unit.COUNT)
        for name in lexicon[unit.value]
    ]
    memory = (Terms(**lexicon[MEMORY][each]) for each in ("say", "beside"))
    return Reader(Vocabulary(quantities=(*quantities, _quantity(MEMORY, Unit.BYTES, *memory))))


def _quantity(name: str, unit: Unit, say: Terms, beside: Terms) -> Quantity:
    return Quantity(id=name, name=Name(zh=name, en=name), say=say, beside=beside, unit=unit, bad=None)


@lru_cache(maxsize=64)
def values_told(text: str) -> tuple[Told, ...]:
    """The settings whose values words tell as they are or were, and the memory of the server; the first of each."""
    found: dict[str, Told] = {}
    text = _SHOW.sub(lambda shown: f"{shown[1]} ", text)
    for each in _reader().read(text).statements:
        told = _told(each, read_text(text))
        if told.value or told.before:
            found.setdefault(each.subject, told)
    alone = len(found.keys() - {MEMORY}) == 1
    return tuple(_with_before(each, text) if alone else each for each in found.values())


def values_named(text: str) -> tuple[Told, ...]:
    """The settings that words name with a value beside the name, however it is meant: told, asked or wanted."""
    read = read_text(text)
    found = ((each, each.value) for each in _reader().read(text).statements if each.subject != MEMORY)
    return tuple(
        Told(each.subject, as_signed(written(value.readings, value), value, read), span=each.span)
        for each, value in found
        if value is not None and not _is_of_another(value, each, read)
    )


def _told(statement: Statement, text: Text) -> Told:
    value, meaning, told = statement.value, statement.meaning, Told(statement.subject, span=statement.span)
    if value is None and statement.subject == MEMORY:
        value = next((each for each in read_values(text) if _is_of_memory(each, text)), None)
    if value is not None and _is_of_another(value, statement, text):
        return told
    stated = meaning.mode in _STATED or (statement.subject, meaning.mode) in _TOLD_SO
    if value is not None and statement.subject == MEMORY and not _is_near(value, text):
        return told
    if not stated or meaning.where is Where.ELSEWHERE or is_wanted(statement.words):
        return told
    if value is None:
        return _with_before(told, statement.words)
    now, before = as_signed(written(value.readings, value), value, text), written(value.before or {}, value)
    past = meaning.when is When.PAST and not before
    return told._replace(before=now) if past else told._replace(value=now, before=before)


def _is_near(value: Value, text: Text) -> bool:
    """Whether a size of memory has the word for it right before or after: "90 gigs of data and 128 ram" tells none."""
    terms = (term for said in load_lexicon("settings")[MEMORY]["say"].values() for term in said)
    words = {part for term in terms for part in term.split(" + ")}
    before = text.tokens[max(value.first - _BEFORE, 0) : value.first]
    near = ["".join(each.text for each in part) for part in (before, text.tokens[value.last : value.last + _AFTER])]
    return not value.bare and any(word.replace(" ", "") in each for each in near for word in words)


def _is_of_memory(value: Value, text: Text) -> bool:
    """Whether the word for memory stands right behind a size: "64G 内存"."""
    terms = (term for said in load_lexicon("settings")[MEMORY]["say"].values() for term in said)
    after = text.normal[text.span(value.first, value.last)[1] :].lstrip()
    return Unit.BYTES in value.readings and after.startswith(tuple(terms))


def _is_of_another(value: Value, statement: Statement, text: Text) -> bool:
    """Whether a value is not of the setting that is named near it.

    Right before it stands the name of something else ("query_wait_timeout, cl_waiting 40"), the words deny that it is
    of the setting ("416G is the sum, not work_mem"), or it lacks the unit that the setting takes.
    """
    before = _NAMED_BEFORE.search(text.normal[: text.span(value.first, value.last)[0]])
    if before is not None and before[1] != statement.subject:
        return True
    unit = unit_of(statement.subject)
    unfit = value.bare and unit == Unit.BYTES and 0 < value.number < _BYTES_FROM
    return unfit or _DENIED.search(text.normal[: _place_of(statement, text)]) is not None


def _place_of(statement: Statement, text: Text) -> int:
    """Where the name of a setting begins in a text; its end where the words call it otherwise."""
    at = text.normal.find(statement.subject, statement.span[0])
    return at if at >= 0 else 0


def is_wanted(words: str) -> bool:
    """Whether a clause tells what to set a value to, and not that it is done."""
    return _has_word("sets", words) and not _has_word("done", words)


def is_set(words: str) -> bool:
    """Whether a clause tells what a value has been set to."""
    return _has_word("sets", words) and _has_word("done", words)


def _has_word(name: str, words: str) -> bool:
    said = [token.text for token in read_text(words).tokens]
    return any(each in said or (not each.isascii() and each in words) for each in load_lexicon("settings")[name])


def _with_before(told: Told, text: str) -> Told:
    """The one setting of a text with the value that it is told to have had: "... -> 134217728. old one was 96G"."""
    if told.before or told.name == MEMORY:
        return told
    values = [each for each in read_values(read_text(text)) if each.role is Role.BASE]
    earlier = (value for each in values if (value := written(each.readings, each)) and value != told.value)
    before = next((each for each in earlier if not told.value or same_kind(each, told.value)), "")
    return told._replace(before=before)


def written(readings: Readings, value: Value) -> str:
    """An amount as a server writes it: 16GB, 10min, 300; empty where it is none of these."""
    unit = next((each for each in (Unit.BYTES, Unit.SECONDS, Unit.COUNT) if each in readings), None)
    amount = readings[unit][1] if unit is not None else _ENDLESS
    if unit is None or amount >= _ENDLESS:  # "At least 4" is no value.
        return ""
    return as_written(amount, Unit.BYTES if value.bare and amount >= _BYTES_FROM else unit)


def as_written(amount: float, unit: str) -> str:
    """An amount in its base unit as a server writes it, in the largest unit that takes no fraction."""
    scales = _SIZES if unit == Unit.BYTES else _TIMES if unit == Unit.SECONDS else {}
    whole = (f"{amount / size:.0f}{each}" for each, size in scales.items() if amount % size == 0)
    return (next(whole, "") if amount else "") or f"{amount:.15g}"


def amount_of(value: str) -> float | None:
    """A value as a number of bytes, seconds or things; None where it is no amount."""
    found = _PLAIN.fullmatch(value)
    if found is None or (found[2] and found[2] not in _SCALES):
        return None
    return float(found[1]) * _SCALES.get(found[2], 1.0)


def _kind_of(value: str) -> str:
    found = _PLAIN.fullmatch(value)
    unit = found[2] if found is not None else ""
    return "size" if unit in _SIZES else "time" if unit in _TIMES else ""


def same_kind(one: str, other: str) -> bool:
    """Whether both are sizes, both are times or both are plain numbers."""
    return _kind_of(one) == _kind_of(other)


@cache
def unit_of(name: str) -> str:
    """The unit of a setting's value: B, s or count; empty for a name that is none."""
    lexicon = load_lexicon("settings")
    return next((unit.value for unit in (Unit.BYTES, Unit.SECONDS, Unit.COUNT) if name in lexicon[unit.value]), "")


def setting_of(told: str) -> str:
    """The name of a setting as it is kept with its value: "work_mem=512MB"."""
    return told.partition("=")[0]


def settings_named(text: str) -> tuple[str, ...]:
    """The settings that words name, with a value or without one."""
    named = (each.subject for each in _reader().read(text).statements)
    return tuple(dict.fromkeys(name for name in named if name != MEMORY))


def settings_told(text: str) -> Iterator[tuple[str, str]]:
    """The settings that words tell by their kind: "max_connections=300", and what they were before."""
    for told in values_told(text):
        yield from ((SETTING, f"{told.name}={told.value}") for _ in (0,) if told.value)
        yield from ((SETTING_BEFORE, f"{told.name}={told.before}") for _ in (0,) if told.before)
    switched = (each for each in _SWITCHED.finditer(text) if not is_proposed(text, each.span()))
    yield from ((SETTING, f"{each[1]}={each[2]}") for each in switched)
    yield from ((SETTING, f"{name}={count}") for name, count in clients_counted(text))
    yield from ((SETTING, f"{VERSION}={later or only}") for later, only in _VERSION.findall(text)[:1])


def is_limit(name: str) -> bool:
    """True for a setting that limits a time: what it ends is often called by its name."""
    return name.lower().endswith(_LIMITS)


def limits_told(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Where words tell the value of a limit in time other than 0, and its name."""
    for found in _LIMIT.finditer(text):
        if found["value"].strip("0 "):
            yield found.span(), found["name"].lower()


def covers(text: str, setting: tuple[int, int], span: tuple[int, int]) -> bool:
    """True if nothing of weight stands in a span of a text beside a setting with its value."""
    beside = text[span[0] : max(setting[0], span[0])] + " " + text[setting[1] : span[1]]
    inside = span[0] < setting[1] and setting[0] < span[1]
    return inside and not any(map(is_content, read_text(beside).tokens))


def settings_shown(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """The settings that rows of pg_settings tell, the value of a SHOW, columns that are called so, a pool's mode."""
    for row in rows:
        if (mode := row.get(_POOL_MODE)) and row.get("database") != _CONSOLE:
            yield f"{_POOL_MODE}={mode}"
        name, value = row.get("name", row.get("variable_name", "")), row.get("setting", row.get("value", ""))
        if len(row) == 1 and len(rows) == 1:
            ((name, value),) = row.items()
        yield from (f"{each}={_plain(cell)}" for each, cell in row.items() if unit_of(each) and _VALUE.fullmatch(cell))
        shown = _with_unit(value, row.get("unit", ""))
        if _NAME.fullmatch(name) and (_VALUE.fullmatch(shown) or value in _SWITCH):
            yield f"{name}={_plain(shown)}"


def _with_unit(value: str, unit: str) -> str:
    """A value in its unit, of which there may be several: 16384 of 8kB are 131072kB."""
    many = _UNIT.fullmatch(unit)
    return f"{int(value) * int(many[1] or 1)}{many[2]}" if many and value.isdecimal() else value


def _plain(value: str) -> str:
    """A value as it is written shortest: 128MB for 131072kB."""
    value = "".join(value.split())
    found = next(iter(read_values(read_text(value))), None)
    return (written(found.readings, found) if found is not None else "") or value
