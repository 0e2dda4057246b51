"""The project's glossary: words of both languages that mean the same concept, found by longest phrase."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict
from rapidfuzz.distance import OSA

from lang import deferred_re as re
from lang.concepts.text import Piece, has_han, pieces

FILE = Path(__file__).with_name("glossary.yaml")
_LONGEST = 6
# Shorter words have too many neighbours to be misspelt recognisably; the longest may have two slips.
_TYPO_LENGTH, _TWO_SLIPS = 6, 10


class GrammarFile(BaseModel):
    """The `grammar` part of glossary.yaml: comma-separated words, and a string of characters."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    stop_words: str
    stop_characters: str
    marks: str
    degrees: str
    complaints: str
    unspecific: str
    states: str
    places: str
    hosts: str
    resources: str
    spelt_right: str


class GlossaryFile(BaseModel):
    """glossary.yaml as written; its head comment explains the form."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    concepts: dict[str, str]
    phrases: dict[str, list[str]]
    families: dict[str, str]
    foreign: str
    patterns: dict[str, str]
    grammar: GrammarFile


@dataclass(frozen=True)
class Grammar:
    """Words by what they do. `han` has the Chinese words without meaning by first character, longest first."""

    stop_words: frozenset[str]
    stop_characters: frozenset[str]
    han: dict[str, tuple[str, ...]]
    degrees: frozenset[str]
    complaints: frozenset[str]
    unspecific: frozenset[str]
    states: frozenset[str]
    places: frozenset[str]
    hosts: frozenset[str]
    resources: frozenset[str]
    spelt_right: frozenset[str]


@dataclass(frozen=True, eq=False)
class Glossary:
    """Phrases by their first character (Chinese) or by their stems (English)."""

    han: dict[str, tuple[tuple[str, tuple[str, ...]], ...]]
    latin: dict[tuple[str, ...], tuple[str, ...]]
    spellings: dict[str, tuple[str, ...]]
    words: frozenset[str]
    glosses: dict[str, str]
    family: dict[str, str]
    foreign_han: tuple[str, ...]
    foreign_latin: frozenset[tuple[str, ...]]
    patterns: tuple[tuple[re.Pattern[str], str], ...]
    grammar: Grammar

    def at(self, text: str, items: Sequence[Piece], position: int) -> tuple[int, tuple[str, ...]]:
        """How many pieces the longest phrase from `position` spans, and its concepts; (0, ()) when there is none."""
        start = items[position].start
        for phrase, concepts in self.han.get(text[start].lower(), ()):
            if text[start : start + len(phrase)].lower() == phrase:
                end = start + len(phrase)
                width = sum(1 for item in items[position : position + len(phrase)] if item.start < end)
                if items[position + width - 1].end <= end:
                    return width, concepts
        return self._latin_at(items, position)

    def _latin_at(self, items: Sequence[Piece], position: int) -> tuple[int, tuple[str, ...]]:
        if items[position].kind == "han":
            return 0, ()
        run: list[str] = []
        for item in items[position : position + _LONGEST]:
            if item.kind == "han" or item.clause != items[position].clause:
                break
            run.append(item.stem)
        for width in range(len(run), 0, -1):
            concepts = self.latin.get(tuple(run[:width]))
            if concepts:
                return width, concepts
        return 0, ()

    def respelt(self, stem: str) -> str:
        """The one word of the field that a word is a slip of the fingers away from; "" when it is none."""
        if len(stem) < _TYPO_LENGTH or not (stem.isascii() and stem.isalpha()) or stem in self.words:
            return ""
        slips = 2 if len(stem) >= _TWO_SLIPS else 1
        near = [
            (distance, word)
            for word in self.spellings.get(stem[0], ())
            if abs(len(word) - len(stem)) <= slips
            and (distance := OSA.distance(stem, word, score_cutoff=slips)) <= slips
        ]
        return min(near)[1] if near else ""

    def foreign_words(self, text: str, items: Sequence[Piece]) -> int:
        """How many words name another product or a thing that is no database."""
        lowered = text.lower()
        han = sum(1 for word in self.foreign_han if word in lowered)
        stems = [item.stem for item in items if item.kind == "word"]
        latin = sum(
            1 for i in range(len(stems)) for width in (1, 2, 3) if tuple(stems[i : i + width]) in self.foreign_latin
        )
        return han + latin


def _words(listed: str) -> list[str]:
    return [word.strip() for word in listed.split(",") if word.strip()]


def stems_of(phrase: str) -> tuple[str, ...]:
    """The stems of an English phrase."""
    return tuple(item.stem for item in pieces(phrase))


@cache
def load(path: Path = FILE) -> Glossary:
    """The glossary of a file; read once."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    file = GlossaryFile.model_validate(yaml.load(path.read_text(encoding="utf-8"), Loader=loader))
    meanings: dict[str, tuple[str, ...]] = {}
    for concept, listed in file.concepts.items():
        for word in [word for side in listed.split("|") for word in _words(side)]:
            meanings.setdefault(word.lower(), (concept,))
    meanings |= {phrase.lower(): tuple(concepts) for phrase, concepts in file.phrases.items()}
    foreign = _words(file.foreign)
    grammar = _grammar(file.grammar)
    foreign_latin = frozenset(stems_of(word) for word in foreign if not has_han(word))
    latin = _by_stems({phrase: concepts for phrase, concepts in meanings.items() if not has_han(phrase)})
    return Glossary(
        han=_by_first({phrase: concepts for phrase, concepts in meanings.items() if has_han(phrase)}),
        latin=latin,
        spellings=_spellings(latin),
        words=_words_of(grammar, [*latin, *foreign_latin]),
        glosses={concept: concept.replace("_", " ") for concept in file.concepts},
        family={state: family for family, listed in file.families.items() for state in _words(listed)},
        foreign_han=tuple(word.lower() for word in foreign if has_han(word)),
        foreign_latin=foreign_latin,
        patterns=tuple(
            (re.compile(pattern, re.IGNORECASE | re.ASCII), concept) for concept, pattern in file.patterns.items()
        ),
        grammar=grammar,
    )


