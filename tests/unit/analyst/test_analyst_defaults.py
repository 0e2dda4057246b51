"""Questions that name no figure, no row or no exact value, over the repairs of a workshop."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from services.analyst.queries.compiler import compile_intent
from services.analyst.questions.intent import Intent, Reading
from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.loading import read_layer
from services.analyst.team.structured_intent import StructuredIntent, from_json, to_json
from services.chassis.errors import InvalidInput
from services.chassis.messages import Message
from tests.support.cases import for_each
from tests.support.data import warehouse
from tests.support.data.warehouse.scoring import matches

_TODAY = dt.date(2026, 6, 15)
_LAYER = (Path(warehouse.__file__).parents[1] / "workshop" / "layer.yaml").read_text("utf-8")
_TABLES = """
CREATE TABLE defect AS SELECT * FROM (VALUES
  (1, 'Worn brake pads', 'BRAKES'), (2, 'Brake cable torn', 'BRAKES'), (3, 'Bent wheel', 'WHEELS'),
  (4, 'Flat battery', 'POWER')) AS t (defect_id, name, kind);
CREATE TABLE part AS SELECT * FROM (VALUES (1, 'Brake lever'), (2, 'Spoke'), (3, 'Saddle')) AS t (part_id, name);
CREATE TABLE repair AS SELECT * FROM (VALUES
  (10, 1, 'urgent', 'paint', 'new pads', TIMESTAMP '2025-03-01 23:10:00', 23),
  (11, 1, 'normal', 'brakes', 'pads again', TIMESTAMP '2026-02-07 10:00:00', 10),
  (12, 2, 'normal', 'brakes', 'new cable', TIMESTAMP '2026-03-02 02:30:00', 2),
  (13, 3, 'urgent', 'paint', 'new rim', TIMESTAMP '2026-04-05 00:00:00', NULL),
  (14, 3, 'normal', 'paint', 'trued it', TIMESTAMP '2025-05-05 15:00:00', 15))
  AS t (repair_id, defect_id, priority, bench, remedy, opened_at, opened_hour);
CREATE TABLE part_used AS SELECT * FROM (VALUES (10, 1), (13, 2), (14, 2)) AS t (repair_id, part_id);
CREATE TABLE call AS SELECT * FROM (VALUES (1, 1, TIMESTAMP '2026-01-01', 4.0), (2, 3, TIMESTAMP '2026-01-02', 9.0))
  AS t (call_id, defect_id, called_at, minutes);
