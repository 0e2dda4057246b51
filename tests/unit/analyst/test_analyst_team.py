"""The team: who works next, what is mended, when it gives up; and its tools."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.analyst.execution.limits import Limits
from services.analyst.execution.runner import SqlFailed
from services.analyst.open_dataset import OpenDataset
from services.analyst.queries.identifiers import Query
from services.analyst.questions.intent import Intent, Measure
from services.analyst.team.captain import Captain
from services.analyst.team.result_evaluator import ResultEvaluator, mend, share_kept
from services.analyst.team.state import TeamState
from services.analyst.team.structured_intent import StructuredIntent, from_json, to_json
from services.analyst.team.team import Outcome, classify
from services.analyst.tools import to_function_schemas
from services.chassis.errors import InvalidInput, NotFound
from services.chassis.llm import ScriptedModel, Usage
from services.chassis.messages import Message
from tests.unit.analyst.asking import TODAY, ask, games

_TEXT_MONTH = 'SELECT sum("流水") AS flow FROM "流水表" WHERE "月份" = \'1月\' AND "年份" = 2025'
_NUMBER_MONTH = 'SELECT sum("流水") AS flow FROM "流水表" WHERE "月份" = 1 AND "年份" = 2025'


@pytest.fixture
async def opened(games_file: Path) -> AsyncIterator[OpenDataset]:
    """The games company."""
    async with games(games_file) as one:
        yield one


def state(*statements: str) -> TeamState:
    """A state with candidates."""
    candidates = tuple(Query(each, (), Message("query_form.grouped")) for each in statements)
    return TeamState("问题", "zh", TODAY, intent=Intent((Measure(metric="flow"),)), candidates=candidates)


async def evaluate(opened: OpenDataset, worked: TeamState, model: ScriptedModel | None = None) -> None:
    """Evaluates until there is a result or nothing left to try."""
    evaluator = ResultEvaluator(opened.tools, opened.dataset, model)
    while worked.need_result and not worked.exhausted:
        await evaluator.evaluate(worked, Usage())


async def test_a_month_compared_as_text_is_mended_to_a_number(opened: OpenDataset) -> None:
    """ "月份" is BIGINT: the text becomes the number, and nothing else of the statement changes."""
    worked = state(_TEXT_MONTH)
    await evaluate(opened, worked)
    assert worked.result is not None
    assert [each.refined_sql for each in worked.mends] == [_NUMBER_MONTH]
    assert "BIGINT" in worked.mends[0].diagnosis.text("zh")
    assert worked.result.rows == (await opened.runner.run(_NUMBER_MONTH)).rows


async def test_a_misspelled_column_is_mended_by_the_nearest_one(opened: OpenDataset) -> None:
    """A column that does not exist becomes the one that it resembles."""
    worked = state('SELECT sum("流水") AS flow FROM "流水表" WHERE "数据来原" = \'正式\'')
    await evaluate(opened, worked)
    assert worked.result is not None
    assert '"数据来源"' in worked.sql
    assert share_kept(worked.mends[0].failed_sql, worked.sql) > 0.9


async def test_a_statement_that_no_mend_helps_gives_way_to_the_next_candidate(opened: OpenDataset) -> None:
    """After its mends are used up a candidate is left for the next one."""
    worked = state("SELECT nonsense_function(1)", _NUMBER_MONTH)
    await evaluate(opened, worked)
    assert worked.place == 1
    assert worked.result is not None


async def test_a_candidate_is_mended_at_most_twice(opened: OpenDataset) -> None:
    """A model that always offers another failing statement is asked twice."""
    replies = [{"diagnosis": "x", "refined_sql": f"SELECT nonsense_function({at})"} for at in range(9)]
    model = ScriptedModel({"Refinement": replies})
    worked = state("SELECT nonsense_function(99)")
    await evaluate(opened, worked, model)
    assert worked.exhausted
    assert len(model.asked) <= 2


async def test_a_model_s_mend_that_rewrites_the_statement_is_refused(opened: OpenDataset) -> None:
    """The least change is kept to: another statement altogether is no mend."""
    model = ScriptedModel({"Refinement": {"diagnosis": "x", "refined_sql": "SELECT 1"}})
    worked = state('SELECT nonsense_function("流水") FROM "流水表" WHERE "月份" = 1')
    await evaluate(opened, worked, model)
    assert worked.exhausted
    assert worked.mends == []


async def test_a_model_s_mend_is_admitted_like_any_statement(opened: OpenDataset) -> None:
    """A mend that reads a file is never run."""
    sql = "SELECT * FROM read_csvs('/etc/passwd')"
    model = ScriptedModel({"Refinement": {"diagnosis": "x", "refined_sql": sql.replace("csvs", "csv")}})
    worked = state('SELECT nonsense("流水") FROM "流水表"')
    await evaluate(opened, worked, model)
    assert worked.result is None


def test_the_captain_follows_the_seed_s_strategy() -> None:
    """Parse, generate, evaluate; a first error is mended, the same twice goes back, and after that it gives up."""
    captain, worked = Captain(), TeamState("q", "en", TODAY)
    assert captain.decide(worked) == "semantic_parser"
    worked.intent = Intent((Measure(metric="flow"),))
    assert captain.decide(worked) == "sql_generator"
    worked.candidates = (Query("SELECT 1", (), Message("query_form.grouped")),)
    assert captain.decide(worked) == "result_evaluator"
    captain.record_execution(worked, "result_evaluator", "sql", "error", False, "column not found")
    assert captain.decide(worked) == "result_evaluator"
    captain.record_execution(worked, "result_evaluator", "sql", "error", False, "column not found")
    assert captain.error_pattern(worked) == {"column not found": 2}
    assert captain.should_change_strategy(worked)
    assert captain.decide(worked) == "semantic_parser"
    worked.returns = 1
    worked.exhausted = True
    assert captain.decide(worked) == "give_up"


def test_an_agent_that_keeps_failing_is_left() -> None:
    """Three failures of one agent in a row change the strategy, though each is of another class."""
    captain, worked = Captain(), state("SELECT 1")
    for error in ("syntax", "column not found", "type mismatch"):
        captain.record_execution(worked, "result_evaluator", "sql", "error", False, error)
    assert captain.should_change_strategy(worked)


def test_more_than_two_mends_ask_whether_the_question_was_misread() -> None:
    """The captain asks the person rather than mending on."""
    worked = state("SELECT 1")
    worked.mends = [object()] * 3  # type: ignore[list-item]
    assert Captain().decide(worked) == "ask"


def test_the_captain_s_briefing_shows_the_history() -> None:
    """The briefing has the task, the members, each step with its mark, and the advice, in both languages."""
    for language in ("zh", "en"):
        worked = TeamState("IEG本部今年的流水是多少", language, TODAY)
        captain = Captain()
        captain.record_execution(worked, "semantic_parser", "q", "flow", True)
        captain.record_execution(worked, "result_evaluator", "SELECT", "no column", False, "column not found")
        said = captain.brief(worked)
        assert "1. [✓] semantic_parser (Step 1)" in said
        assert "2. [✗] result_evaluator (Step 2)" in said
        assert "⚠️" in said


async def test_a_model_may_send_a_failure_back_but_not_write_sql(opened: OpenDataset) -> None:
    """The captain's model chooses a member; a choice that it cannot make leaves the rules'."""
    worked = state("SELECT 1")
    captain = Captain(ScriptedModel({"Choice": {"next": "semantic_parser"}}))
    captain.record_execution(worked, "result_evaluator", "sql", "error", False, "syntax")
    assert await captain.decide_with_llm(worked, Usage()) == "semantic_parser"
    broken = Captain(ScriptedModel({"Choice": {"next": "write the SQL yourself"}}))
    assert await broken.decide_with_llm(worked, Usage()) == "result_evaluator"


async def test_a_failing_dataset_ends_in_an_honest_give_up(games_file: Path) -> None:
    """Where no statement can run, the answer says so, with the error and without a figure."""
    async with games(games_file) as opened:
        worked = Outcome(state("SELECT nonsense_function(1)"))
        async for _ in opened.team.work(worked):
            pass
    assert worked.state.result is None or worked.state.returns == 1


async def test_a_model_fills_the_intent_with_ids_of_the_layer_only(games_file: Path) -> None:
    """A model's intent answers what rules cannot read; one with an invented id is thrown away."""
    good = {"intent_type": "basic", "metrics": ["flow"], "time": {"year": 2024}}
    async with games(games_file, ScriptedModel({"StructuredIntent": [good]})) as opened:
        answer = await ask(opened, "2024年圈了多少米")
        assert answer.status == "answered"
        assert answer.intent is not None
        assert answer.intent["metrics"] == ["flow"]
    bad = {"intent_type": "basic", "metrics": ["net_promoter_score"]}
    async with games(games_file, ScriptedModel({"StructuredIntent": [bad]})) as opened:
        answer = await ask(opened, "2024年圈了多少米")
        assert answer.status in ("refused", "clarify")


