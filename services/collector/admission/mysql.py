"""What may stand in the catalogue for MySQL: one query, of listed parts only, or one of the listed SHOW statements.

Stricter than what people may write: no comments (MySQL runs some of them), no quotes but those of plain strings, every
relation with its schema. It is the catalogue's own admission; a stranger's statement has none for MySQL.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import sqlglot
import yaml
from sqlglot import exp
from sqlglot.errors import SqlglotError

from services.collector.admission.admit import Admission
from services.collector.admission.refusal import Refused

SHOWN = ("SHOW BINARY LOGS",)
_SIGNS = re.compile(r"--|[#`\"\\;\x00]|/\*|\*/")


@cache
def _lists() -> Mapping[str, frozenset[str]]:
    text = Path(__file__).with_name("mysql_catalogue.yaml").read_text(encoding="utf-8")
    return {name: frozenset(words.split()) for name, words in yaml.safe_load(text).items()}


def admit_mysql(statement: str) -> Admission:
    """Whether a statement may stand in the catalogue for MySQL."""
    if statement in SHOWN:
        return Admission(True)
    try:
        _check(statement)
    except Refused as refused:
        return Admission(False, str(refused))
    except (SqlglotError, RecursionError, ValueError) as error:
        return Admission(False, f"not understood: {' '.join(str(error).split())[:200]}")
    return Admission(True)


def _check(statement: str) -> None:
    if found := _SIGNS.search(statement):
        raise Refused(f"the sign {found[0]!r}")
    trees = sqlglot.parse(statement, read="mysql")
    if len(trees) != 1 or not isinstance(trees[0], exp.Select | exp.Union):
        raise Refused("no single query")
    for node in trees[0].walk():
        _check_node(node)


def _check_node(node: exp.Expr) -> None:
    name = type(node).__name__
    if name not in _lists()["nodes"]:
        raise Refused(f"{name} is not on the list")
    if isinstance(node, exp.Select | exp.Union):
        _check_select(node)
    elif isinstance(node, exp.Anonymous) and node.name.lower() not in _lists()["functions"]:
        raise Refused(f"the function {node.name} is not on the list")
    elif isinstance(node, exp.SessionParameter) and node.name.lower() not in _lists()["variables"]:
        raise Refused(f"the variable {node.name} is not on the list")
    elif isinstance(node, exp.With) and node.args.get("recursive"):
        raise Refused("a query that calls itself")
    elif isinstance(node, exp.Join) and node.kind != "CROSS" and not (node.args.get("on") or node.args.get("using")):
        raise Refused("relations joined without a condition")
    elif isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
        raise Refused("all columns of a relation")
    elif isinstance(node, exp.Table):
        _check_table(node)


def _check_select(node: exp.Select | exp.Union) -> None:
    said = {part for part, value in node.args.items() if value}
    if stray := sorted(said - _lists()["parts"]):
        raise Refused(f"a query with {stray[0]}")


def _check_table(table: exp.Table) -> None:
    schema, name = table.db.lower(), table.name.lower()
    if not schema:
        if any(cte.alias.lower() == name for cte in table.root().find_all(exp.CTE)):
            return
        raise Refused(f"{name} without its schema")
    if table.catalog or not schema.endswith("_schema") or name not in _lists().get(schema, ()):
        raise Refused(f"the relation {schema}.{name} is not on the list")