def _grammar(file: GrammarFile) -> Grammar:
    idle = {word.lower() for listed in (file.stop_words, file.marks) for word in _words(listed)}
    han: dict[str, list[str]] = {}
    for word in sorted(filter(has_han, idle), key=lambda word: (-len(word), word)):
        han.setdefault(word[0], []).append(word)
    return Grammar(
        stop_words=frozenset(idle),
        stop_characters=frozenset(file.stop_characters),
        han={character: tuple(words) for character, words in han.items()},
        degrees=frozenset(_words(file.degrees)),
        complaints=frozenset(_words(file.complaints)),
        unspecific=frozenset(_words(file.unspecific)),
        states=frozenset(_words(file.states)),
        places=frozenset(_words(file.places)),
        hosts=frozenset(_words(file.hosts)),
        resources=frozenset(_words(file.resources)),
        spelt_right=frozenset(_words(file.spelt_right)),
    )


def _by_first(phrases: dict[str, tuple[str, ...]]) -> dict[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    first: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)):
        first.setdefault(phrase[0], []).append((phrase, phrases[phrase]))
    return {character: tuple(entries) for character, entries in first.items()}


def _spellings(phrases: Iterable[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The single words that can be misspelt, by first letter."""
    found: dict[str, list[str]] = {}
    for stems in phrases:
        if len(stems) == 1 and len(stems[0]) >= _TYPO_LENGTH - 1 and stems[0].isalpha():
            found.setdefault(stems[0][0], []).append(stems[0])
    return {letter: tuple(sorted(words)) for letter, words in found.items()}


def _words_of(grammar: Grammar, phrases: Iterable[tuple[str, ...]]) -> frozenset[str]:
    """Every word that is spelt as it should be, as far as the glossary knows."""
    own = (*grammar.stop_words, *grammar.complaints, *grammar.unspecific, *grammar.spelt_right)
    return frozenset({word for listed in own for word in (listed, *stems_of(listed))}.union(*phrases))


def _by_stems(phrases: dict[str, tuple[str, ...]]) -> dict[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for phrase, concepts in phrases.items():
        stems = stems_of(phrase)
        if stems and not all(part.isdigit() for part in stems):
            found.setdefault(stems, concepts)
    return found
