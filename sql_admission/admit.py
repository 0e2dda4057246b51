"""Decides about one statement: read it strictly, parse it, look up each part. Anything unlisted is refused."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from typing import NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from services.chassis.messages import Message
from sql_admission.effort import check_effort
from sql_admission.names import check_node, check_tokens
from sql_admission.rules import Refused, Rules, of_dataset, rules_of
from sql_admission.text import Read, Token, tokenise

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
    """The decision about a statement. refusal: why it is not admitted; None if it is."""

    refusal: Message | None = None

    @property
    def allow(self) -> bool:
        """True if the statement is admitted."""
        return self.refusal is None

    @property
    def reason(self) -> str:
        """The refusal in English; empty if the statement is admitted."""
        return self.refusal.text() if self.refusal else ""


def admit(statement: str, engine: str, tables: Iterable[str] | None = None) -> Admission:
    """Decides whether `statement` may be in a catalogue (postgres) or run on a dataset (duckdb).

    tables: those of the dataset, if they are known; then it may read no others, and no catalogue.
    """
    if engine not in ENGINES:
        return Admission(Message("sql_refused.engine", {"engine": engine, "known": ENGINES}))
    rules = rules_of(engine)
    if tables is not None:
        rules = of_dataset(rules, tables)
    try:
        _check(tokenise(statement), rules)
    except Refused as refused:
        return Admission(refused.message)
    except (SqlglotError, RecursionError, ValueError, ArithmeticError) as error:
        return Admission(not_understood(_EMPHASIS.sub("", str(error))))
    return Admission()


def not_understood(words: str) -> Message:
    """The refusal of a statement that the parser rejects, in the parser's words."""
    return Message("sql_refused.not_understood", {"why": " ".join(words.split())[:200]})


def _check(statement: Read, rules: Rules) -> None:
    first = statement.tokens[0].text if statement.tokens[0].kind == "word" else ""
    if first == "explain":
        _check_explained(statement, rules)
    elif first == "show" and rules.dialect == "postgres":
        _check_shown(statement, rules)
    else:
        _check_query(statement, rules)


def _check_explained(statement: Read, rules: Rules) -> None:
    """Without ANALYZE no row is read, so the query may name tables of users; with it, it must be admitted itself.

    The planner runs immutable functions of constants: what is called is looked up in both cases.
    """
    found = _EXPLAIN.fullmatch(statement.text)
    if found is None:
        raise Refused("sql_refused.explain")
    options = {token.text for token in tokenise(found["options"]).tokens} if found["options"].strip() else set()
    if not all(map(_OPTIONS.fullmatch, options)):
        raise Refused("sql_refused.explain_option")
    if "analyze" not in options:
        rules = rules._replace(tables_of_users=True)
    _check_query(tokenise(found["rest"]), rules)


def _check_shown(statement: Read, rules: Rules) -> None:
    found = _SHOW.fullmatch(statement.text)
    if found is None:
        raise Refused("sql_refused.show")
    if not rules.is_own_setting(found[1]):
        raise Refused("sql_refused.own_setting", name=found[1])
    if rules.is_secret_setting(found[1]):
        raise Refused("sql_refused.secret_setting", name=found[1].lower())


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
        raise Refused("sql_refused.several_statements") if trees else Refused("sql_refused.no_statement")
    others = rules.dialect == "duckdb" and isinstance(trees[0], _OF_DUCKDB)
    if not (isinstance(trees[0], _ROOTS) or others):
        raise Refused("sql_refused.kind", kind=trees[0].key)
    return trees[0]


# The parser warns of statements that it does not know; they are refused here anyway.
logging.getLogger("sqlglot").setLevel(logging.ERROR)
