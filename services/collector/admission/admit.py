"""The decision about one statement: read strictly, parsed, each part looked up. What is not listed is refused."""

from __future__ import annotations

import logging
import re
from typing import NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from services.collector.admission.effort import check_effort
from services.collector.admission.names import check_node, check_tokens
from services.collector.admission.refusal import Refused
from services.collector.admission.rules import Rules, rules_of
from services.collector.admission.text import Read, Token, read

ENGINES = ("postgres", "duckdb")
_ROOTS = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values)
_OF_DUCKDB = (exp.Describe, exp.Summarize, exp.Show, exp.Pivot)
_OPTIONS = re.compile(
    "analyze|verbose|costs|settings|generic_plan|buffers|wal|timing|summary|memory|serialize"
    "|format|text|xml|json|yaml|true|false|on|off|none|binary|0|1|[(),]"
)
_EXPLAIN = re.compile(r"explain\b\s*(?P<options>\([^()]*\)|(?:(?:analyze|verbose)\b\s*)*)(?P<rest>.*)", re.I | re.S)
_SHOW = re.compile(
    r"show\s+(transaction\s+isolation\s+level|time\s+zone|session\s+authorization|[A-Za-z_][\w.]*)", re.I
)
_ORDERED_PIVOT = re.compile(r"((?:un)?pivot\b.*?)\s((?:order\s+by|limit)\s[\w\s,.]+)", re.I | re.S)
# The parser underlines the place with signs for a terminal.
_EMPHASIS = re.compile(r"\x1b\[\d*m")
_TABLE = re.compile(r"table\s+(?=[\w\"])", re.I)


class Admission(NamedTuple):
    """Whether a statement may stand there; reason: why not, empty when it may."""

    allow: bool
    reason: str = ""


def admit(statement: str, engine: str) -> Admission:
    """Whether `statement` may stand in a catalogue (postgres) or run on a dataset (duckdb)."""
    rules = rules_of(engine)
    try:
        _check(read(statement), rules)
    except Refused as refused:
        return Admission(False, str(refused))
    except (SqlglotError, RecursionError, ValueError, ArithmeticError) as error:
        return Admission(False, f"not understood: {' '.join(_EMPHASIS.sub('', str(error)).split())[:200]}")
    return Admission(True)


def _check(statement: Read, rules: Rules) -> None:
    first = statement.tokens[0].text if statement.tokens[0].kind == "word" else ""
    if first == "explain":
        _check_explained(statement, rules)
    elif first == "show" and rules.relations is not None:
        _check_shown(statement, rules)
    else:
        _check_query(statement, rules)


def _check_explained(statement: Read, rules: Rules) -> None:
    """Without ANALYZE nothing runs, so the query may name tables of users; with it, it must be admitted itself."""
    found = _EXPLAIN.fullmatch(statement.text)
    if found is None:
        raise Refused("an EXPLAIN of another form")
    options = {token.text for token in read(found["options"]).tokens} if found["options"].strip() else set()
    if not all(map(_OPTIONS.fullmatch, options)):
        raise Refused("an EXPLAIN with an option that is not on the list")
    if rules.relations is not None and "analyze" not in options:
        rules = rules._replace(relations=None)
    _check_query(read(found["rest"]), rules)


def _check_shown(statement: Read, rules: Rules) -> None:
    found = _SHOW.fullmatch(statement.text)
    if found is None:
        raise Refused("a SHOW of another form")
    if not rules.is_own_setting(found[1]):
        raise Refused(f"the setting {found[1]} of an application")
    if rules.is_secret_setting(found[1]):
        raise Refused(f"the setting {found[1].lower()} holds secrets")


def _check_query(statement: Read, rules: Rules) -> None:
    text = (
        _TABLE.sub("SELECT * FROM ", statement.text)
        if statement.tokens[0] == Token("word", "table")
        else statement.text
    )
    tree = _parsed(text, rules)
    called = check_tokens(statement.tokens, tree, rules)
    for node in tree.walk():
        check_node(node, called, rules)
    check_effort(tree, rules)


def _parsed(text: str, rules: Rules) -> exp.Expr:
    if rules.dialect == "duckdb" and (ordered := _ORDERED_PIVOT.fullmatch(text)):
        # The parser knows no order behind a pivot; a query of it has one.
        text = f"SELECT * FROM ({ordered[1]}) AS pivoted {ordered[2]}"
    trees = [tree for tree in sqlglot.parse(text, read=rules.dialect) if tree is not None]
    if len(trees) != 1:
        raise Refused("more than one statement" if trees else "no statement")
    others = rules.dialect == "duckdb" and isinstance(trees[0], _OF_DUCKDB)
    if not (isinstance(trees[0], _ROOTS) or others):
        raise Refused(f"a statement of the kind {trees[0].key}, not a query")
    return trees[0]


# The parser warns of statements that it does not know; they are refused here anyway.
logging.getLogger("sqlglot").setLevel(logging.ERROR)
