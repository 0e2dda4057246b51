"""Classes of failures, by which the captain sees that a mend leads nowhere."""

from __future__ import annotations

import re

from services.analyst.execution.runner import SqlFailed
from services.analyst.queries.query import Impossible
from services.chassis.errors import DbdiagError

_CLASSES = (
    ("column not found", re.compile(r"Referenced column|column .* not found|does not have a column", re.I)),
    ("table not found", re.compile(r"Table with name|Catalog Error: Table", re.I)),
    ("function not found", re.compile(r"Function with name|No function matches", re.I)),
    ("type mismatch", re.compile(r"Conversion Error|Cannot compare values|Could not convert|explicit cast", re.I)),
    ("not grouped", re.compile(r"must appear in the GROUP BY", re.I)),
    ("ambiguous column", re.compile(r"Ambiguous reference", re.I)),
    ("syntax", re.compile(r"Parser Error|syntax error", re.I)),
)


def classify(error: DbdiagError) -> str:
    """The class of a failure, in a word or two of English."""
    if isinstance(error, SqlFailed):
        return next((name for name, pattern in _CLASSES if pattern.search(error.words)), "database error")
    if isinstance(error, Impossible):
        return "not expressible"
    return error.reason.replace("_", " ")