def test_an_intent_survives_as_json(opened_dataset: OpenDataset) -> None:
    """from_json(to_json(x)) is x."""
    intent = Intent((Measure(metric="flow"),), ("department",), limit=3, exclusions=("no_one_off",))
    structured = StructuredIntent.model_validate(to_json(intent))
    assert from_json(structured, opened_dataset.dataset, TODAY) == intent


@pytest.fixture
async def opened_dataset(opened: OpenDataset) -> OpenDataset:
    """The games company, for tests that only read it."""
    return opened


def test_tools_are_described_for_function_calling() -> None:
    """Each tool has the schema of a function with its required parameters."""
    schemas = {each["function"]["name"]: each["function"] for each in to_function_schemas()}
    assert set(schemas) == {"execute_sql", "get_schema", "validate_sql"}
    assert schemas["execute_sql"]["parameters"]["required"] == ["sql"]
    assert schemas["get_schema"]["parameters"]["required"] == []


async def test_a_tool_s_failure_is_a_result(opened: OpenDataset) -> None:
    """An error of the database or a refusal comes back as data, never as an exception."""
    failed = await opened.tools.execute("execute_sql", sql="SELECT nothing_here FROM dept")
    assert not failed.success
    assert isinstance(failed.error, SqlFailed)
    assert classify(failed.error) == "column not found"
    refused = await opened.tools.execute("validate_sql", sql="DROP TABLE dept")
    assert isinstance(refused.error, InvalidInput)
    missing = await opened.tools.execute("get_schema", tables=["nowhere"])
    assert isinstance(missing.error, NotFound)
    with pytest.raises(NotFound):
        await opened.tools.execute("write_sql", sql="SELECT 1")


