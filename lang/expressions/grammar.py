"""The small language of signals and predicates: a closed subset of Python's expressions over the rows that were read.

A name is a signal, else a column of the first row. An unknown value is None, and None stays None through arithmetic
and comparisons; `and`, `or`, `any` and `all` are those of three-valued logic. A text is never less than another.

Functions over the rows of the last read: `any(e)`, `all(e)`, `n()`, `countif(e)`, `sumof(e)`, `maxof(e)`, `minof(e)`,
`at_max(e, of)`; over all reads: `overall(e)`, `reads_where(e)`; from the first read to the last: `rise(c)`, `rate(c)` a
second, `least_step(c)` from one read to the next, `same(c)`, `elapsed()` seconds. `absent(c)`: the column is there and
has no value. `ago(c)`: seconds from a time until now; `since(c)`: until the latest time in the rows, which is never
more. Also `coalesce`, `min`, `max`, `abs`, `has`. Sizes and intervals (`1 GB`, `5 min`) are bytes and seconds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from keyword import iskeyword
from typing import TypeGuard

from lang.expressions.evaluate import ARITHMETIC, COMPARISONS, FUNCTIONS, evaluate
from lang.expressions.reads import Scope, Value

SIZES = {"B": 1.0, "kB": 1024.0, "MB": 1024.0**2, "GB": 1024.0**3, "TB": 1024.0**4}
SPANS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_UNITS = SIZES | SPANS
# A text in quotes is left as it is; a number in a name ("pg17") has no unit.
_LITERAL = re.compile(rf"'[^']*'|\"[^\"]*\"|(?<![\w.])(\d+(?:\.\d+)?) ?({'|'.join(_UNITS)})(?!\w)")


def expand_literals(text: str) -> str:
    """The expression with each size and interval as a plain number in bytes or seconds."""
    return _LITERAL.sub(lambda found: repr(float(found[1]) * _UNITS[found[2]]) if found[1] else found[0], text)


class NotInLanguage(ValueError):
    """Raised for a text outside the language; `problem` says which rule it breaks, `details` where."""

    def __init__(self, problem: str, **details: str) -> None:
        super().__init__(f"{problem}: {details}")
        self.problem = problem
        self.details = details


@dataclass(frozen=True, slots=True)
class Expression:
    """One parsed expression. names: those it mentions, in order; texts: those of them that it compares with a text.

    functions: the functions that it calls. picks: the names with the texts that they must equal.
    """

    text: str
    tree: ast.expr
    names: tuple[str, ...]
    texts: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    picks: frozenset[tuple[str, str]] = frozenset()

    def value(self, scope: Scope) -> Value:
        """The value of the expression."""
        return evaluate(self.tree, scope)


@cache
def parse(text: str) -> Expression:
    """Raises NotInLanguage, a ValueError, for anything outside the language."""
    try:
        tree = _Plain().visit(ast.parse(expand_literals(text.strip()), mode="eval").body)
    except SyntaxError as error:
        raise NotInLanguage("no_expression", text=repr(text), why=error.msg) from error
    _check(tree, text)
    called = {
        id(node.func): node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_name(node.func)
    }
    named = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called)
    names = tuple(dict.fromkeys(node.id for node in named))
    texts, picks = frozenset(_texts(tree)), frozenset(_picks(tree))
    return Expression(text.strip(), tree, names, texts, frozenset(called.values()), picks)


def _is_name(node: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


class _Plain(ast.NodeTransformer):
    """Takes the underscore from a column's name that Python keeps for itself: `class_` is the column `class`."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        bare = node.id.removesuffix("_")
        return ast.Name(bare, node.ctx) if iskeyword(bare) else node


def _texts(tree: ast.expr) -> Iterator[str]:
    """The names that stand beside a text in a comparison or in `has`."""
    for node in ast.walk(tree):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "has":
            sides = node.args
        if any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in sides):
            yield from (side.id for side in sides if isinstance(side, ast.Name))


def _picks(tree: ast.expr) -> Iterator[tuple[str, str]]:
    """The names that must equal a text, each with the text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            match node.left, node.comparators[0]:
                case ast.Name(id=name), ast.Constant(value=str(text)):
                    yield name, text


def _check(tree: ast.expr, text: str) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords:
                raise NotInLanguage("no_function", text=repr(text), name=ast.unparse(node.func))
        elif isinstance(node, ast.Constant):
            if not isinstance(node.value, int | float | str):
                raise NotInLanguage("odd_constant", text=repr(text))
        elif not isinstance(node, _ALLOWED):
            raise NotInLanguage("not_in_language", text=repr(text), part=type(node).__name__)


_ALLOWED = (
    ast.Name,
    ast.Load,
    ast.BoolOp,
    ast.And,
    ast.Or,
    ast.UnaryOp,
    ast.Not,
    ast.USub,
    ast.BinOp,
    ast.Div,
    ast.Compare,
    ast.Eq,
    ast.NotEq,
    ast.IfExp,
    *ARITHMETIC,
    *COMPARISONS,
)
