"""The example phrases, `examples/<language>/<label>.txt`: one a line, `{}` for a reference; and in contexts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from services.planner.model import SessionView
from services.planner.training.labelled import row_of
from services.planner.training.regression import Row, even_row
from services.planner.understand.acts.labels import ANSWERS, LABELS, Label
from services.planner.understand.acts.ngrams import TOKEN, ngrams_of
from services.planner.understand.pieces import Piece, pieces_of
from services.planner.understand.read import prepared
from services.planner.understand.text.messages import CJK_CHAR, read
from services.planner.understand.text.segments import ITEM

FOLDER = Path(__file__).parent / "examples"
_REFERENCES = {True: ("1", "第二个", "第一条", "3"), False: ("1", "the second one", "#2", "the first")}
# Shares of phrases that get a question mark, and of those that are learned by their words alone as well.
_ASKED, _SUSPECTED, _ALONE = 0.5, 0.25, 0.25
_SEED = 5


@cache
def load_phrases() -> tuple[tuple[str, Label], ...]:
    """All example phrases, normalised, with their labels; ordered by language, label and line."""
    found: list[tuple[str, Label]] = []
    for language in ("en", "zh"):
        for label in LABELS:
            path = FOLDER / language / f"{label.value}.txt"
            lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
            found += [(read(line).normal.strip(), label) for line in lines if line.strip()]
    return tuple(found)


def count_words(phrases: tuple[tuple[str, Label], ...]) -> dict[str, int]:
    """Document frequency of each word over the phrases, sorted by word."""
    counts = Counter(word for phrase, _ in phrases for word in set(TOKEN.findall(phrase)) if word[0].isalpha())
    return dict(sorted(counts.items()))


def rows_in_context(phrases: Sequence[tuple[str, Label]], views: Sequence[SessionView]) -> Iterator[Row]:
    """A row for each phrase in a context drawn for it, or by its words alone where it is more than one piece."""
    drawn = random.Random(_SEED)
    for phrase, label in phrases:
        view = views[drawn.randrange(len(views))]
        pieces, view = _placed(_spelled(phrase, label, drawn), label, view)
        if len(pieces) == 1:
            yield row_of(pieces, 0, view, (label,), times=1)
        if len(pieces) != 1 or drawn.random() < _ALONE:
            yield even_row(ngrams_of(phrase), label)


def _spelled(phrase: str, label: Label, drawn: random.Random) -> str:
    references = _REFERENCES[bool(CJK_CHAR.search(phrase))]
    while ITEM in phrase:
        phrase = phrase.replace(ITEM, drawn.choice(references), 1)
    share = _ASKED if label.question else _SUSPECTED if label is Label.SUSPICION else 0.0
    return f"{phrase}?" if drawn.random() < share else phrase


def _placed(phrase: str, label: Label, view: SessionView) -> tuple[list[Piece], SessionView]:
    """The pieces of a phrase; one that happens to name what is asked, and is no answer, gets an empty context."""
    pieces = pieces_of(prepared(phrase), view)
    if label not in ANSWERS and any(piece.names for piece in pieces):
        view = SessionView(language=view.language)
        pieces = pieces_of(prepared(phrase), view)
    return pieces, view
