"""Layers are read whole, and an error names its line and key."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from services.analyst.semantic.loading import load_layer, read_layer
from services.analyst.semantic.schema import Layer
from services.chassis.errors import InvalidInput, NotFound
from tests.support.cases import for_each
from tests.support.data.warehouse import LAYER

pytestmark = pytest.mark.sampled

SCHEMA = Path(__file__).parents[4].parent / "shared" / "data" / "analyst" / "semantic.schema.json"
_HEAD = "version: 1\ndataset: shop\n"
_TABLES = "tables:\n  - {name: sale, time: sold_at}\n"
_METRICS = "metrics:\n  - {id: revenue, name: {zh: 流水}, table: sale, expr: sum(amount)}\n"
_DIMENSIONS = "dimensions:\n  - {id: status, name: {en: status}, column: sale.status}\n"
WHOLE = _HEAD + _TABLES + _METRICS + _DIMENSIONS


def refusal(text: str) -> str:
    """The message of the error that a text gives."""
    with pytest.raises(InvalidInput) as caught:
        read_layer(text, "shop.yaml")
    return caught.value.message


def test_a_whole_layer_is_read() -> None:
    """A layer in the fixed form is read with all its parts."""
    layer = read_layer(WHOLE)
    assert layer.metric("revenue").name.text("en") == "流水"
    assert layer.dimension("status").column == "sale.status"
    assert load_layer(LAYER).metrics


@for_each(
    ("text", "said"),
    [
        (WHOLE.replace("expr:", "exprr:"), "line 6, metrics.0"),
        (WHOLE.replace("sum(amount)}", "sum(amount), numerator: a, denominator: b}"), "line 6, metrics.0"),
        (WHOLE.replace("id: revenue", "id: Revenue"), "line 6, metrics.0.id"),
        (WHOLE.replace("id: status", "id: revenue"), "the id revenue is there twice"),
        (WHOLE.replace("{zh: 流水}", "{}"), "line 6, metrics.0.name: a name in zh or en"),
        (WHOLE.replace("version: 1", "version: 2"), "line 1, version"),
        (_HEAD + _TABLES + _METRICS, "dimensions: "),
        (WHOLE.replace("time: sold_at", "time: {hour: x}"), "line 4, tables.0.time"),
        (WHOLE + "calendar: {fiscal_year_start: 13}\n", "line 9, calendar.fiscal_year_start"),
        (WHOLE + "as_of: yesterday\n", "line 9, as_of"),
        (WHOLE + "dataset: twice\n", "line 9: the key dataset is there twice"),
        (WHOLE + "title: *x\n", "line 9: aliases are not supported"),
        (WHOLE + "  bad: [1, 2\n", "line 9"),
        (WHOLE + "\tbad: 1\n", "line 9"),
        (WHOLE + "colour: red\n", "line 9, colour"),
        ("- a\n- b\n", "line 1: a mapping"),
        ("", "line 1: a mapping"),
        ("[" * 5_000, "nested too deeply"),
        ("as_of: 2025-02-30\n", "line 1"),
    ],
    every=3,
)
def test_what_is_wrong_is_named_by_line_and_key(text: str, said: str) -> None:
    """A malformed layer is refused in one message that has the file, the line and the key."""
    message = refusal(text)
    assert "shop.yaml" in message
    assert said in message


def test_errors_are_listed_together() -> None:
    """Several errors of one file come in one message."""
    message = refusal(WHOLE.replace("id: revenue", "id: R").replace("id: status", "id: S"))
    assert "line 6" in message
    assert "line 8" in message


def test_a_missing_file_and_a_strange_encoding_are_named(tmp_path: Path) -> None:
    """A file that is not there and one that is not UTF-8 are errors that say so."""
    with pytest.raises(NotFound, match=r"none\.yaml"):
        load_layer(tmp_path / "none.yaml")
    (tmp_path / "gbk.yaml").write_bytes(WHOLE.encode("gbk"))
    with pytest.raises(InvalidInput, match="UTF-8"):
        load_layer(tmp_path / "gbk.yaml")


def test_the_schema_of_the_form_admits_what_is_read() -> None:
    """Layers that are read here are valid by the JSON schema of the form as well."""
    if not SCHEMA.exists():
        pytest.skip(f"the schema of the form is not there: {SCHEMA.name}")
    schema = json.loads(SCHEMA.read_text("utf-8"))
    for text in (WHOLE, LAYER.read_text("utf-8")):
        content = json.loads(json.dumps(yaml.safe_load(text), default=str))
        jsonschema.validate(content, schema)
        assert Layer.model_validate(content)
