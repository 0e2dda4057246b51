"""What a query gave, told in words: "跑了你那个查询,有一行", "got two rows back", "pool_mb 128 data_mb 92160, wow"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lang import deferred_re as re
from lang.listed import lists_beside
from lang.pastes.cells import type_rows
from lang.pastes.check_index import CheckIndex, KnownCheck
from lang.pastes.formats.tables.grids import table_of
from lang.pastes.formats.tables.spoken_results import tells_empty_result
from lang.pastes.formats.tables.told_row import leading_record
from lang.pastes.judge_rows import judge_rows, value_of
from lang.pastes.model import Finding
from lang.pastes.own_queries.judge_views import ViewRules

_LISTED = lists_beside(__file__)

_CLAUSE = re.compile(r"[^.,，。;；:：!！?？\n]+[?？]?")
# A question tells nothing.
_SENTENCE = re.compile(r"[^.。;；!！?？\n]+(?![^.。;；!！?？\n]*[?？])")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_NUMBERS = {word: number for number, word in enumerate(("one", "two", "three", "four", "five"), 1)} | {
    **{han: number for number, han in enumerate("一二三四五六七八九十", 1)},
    **dict.fromkeys(("a", "a single", "single", "just one", "exactly one"), 1),
    **{"两": 2, "几": 2, "好几": 2, "some": 2, "several": 2, "a few": 2, "a couple of": 2},
}
_ROWS = _LISTED.pattern("rows", re.IGNORECASE)
# What came of a query, and not what a table has.
_CAME = _LISTED.pattern("came", re.IGNORECASE)
_OF_A_TABLE = _LISTED.pattern("of_a_table", re.IGNORECASE)


def judge_told_output(said: Sequence[str], checks: CheckIndex, asked: Sequence[str]) -> Iterator[Finding]:
    """What words tell of the output of the check given last, and of a relation that has no rows."""
    yield from _judge_row(said, checks, asked)
    yield from _judge_rows(said, checks, asked)
    yield from _judge_empty(said, checks.views)


def _judge_rows(said: Iterable[str], checks: CheckIndex, asked: Sequence[str]) -> Iterator[Finding]:
    """What a number of rows, told in words, says of the check given last, where its rule only counts them."""
    rule = checks.checks[asked[0]].check.rows if asked and asked[0] in checks.checks else None
    if rule is None or not checks.checks[asked[0]].is_run or any(found.names for found in rule.expressions):
        return
    for text in said:
        told = _told(text)
        verdict = judge_rows(rule, (tuple({} for _ in range(told[0])),), 0.0) if told else None
        if told and verdict in ("confirmed", "denied"):
            yield Finding(asked[0], verdict, "counts", told[1], "", "rows")
            return


def _judge_row(said: Iterable[str], checks: CheckIndex, asked: Sequence[str]) -> Iterator[Finding]:
    """What a whole row copied in front of a remark says: of the check given last, or of any with these columns."""
    first = [checks.checks[name] for name in asked[:1] if name in checks.checks]
    for line in (line for text in said for line in text.split("\n")):
        name = _NAME.match(line.lower().lstrip(" |"))
        if name is None or name[0] not in checks.known.names:
            continue
        found = (_row_of(line, known) for known in (*first, *checks.checks.values()))
        if told := next((each for each in found if each), None):
            yield told
            return


def _row_of(line: str, known: KnownCheck) -> Finding | None:
    """What a line that begins with all columns of a check and their values says of it."""
    rule = known.check.rows
    for columns in known.prints if rule is not None else ():
        names = [column.name.lower() for column in columns]
        record, end = leading_record(line, names) if len(names) > 1 else ({}, 0)
        if rule is None or not record or len(record) < len(names):
            continue
        row = type_rows(table_of([record]), rule.texts)[0]
        verdict = judge_rows(rule, ((row,),), 0.0)
        if verdict in ("confirmed", "denied"):
            return Finding(known.phenomenon_id, verdict, "counts", line[:end].strip(), value_of(rule, row), "rows")
    return None


def _judge_empty(said: Iterable[str], views: ViewRules) -> Iterator[Finding]:
    """What it says of a relation that a sentence names it and tells nothing but that no rows came of it."""
    for sentence in (found for text in said for found in _SENTENCE.findall(text)):
        named = [name for name in _NAME.findall(sentence.lower()) if name in views.relations]
        if len(named) == 1 and tells_empty_result(re.sub(named[0], " ", sentence, flags=re.IGNORECASE)):
            yield from (replace(found, words=sentence.strip()) for found in views.judge_empty(named[0]))


def _told(text: str) -> tuple[int, str] | None:
    """The number of rows of a query that was run, and the clause that tells it."""
    before = ""
    for clause in _CLAUSE.findall(text):
        found = None if clause.endswith(("?", "？")) or _OF_A_TABLE.search(clause) else _ROWS.search(clause)
        if found and (_CAME.search(clause) or _CAME.search(before)):
            word = (found["latin"] or found["han"]).lower()
            return int(_NUMBERS.get(word, 0) or word), clause.strip()
        before = clause
    return None