"""


@dataclass(frozen=True)
class Workshop:
    """The dataset and its tables."""

    dataset: Dataset
    connection: duckdb.DuckDBPyConnection

    def read(self, question: str, previous: Intent | None = None) -> Reading:
        """How a question is read."""
        return Parser(self.dataset).read(question, _TODAY, previous)

    def answers(self, question: str, *rows: tuple[object, ...]) -> bool:
        """True if the statement of a question gives these rows, in any order and among its columns."""
        intent = self.read(question).intent
        assert intent is not None, question
        assert from_json(StructuredIntent.model_validate(to_json(intent)), self.dataset, _TODAY).topics == intent.topics
        sql = compile_intent(intent, self.dataset, _TODAY)[0].sql
        return matches(self.connection.execute(sql).fetchall(), rows)


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    """The workshop, open."""
    with duckdb.connect() as connection:
        connection.execute(_TABLES)
        yield Workshop(warehouse.describe(connection, read_layer(_LAYER)), connection)


@for_each(
    "question", ["今年最常见的缺陷是啥", "most common defect this year", "which defect came up most often in 2026"]
)
def test_a_ranking_without_a_figure_counts_what_the_layer_says(workshop: Workshop, question: str) -> None:
    """Where a layer has a default metric, a ranking that names no figure is by it, and says so."""
    rows = (("Worn brake pads", 1), ("Brake cable torn", 1), ("Bent wheel", 1))
    assert workshop.answers(question, *rows)


@pytest.mark.parametrize("question", ["最差的缺陷是哪个", "which defect is worst"])
def test_the_worst_is_asked_about(workshop: Workshop, question: str) -> None:
    """A judgement has no default figure."""
    assert workshop.read(question).intent is None


def test_without_a_default_metric_the_figure_is_asked_for(workshop: Workshop) -> None:
    """A layer that names no default metric leaves a ranking without a figure to the person."""
    layer = workshop.dataset.layer.model_copy(update={"default_metric": ""})
    bare = Workshop(warehouse.describe(workshop.connection, layer), workshop.connection)
    assert bare.read("most common defect this year").question is not None


def test_a_default_metric_must_be_one() -> None:
    """A default metric that is no id of a metric is an error of the layer."""
    with pytest.raises(InvalidInput, match="default_metric"):
        read_layer(_LAYER.replace("default_metric: repairs", "default_metric: profit"))


@for_each(
    ("question", "count"),
    [
        ("how often did we have worn brake pads since 2025", 2), ("how many worn brake pads this year", 1),
        ("今年刹车片磨损出过几次", 1), ("轮圈变形一共出过多少次", 2),
    ],
)  # fmt: skip
def test_how_often_something_named_happened_counts_events(workshop: Workshop, question: str, count: int) -> None:
    """A named defect is one row; how often it happened is the number of repairs with it, at their time."""
    assert workshop.answers(question, (count,))


@for_each(
    ("question", "repairs"),
    [
        ("list the repairs about brake", (10, 11, 12)), ("the brake cable repairs", (12,)),
        ("刹车相关的维修单列一下", (10, 11, 12)), ("repairs related to bent wheel", (13, 14)),
    ],
)  # fmt: skip
def test_a_topic_is_found_in_the_names_of_values(workshop: Workshop, question: str, repairs: tuple[int, ...]) -> None:
    """Words beside "about" or before the rows are looked for in the names of listed values, also of joined rows."""
    assert workshop.answers(question, *((one,) for one in repairs))


@for_each("question", ["repairs about chain", "list the repairs for Mr Miller", "profit repairs"])
def test_a_topic_that_no_value_has_is_asked_about(workshop: Workshop, question: str) -> None:
    """Words that are in no name stay unknown."""
    assert workshop.read(question).intent is None


@for_each(
    ("question", "row"),
    [
        ("what was done in the last bent wheel repair", (13, "new rim")),
        ("how was the last worn brake pads repair fixed", (11, "pads again")),
        ("上次轮圈变形的维修单是怎么处理的", (13, "new rim")), ("最近一次刹车线断是怎么处理的", (12, "new cable")),
        ("what was the last wheels repair about", (13, "new rim")), ("the oldest repair", (10,)),
        ("第一张维修单是什么时候开的", (dt.datetime(2025, 3, 1, 23, 10),)),
        ("上次刹车片磨损是什么时候", (dt.datetime(2026, 2, 7, 10),)), ("when did we last see a flat battery", (None,)),
    ],
)  # fmt: skip
def test_the_last_one_is_shown_with_what_was_asked(workshop: Workshop, question: str, row: tuple[object, ...]) -> None:
    """The first or last of the rows with a value: their time where that is asked for, else the row and the column."""
    assert workshop.answers(question, row)


@for_each(
    ("question", "names"),
    [
        ("which parts were never used", ("Saddle",)), ("哪些缺陷从来没出过维修单", ("Flat battery",)),
        ("哪些缺陷从来没人报过", ("Flat battery",)), ("今年一次都没发生过的缺陷", ("Flat battery",)),
        ("defects that have no repairs", ("Flat battery",)),
    ],
)  # fmt: skip
def test_what_never_happened_is_what_nothing_points_at(
    workshop: Workshop, question: str, names: tuple[str, ...]
) -> None:
    """Rows without any row of the default figure's kind that points at them, within the time that is named."""
    assert workshop.answers(question, *((one,) for one in names))


@pytest.mark.parametrize(
    ("question", "count"), [("how many defects have no repairs", 1), ("有几个缺陷从来没人报过", 1)]
)
def test_what_never_happened_is_counted(workshop: Workshop, question: str, count: int) -> None:
    """The same rows as a number."""
    assert workshop.answers(question, (count,))


@pytest.mark.parametrize("question", ["哪些缺陷只出现过一次", "defects that came up only once"])
def test_what_happened_once_is_listed(workshop: Workshop, question: str) -> None:
    """Rows that exactly one row points at."""
    assert workshop.answers(question, ("Brake cable torn", 1))


@for_each(
    ("question", "rows"),
    [
        ("晚上的维修单多还是白天多", (("晚上", 2), ("白天", 2))),
        ("repairs at night vs during the day", (("night", 2), ("during the day", 2))),
        ("do most repairs come at night", (("night", 2), ("at other times", 2))),
        ("周末和工作日的维修单各多少", (("周末", 3), ("工作日", 2))),
    ],
)  # fmt: skip
def test_parts_of_the_day_and_week_are_compared(
    workshop: Workshop, question: str, rows: tuple[tuple[object, ...], ...]
) -> None:
    """Each part that is named is a row; rows that have only a date are of no hour."""
    assert workshop.answers(question, *rows)


