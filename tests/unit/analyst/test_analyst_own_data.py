"""dbdiag's own dataset: what it knows and did can be asked about."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from dbdiag.analyst.v1.analyst_types import AskRequest
from dbdiag.vocabulary import Verdict

from gateway.analysis.answer import fold
from gateway.session.ledger import LedgerEntry, Session
from gateway.session.session_rows import session_rows
from gateway.session.set_aside import Closing
from gateway.session.store import SessionStore, StoredSession
from services.analyst.analyst import Analyst
from services.analyst.datasets.own_dataset import own_dataset
from services.analyst.execution.runner import Runner
from services.analyst.linting.layer_lint import lint_layer
from services.analyst.open_dataset import open_layer
from services.analyst.queries.compiler import compile_intent
from services.analyst.questions.parser import Parser
from services.analyst.semantic.reading_values import open_dataset
from tests.support.cases import for_each
from tests.support.data.own_questions import knowledge, open_own

pytestmark = pytest.mark.sampled

_TODAY = dt.date(2025, 7, 15)
_START = dt.datetime(2025, 7, 1, tzinfo=dt.UTC).timestamp()


def conversations() -> list[Session]:
    """Six sessions: those with an even number were closed, after ten minutes for each number."""
    made = []
    for number in range(6):
        start = _START + number * 86_400
        session = Session(f"s{number}", start, start + 60, turn=3 + number, target_id="shop")
        session.ledger = [
            LedgerEntry(1, 1, 1, "P-0021", Verdict.CONFIRMED, 1.0, "locks"),
            LedgerEntry(2, 1, 2, "P-0025", Verdict.DENIED, 1.0, "", retracted_turn=3 if number == 5 else None),
            LedgerEntry(3, 1, 2, "P-0023", Verdict.CONFIRMED, 1.0, "", origin="collected", check_id="pg.locks"),
        ]
        if number % 2 == 0:
            session.closings = [Closing(1, 3, "RC-0001", "p", start + 600 * (number + 1))]
        made.append(session)
    return made


@pytest.fixture
async def runner() -> AsyncIterator[Runner]:
    """A runner over the own dataset."""
    snapshot, records = knowledge()
    _, sources = own_dataset(snapshot, "zh", records, session_rows(conversations()))
    runner = Runner(sources)
    yield runner
    await runner.close()


def test_sessions_become_rows() -> None:
    """A session is one row with its length, an entry one of evidence, and a check one for each turn that ran it."""
    rows = session_rows(conversations())
    assert [row["minutes"] for row in rows["session"]] == [10, 1, 30, 1, 50, 1]
    assert len(rows["evidence"]) == 18
    assert [row["run_id"] for row in rows["check_run"]] == [f"s{number}/2/pg.locks" for number in range(6)]


async def test_the_store_lists_its_sessions(tmp_path: Path) -> None:
    """All stored sessions come back, the oldest first."""
    store = SessionStore(f"sqlite:///{tmp_path / 'sessions.db'}")
    await store.start()
    for session in reversed(conversations()):
        await store.commit(StoredSession(session))
    assert [session.session_id for session in await store.sessions()] == [f"s{number}" for number in range(6)]
    await store.close()


async def test_the_layer_has_no_error(runner: Runner) -> None:
    """The own layer fits its tables: each metric runs, no join multiplies, no word means two things."""
    snapshot, _ = knowledge()
    layer, _ = own_dataset(snapshot)
    errors = [one for one in await lint_layer(layer, runner, _TODAY) if one.severity == "error"]
    assert [(one.key, one.message.text()) for one in errors] == []


# A question and its figure; None for any above zero.
_QUESTIONS = {
    "有多少种根因": None,
    "上个月的工单数": None,
    "死锁的工单有多少": None,
    "how many critical tickets are there": None,
    "结案率": 0.5,
    "平均定位时长是多少": 30.0,
    "average time to cause": 30.0,
    "有多少条被否认的证据": 5,
    "撤回的证据数": 1,
    "检查次数": 6,
    "number of sessions in July 2025": 6,
    "how many sessions ended without a conclusion": 3,
    "有多少会话没有结论": 3,
    "how many tickets mention autovacuum": None,
    "磁盘满的原因有几种": None,
    "周末出的故障多不多": None,
    "凌晨的故障占几成": None,
    "缺索引的工单有多少": None,
    "how many incidents were caused by long transactions": None,
    "average number of turns for sessions that found a cause": 5.0,
    "how many p1 tickets in 2025": None,
}


async def test_questions_are_answered(runner: Runner) -> None:
    """A plain question about the own data is read by rules and answered with a figure, known ones exactly."""
    snapshot, records = knowledge()
    layer, _ = own_dataset(snapshot)
    dataset = await open_dataset(layer, runner)
    parser = Parser(dataset)
    march = sum(str(record["metadata"]["created_at"]).startswith("2025-03") for record in records)
    for question, figure in {**_QUESTIONS, "2025年3月有多少工单": march}.items():
        reading = parser.read(question, _TODAY)
        assert reading.intent is not None, question
        rows = await runner.run(compile_intent(reading.intent, dataset, _TODAY)[0].sql)
        found = rows.rows[0][0]
        assert isinstance(found, int | float), question
        assert found == figure if figure is not None else found > 0, question


async def test_names_are_in_the_language_asked_for() -> None:
    """Causes and phenomena have their names in the dataset's language; the others are still understood."""
    snapshot, _ = knowledge()
    english, _ = own_dataset(snapshot, "en")
    values = english.dimension("cause").values
    assert "RC-0001" in values["A forgotten transaction holds row locks, others queue"]
    assert any("锁" in word for word in values["A forgotten transaction holds row locks, others queue"])


