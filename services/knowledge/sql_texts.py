"""Admission of a library's SQL: a refused text is neither run nor shown nor published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from services.chassis.messages import Message
from services.knowledge.library.load import InvalidLibrary, Library, Problem, load
from services.knowledge.library.schema import Observe


def load_admitted(paths: Sequence[Path], trusted: Path | None = None) -> Library:
    """The libraries at `paths`. Raises InvalidLibrary with every problem; refused SQL is one.

    trusted: a folder whose libraries were checked before.
    """
    library = load(paths)
    if found := sorted(find_refused(library, trusted), key=str):
        raise InvalidLibrary(paths, found)
    return library


def find_refused(library: Library, trusted: Path | None = None) -> Iterator[Problem]:
    """A problem for each SQL text of the library that is refused, by file and place; none in the trusted folder."""
    for entry in library.phenomena.values():
        file = library.files[entry.id]
        if entry.observe.kind == "sql" and not (trusted and file.resolve().is_relative_to(trusted)):
            for field, text in entry.observe.texts.items():
                if refusal := explain_refusal(entry.observe, text):
                    why = Message("library_problem.sql_refused", {"entry": entry.id, "why": refusal})
                    yield Problem(str(file), f"observe.{field}", why)


def explain_refusal(observe: Observe, text: str) -> Message | None:
    """Why a text of `kind: sql` is refused; None when it is admitted."""
    # A service that starts with the shipped libraries needs no parser.
    from sql_admission import admit
    from sql_admission.mysql import admit_mysql_library

    decision = admit_mysql_library(text) if observe.engine == "mysql" else admit(text, "postgres")
    return decision.refusal
