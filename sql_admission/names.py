"""Names in a statement: functions, relations, columns, types and settings must be on the lists of the engine."""

from __future__ import annotations

import re
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sql_admission.attributes import check_column, check_field
from sql_admission.columns import spelled
from sql_admission.rules import Refused, Rules
from sql_admission.series import called, cte_of
from sql_admission.text import Token

_PLAIN = re.compile(r"[^\W\d]\w*")
# Calls as they are tried to learn how the parser reads a function.
_ARGUMENTS = ("", "a", "a, b", "'year', b", "a, 'YYYY'", "a, b, c", "a, b, c, d")
_MATCHING = (exp.Like, exp.ILike, exp.RegexpLike, exp.RegexpILike, exp.SimilarTo)
_COMPARING = (exp.EQ, *_MATCHING)
_SECRET_SETTINGS = ("primary_conninfo", "ssl_passphrase_command", "ssl_key_file", "krb_server_keyfile")
# Settings of many kinds: a pattern that finds one of them looks for more than secrets.
_OTHER_SETTINGS = [
    "max_connections",
    "shared_buffers",
    "work_mem",
    "autovacuum_naptime",
    "wal_level",
    "checkpoint_timeout",
    "log_statement",
    "fsync",
    "archive_command",
    "hot_standby_feedback",
    "primary_slot_name",
    "ssl",
    "password_encryption",
    "krb_caseins_users",
    "server_version",
]
_LONGEST_SEARCH = 60
_HUNTED = re.compile(r"passw|%pass%|secret|token|api_?key|credential|jwt", re.I)
_NAMED = re.compile(r"^(?!.*(?:auth|credential|jwt|key|pass|secret|token)).*[a-z]{3}", re.I)
_REFUSED_TYPES = (exp.DType.XML, exp.DType.UNKNOWN)


def check_tokens(tokens: tuple[Token, ...], tree: exp.Expr, rules: Rules) -> frozenset[str]:
    """The functions that are called, all of them listed, however the parser read them; no word may change anything."""
    functions: set[str] = set()
    local = {alias.name.lower() for alias in tree.find_all(exp.TableAlias) if alias.args.get("columns")}
    for token, following in zip(tokens, (*tokens[1:], Token("sign", "")), strict=True):
        if token.kind == "word" and token.text in rules.changing and not _names_columns(token, following, rules):
            raise Refused("sql_refused.word", word=token.text.upper())
        called = token.kind in ("word", "quoted") and following == Token("sign", "(")
        known = token.kind == "word" and token.text in rules.syntax
        if called and not (known or rules.calls(token.text) or token.text.lower() in local):
            raise Refused("sql_refused.function", name=token.text)
        if called and rules.calls(token.text):
            functions.add(token.text)
    return frozenset(functions)


def _names_columns(token: Token, following: Token, rules: Rules) -> bool:
    """UNPIVOT ... INTO NAME n VALUE v: nothing is put anywhere."""
    return rules.dialect == "duckdb" and (token.text, following) == ("into", Token("word", "name"))


def check_node(node: exp.Expr, functions: frozenset[str], rules: Rules) -> None:
    """Refuses a node of the statement that is not on the lists, nor what one of `functions` becomes."""
    if isinstance(node, exp.Anonymous):
        _check_call(node, rules)
    elif not _listed(node, functions, rules):
        raise Refused("sql_refused.not_admitted", kind=node.key)
    if isinstance(node, exp.Table):
        _check_table(node, rules)
    elif isinstance(node, exp.DataType):
        _check_type(node, rules)
    elif isinstance(node, exp.Describe | exp.Summarize) and not isinstance(node.this, exp.Table | exp.Query):
        raise Refused("sql_refused.description")
    elif isinstance(node, exp.Identifier):
        _check_name(node, rules)
    elif isinstance(node, exp.Literal) and node.is_string and rules.is_secret_setting(node.name):
        raise Refused("sql_refused.a_secret_setting")
    elif isinstance(node, _MATCHING) and rules.dialect == "postgres":
        _check_search(node)
    elif isinstance(node, exp.Dot):
        _check_dot(node, rules)
    elif isinstance(node, exp.Column):
        _check_column(node, rules)


def _check_column(column: exp.Column, rules: Rules) -> None:
    if rules.dialect == "postgres":
        check_column(column)
    if column.name.lower() in rules.setting_columns:
        _check_settings(column)