async def told(question: str, language: str = "zh") -> str:
    """The sentence of the own data without any session."""
    snapshot, records = knowledge()
    layer, sources = own_dataset(snapshot, language, records)
    opened = await open_layer(layer, sources)
    try:
        answer = await fold(Analyst(lambda: _TODAY).ask(AskRequest("dbdiag", question, ""), opened))
    finally:
        await opened.close()
    return answer.message


@pytest.mark.parametrize(
    ("question", "language", "words"),
    [
        ("哪个根因花的时间最长", "zh", ("还没有任何会话的记录", "工单 {tickets}")),
        ("which cause took longest to find", "en", ("Nothing is recorded of sessions yet", "{tickets} tickets")),
        ("avg time to resolve for lock tickets", "en", ("Nothing is recorded of sessions yet",)),
    ],
)
async def test_without_any_row_it_says_what_there_is(question: str, language: str, words: tuple[str, ...]) -> None:
    """A question about rows of which none is recorded yet names them, and what can be asked about instead."""
    message = await told(question, language)
    tickets = len(knowledge()[0]["tickets"])
    assert all(word.format(tickets=tickets) in message for word in words)


@pytest.mark.parametrize(
    ("question", "language", "column"),
    [
        ("上次死锁的工单是怎么处理的", "zh", "处理办法"),
        ("what was done in the last wraparound ticket", "en", "what was done"),
    ],
)
async def test_one_row_is_told_in_the_sentence(question: str, language: str, column: str) -> None:
    """A single row is told by its columns, and not only counted."""
    message = await told(question, language)
    assert column in message
    assert "TK-" in message


@pytest.mark.slow
async def test_the_first_of_a_ranking_is_named_in_the_sentence() -> None:
    """A ranking of one tells who leads, by its name and figure."""
    assert "排第一的根因类别是" in await told("去年哪类问题最多")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "language", "words"),
    [("去年有多少工单，画个图", "zh", "画不成图"), ("draw the number of tickets in 2025", "en", "makes no chart")],
)
async def test_one_figure_is_not_drawn_and_says_so(question: str, language: str, words: str) -> None:
    """A picture of a single figure is declined with what would make one; a figure over time is simply drawn."""
    assert words in await told(question, language)
    assert words not in await told(f"{question} {'按月' if language == 'zh' else 'by month'}", language)


@pytest.mark.parametrize(
    "question",
    [
        "which tickets took more than 4 hours",
        "longest incident in 2025",
        "how long do incidents take by severity",
        "哪类工单处理得最慢",
        "连接泄漏的工单平均处理多久",
    ],
)
async def test_a_length_that_rows_do_not_have_is_refused(question: str, runner: Runner) -> None:
    """Tickets carry no length of time: no count of theirs stands in for it, and what has a length is named."""
    dataset = await open_dataset(own_dataset(knowledge()[0])[0], runner)
    reading = Parser(dataset).read(question, _TODAY)
    assert reading.refusal is not None
    assert reading.refusal.key == "question_unanswerable.no_length"