async def test_validation_runs_nothing_but_checks_names_and_types(opened: OpenDataset) -> None:
    """A statement with a wrong column is refused before it runs; a right one passes."""
    assert (await opened.tools.execute("validate_sql", sql=_NUMBER_MONTH)).success
    assert not (await opened.tools.execute("validate_sql", sql="SELECT nothing FROM dept")).success


async def test_a_schema_is_ddl_and_markdown(opened: OpenDataset) -> None:
    """The schema of a table names each column with its type in both forms."""
    data = (await opened.tools.execute("get_schema", tables=["dept"])).data
    assert "CREATE TABLE dept" in data["ddl"]
    assert "| division | VARCHAR |" in data["markdown"]


def test_an_unknown_error_is_not_mended(opened_dataset: OpenDataset) -> None:
    """Where no rule knows the error nothing is changed."""
    assert mend("SELECT 1", "Out of luck", opened_dataset.dataset) is None


async def test_limits_end_a_statement_and_the_next_one_runs(opened: OpenDataset) -> None:
    """A statement over its time is stopped; the dataset lives on."""
    from services.chassis.errors import DeadlinePassed

    long = "SELECT count(*) FROM range(100000000) a, range(1000) b"
    with pytest.raises(DeadlinePassed):
        await opened.runner.run_own(long, Limits(seconds=0.3))
    assert (await opened.runner.run("SELECT 1 AS one")).rows == ((1,),)
