"""The things that words name, in either language: concepts of the field, identifiers and numbers."""

from __future__ import annotations

from lang import deferred_re as re
from lang.concepts.glossary import load
from lang.concepts.reading import CONCEPT, read

_LITERAL = re.compile(r"(?<![\w.])(?:[A-Za-z]*\d[\d.]*\d\w*|\d[A-Za-z]+|[A-Za-z]+(?:_[A-Za-z0-9]+)+)", re.ASCII)
# What "where" and "which row" come to.
_ASKING = frozenset(("filter", "row"))


def things_named(text: str) -> frozenset[str]:
    """The things that a text names, each by one key; empty where it only points at something."""
    concepts = {token.key for token in read(text, load()).tokens if token.kind == CONCEPT} - _ASKING
    return frozenset((*concepts, *(each.casefold() for each in _LITERAL.findall(text))))