@pytest.mark.slow
async def test_words_that_are_meant_as_written_are_not_mended(runner: Runner) -> None:
    """Words that stand in order in some name are no misspelling of another name that sounds alike."""
    reading = Parser(await open_dataset(own_dataset(knowledge()[0])[0], runner)).read("磁盘满的工单有多少", _TODAY)
    assert reading.intent is not None
    assert not reading.intent.filters
    assert [topic.words for topic in reading.intent.topics] == ["磁盘满"]


@pytest.mark.parametrize(
    ("question", "column"), [("tickets with more than 4 symptoms", "phenomenon_count"), ("the last 10 tickets", "")]
)
async def test_rows_are_listed_by_what_was_said_of_them(question: str, column: str, runner: Runner) -> None:
    """A number of what a column counts narrows the rows, and the last rows are the newest."""
    reading = Parser(await open_dataset(own_dataset(knowledge()[0])[0], runner)).read(question, _TODAY)
    assert reading.intent is not None
    assert reading.intent.listing == "ticket"
    assert [one.dimension for one in reading.intent.filters] == ([column] if column else [])
    assert column or (reading.intent.order is not None and reading.intent.order.over == "time")


@pytest.mark.slow
async def test_a_share_is_of_what_is_not_narrowed(runner: Runner) -> None:
    """The share of the tickets at an hour is of all whose hour is known, and that of a topic is of all tickets."""
    dataset = await open_dataset(own_dataset(knowledge()[0])[0], runner)
    for question in ("凌晨的工单占比", "what share of the tickets is about autovacuum", "周末的工单占比"):
        reading = Parser(dataset).read(question, _TODAY)
        assert reading.intent is not None
        part, share = (await runner.run(compile_intent(reading.intent, dataset, _TODAY)[0].sql)).rows[0]
        assert isinstance(part, int)
        assert isinstance(share, float)
        assert 0 < share < 1
        assert part / share <= len(knowledge()[1]) + 0.5


@pytest.mark.slow
async def test_a_distribution_counts_rows(runner: Runner) -> None:
    """ "The distribution of severities" is a count for each, and a count before "by" is of the rows before it."""
    dataset = await open_dataset(own_dataset(knowledge()[0])[0], runner)
    for question, splits in (
        ("show the distribution of severities", ("severity",)),
        ("incident count by quarter and severity", ("severity",)),
    ):
        intent = Parser(dataset).read(question, _TODAY).intent
        assert intent is not None
        assert [one.metric for one in intent.measures] == ["tickets"]
        assert intent.dimensions == splits


@pytest.mark.slow
@for_each(
    ("question", "answer"),
    [
        ("what were the 3 most common causes last quarter", "the 3 first"),
        ("most common cause last quarter", "the first"),
        ("do we get more tickets on weekends or on weekdays?", "two parts"),
        ("出事更多的是周末还是工作日", "two parts"),
        ("at which hour of the day do most incidents start", "each hour"),
        ("tickets opened between 10pm and 6am", "rows"),
        ("晚上十点以后到早上六点前的工单有哪些", "rows"),
        ("一共有多少个严重级别是 critical 的工单", "tickets of a severity"),
    ],
    every=4,
)
def test_parts_of_the_day_and_places_are_read(question: str, answer: str) -> None:
    """A number before the commonest is how many; parts that are compared split, a part or a value limits the rows."""
    dataset, connection = open_own("zh" if "的" in question else "en")
    connection.close()
    intent = Parser(dataset).read(question, _TODAY).intent
    assert intent is not None
    shape = {
        "the 3 first": intent.limit == 3 and bool(intent.dimensions),
        "the first": intent.limit == 1 and bool(intent.dimensions),
        "two parts": [len(band.weekdays) for band in intent.time.bands] == [2, 5],
        "each hour": intent.time.part == "hour",
        "tickets of a severity": [one.metric for one in intent.measures] == ["tickets"] and bool(intent.filters),
        "rows": intent.listing == "ticket" and intent.time.hours == (22, 23, 0, 1, 2, 3, 4, 5),
    }
    assert shape[answer], intent


@pytest.mark.slow
def test_rows_without_a_time_are_of_no_first_day() -> None:
    """The day with the most tickets is a day, however many tickets have none."""
    dataset, connection = open_own("en")
    with connection:
        intent = Parser(dataset).read("which day had the most tickets", _TODAY).intent
        assert intent is not None
        statement = compile_intent(intent, dataset, _TODAY)[0].sql
        assert connection.execute("SELECT count(*) FROM ticket WHERE opened_at IS NULL").fetchone() != (0,)
        assert all(row[0] is not None for row in connection.execute(statement).fetchall())
