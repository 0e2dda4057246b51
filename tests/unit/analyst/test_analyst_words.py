"""How people word questions: parts of texts, versions, nobody's names, fillers, and what a definition leaves out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import duckdb
import pytest

from services.analyst.queries.compiler import compile_intent
from services.analyst.questions.intent import Filter, Intent, Reading
from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Dataset
from tests.support import warehouse
from tests.support.cases import for_each
from tests.support.own_questions import TODAY, open_own

Read = Callable[[str], Reading]


@pytest.fixture(scope="module")
def own() -> tuple[Dataset, duckdb.DuckDBPyConnection]:
    """dbdiag's own data, and its tables."""
    return open_own("en")


@pytest.fixture(scope="module")
def read(own: tuple[Dataset, duckdb.DuckDBPyConnection]) -> Read:
    """Reads a question about the own data."""
    parser = Parser(own[0])
    return lambda question: parser.read(question, TODAY)


def intent_of(reading: Reading, question: str) -> Intent:
    """The intent of a question that is understood."""
    assert reading.intent is not None, (question, reading.question, reading.refusal)
    return reading.intent


@for_each(
    ("question", "column", "text"),
    [
        ("描述里带 死锁 俩字的工单有多少", "description", "死锁"),
        ("处理办法里写了扩容的工单列一下", "solution", "扩容"),
        ("原因说明中提到“连接池”的单子按月统计", "finding", "连接池"),
        ("描述包含 out of memory 的工单几张", "description", "out of memory"),
        ("how many tickets have a description that mentions checkpoint", "description", "checkpoint"),
        ("tickets whose solution contains the word 'vacuum' in 2025", "solution", "vacuum"),
        ("list tickets with failover in the description", "description", "failover"),
    ],
)
def test_a_text_is_looked_for_in_its_column(read: Read, question: str, column: str, text: str) -> None:
    """What a column of text shall say is a condition on it, whatever else its words mean."""
    assert intent_of(read(question), question).filters == (Filter(column, "says", (text,)),)


@for_each("question", ["描述里没提到死锁的工单有几张", "how many tickets don't mention 死锁 in their description"])
def test_a_text_that_is_denied_is_not_there(
    read: Read, own: tuple[Dataset, duckdb.DuckDBPyConnection], question: str
) -> None:
    """Rows without the text, also those without any text, are the rest of all rows."""
    dataset, connection = own
    with_text = intent_of(read("描述里提到死锁的工单有几张"), question)
    counts = [
        connection.execute(compile_intent(one, dataset, TODAY)[0].sql).fetchone()
        for one in (with_text, intent_of(read(question), question), intent_of(read("how many tickets"), question))
    ]
    found, denied, total = (row[0] for row in counts if row is not None)
    assert 0 < found < total
    assert found + denied == total


@for_each("question", ["处理办法有哪些", "list the solutions", "what was the description of the last ticket"])
def test_a_column_that_is_asked_for_says_nothing(read: Read, question: str) -> None:
    """Words that ask are no text to look for."""
    assert all(one.operator != "says" for one in intent_of(read(question), question).filters)


@for_each("text", ["100%", "a_b", "it's", "c\\d"])
def test_signs_of_patterns_are_meant_as_written(
    read: Read, own: tuple[Dataset, duckdb.DuckDBPyConnection], text: str
) -> None:
    """A sign that means something in a pattern finds only itself."""
    dataset, connection = own
    intent = Intent(listing="ticket", filters=(Filter("description", "says", (text,)),))
    found = connection.execute(compile_intent(intent, dataset, TODAY)[0].sql).fetchall()
    wanted = connection.execute("SELECT count(*) FROM ticket WHERE contains(lower(description), ?)", [text]).fetchone()
    assert wanted is not None
    assert len(found) == wanted[0]


