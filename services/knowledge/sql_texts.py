"""Admission of a library's SQL: a refused text is neither run nor shown."""

from __future__ import annotations

from collections.abc import Iterator

from services.chassis.messages import Message
from services.knowledge.library.load import Library, Problem
from services.knowledge.library.schema import Observe
from sql_admission import admit
from sql_admission.mysql import admit_mysql_library


def explain_refusal(observe: Observe, text: str) -> str:
    """Why a text of `kind: sql` is refused; empty when it is admitted."""
    decision = admit_mysql_library(text) if observe.engine == "mysql" else admit(text, "postgres")
    return decision.reason


def find_refused(library: Library) -> Iterator[Problem]:
    """A problem for each SQL text of the library that is refused, by file and place."""
    for entry in library.phenomena.values():
        if entry.observe.kind == "sql":
            for field, text in entry.observe.texts.items():
                if reason := explain_refusal(entry.observe, text):
                    yield Problem(
                        str(library.files[entry.id]),
                        f"observe.{field}",
                        Message("library_problem.sql_refused", {"entry": entry.id, "why": reason}),
                    )