@for_each(
    ("question", "count"),
    [("how many repairs after midnight", 1), ("下午的维修单有多少", 1), ("number of repairs opened at night", 2)],
)
def test_one_part_of_the_day_is_a_condition(workshop: Workshop, question: str, count: int) -> None:
    """A single band narrows the rows, by the column that has the hour."""
    assert workshop.answers(question, (count,))


@for_each(
    ("question", "now", "before"),
    [
        ("did we have more repairs in 2026 than in 2025", 3, 2), ("2026 年的维修单是不是比 2025 年多了", 3, 2),
        ("are repairs going up compared with last year", 3, 2), ("今年的维修单比去年多吗", 3, 2),
    ],
)  # fmt: skip
def test_more_or_less_shows_both_figures(workshop: Workshop, question: str, now: int, before: int) -> None:
    """A comparison that wants a yes or no gives both periods."""
    intent = workshop.read(question).intent
    assert intent is not None
    cells = workshop.connection.execute(compile_intent(intent, workshop.dataset, _TODAY)[0].sql).fetchall()
    assert {now, before} <= {cell for row in cells for cell in row}


@pytest.mark.parametrize("question", ["前年和去年的维修单数", "how many repairs in 2024 and 2025"])
def test_two_years_are_two_periods(workshop: Workshop, question: str) -> None:
    """ "The year before last and last year" names two years and compares neither with the one before it."""
    intent = workshop.read(question).intent
    assert intent is not None
    assert [period.start for period in intent.time.periods] == [dt.date(2024, 1, 1), dt.date(2025, 1, 1)]
    assert not intent.time.comparison


@pytest.mark.parametrize(("question", "count"), [("total repairs this year", 3), ("紧急和普通的维修单加起来多少", 5)])
def test_a_total_of_rows_is_their_number(workshop: Workshop, question: str, count: int) -> None:
    """A word for a total directly before rows counts them."""
    assert workshop.answers(question, (count,))


def test_a_condition_is_no_name(workshop: Workshop) -> None:
    """The end of "repairs without a defect" says what rows lack, whatever rows it stands with."""
    layer = workshop.dataset.layer
    unknown = layer.metrics[0].model_copy(
        update={"id": "unknown", "name": layer.metrics[0].name.model_copy(update={"en": "repairs without a defect"})}
    )
    dataset = warehouse.describe(workshop.connection, layer.model_copy(update={"metrics": (*layer.metrics, unknown)}))
    reading = Workshop(dataset, workshop.connection).read("calls without a defect")
    assert reading.intent is not None
    assert reading.intent.listing == "call"


def test_a_secondary_value_yields(workshop: Workshop) -> None:
    """A word that is a value of two dimensions is that of the first one, unless the secondary one is named."""
    assert workshop.answers("number of brakes repairs", (3,))
    assert workshop.answers("number of repairs at bench brakes", (2,))
    assert workshop.answers("number of paint repairs", (3,))


def test_a_share_is_of_the_rows_named_before_it(workshop: Workshop) -> None:
    """The last value is the part, those before it say of which rows; values that stand alone are all the part."""
    assert workshop.answers("what share of the wheels repairs is urgent", (0.5,))
    assert workshop.answers("紧急的维修单占多少", (2, 0.4))
    assert workshop.answers("share of wheels repairs among urgent ones", (0.5,))


def test_a_kind_is_the_column_that_says_so(workshop: Workshop) -> None:
    """ "哪类" before named rows is their column for kinds."""
    assert workshop.answers("哪类缺陷的维修单最多", ("BRAKES", 3))


@pytest.mark.parametrize("question", ["how many brakes", "刹车有几个"])
def test_a_kind_alone_is_asked_about(workshop: Workshop, question: str) -> None:
    """A value that names no row, and no rows beside it, may be counted in two ways."""
    assert isinstance(workshop.read(question).question, Message)


def test_the_rows_of_another_figure_are_read_as_its_own(workshop: Workshop) -> None:
    """ "Call time for wheels repairs": repairs have no such time, calls of that kind have, and the guess is shown."""
    assert workshop.answers("call time for wheels repairs", (9.0,))
    assert any(one.words == "repairs" for one in workshop.read("call time for wheels repairs").guesses)


def test_drawing_keeps_the_question(workshop: Workshop) -> None:
    """Words that only ask for a picture leave the question before as it was."""
    before = workshop.read("number of repairs by kind of defect").intent
    assert workshop.read("画个图", before).intent == before
