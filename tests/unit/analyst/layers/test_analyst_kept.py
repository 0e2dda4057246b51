"""Verified answers are kept among the examples of a file, and nothing else in it changes."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from services.analyst.dataset_files import keep_sql
from services.analyst.semantic.kept_examples import keep_example, read_examples
from services.analyst.semantic.loading import load_layer
from services.analyst.semantic.schema import Example
from services.chassis.errors import InvalidInput
from tests.support.data.game_flow import LAYER

_NEW = Example(question="流水: 'all' # of it?", sql='SELECT "a"\nFROM t')


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: 1  # one\n",
        "examples: []\nz: 2\n",
        "examples:\nz: 2\n",
        "examples: [{question: q, sql: s}]\nz: 2\n",
        "examples:\n- question: q\n  sql: s\n\n# after\nz: 2\n",
        "# first\nexamples:\n    - {question: q, sql: s}  # noted\nz: [1, 2]",
        "examples:\n  - question: q\n    sql: |\n      SELECT 1\n      FROM t\n",
    ],
)
def test_an_example_is_added(tmp_path: Path, text: str) -> None:
    """The new example comes last, what was there stays, comments too, and keeping it twice changes nothing more."""
    path = tmp_path / "some.yaml"
    path.write_text(text, "utf-8")
    keep_example(path, _NEW)
    before, after = yaml.safe_load(text) or {}, yaml.safe_load(path.read_text("utf-8"))
    assert after.pop("examples") == [*(before.pop("examples", None) or []), _NEW.model_dump(exclude_defaults=True)]
    assert after == before
    assert all(line[line.index("#") :] in path.read_text("utf-8") for line in text.splitlines() if "#" in line)
    once = path.read_text("utf-8")
    keep_example(path, _NEW)
    assert path.read_text("utf-8") == once


def test_the_same_question_is_replaced(tmp_path: Path) -> None:
    """A question that differs in case and punctuation only takes the place of the first."""
    path = tmp_path / "some.yaml"
    path.write_text("examples:\n  - question: Revenue, all?\n    sql: one\n  - {question: other, sql: two}\n", "utf-8")
    keep_example(path, Example(question="revenue all", sql="three"))
    assert [(one.question, one.sql) for one in read_examples(path)] == [("revenue all", "three"), ("other", "two")]


def test_a_statement_is_kept_only_if_it_is_admitted_and_runs(tmp_path: Path, games_file: Path) -> None:
    """SQL that a person gives is run first; one that writes or fails changes nothing."""
    layer = tmp_path / "games.yaml"
    layer.write_text(LAYER.read_text("utf-8"), "utf-8")
    table = load_layer(layer).tables[0].name
    for refused in (f'DELETE FROM "{table}"', f'SELECT nothing FROM "{table}"'):
        with pytest.raises(InvalidInput):
            keep_sql(layer, [str(games_file)], "how much", refused)
    assert layer.read_text("utf-8") == LAYER.read_text("utf-8")
    assert keep_sql(layer, [str(games_file)], "how much", f'SELECT count(*) FROM "{table}"') == 1
    assert load_layer(layer).examples[-1].question == "how much"
