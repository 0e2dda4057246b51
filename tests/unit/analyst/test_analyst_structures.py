"""Structures of questions: what is not there, how many others have, spans against spans, shares, first and last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pytest

from services.analyst.answers.labels import Words
from services.analyst.answers.understanding import as_line, understand
from services.analyst.queries.compiler import compile_intent
from services.analyst.questions.intent import Intent
from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.loading import load_layer
from services.analyst.team.structured_intent import StructuredIntent, from_json, to_json
from tests.support.cases import for_each
from tests.support.data import hand_warehouses, warehouse
from tests.support.data.own_questions import TODAY, open_own

Rows = Sequence[Sequence[Any]]


class Asked:
    """A dataset with its data, asked in one language."""

    def __init__(self, dataset: Dataset, connection: duckdb.DuckDBPyConnection, today: Any) -> None:
        self.dataset, self.connection, self._today = dataset, connection, today
        self._parser = Parser(dataset)

    def intent(self, question: str, *before: str) -> Intent:
        """What a question means after those before it."""
        previous: Intent | None = None
        for each in before:
            previous = self._parser.read(each, self._today, previous).intent
        reading = self._parser.read(question, self._today, previous)
        assert reading.intent is not None, (question, reading.question or reading.refusal)
        return reading.intent

    def rows(self, question: str, *before: str) -> Rows:
        """The rows of its answer, which are the same after the intent was kept as JSON."""
        intent = self.intent(question, *before)
        kept = from_json(StructuredIntent.model_validate(to_json(intent)), self.dataset, self._today)
        found, again = (
            self.connection.execute(compile_intent(each, self.dataset, self._today)[0].sql).fetchall()
            for each in (intent, kept)
        )
        assert found == again, question
        return found

    def figure(self, question: str, *before: str) -> float:
        """The last figure of the one row of its answer."""
        rows = self.rows(question, *before)
        assert len(rows) == 1, question
        return float(rows[0][-1])

    def gold(self, sql: str) -> Rows:
        """The rows of a query."""
        return self.connection.execute(sql).fetchall()


@pytest.fixture(scope="module")
def zh() -> Iterator[Asked]:
    """dbdiag's own data in Chinese."""
    dataset, connection = open_own("zh")
    with connection:
        yield Asked(dataset, connection, TODAY)


@pytest.fixture(scope="module")
def en() -> Iterator[Asked]:
    """dbdiag's own data in English."""
    dataset, connection = open_own("en")
    with connection:
        yield Asked(dataset, connection, TODAY)


def _opened(name: str) -> Iterator[Asked]:
    folder = hand_warehouses.FOLDER / name
    layer = load_layer(folder / "layer.yaml")
    with duckdb.connect() as connection:
        connection.execute((folder / "tables.sql").read_text("utf-8").replace(":scale", "50"))
        yield Asked(warehouse.describe(connection, layer), connection, layer.as_of)


@pytest.fixture(scope="module")
def hospital() -> Iterator[Asked]:
    """A hospital."""
    yield from _opened("hospital")


@pytest.fixture(scope="module")
def logistics() -> Iterator[Asked]:
    """A carrier."""
    yield from _opened("logistics")


_UNCHECKED = (
    "SELECT session_id FROM session s WHERE NOT EXISTS (SELECT 1 FROM check_run c WHERE c.session_id = s.session_id)"
)
_NO_2026 = (
    "SELECT root_cause_id FROM root_cause WHERE root_cause_id NOT IN"
    " (SELECT root_cause_id FROM ticket WHERE opened_at >= '2026-01-01' AND root_cause_id IS NOT NULL)"
)


