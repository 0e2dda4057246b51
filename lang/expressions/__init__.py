"""The expression language of checks: a closed, three-valued subset of Python's expressions over rows."""

from lang.expressions.grammar import Expression, NotInLanguage, parse
from lang.expressions.reads import Moment, Reads, Row, Rows, Scope, Value

__all__ = ["Expression", "Moment", "NotInLanguage", "Reads", "Row", "Rows", "Scope", "Value", "parse"]
