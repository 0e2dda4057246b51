from __future__ import annotations

import json

from click.testing import CliRunner

from gateway.cli.tools.check_sql import check_sql


def test_a_statement_is_admitted_or_refused_with_its_reason() -> None:
    """The exit code tells whether it would be admitted, the words why not."""
    good = CliRunner().invoke(check_sql, ["SELECT count(*) FROM pg_stat_activity"], standalone_mode=False)
    bad = CliRunner().invoke(check_sql, ["--json", "--engine", "duckdb", "COPY t TO 'x'"], standalone_mode=False)
    assert (good.return_value, good.output) == (0, "admitted\n")
    assert bad.return_value == 1
    assert json.loads(bad.output)["allow"] is False
    assert "copy" in json.loads(bad.output)["reason"]


def test_lines_are_answered_in_order_with_their_ids() -> None:
    """Each JSON line gets one, also one whose engine is not known."""
    lines = [
        {"id": 1, "engine": "postgres", "sql": "SELECT 1"},
        {"id": "b", "engine": "duckdb", "sql": "FROM 'x.csv'"},
        {"id": 3, "engine": "oracle", "sql": "SELECT 1"},
    ]
    done = CliRunner().invoke(check_sql, ["--json"], input="\n".join(map(json.dumps, lines)), standalone_mode=False)
    answered = [json.loads(line) for line in done.output.splitlines()]
    assert done.return_value == 0
    assert [(line["id"], line["allow"]) for line in answered] == [(1, True), ("b", False), (3, False)]
    assert "oracle" in answered[2]["reason"]


def test_a_line_that_is_no_statement_is_named() -> None:
    """Bad input says which line, and nothing is guessed."""
    done = CliRunner().invoke(check_sql, ["--json"], input='{"id": 1}\n')
    assert "line 1" in str(done.exception)
    assert "sql" in str(done.exception)


def test_without_a_statement_the_usage_is_said() -> None:
    """No SQL and no --json is bad usage."""
    assert CliRunner().invoke(check_sql, []).exit_code == 2