@for_each(
    "question, gold",
    [
        ("sessions without a single check", _UNCHECKED),
        ("sessions where nobody ran a check", _UNCHECKED),
        ("which sessions had no checks", _UNCHECKED),
        ("causes with no tickets in 2026", _NO_2026),
        (
            "which sessions have no confirmed evidence",
            "SELECT session_id FROM session WHERE session_id NOT IN"
            " (SELECT session_id FROM evidence WHERE verdict = 'confirmed' AND NOT retracted)",
        ),
        (
            "sessions in august without a check",
            f"{_UNCHECKED} AND started_at >= '2026-08-01' AND started_at < '2026-09-01'",
        ),
        (
            "categories that had no tickets this year",
            "SELECT DISTINCT category FROM root_cause WHERE category NOT IN"
            " (SELECT category FROM tk WHERE opened_at >= '2026-01-01' AND category IS NOT NULL)",
        ),
        (
            "which causes had at least 3 tickets in 2024 and none since",
            "SELECT cause FROM tk WHERE year(opened_at) = 2024 AND root_cause_id NOT IN (SELECT root_cause_id FROM"
            " ticket WHERE opened_at >= '2025-01-01' AND root_cause_id IS NOT NULL) GROUP BY 1 HAVING count(*) >= 3",
        ),
    ],
)
def test_what_is_not_there_is_looked_for_with_its_own_conditions(en: Asked, question: str, gold: str) -> None:
    """Conditions and times that are said of absent rows hold for these, and for no others."""
    assert len(en.rows(question)) == len(en.gold(gold))


@for_each(
    "question, same",
    [
        ("一次检查都没跑的会话有几个", "how many sessions never ran any check"),
        ("没有任何失败检查的会话有多少", "how many sessions have no failed checks"),
        ("没有确认的证据的会话有多少", "how many sessions have no confirmed evidence"),
        ("8月的会话里没跑过检查的有几个", "how many sessions in august had no check"),
        ("跑了3次检查的会话有几个", "how many sessions had exactly three checks"),
        ("证据超过5条的会话有几个", "how many sessions have more than 5 pieces of evidence"),
        ("平均一次会话跑几个检查", "how many checks does a session run on average"),
        ("聊了一个多小时还没结案的有几个", "how many open sessions took more than an hour"),
        ("周末开的单子占多少", "what share of tickets came in on a weekend"),
    ],
)
def test_both_languages_say_the_same(zh: Asked, en: Asked, question: str, same: str) -> None:
    """A structure has one figure, whichever language it is asked for in."""
    assert zh.figure(question) == pytest.approx(en.figure(same))


def test_rows_with_each_number_of_others_are_all_with_any(en: Asked) -> None:
    """Sessions with exactly one, two, ... checks are together those that are not without a check."""
    numbers = [en.figure(f"how many sessions have exactly {count} checks") for count in (1, 2, 3)]
    without = en.figure("how many sessions have no check")
    assert sum(numbers) + without == en.figure("how many sessions are there")
    assert en.figure("how many sessions have at least 2 checks") == sum(numbers[1:])


def test_rows_that_no_column_names_are_counted_by_their_others(hospital: Asked) -> None:
    """Patients, of whom only numbers are known, are those with so many visits; fewer than one is none."""
    figure = hospital.figure
    parts = [figure(f"how many patients had exactly {count} visits") for count in range(1, 4)]
    assert sum(parts) + figure("how many patients had more than 3 visits") == figure(
        "how many patients had at least 1 visit"
    )
    assert figure("how many patients had fewer than 1 visits") == figure("how many patients had no visits")


def test_the_average_over_rows_counts_those_without_any(en: Asked, logistics: Asked) -> None:
    """Rows by the rows that they belong to is the quotient of both counts."""
    sessions = en.figure("how many sessions are there")
    assert en.figure("average checks per session") == pytest.approx(en.figure("number of checks") / sessions)
    claims, clients = logistics.figure("number of claims"), logistics.figure("number of clients")
    assert logistics.figure("average claims per client") == pytest.approx(claims / clients)


