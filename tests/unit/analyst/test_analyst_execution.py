"""A runner lives on, whatever happens to its child."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.analyst.execution.limits import Limits
from services.analyst.execution.runner import Runner, SqlFailed
from services.analyst.sources.source import source_of
from services.chassis.errors import DeadlinePassed, InvalidInput
from tests.support.data.ugly_shop import write_shop

_ENDLESS = "SELECT count(*) FROM big a, big b, big c"


@pytest.fixture
async def runner(tmp_path: Path) -> AsyncIterator[Runner]:
    """A runner over the shop."""
    write_shop(tmp_path / "shop.duckdb")
    runner = Runner([source_of(tmp_path / "shop.duckdb")])
    yield runner
    await runner.close()


async def one(runner: Runner, sql: str = "SELECT count(*) FROM big") -> object:
    """The first cell of an answer."""
    return (await runner.run(sql)).rows[0][0]


async def test_a_child_that_dies_is_replaced(runner: Runner) -> None:
    """After the child was killed between two questions, the next is answered by a new one."""
    assert await one(runner) == 20_000
    assert runner.pid is not None
    os.kill(runner.pid, signal.SIGKILL)
    await asyncio.sleep(0.2)
    assert await one(runner) == 20_000


async def test_a_question_that_is_given_up_leaves_no_answer_behind(runner: Runner) -> None:
    """When a caller stops waiting, the next question gets its own answer and not that of the first."""
    await runner.open()
    waiting = asyncio.create_task(runner.run_own(_ENDLESS))
    await asyncio.sleep(0.1)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await one(runner, "SELECT 42") == 42


async def test_questions_that_come_together_get_their_own_answers(runner: Runner) -> None:
    """Twenty questions at once are answered each with its own figure."""
    found = await asyncio.gather(*(one(runner, f"SELECT count(*) FROM big WHERE n < {n}") for n in range(20)))
    assert list(found) == list(range(20))


async def test_time_is_limited_and_named(runner: Runner) -> None:
    """A query over its time is stopped near it, and the error says how long it was."""
    await runner.open()
    started = asyncio.get_running_loop().time()
    with pytest.raises(DeadlinePassed, match=r"stopped after 0\.5 seconds"):
        await runner.run_own(_ENDLESS, Limits(seconds=0.5))
    assert asyncio.get_running_loop().time() - started < 10
    assert await one(runner) == 20_000


async def test_errors_are_duckdb_s_own_words(runner: Runner) -> None:
    """A column that is not there is an error in DuckDB's words, which name the columns that are."""
    with pytest.raises(SqlFailed, match="no_such_column") as caught:
        await runner.run("SELECT no_such_column FROM big")
    assert caught.value.reason == "sql_invalid"


async def test_values_are_as_json_has_them(runner: Runner) -> None:
    """Times are ISO texts, intervals seconds, decimals and large numbers numbers, infinities nothing, lists texts."""
    rows = await runner.run(
        "SELECT DATE '2024-02-29', TIMESTAMP '2024-01-01 10:00:00', INTERVAL 90 MINUTE, 1.50::DECIMAL(9,2), 2::HUGEINT,"
        " CAST('inf' AS DOUBLE), [1, 2], TRUE, NULL"
    )
    assert rows.rows == (("2024-02-29", "2024-01-01 10:00:00", 5400.0, 1.5, 2, None, "[1, 2]", True, None),)


async def test_no_statement_sees_another_s_leavings(runner: Runner) -> None:
    """Each statement has a connection of its own: nothing that one sets or makes is there for the next."""
    for leaving in ("SET VARIABLE v = 1", "CREATE TEMP TABLE left_over AS SELECT 1", "PREPARE p AS SELECT 1", "BEGIN"):
        with pytest.raises(InvalidInput):
            await runner.run_own(leaving)
    for look in ("SELECT * FROM left_over", "EXECUTE p"):
        with pytest.raises(InvalidInput):
            await runner.run_own(look)
    assert await one(runner) == 20_000


async def test_a_runner_leaves_nothing_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a runner copied is gone when it is closed."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    (tmp_path / "t.csv").write_text("a\n1\n", "utf-8")
    runner = Runner([source_of(tmp_path / "t.csv")])
    assert await one(runner, "SELECT a FROM t") == 1
    assert list((tmp_path / "scratch").iterdir())
    await runner.close()
    assert list((tmp_path / "scratch").iterdir()) == []