@for_each(
    ("question", "version"),
    [
        ("how many tickets on version 16", "16"), ("pg15 的工单有多少", "15"), ("PostgreSQL 14 上的工单有几张", "14"),
        ("tickets count for version 16.2", "16.2"), ("how many v13 tickets", "13"), ("15 大版本的单子几张", "15"),
    ],
)  # fmt: skip
def test_a_version_is_all_that_begins_with_it(
    read: Read, own: tuple[Dataset, duckdb.DuckDBPyConnection], question: str, version: str
) -> None:
    """A number beside a column of versions, or beside what has one, means that version and those below it."""
    row = own[1].execute(compile_intent(intent_of(read(question), question), own[0], TODAY)[0].sql).fetchone()
    sql = "SELECT count(*) FROM ticket WHERE version = ? OR starts_with(version, ? || '.')"
    assert row == own[1].execute(sql, [version, version]).fetchone()


@for_each("question", ["前15个现象", "top 14 modules by tickets", "现象超过 3 个的工单"])
def test_a_plain_number_is_no_version(read: Read, question: str) -> None:
    """A number that counts or limits names no value, though a column has it as one."""
    assert all(one.dimension != "version" for one in intent_of(read(question), question).filters)


@for_each(
    "question",
    [
        "谁处理的工单最多",
        "who reported TK-A001",
        "工单都是谁提的",
        "which engineer closed the most tickets",
        "八月是谁值班",
        "whom was TK-A001 assigned to",
    ],
)
def test_who_is_refused_where_no_person_is_recorded(read: Read, question: str) -> None:
    """Data without a column about persons cannot tell who, and says what it has."""
    refusal = read(question).refusal
    assert refusal is not None
    assert refusal.key == "question_unanswerable.no_persons"


def test_who_is_a_question_where_persons_are_recorded() -> None:
    """Rows of customers or employees are persons, and "whose" after rows says of which."""
    reading = warehouse.parser().read("谁的销售额最高")
    assert reading.refusal is None or reading.refusal.key != "question_unanswerable.no_persons"
    assert Parser(open_own("zh")[0]).read("tickets whose severity is high", TODAY).intent is not None


@for_each(
    ("plain", "colloquial"),
    [
        ("今年的工单数", "话说今年的工单数大概是多少来着"),
        ("各模块的工单数", "帮我捞一下各模块的工单数呗"),
        ("今年有多少工单", "今年到目前为止一共报了多少单子"),
        ("top 5 modules by tickets", "top 5 modules by tickets incl ties"),
        ("工单最多的前3个模块", "工单最多的前3个模块，第3名并列的也算"),
        ("how many tickets this year", "btw roughly how many tix have we got this yr"),
        ("number of tickets by severity", "hello, let me know the number of tickets by severity at the moment"),
        ("which category had the most tickets in 2025", "wich category had the most tix in 2025"),
    ],
)
def test_words_that_say_nothing_change_nothing(read: Read, plain: str, colloquial: str) -> None:
    """A question with words of courtesy, chat or equal ranks asks what it asks without them."""
    assert intent_of(read(colloquial), colloquial) == intent_of(read(plain), plain)


@for_each(
    ("question", "column"),
    [
        ("不写版本的工单有几张", "version"), ("模块没标的工单列一下", "module"), ("没有注明严重程度的工单", "severity"),
        ("how many tickets dont say which database version", "version"),
        ("tickets where the module isn't given", "module"),
        ("tickets w/o a solution", "solution"), ("how many tickets don't state a severity", "severity"),
    ],
)  # fmt: skip
def test_what_is_not_written_is_empty(read: Read, question: str, column: str) -> None:
    """Not saying, stating or noting a column means that it is empty."""
    assert intent_of(read(question), question).filters == (Filter(column, "null"),)


