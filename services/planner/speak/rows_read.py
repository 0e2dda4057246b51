"""What a pasted table shows where none of the checks decides on it: who has most, what is oldest, and what it lacks."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from lang import deferred_re as re
from lang.expressions import Moment
from lang.objects.figures_shown import OLDEST_XMIN, PREPARED
from lang.objects.named_objects import objects_named, tables_in
from lang.objects.scan_keys import KEY
from lang.objects.settings_said import SETTING
from lang.pastes.cells import type_cell
from lang.pastes.formats.blocks import find_blocks
from lang.pastes.formats.log_entries import slow_rows
from lang.pastes.formats.pasted_lines import split_lines
from lang.pastes.formats.tables.delimited import KnownColumns, server_columns
from lang.pastes.model import Table
from lang.pastes.two_readings import distance_in
from lang.pastes.what_rows_show import Most, most_of
from services.planner.model import HelpAnswer, Language, QuestionTopic, TurnResults
from services.planner.questions_asked.interrogatives import is_question
from services.planner.rows_shown.facts import facts_shown
from services.planner.rows_shown.named_values import values_named
from services.planner.rows_shown.pointing_questions import asks_meaning, asks_what_it_shows
from services.planner.speak.voice import Voice, brief
from services.planner.treatment.sentences import two_in
from services.planner.understand.answers.settings_shown import SETTINGS
from services.planner.understand.text.smalltalk import orders_something

# What a server that ends its other processes writes of the one that was killed.
_ENDED, _STATEMENT = re.compile(r"Failed process was running: *(\S.*)"), 120
# How psql heads the description of a table, and how PostgreSQL names its primary key.
_TITLE, _KEY = re.compile(r"(?:[Tt]able|表)\s*[\"“]([^\"”]+)[\"”]"), "_pkey"
# Waits for a read of the data, and for the WAL to reach the disk.
_READ_WAIT, _WAL_WAITS = "DataFileRead", ("WALSync", "WALWrite")
# When statistics were gathered, to the minute; days between tables are long, in seconds.
_ANALYZED, _MINUTE, _LONG = "last_autoanalyze", 16, 2 * 86400
_ROW, _SETTINGS = "|", 6
_AROUND = " \t:："
# Topics that are found by the sound of words; parts of names of so many letters say what is meant.
_BY_SOUND = (
    *(QuestionTopic.MECHANISM, QuestionTopic.OF_CAUSE, QuestionTopic.EFFECT, QuestionTopic.RELATED),
    *(QuestionTopic.IDENTIFICATION, QuestionTopic.OBJECT),
)
_WORD, _TELLING = re.compile(r"[a-z_][a-z0-9_]+|\d{2,}", re.ASCII), 3


def facts_of(message: str, language: Language) -> tuple[str, ...]:
    """What the rows of a message show by what their columns mean, a sentence each."""
    tables = tables_in(message) if "\n" in message else ()
    tables = (*tables, *values_named(message, tables))
    said = facts_shown(tables, distance_in(message), asked=asks_meaning(message)) if tables else ()
    return tuple(each.say(language) for each in said)


def tell_rows(results: TurnResults, message: str, voice: Voice) -> tuple[str, TurnResults]:
    """What the tables show: by what their columns mean, else which row has most; with the results without them."""
    told = dict(_unclear(results, message))
    shown = facts_of(message, voice.language)
    beside = _named_beside(message, voice)
    if told and shown and not facts_shown(tables_in(message), distance_in(message)):
        shown = (*shown, *_of_unclear(told, voice))  # Single values tell nothing of the tables beside them.
    left = replace(results, unclear=tuple(words for words in results.unclear if words not in told))
    if shown:
        sentences = [voice.say("rows_fact", fact=each) for each in shown]
        return voice.stop.join([*sentences, *filter(None, [beside])]), left
    if not told:
        told_apart = any(isinstance(answer, HelpAnswer) and answer.action == SETTINGS for answer in results.answers)
        return beside or ("" if told_apart else _settings(message, voice)), results
    facts = list(_of_unclear(told, voice))
    keys = [each.name for each in objects_named(message) if each.kind == KEY]
    facts += [voice.say("rows_filter", key=key) for key in keys[:1]]
    return voice.say("rows_fact", fact=voice.say("semicolon").join(facts)) if facts else "", left


def without_vague(results: TurnResults, message: str, language: Language) -> TurnResults:
    """The results without answers that a question what rows show got by its sound, where the rows are told.

    What somebody says around rows that they paste is no question unless it asks.
    """
    facts = facts_of(message, language) if results.answers else ()
    named = _named_in("\n".join(facts))
    noted = {each.phenomenon_id for each in results.noted}
    helped = [each for each in results.answers if isinstance(each, HelpAnswer)]
    idle = [each for each in helped if _is_vague(each, named) or _is_answered(each, noted)]
    kept = [each for each in results.answers if each not in idle]
    return replace(results, answers=tuple(kept)) if facts else results


def _is_vague(answer: HelpAnswer, named: frozenset[str]) -> bool:
    """Whether an answer is to what the rows answer, or to nothing. named: what the facts of the rows name."""
    asked = answer.text.strip()
    if answer.topic is None or answer.action == SETTINGS or not asked:
        return False
    if answer.topic is QuestionTopic.COMPARISON and not two_in(asked):
        return True
    told = answer.topic in _BY_SOUND and not named.isdisjoint(_WORD.findall(asked.lower()))
    return told or asks_what_it_shows(asked) or not (is_question(asked) or orders_something(asked))


def _is_answered(answer: HelpAnswer, noted: Container[str]) -> bool:
    """Whether an answer only shows how to look at what the rows have just told."""
    looks = answer.topic is None and answer.action != SETTINGS
    return looks and bool(answer.items) and all(item.phenomenon_id in noted for item in answer.items)


def _named_in(facts: str) -> frozenset[str]:
    """The identifiers and figures in facts, and what identifiers are made of: `pg_wal`, `wal`."""
    names = [word for word in _WORD.findall(facts.lower()) if "_" in word or word.isdigit()]
    return frozenset((*names, *(part for name in names for part in name.split("_") if len(part) >= _TELLING)))


def _named_beside(message: str, voice: Voice) -> str:
    """What an output names beside what it decides."""
    readers = (_ended, _only_key, _both_waits, _spared, _stale, _queued)
    return next((said for read in readers if (said := read(message, voice))), "")


def _ended(message: str, voice: Voice) -> str:
    """The statement of a process that was ended."""
    found = _ENDED.search(message)
    return voice.say("rows_ended", statement=brief(found[1], _STATEMENT)) if found else ""


def _both_waits(message: str, voice: Voice) -> str:
    """Waits for reads and for the WAL in the same rows."""
    waits = [event for event in _WAL_WAITS if _READ_WAIT in message and event in message]
    shown = waits and tables_in(message)
    return voice.say("rows_reads_and_wal", read=_READ_WAIT, wal=voice.listed(waits)) if shown else ""


def _spared(message: str, voice: Voice) -> str:
    """The prepared transaction that VACUUM named as the oldest that it spares."""
    oldest = voice.choices.get(OLDEST_XMIN, ())
    prepared = (each.partition(" ") for each in voice.choices.get(PREPARED, ()))
    same = [(xid, gid) for xid, _, gid in prepared if xid in oldest and xid in message]
    return voice.say("rows_same_transaction", xid=same[-1][0], gid=same[-1][1]) if same else ""


def _stale(message: str, voice: Voice) -> str:
    """The table whose statistics are days older than those of the others beside it."""
    for table in tables_in(message):
        rows = [dict(zip(table.columns, map(str.strip, row), strict=False)) for row in table.rows]
        dated = [(at, row) for row in rows if isinstance(at := type_cell(row.get(_ANALYZED, "")), Moment)]
        least = min(dated, key=lambda each: each[0], default=None)
        if least and max(at for at, _ in dated) - least[0] > _LONG and (name := least[1].get("relname")):
            return voice.say("rows_stale", table=name, at=least[1][_ANALYZED][:_MINUTE])
    return ""


def _queued(message: str, voice: Voice) -> str:
    """The pool with most waiting clients, and what its connections do."""
    rows = [
        dict(zip(each.columns, map(str.strip, row), strict=False)) for each in tables_in(message) for row in each.rows
    ]
    pools = [row for row in rows if row.get("cl_waiting", "").isdecimal() and {"sv_active", "maxwait"} <= row.keys()]
    most = max(pools, key=lambda row: int(row["cl_waiting"]), default=None)
    if most is None or most["cl_waiting"] == "0":
        return ""
    busy = voice.say("rows_pool_busy") if most.get("sv_idle") == "0" else ""
    named = {name: most.get(name, "") for name in ("database", "cl_waiting", "maxwait", "sv_active")}
    return voice.say("rows_pool", **named, busy=busy)


def _only_key(message: str, voice: Voice) -> str:
    """The one index of a described table where that is its primary key; of another table, that it was moved."""
    title = _TITLE.search(message)
    rows = [row for table in tables_in(message) if table.columns == ("indexname", "indexdef") for row in table.rows]
    if title is None or len(rows) != 1 or not rows[0][1].startswith("PRIMARY KEY"):
        return ""
    name, table = rows[0][0], title[1].rpartition(".")[2]
    of = name.removesuffix(_KEY)
    moved = voice.say("rows_key_of_other", table=table, other=of) if of not in (name, table) else ""
    return voice.say("rows_only_key", name=name, moved=moved)


def _settings(message: str, voice: Voice) -> str:
    """The settings of a message that has them in rows; those in a sentence are told by what they are read as."""
    rows = [line for line in message.splitlines() if _ROW in line]
    named = [each.name.replace("=", " = ") for each in objects_named("\n".join(rows)) if each.kind == SETTING]
    return voice.say("rows_settings", settings=voice.listed(named[:_SETTINGS])) if len(named) > 1 else ""


def _unclear(results: TurnResults, message: str) -> Iterator[tuple[str, Table]]:
    """The tables of a message by their first line, as it stands among what is unclear."""
    lines = split_lines(message)
    for block in find_blocks(lines, KnownColumns.of((), server_columns())) if results.unclear else ():
        first = lines.lines[block.first].strip(_AROUND)
        table = slow_rows(block.table) if block.kind == "log" and block.table else block.table
        if table is not None and table.rows and first in results.unclear:
            yield first, table


def _of_unclear(told: Mapping[str, Table], voice: Voice) -> Iterator[str]:
    """Which row has most, of tables that nothing else is known of."""
    for table in told.values():
        if not _names_values(table):
            yield from _facts(most_of(table), len(table.rows), voice)


def _names_values(table: Table) -> bool:
    """Whether each row is another thing with its value, of which none is the largest: settings and counters."""
    names = {each.strip().lower() for each in table.columns}
    return bool(names & {"setting", "value", "variable_value"}) and bool(names & {"name", "variable_name", "parameter"})


def _facts(found: Sequence[Most], rows: int, voice: Voice) -> Iterator[str]:
    """What each row that stands out has most of, and since when one is; of a single row what it has."""
    for name, earliest in dict.fromkeys((each.name, each.earliest) for each in found):
        own = [each for each in found if (each.name, each.earliest) == (name, earliest)]
        columns = voice.say("comma").join(_column(each, voice) for each in own)
        phrase = "rows_single" if rows == 1 else "rows_earliest" if earliest else "rows_most"
        yield voice.say(phrase, columns=columns, name=name)


def _column(most: Most, voice: Voice) -> str:
    whole = voice.say("rows_whole", total=most.total) if most.total else ""
    return voice.say("rows_column", column=most.column, value=most.value + whole)
