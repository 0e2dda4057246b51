"""The tables that statements change or maintain, as written or said: "ALTER TABLE orders", "ran analyze events"."""

from __future__ import annotations

from collections.abc import Iterator

from lang import deferred_re as re
from lang.listed import lists_beside

_LISTED = lists_beside(__file__)

_CHANGED = _LISTED.pattern("changed", re.IGNORECASE | re.ASCII)
# Somebody ran it, or is to run it.
_RUN = re.compile(r"\b(?:ran|runs?|running|did|tried)\s+$|[跑做]了?一?[下次遍]?\s*$", re.IGNORECASE)


def changed_tables(text: str) -> Iterator[str]:
    """The tables of statements; a verb that is a word of a sentence has none: "makes the vacuum write faster"."""
    for found in _CHANGED.finditer(text):
        verb, table = found["verb"], found["table"]
        alone = verb == verb.lower() and len(verb.split()) == 1 and table.isalpha()
        if not alone or text[found.end() : found.end() + 1] in (";", "(") or _RUN.search(text[: found.start()]):
            yield table
