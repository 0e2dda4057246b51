"""Finds concepts in a text by the phrases of lexicon.yaml, which makes Chinese and English comparable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from services.knowledge.importing.matching.statement import normalise
from services.knowledge.library.yaml_text import read_yaml

# Letters to what may follow; _END stands where a phrase ends.
_Node = dict[str, "_Node"]
_END = ""
_FILE = Path(__file__).with_name("lexicon.yaml")


@dataclass(frozen=True)
class Lexicon:
    """Phrases to concepts. A concept's name starts with `state:` (high, off, slow ...) or `thing:`.

    stop, filler and sql_words: what carries no meaning in English text, in Chinese text, and in SQL or shell lines.
    general: things that say where something is rather than what.
    """

    concepts: dict[str, tuple[str, ...]]
    pattern: re.Pattern[str]
    stop: frozenset[str]
    filler: re.Pattern[str]
    sql_words: frozenset[str]
    general: frozenset[str]

    def split(self, key: str) -> tuple[list[str], str]:
        """The concepts of a normalised text in order, and the text left around their phrases."""
        found: list[str] = []

        def take(match: re.Match[str]) -> str:
            found.extend(self.concepts[match[0]])
            return " | "

        rest = self.pattern.sub(take, key)
        return found, rest


@lru_cache(maxsize=65536)
def concepts_of(key: str) -> tuple[str, ...]:
    """The concepts of a normalised text in their order."""
    return tuple(lexicon().split(key)[0])


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The shipped lexicon, read once."""
    content = read_yaml(_FILE.read_text(encoding="utf-8"))
    phrases: dict[str, list[str]] = {}
    for concept, phrase in _entries(content):
        names = phrases.setdefault(normalise(phrase), [])
        if concept not in names:
            names.append(concept)
    pattern = re.compile(_one_of(phrases))
    return Lexicon(
        concepts={phrase: tuple(names) for phrase, names in phrases.items()},
        pattern=pattern,
        stop=frozenset(content["stop"]),
        filler=re.compile("|".join(map(re.escape, content["filler"]))),
        sql_words=frozenset(content["sql"]),
        general=frozenset(f"thing:{name}" for name in content["general"]),
    )


def _entries(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for kind, concepts in (("state", content["states"]), ("thing", content["concepts"])):
        for name, phrases in concepts.items():
            for phrase in phrases:
                yield f"{kind}:{name}", str(phrase)


def _one_of(phrases: Iterable[str]) -> str:
    """A pattern of the longest phrase at a place. Phrases share their beginnings in it, so it is tried by letters."""
    latin: _Node = {}
    other: _Node = {}
    for phrase in phrases:
        node = latin if re.match(r"[a-z0-9_]", phrase) else other
        for letter in phrase:
            node = node.setdefault(letter, {})
        node[_END] = {}
    return rf"(?<![a-z0-9_]){_branches(latin, '')}|{_branches(other, '')}"


def _branches(node: _Node, last: str) -> str:
    found = [re.escape(letter) + _branches(node[letter], letter) for letter in sorted(node) if letter != _END]
    if _END in node:
        found.append(r"(?![a-z0-9_])" if re.match(r"[a-z0-9_]", last) else "")
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"