@for_each(
    ("question", "limit"),
    [
        ("聊了一个多小时的会话有几个", 60.0), ("聊了 20 多分钟的会话有几个", 20.0),
        ("how many sessions took over an hour", 60.0),
    ],
)  # fmt: skip
def test_and_some_more_is_above(read: Read, question: str, limit: float) -> None:
    """一个多小时 is a limit that is exceeded."""
    (having,) = intent_of(read(question), question).having
    assert (having.operator, having.values) == (">", (limit,))


@for_each("question", ["worst month ever", "哪个月最惨", "which month was the worst for us"])
def test_the_worst_is_the_most_of_what_is_bad(read: Read, question: str) -> None:
    """Where the layer says that less of the default figure is better, the worst has the most of it."""
    intent = intent_of(read(question), question)
    assert intent.measures[0].metric == "tickets"
    assert intent.order is not None
    assert intent.order.descending


@for_each(
    "question",
    ["哪个模块最容易出问题", "周几最容易出事", "which module breaks the most", "一共多少单", "各月开了多少单"],
)
def test_the_main_count_is_meant_where_nothing_else_is_named(read: Read, question: str) -> None:
    """Words for what happened, and for how often, mean the default figure."""
    assert [one.metric for one in intent_of(read(question), question).measures] == ["tickets"]


@for_each(
    ("question", "metric", "filters"),
    [
        ("how many different causes did the closed sessions land on", "session_causes", {"closed"}),
        ("今年的会话一共查出了多少种不同的根因", "session_causes", set()),
        ("how many different causes did critical tickets have", "ticket_causes", {"severity"}),
    ],
)
def test_different_ones_are_counted_among_the_rows_that_point_at_them(
    read: Read, question: str, metric: str, filters: set[str]
) -> None:
    """Different causes of sessions are those that sessions have, under the conditions that name the sessions."""
    intent = intent_of(read(question), question)
    assert [one.metric for one in intent.measures] == [metric]
    assert {one.dimension for one in intent.filters} == filters


@for_each(
    ("question", "filters"),
    [
        ("how many cancelled orders", {"in"}),
        ("取消的订单有多少", {"in"}),
        ("how many orders including cancelled ones", set()),
    ],
)
def test_a_count_of_what_its_definition_leaves_out_is_of_all_rows(question: str, filters: set[str]) -> None:
    """Rows that a figure leaves out are not zero: the plain count takes its place, and the default condition goes."""
    retail = warehouse.retail()
    left_out = {"default_filters": ("sales_order.status <> 'cancelled'",)}
    metrics = tuple(one.model_copy(update=left_out) if one.id == "orders" else one for one in retail.layer.metrics)
    dataset = replace(retail, layer=retail.layer.model_copy(update={"metrics": metrics}))
    intent = intent_of(Parser(dataset).read(question, TODAY), question)
    assert [one.table for one in intent.measures] == ["sales_order"]
    assert {one.operator for one in intent.filters} == filters


def test_another_figure_of_what_its_definition_leaves_out_is_asked_about() -> None:
    """A sum over rows that its definition leaves out has no plain meaning."""
    reading = warehouse.parser().read("revenue of cancelled orders")
    assert reading.question is not None
    assert reading.question.key == "unclear.left_out_by_definition"


@for_each("question", ["各渠道各多少单", "每个渠道各有几单"])
def test_each_how_many_is_a_count(question: str) -> None:
    """各 with a word for a number asks for a count of each."""
    intent = intent_of(warehouse.parser().read(question), question)
    assert [one.metric for one in intent.measures] == ["orders"]
    assert intent.dimensions == ("channel",)


@for_each(
    "question",
    [
        "平均每次会话收集多少条证据",
        "how many pieces of evidence does a session have on average",
        "average evidence per session",
        "avg pieces of evidence per session not counting retracted ones",
    ],
)
def test_an_average_over_rows_is_the_ratio_that_says_so(read: Read, question: str) -> None:
    """The mean number of rows per row of another table is the ratio of the layer with that denominator."""
    assert [one.metric for one in intent_of(read(question), question).measures] == ["evidence_per_session"]
