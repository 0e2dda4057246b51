"""A text read: its tokens with weight, clause and negation, as recall, rerank and polarity need them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lang import deferred_re as re
from services.matcher.reading.glossary import HARMLESS, NEGATION, NORMAL, Glossary
from services.matcher.reading.numbers import COUNT, quantities
from services.matcher.reading.text import Piece, camel_parts, excerpt, language_of, normalise, pieces

CONCEPT, WORD, GRAM = "concept", "word", "gram"
CONTENT = frozenset({CONCEPT, WORD, GRAM})
INABILITY = "inability"

# A verb that cannot be brought to its end (连接不上): an inability, no denial.
_INABILITY_HAN = re.compile(
    r"(?<=[\u4e00-\u9fff])不(?:上(?![升涨调])|下(?![降跌调])|出(?![现错])|起(?!作用)|回(?![收滚退])|了(?!解)|完(?!整)"
    r"|通(?!过)|开(?![启始])|动(?!态)|[到进去来着掉住及])"
)
# What does not do its work: a fault, and no denial of one.
_FAILS_LATIN = re.compile(
    r"(?:\w+n't|\w+nt|not|never|no longer)\s+(?:be\s+|been\s+|even\s+|\w+ly\s+)?"
    r"(?:(?P<state>able to|reachable|accessible|available|usable)|work(?:s|ing|ed)?\b|respon\w+|answer\w*"
    r"|connecting|stop\w*"
    r"|com(?:e|es|ing) up|log(?:s|ging)? ?(?:in|on)|accepting|get(?:ting)? through|load(?:s|ing)?\b|boot\w*)"
    r"|(?:won't|wont|doesn't|doesnt|does not|will not|couldn't|not)\s+(?:start|open|connect|launch|finish)\b"
)
_AGO = re.compile(r"\s*(?:之?前|以前|ago)")
_STATED = re.compile(r"(?:是|为|=|:|：|\bis|\bat|\bto|\bstays)\s*$")
_IDENTIFIER_WEIGHT, _WORD_WEIGHT, _PART_WEIGHT, _LITERAL_WEIGHT = 1.2, 0.8, 0.3, 0.35
_BIGRAM_WEIGHT, _CHARACTER_WEIGHT, _FAMILY_WEIGHT = 0.5, 0.2, 0.4


@dataclass(frozen=True, slots=True)
class Token:
    """One meaning-bearing item. `key` is what is compared; `negated` counts by parity within the clause."""

    kind: str
    key: str
    weight: float
    clause: int
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with its tokens in order. `gloss` is the text in English as far as the glossary knows it."""

    text: str
    language: str
    tokens: tuple[Token, ...]
    gloss: str
    foreign: int
    unknown_share: float

    def weights(self) -> dict[str, float]:
        """The content keys with their largest weight."""
        found: dict[str, float] = {}
        for token in self.tokens:
            if token.kind in CONTENT:
                found[token.key] = max(found.get(token.key, 0.0), token.weight)
        return found