def _check_search(match: exp.Expr) -> None:
    """No search for secrets, nor for the settings that hold them and for no others."""
    text = match.expression.name
    if _HUNTED.search(text):
        raise Refused("sql_refused.secret_search")
    if isinstance(match, exp.Like | exp.ILike):
        text = "^" + re.escape(text).replace("%", ".*").replace("_", ".") + "$"
    if len(text) > _LONGEST_SEARCH or ")" in text:
        # Trying it here may cost time without bound.
        return
    try:
        pattern = re.compile(text, re.I)
    except re.error:
        return
    if any(map(pattern.search, _SECRET_SETTINGS)) and not any(map(pattern.search, _OTHER_SETTINGS)):
        raise Refused("sql_refused.secret_setting_search")


def _check_name(name: exp.Identifier, rules: Rules) -> None:
    if name.name.lower() in rules.secret_columns:
        raise Refused("sql_refused.secret_column", name=name.name)
    field = isinstance(name.parent, exp.Dot) or (isinstance(name.parent, exp.Column) and name.parent.table)
    if field and not rules.calls(name.name) and rules.effects.fullmatch(name.name.lower()):
        raise Refused("sql_refused.effects", name=name.name)


def _check_settings(column: exp.Column) -> None:
    """Settings of roles are read by their names: a condition somewhere compares with a text that has one."""
    counted = isinstance(column.parent, exp.Func) and called(column.parent) in (
        "array_length",
        "arraysize",
        "cardinality",
    )
    compared = (found for found in column.root().find_all(*_COMPARING) if isinstance(found.expression, exp.Literal))
    if not counted and not any(_NAMED.search(found.expression.name) for found in compared):
        raise Refused("sql_refused.all_settings", table=column.name)


def _listed(node: exp.Expr, called: frozenset[str], rules: Rules) -> bool:
    if type(node).__name__ in rules.nodes:
        return True
    return isinstance(node, exp.Func) and any(type(node) in _classes(rules.dialect, name) for name in called)


@lru_cache(maxsize=1024)
def _classes(dialect: str, name: str) -> frozenset[type[exp.Expr]]:
    """The classes into which the parser turns calls of a listed function."""
    found: set[type[exp.Expr]] = set()
    for given in _ARGUMENTS:
        try:
            found.update(map(type, sqlglot.parse_one(f"SELECT {name}({given})", read=dialect).find_all(exp.Func)))
        except (SqlglotError, ValueError):
            continue
    return frozenset(found)


def _check_call(node: exp.Anonymous, rules: Rules) -> None:
    name = node.this.name if isinstance(node.this, exp.Expr) else str(node.this)
    quoted = isinstance(node.this, exp.Identifier) and bool(node.this.args.get("quoted"))
    if not name.isascii() or not (rules.calls(name if quoted else name.lower()) or _is_all(node, name)):
        raise Refused("sql_refused.function", name=name)
    if name.lower() == "current_setting" and rules.dialect == "postgres":
        first = node.expressions[0] if node.expressions else None
        if not isinstance(first, exp.Literal | exp.Placeholder | exp.Parameter):
            raise Refused("sql_refused.current_setting")
        if isinstance(first, exp.Literal) and not rules.is_own_setting(first.name):
            raise Refused("sql_refused.own_setting", name=first.name)


def _is_all(node: exp.Anonymous, name: str) -> bool:
    """`= ALL (array)` is read as a call."""
    return name.upper() == "ALL" and isinstance(node.parent, exp.Binary)


def _check_dot(node: exp.Dot, rules: Rules) -> None:
    """schema.function(...): only the catalogue's, or an extension's wherever that was put."""
    called = node.expression
    if rules.dialect != "postgres":
        return
    if not isinstance(called, exp.Func):
        check_field(node)
        return
    schema = node.this.name.lower() if isinstance(node.this, exp.Identifier) else ""
    name = called.name if isinstance(called, exp.Anonymous) else ""
    if schema not in rules.schemas and not _is_of_extension(schema, name.lower(), rules):
        raise Refused("sql_refused.schema", schema=schema) if schema else Refused("sql_refused.schema_of_expression")


def _is_of_extension(schema: str, name: str, rules: Rules) -> bool:
    return schema in rules.extension_schemas and name in rules.extension_functions


def _check_type(node: exp.DataType, rules: Rules) -> None:
    kind = node.args.get("kind")
    if node.this == exp.DType.USERDEFINED:
        name = kind.name if isinstance(kind, exp.Identifier) else str(kind)
        if not isinstance(kind, exp.Identifier | str) or name.lower() not in rules.types:
            raise Refused("sql_refused.type", name=name)
    elif node.this in _REFUSED_TYPES:
        raise Refused("sql_refused.type", name=node.this.name.lower())


