"""A text read for likeness: its tokens with weights, and the text in English as far as the glossary knows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from lang.concepts.glossary import Glossary
from lang.concepts.text import Piece, camel_parts, excerpt, normalise, pieces

CONCEPT, WORD, GRAM = "concept", "word", "gram"
_IDENTIFIER_WEIGHT, _WORD_WEIGHT, _PART_WEIGHT, _LITERAL_WEIGHT = 1.2, 0.8, 0.3, 0.35
_BIGRAM_WEIGHT, _CHARACTER_WEIGHT, _FAMILY_WEIGHT = 0.5, 0.2, 0.4


@dataclass(frozen=True, slots=True)
class Token:
    """One meaning-bearing item; `key` is what is compared."""

    kind: str
    key: str
    weight: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with its tokens in order. foreign: words of other products. unknown_share: of its characters."""

    text: str
    tokens: tuple[Token, ...]
    gloss: str
    foreign: int
    unknown_share: float

    def weights(self) -> dict[str, float]:
        """The keys with their largest weight."""
        found: dict[str, float] = {}
        for token in self.tokens:
            found[token.key] = max(found.get(token.key, 0.0), token.weight)
        return found


@lru_cache(maxsize=64)  # Several models read the same words.
def read(text: str, glossary: Glossary) -> Reading:
    """Reads any text, of a very long one what `excerpt` keeps; garbage gives a reading without tokens."""
    normal = normalise(excerpt(text))
    items = _respelt(pieces(normal), glossary)
    found, gloss, unknown = _Scan(normal, items, glossary).run()
    for pattern, concept in glossary.patterns:
        if pattern.search(normal):
            found.append(Token(CONCEPT, concept, 1.0))
            gloss.append(glossary.glosses.get(concept, concept))
    total = sum(len(item.text) for item in items if item.kind != "number")
    return Reading(
        text=normal,
        tokens=tuple(found),
        gloss=" ".join(gloss),
        foreign=glossary.foreign_words(normal, items),
        unknown_share=unknown / total if total else 1.0,
    )


def _respelt(items: Sequence[Piece], glossary: Glossary) -> list[Piece]:
    """The pieces with slips of the fingers mended, so that phrases are found over them, too."""
    mended = []
    for item in items:
        meant = glossary.respelt(item.stem) if item.kind == "word" else ""
        mended.append(replace(item, text=meant, stem=meant) if meant else item)
    return mended


class _Scan:
    """One pass over the pieces of a normal form."""

    def __init__(self, text: str, items: Sequence[Piece], glossary: Glossary) -> None:
        self._text, self._items, self._glossary = text, items, glossary
        self._grammar = glossary.grammar
        self._lower = text.lower()
        self._tokens: list[Token] = []
        self._gloss: list[str] = []
        self._han: list[Piece] = []
        self._unknown = 0

    def run(self) -> tuple[list[Token], list[str], int]:
        """The tokens, the gloss, and how many characters nothing is known about."""
        position = 0
        while position < len(self._items):
            position += self._step(position)
        self._flush()
        return self._tokens, self._gloss, self._unknown

    def _step(self, position: int) -> int:
        item = self._items[position]
        mark = self._mark_at(item)
        width, concepts = self._glossary.at(self._text, self._items, position)
        if width > mark or (width and not mark):
            self._flush()
            self._concepts(position, width, concepts)
            return width
        if mark:
            self._flush()
            return mark
        if item.kind == "han":
            self._character(item)
            return 1
        self._flush()
        if item.kind == "word":
            self._word(item)
        return 1

    def _mark_at(self, item: Piece) -> int:
        """The length of the Chinese word without meaning that stands here; 0 if there is none."""
        marks = self._grammar.han.get(item.text, ()) if item.kind == "han" else ()
        return next((len(word) for word in marks if self._lower.startswith(word, item.start)), 0)

    def _character(self, item: Piece) -> None:
        if item.text in self._grammar.stop_characters:
            self._flush()
        else:
            self._han.append(item)

    def _concepts(self, position: int, width: int, concepts: tuple[str, ...]) -> None:
        for concept in concepts:
            self._tokens.append(Token(CONCEPT, concept, 1.0))
            self._gloss.append(self._glossary.glosses.get(concept, concept))
            if concept in self._glossary.family:
                self._tokens.append(Token(WORD, self._glossary.family[concept], _FAMILY_WEIGHT))
        for item in self._items[position : position + width]:
            if item.kind == "word" and item.stem not in self._grammar.stop_words:
                self._tokens.append(Token(WORD, item.stem, _LITERAL_WEIGHT))

    def _word(self, item: Piece) -> None:
        if self._text[item.start - 1 : item.start] == "/":
            # Where a file lies says nothing.
            return
        lowered = item.text.lower().replace("’", "'")
        if item.stem in self._grammar.stop_words or lowered in self._grammar.stop_words:
            return
        self._tokens.append(Token(WORD, item.stem, _IDENTIFIER_WEIGHT if "_" in item.stem else _WORD_WEIGHT))
        self._gloss.append(lowered)
        for part in [*camel_parts(item.text), *(lowered.split("_") if "_" in lowered else ())]:
            if part and part not in self._grammar.stop_words:
                self._tokens.append(Token(WORD, part, _PART_WEIGHT))
        self._unknown += len(lowered)

    def _flush(self) -> None:
        run, self._han = self._han, []
        self._unknown += len(run)
        for gram in _grams([item.text for item in run]):
            self._tokens.append(Token(GRAM, gram, _BIGRAM_WEIGHT if len(gram) > 1 else _CHARACTER_WEIGHT))


def _grams(characters: Sequence[str]) -> Iterator[str]:
    yield from characters
    for left, right in pairwise(characters):
        yield left + right
