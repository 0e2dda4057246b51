"""AnalystService over its contract: answers in parts, errors by reason, and a dataset that stays as it is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from dbdiag.analyst.v1 import analyst_pb2 as pb
from dbdiag.analyst.v1.analyst_pb2_grpc import AnalystServiceStub
from dbdiag.analyst.v1.analyst_types import AskRequest

from gateway.analysis.answer import fold
from gateway.contracts.clients import AnalystClient
from services.analyst.app import AnalystApp
from services.analyst.dataset_registry import read_place, read_places
from services.analyst.settings import AnalystSettings
from services.analyst.sources.source import Source
from services.chassis import channel
from services.chassis.errors import DbdiagError, InvalidInput, NotFound
from services.chassis.server import Host
from services.chassis.settings import ServerSettings
from tests.support.data.game_flow import LAYER
from tests.support.data.game_flow import rows as game_rows


@pytest.fixture
async def opened(games_file: Path, tmp_path: Path) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to an analyst that serves the games company."""
    address = f"unix:{tmp_path}/analyst.sock"
    place = read_place(LAYER, (Source(path=games_file),))
    host = Host([AnalystApp(AnalystSettings(), {place.layer.dataset: place})], ServerSettings(bind=address))
    await host.start()
    try:
        async with channel.connect(address) as one:
            yield one
    finally:
        await host.stop()


def stub_of(opened: grpc.aio.Channel) -> Any:
    """The stub of a channel."""
    return AnalystServiceStub(opened)


async def failure(call: Any) -> DbdiagError:
    """The error that a call ends with."""
    with pytest.raises(DbdiagError) as caught:
        await channel.answered(call, "the analyst")
    return caught.value


async def test_an_answer_comes_in_parts_and_the_sentence_last(opened: grpc.aio.Channel) -> None:
    """Progress and steps, the intent, how it was understood, candidates, rows, then the summary."""
    parts = [part async for part in AnalystClient(opened).ask(AskRequest("games", "今年流水是多少"))]
    kinds = [name for part in parts for name in vars(part) if getattr(part, name) is not None]
    assert kinds[0] == "progress"
    assert kinds[-1] == "summary"
    assert kinds.index("intent") < kinds.index("understood") < kinds.index("candidate") < kinds.index("result")
    agents = [part.step.agent for part in parts if part.step is not None]
    assert agents == ["semantic_parser", "sql_generator", "result_evaluator"]


async def test_datasets_are_listed_with_what_can_be_asked(opened: grpc.aio.Channel) -> None:
    """The list names each dataset, its metrics and dimensions."""
    (found,) = await AnalystClient(opened).datasets()
    assert found.dataset_id == "games"
    assert {"flow", "deferred_profit"} <= set(found.metrics)
    assert found.as_of == "2025-05-20"


async def test_the_only_dataset_needs_no_name_and_an_unknown_one_is_an_error(opened: grpc.aio.Channel) -> None:
    """Without an id the only dataset is asked; a wrong id is not found, and the error names the known ones."""
    answer = await fold(AnalystClient(opened).ask(AskRequest("", "今年流水是多少")))
    assert answer.status == "answered"
    with pytest.raises(NotFound, match="games"):
        await fold(AnalystClient(opened).ask(AskRequest("payroll", "今年流水是多少")))


async def test_bad_requests_are_refused_by_reason(opened: grpc.aio.Channel) -> None:
    """An empty question, a day that is none and a language that is not spoken are the caller's errors."""
    for request in (
        AskRequest("games", " "),
        AskRequest("games", "流水", now="soon"),
        AskRequest("games", "流水", "fr"),
        AskRequest("games", "流水", "", tuple(["流水"] * 21)),
    ):
        with pytest.raises(InvalidInput):
            await fold(AnalystClient(opened).ask(request))


async def test_the_schema_has_types_and_counts(opened: grpc.aio.Channel) -> None:
    """Tables come in name order with their columns, types and counts of rows; an unknown one is an error."""
    call = stub_of(opened).GetSchema(pb.GetSchemaRequest(dataset_id="games"), **channel.outgoing(10))
    tables = (await channel.answered(call, "the analyst")).tables
    assert [table.name for table in tables] == sorted(table.name for table in tables)
    flow = next(table for table in tables if table.name == "流水表")
    assert {column.name: column.type for column in flow.columns}["月份"] == "BIGINT"
    assert flow.row_count == len(game_rows())
    wrong = pb.GetSchemaRequest(dataset_id="games", table_names=["nowhere"])
    assert (await failure(stub_of(opened).GetSchema(wrong, **channel.outgoing(10)))).reason == "table_not_found"


async def test_statements_are_validated_without_running(opened: grpc.aio.Channel) -> None:
    """A read is allowed; a write, a file and a wrong column are not, each with its reason."""
    statements = {"SELECT count(*) FROM dept": True}
    statements |= dict.fromkeys(("DROP TABLE dept", "SELECT * FROM read_csv('x')", "SELECT nothing FROM dept"), False)
    for sql, allowed in statements.items():
        request = pb.ValidateSqlRequest(dataset_id="games", sql=sql)
        reply = await channel.answered(stub_of(opened).ValidateSql(request, **channel.outgoing(10)), "the analyst")
        assert reply.allowed is allowed, sql
        assert bool(reply.reason) is not allowed, sql


async def test_an_admitted_statement_runs_and_cut_rows_are_reported(opened: grpc.aio.Channel) -> None:
    """Rows beyond the limit are cut and the result says so; a write is an error by reason."""
    request = pb.ExecuteSqlRequest(dataset_id="games", sql="SELECT * FROM dept ORDER BY dept_id", max_rows=3)
    reply = await channel.answered(stub_of(opened).ExecuteSql(request, **channel.outgoing(10)), "the analyst")
    assert len(reply.result.rows) == 3
    assert reply.result.truncated
    write = pb.ExecuteSqlRequest(dataset_id="games", sql="DELETE FROM dept")
    assert (await failure(stub_of(opened).ExecuteSql(write, **channel.outgoing(10)))).reason == "sql_not_allowed"


async def test_after_a_refused_attack_the_next_answer_is_the_same(opened: grpc.aio.Channel) -> None:
    """Nothing that a statement tries changes what the next question finds."""
    before = await fold(AnalystClient(opened).ask(AskRequest("games", "今年流水是多少")))
    for sql in ("SET memory_limit = '1MB'", "CREATE TEMP TABLE dept AS SELECT 1", "ATTACH 'x.db'", "PRAGMA version"):
        request = pb.ExecuteSqlRequest(dataset_id="games", sql=sql)
        await failure(stub_of(opened).ExecuteSql(request, **channel.outgoing(10)))
    after = await fold(AnalystClient(opened).ask(AskRequest("games", "今年流水是多少")))
    assert after.rows == before.rows


def test_a_folder_of_layers_is_read_with_the_data_beside_them(games_file: Path, tmp_path: Path) -> None:
    """Each layer of the settings' folder is a dataset; its data lies beside it under its name."""
    (tmp_path / "games.yaml").write_text(LAYER.read_text("utf-8"), "utf-8")
    (tmp_path / "games.duckdb").write_bytes(games_file.read_bytes())
    places = read_places(tmp_path)
    assert list(places) == ["games"]
    assert read_places(tmp_path / "nowhere") == {}