def _check_table(table: exp.Table, rules: Rules) -> None:
    called = table.this
    schema, name = table.db.lower(), table.name.lower()
    if isinstance(called, exp.Func):
        _check_table_function(table, schema, rules)
    elif not isinstance(called, exp.Identifier):
        if called is not None:
            raise Refused("sql_refused.no_name")
    elif (cte := cte_of(table)) is not None:
        if rules.dialect == "postgres" and spelled(called) != spelled(cte.args["alias"].this):
            raise Refused("sql_refused.relation", name=table.sql())
    elif rules.dataset is not None:
        _check_in_dataset(table, schema, name, rules.dataset)
    elif rules.tables_of_users:
        _check_plain(table, schema, name, rules)
    elif not _is_listed(table, schema, name, rules):
        raise Refused("sql_refused.relation", name=table.sql())
    elif name in rules.guarded:
        _check_guarded(table, rules.guarded[name], rules.readable[name])


def _check_table_function(table: exp.Table, schema: str, rules: Rules) -> None:
    name = table.this.name.lower() if isinstance(table.this, exp.Anonymous) else ""
    if schema and schema not in rules.schemas and not _is_of_extension(schema, name, rules):
        raise Refused("sql_refused.schema", schema=schema)
    if rules.table_functions is not None and (name or table.this.key) not in rules.table_functions:
        raise Refused("sql_refused.function_in_from", name=name or table.this.key)


def _is_listed(table: exp.Table, schema: str, name: str, rules: Rules) -> bool:
    parts = [part for part in table.parts if isinstance(part, exp.Identifier)]
    if table.catalog or any(part.args.get("quoted") and part.name != part.name.lower() for part in parts):
        return False
    if not name.isascii() or not schema.isascii():
        return False
    if schema == "information_schema":
        return name in rules.information
    if schema and schema not in rules.schemas:
        return schema in rules.extension_schemas and name in rules.extension_relations
    return name in rules.relations or name in rules.extension_relations


def _check_in_dataset(table: exp.Table, schema: str, name: str, tables: frozenset[str]) -> None:
    """Only the dataset's own tables, however they are spelled: anything else may be a file or the catalogue."""
    if table.catalog or schema not in ("", "main") or name not in tables:
        raise Refused("sql_refused.not_in_dataset", name=table.sql(dialect="duckdb"), tables=tuple(sorted(tables)))


def _check_plain(table: exp.Table, schema: str, name: str, rules: Rules) -> None:
    """A table of a dataset: plain names, for DuckDB opens whatever else looks like a file."""
    if any(not _PLAIN.fullmatch(part.name) for part in table.parts) or table.catalog:
        raise Refused("sql_refused.no_plain_name", name=table.sql())
    if rules.dialect == "postgres" and _is_listed(table, schema, name, rules):
        return
    if rules.data_frames.fullmatch(name):
        raise Refused("sql_refused.data_frame", name=name)
    if name in rules.statement_words:
        raise Refused("sql_refused.word_in_from", name=name.upper())
    if schema == "information_schema":
        if name not in rules.information:
            raise Refused("sql_refused.relation", name=table.sql())
    elif schema and name in rules.file_endings:
        raise Refused("sql_refused.file", name=table.sql())
    elif schema == "pg_catalog" or (name.startswith(("duckdb_", "pragma_", "pg_")) and not rules.calls(name)):
        raise Refused("sql_refused.relation", name=table.sql())


def _check_guarded(table: exp.Table, columns: frozenset[str], readable: frozenset[str]) -> None:
    """A relation with columns that may not be read: none of them may be named, nor all at once."""
    if isinstance(table.args.get("alias"), exp.TableAlias) and table.args["alias"].args.get("columns"):
        raise Refused("sql_refused.renamed_columns", table=table.name)
    root = table.root()
    aliases = {table.alias_or_name.lower(), table.name.lower()}
    for star in root.find_all(exp.Star):
        if not isinstance(star.parent, exp.Count):
            raise Refused("sql_refused.all_columns_of", table=table.name)
    for name in root.find_all(exp.Identifier):
        column = isinstance(name.parent, exp.Column | exp.Dot) and name.arg_key in ("this", "expression")
        if column and name.name.lower() in columns | aliases:
            raise Refused("sql_refused.guarded_column", name=name.name, table=table.name)
    for read in root.find_all(exp.Column):
        # PostgreSQL reads alias.function as function(alias), with the whole row as its argument.
        if read.table.lower() in aliases and read.name.lower() not in readable:
            raise Refused("sql_refused.unreadable_column", column=read.name, table=table.name)
