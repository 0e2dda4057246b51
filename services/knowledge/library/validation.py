"""What is wrong with an entry that is not valid, as messages for people."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from pydantic import BaseModel, ValidationError

from lang import vocabulary
from lang.pastes.own_queries import views
from services.chassis.messages import Message
from services.knowledge.library import schema


def verbatim(words: str) -> Message:
    """The words of another program, the same in every language."""
    return Message("verbatim", {"words": words})


def validation_problems(error: ValidationError, known: Iterable[str] | None = None) -> list[tuple[str, Message]]:
    """Field path and problem for each validation error of pydantic.

    For an unknown key the nearest of the `known` keys is suggested; by default these are the keys of library entries.
    """
    found = []
    for item in error.errors(include_url=False, include_input=False):
        place = ".".join(str(part) for part in item["loc"]) or "the entry"
        what = verbatim(item["msg"])
        if item["type"] == "extra_forbidden":
            keys = _entry_keys() if known is None else known
            what = Message("library_problem.unknown_key", {"nearest": nearest(str(item["loc"][-1]), keys)})
        found.append((place, what))
    return found


def _entry_keys() -> set[str]:
    named = [*vars(schema).values(), *vars(vocabulary).values(), *vars(views).values()]
    models = (value for value in named if isinstance(value, type) and issubclass(value, BaseModel))
    return {item.alias or key for model in models for key, item in model.model_fields.items()}


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most like one; `none` if none is known."""
    return next(iter(difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.0)), "none")