def read(text: str, glossary: Glossary) -> Reading:
    """Reads any text, of a very long one what `excerpt` keeps; garbage gives a reading without tokens."""
    normal = normalise(excerpt(text))
    items = _respelt(pieces(_without_quantities(normal)), glossary)
    found, gloss, unknown = _Scan(normal, items, glossary).run()
    for pattern, concept in glossary.patterns:
        if pattern.search(normal):
            found.append(Token(CONCEPT, concept, 1.0, found[-1].clause if found else 0))
            gloss.append(glossary.glosses.get(concept, concept))
    total = sum(len(item.text) for item in items if item.kind != "number")
    return Reading(
        text=normal,
        language=language_of(normal),
        tokens=tuple(scoped(found)),
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


def _without_quantities(text: str) -> str:
    """The text with numbers and their units blanked: what they mean is compared as numbers, not as words."""
    for quantity in quantities(text):
        end = quantity.start + len(quantity.words)
        if quantity.dimension != COUNT and not _AGO.match(text, end):
            text = text[: quantity.start] + " " * len(quantity.words) + text[end:]
    return text


class _Scan:
    """One pass over the pieces of a normal form."""

    def __init__(self, text: str, items: Sequence[Piece], glossary: Glossary) -> None:
        self._text, self._items, self._glossary = text, items, glossary
        self._grammar = glossary.grammar
        self._lower = text.lower().replace("’", "'")
        self._tokens: list[Token] = []
        self._gloss: list[str] = []
        self._han: list[Piece] = []
        self._unknown = 0

    def run(self) -> tuple[list[Token], list[str], int]:
        """The tokens without scopes, the gloss, and how many characters nothing is known about."""
        position = 0
        while position < len(self._items):
            position += self._step(position)
        self._flush()
        return self._tokens, self._gloss, self._unknown

    def _step(self, position: int) -> int:
        item = self._items[position]
        if _INABILITY_HAN.match(self._lower, item.start):
            self._flush()
            self._concepts(position, 2, (INABILITY,))
            return 2
        mark, kind = self._mark_at(item)
        if kind == NORMAL:
            return self._mark(kind, position, len(mark))
        width, concepts = self._glossary.at(self._text, self._items, position)
        if kind == HARMLESS and width <= len(mark):
            return self._mark(kind, position, len(mark))
        if width:
            self._flush()
            self._concepts(position, width, concepts)
            return width
        if item.kind == "han":
            return self._han_step(item, position, mark, kind)
        if fails := self._fails_at(position):
            self._flush()
            self._concepts(position, fails, (INABILITY,))
            return fails
        self._flush()
        if item.kind == "word":
            self._word(item)
        elif item.text == "0" and _STATED.search(self._lower[max(0, item.start - 12) : item.start]):
            self._tokens.append(Token(NEGATION, "0", 0.0, item.clause))
        return 1

    def _fails_at(self, position: int) -> int:
        """How many pieces from a Latin negation on say that something does not do its work; 0 when it denies."""
        item = self._items[position]
        if self._grammar.latin.get(item.text.lower().replace("’", "'")) != NEGATION:
            return 0
        found = _FAILS_LATIN.match(self._lower, item.start)
        return sum(1 for other in self._items[position:] if other.start < found.end("state")) or 1 if found else 0

    def _mark_at(self, item: Piece) -> tuple[str, str]:
        """The grammar's Chinese word that stands here, and its kind; ("", "") when there is none."""
        if item.kind != "han":
            return "", ""
        marks = self._grammar.han.get(item.text, ())
        return next(((word, kind) for word, kind in marks if self._lower.startswith(word, item.start)), ("", ""))

    def _mark(self, kind: str, position: int, width: int) -> int:
        self._flush()
        if kind != HARMLESS:
            item = self._items[position]
            self._tokens.append(Token(kind, self._text[item.start : item.start + width], 0.0, item.clause))
        return width

    def _han_step(self, item: Piece, position: int, mark: str, kind: str) -> int:
        if mark:
            return self._mark(kind, position, len(mark))
        if item.text in self._grammar.stop_characters:
            self._flush()
        else:
            self._han.append(item)
        return 1

    def _concepts(self, position: int, width: int, concepts: tuple[str, ...]) -> None:
        clause = self._items[position].clause
        for concept in concepts:
            self._tokens.append(Token(CONCEPT, concept, 1.0, clause))
            self._gloss.append(self._glossary.glosses.get(concept, concept))
            if concept in self._glossary.family:
                self._tokens.append(Token(WORD, self._glossary.family[concept], _FAMILY_WEIGHT, clause))
        for item in self._items[position : position + width]:
            if item.kind == "word" and item.stem not in self._grammar.stop_words:
                self._tokens.append(Token(WORD, item.stem, _LITERAL_WEIGHT, clause))

    def _word(self, item: Piece) -> None:
        if self._text[item.start - 1 : item.start] == "/":
            # Where a file lies says nothing.
            return
        lowered = item.text.lower().replace("’", "'")
        kind = self._grammar.latin.get(lowered) or self._grammar.latin.get(item.stem)
        if kind == NEGATION and self._lower.startswith(self._grammar.harmless_latin, item.start):
            return
        if kind:
            self._tokens.append(Token(kind, lowered, 0.0, item.clause))
            return
        if item.stem in self._grammar.stop_words or lowered in self._grammar.stop_words:
            return
        weight = _IDENTIFIER_WEIGHT if "_" in item.stem else _WORD_WEIGHT
        self._tokens.append(Token(WORD, item.stem, weight, item.clause))
        self._gloss.append(lowered)
        for part in [*camel_parts(item.text), *(lowered.split("_") if "_" in lowered else ())]:
            if part and part not in self._grammar.stop_words:
                self._tokens.append(Token(WORD, part, _PART_WEIGHT, item.clause))
        self._unknown += len(lowered)

    def _flush(self) -> None:
        run, self._han = self._han, []
        if not run:
            return
        self._unknown += len(run)
        for gram in _grams([item.text for item in run]):
            weight = _BIGRAM_WEIGHT if len(gram) > 1 else _CHARACTER_WEIGHT
            self._tokens.append(Token(GRAM, gram, weight, run[0].clause))


def _grams(characters: Sequence[str]) -> Iterator[str]:
    yield from characters
    for left, right in pairwise(characters):
        yield left + right


def scoped(tokens: Sequence[Token]) -> list[Token]:
    """Marks what each clause's negations reach: what follows them, or what precedes one that ends its clause."""
    result: list[Token] = []
    clauses: dict[int, list[Token]] = {}
    for token in tokens:
        clauses.setdefault(token.clause, []).append(token)
    for clause in clauses.values():
        result.extend(_scoped_clause(clause))
    return result


def _scoped_clause(clause: Sequence[Token]) -> list[Token]:
    total = sum(1 for token in clause if token.kind == NEGATION)
    trailing = clause[-1].kind == NEGATION and any(token.kind in CONTENT for token in clause)
    negations, result = 0, []
    for token in clause:
        if token.kind == NEGATION:
            negations += 1
            result.append(token)
        else:
            reach = negations + (1 if trailing and negations < total else 0)
            negated = reach % 2 == 1
            result.append(token if token.negated is negated else replace(token, negated=negated))
    return result