@for_each(
    "spans, first, second",
    [
        ("last 7 days vs the 7 days before", "from sep 14 to sep 20", "from sep 7 to sep 13"),
        ("last 30 days vs the previous 30 days", "from aug 22 to sep 20", "from jul 23 to aug 21"),
        ("sep 1-10 vs aug 1-10", "from sep 1 to sep 10", "from aug 1 to aug 10"),
        ("june 2026 vs q3 2026", "in june 2026", "in q3 2026"),
        ("jul vs aug", "in july", "in august"),
    ],
)
def test_two_spans_have_each_their_figure(en: Asked, spans: str, first: str, second: str) -> None:
    """Spans that are compared are never added up: both figures are those of the spans asked for alone."""
    rows = en.rows(f"number of sessions {spans}")
    shown = {cell for row in rows for cell in row if isinstance(cell, int)}
    assert shown >= {en.figure(f"number of sessions {first}"), en.figure(f"number of sessions {second}")}


def test_spans_that_overlap_are_not_compared(en: Asked) -> None:
    """Of spans that share days rows would be counted in only one of them, so the question comes back."""
    assert Parser(en.dataset).read("tickets 2025 vs q1 2025", TODAY).question is not None


@for_each(
    "question",
    [
        "when was the last failed check and on which target",
        "the last failed check: when was it, and which target",
    ],
)
def test_the_last_row_is_told_with_what_else_is_asked(en: Asked, question: str) -> None:
    """The time of the last row comes with the columns asked for, of that very row."""
    latest = en.gold("SELECT ran_at, target FROM check_run WHERE status <> 'done' ORDER BY ran_at DESC LIMIT 1")[0]
    assert set(latest) <= set(en.rows(question)[0])


@for_each("question", ["slowest check on average", "how long does the slowest check take on average"])
def test_the_slowest_on_average_is_a_name(en: Asked, question: str) -> None:
    """Names are ranked by the average of their rows, and not by the longest single row."""
    gold = en.gold("SELECT check_id FROM check_run GROUP BY 1 ORDER BY avg(seconds) DESC LIMIT 1")
    assert en.rows(question)[0][0] == gold[0][0]


@for_each("ties", [" incl ties", " including ties"])
def test_ties_count_whether_said_or_not(en: Asked, ties: str) -> None:
    """Ranks include ties, so saying so changes nothing."""
    assert en.intent(f"top 5 modules by tickets{ties}") == en.intent("top 5 modules by tickets")


def test_a_share_in_each_group_is_of_that_group(en: Asked, zh: Asked) -> None:
    """The critical part of each category is of its own tickets; each category's part of the critical ones is of all."""
    within = {row[0]: row[-1] for row in en.rows("share of critical tickets in each category")}
    among = en.rows("share of each category in critical tickets")
    lock = en.gold("SELECT avg((severity = 'critical')::int) FROM tk WHERE category = 'LOCK'")[0][0]
    assert within["LOCK"] == pytest.approx(lock, rel=0.05)
    assert sum(row[-1] for row in among) == pytest.approx(1)
    assert {row[0]: row[-1] for row in zh.rows("各类别里严重工单的占比")} == within


def test_a_time_that_follows_is_still_that_of_what_is_not_there(en: Asked) -> None:
    """After causes without tickets in one year, another year asks for causes without tickets in that one."""
    first = "how many causes had no tickets in 2025"
    assert en.figure("and in 2024?", first) == en.figure("how many causes had no tickets in 2024")


@for_each(
    "question", ["causes with no tickets in 2026", "sessions with no failed checks", "which sessions had 3 checks"]
)
def test_what_is_not_there_is_said(en: Asked, question: str) -> None:
    """The conditions on other rows are told in both languages."""
    said = [
        as_line(understand(en.intent(question), None, en.dataset, Words(each)), Words(each)) for each in ("zh", "en")
    ]
    assert said[0] != said[1]
    assert "2026" in said[1] or "check" in said[1]
