"""The concepts in a text, by the phrases of lexicon.yaml: what makes a Chinese and an English statement comparable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from services.knowledge.importing.observation import normal
from services.knowledge.yaml_text import read_yaml

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
        """The concepts of a normalised text in their order, and what is left of the text around their phrases."""
        found: list[str] = []

        def take(match: re.Match[str]) -> str:
            found.extend(self.concepts[match[0]])
            return " | "

        rest = self.pattern.sub(take, key)
        return found, rest


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The shipped lexicon, read once."""
    content = read_yaml(_FILE.read_text(encoding="utf-8"))
    phrases: dict[str, list[str]] = {}
    for concept, phrase in _entries(content):
        names = phrases.setdefault(normal(phrase), [])
        if concept not in names:
            names.append(concept)
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    pattern = re.compile("|".join(_bounded(phrase) for phrase in ordered))
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


def _bounded(phrase: str) -> str:
    start = r"(?<![a-z0-9_])" if re.match(r"[a-z0-9_]", phrase) else ""
    end = r"(?![a-z0-9_])" if re.search(r"[a-z0-9_]$", phrase) else ""
    return start + re.escape(phrase) + end
