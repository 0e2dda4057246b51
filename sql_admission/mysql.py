"""Admission of MySQL statements to the catalogue or a library: one query of listed parts, or a listed SHOW.

Stricter than for PostgreSQL: no comments (MySQL runs some of them), only plain strings in quotes, every relation
with its schema. A library may use more than the catalogue, because dbdiag runs the catalogue's texts and only shows a
library's. Other statements cannot be admitted for MySQL.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import sqlglot
import yaml
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sql_admission.admit import Admission, not_understood
from sql_admission.rules import Refused

_SIGNS = re.compile(r"--|[#`\"\\;\x00]|/\*|\*/")
_STATUS = re.compile(r"SHOW GLOBAL STATUS LIKE '[A-Za-z_%]+'")
_VARIABLE = re.compile(r"SHOW VARIABLES LIKE '(\w+)'")
_SCHEMAS = ("information_schema", "performance_schema", "sys", "mysql")
_Lists = Mapping[str, frozenset[str]]


@cache
def _lists(name: str) -> _Lists:
    text = files("sql_admission").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    lists = yaml.load(text, yaml.CSafeLoader)
    return {kind: frozenset(words.split() if isinstance(words, str) else words) for kind, words in lists.items()}


@cache
def _of_library() -> _Lists:
    """The catalogue's lists and the library's together."""
    strict, more = _lists("mysql_catalogue"), _lists("mysql_library")
    return {kind: strict.get(kind, frozenset()) | more.get(kind, frozenset()) for kind in {*strict, *more}}


def admit_mysql(statement: str) -> Admission:
    """Decides whether a statement may be in the catalogue for MySQL."""
    return _decided(statement, _lists("mysql_catalogue"))


def admit_mysql_library(statement: str) -> Admission:
    """Decides whether a library may recommend this statement for MySQL."""
    named = _VARIABLE.fullmatch(statement)
    if _STATUS.fullmatch(statement) or (named and named[1] in _of_library()["variables"]):
        return Admission()
    return _decided(statement, _of_library())


def _decided(statement: str, lists: _Lists) -> Admission:
    if statement in lists["statements"]:
        return Admission()
    try:
        _check(statement, lists)
    except Refused as refused:
        return Admission(refused.message)
    except (SqlglotError, RecursionError, ValueError) as error:
        return Admission(not_understood(str(error)))
    return Admission()


def _check(statement: str, lists: _Lists) -> None:
    if found := _SIGNS.search(statement):
        raise Refused("sql_refused.sign", sign=repr(found[0]))
    trees = sqlglot.parse(statement, read="mysql")
    if len(trees) != 1 or not isinstance(trees[0], exp.Select | exp.Union):
        raise Refused("sql_refused.no_single_query")
    for node in trees[0].walk():
        _check_node(node, lists)


def _check_node(node: exp.Expr, lists: _Lists) -> None:
    name = type(node).__name__
    if name not in lists["nodes"]:
        raise Refused("sql_refused.node", name=name)
    if isinstance(node, exp.Select | exp.Union):
        _check_select(node, lists)
    elif isinstance(node, exp.Anonymous) and node.name.lower() not in lists["functions"]:
        raise Refused("sql_refused.function", name=node.name)
    elif isinstance(node, exp.SessionParameter) and node.name.lower() not in lists["variables"]:
        raise Refused("sql_refused.variable", name=node.name)
    elif isinstance(node, exp.With) and node.args.get("recursive"):
        raise Refused("sql_refused.calls_itself")
    elif isinstance(node, exp.Join) and node.kind != "CROSS" and not (node.args.get("on") or node.args.get("using")):
        raise Refused("sql_refused.no_condition")
    elif isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
        raise Refused("sql_refused.all_columns")
    elif isinstance(node, exp.Table):
        _check_table(node, lists)


def _check_select(node: exp.Select | exp.Union, lists: _Lists) -> None:
    said = {part for part, value in node.args.items() if value}
    if stray := sorted(said - lists["parts"]):
        raise Refused("sql_refused.part", part=stray[0])


def _check_table(table: exp.Table, lists: _Lists) -> None:
    schema, name = table.db.lower(), table.name.lower()
    if not schema:
        if any(cte.alias.lower() == name for cte in table.root().find_all(exp.CTE)):
            return
        raise Refused("sql_refused.no_schema", name=name)
    if table.catalog or schema not in _SCHEMAS or name not in lists.get(schema, ()):
        raise Refused("sql_refused.relation", name=f"{schema}.{name}")
