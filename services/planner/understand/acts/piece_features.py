"""What the tagger knows of a piece: its n-grams, and its form and context as words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from lang.cues import cue_terms
from lang.tokens import read_text
from services.planner.model import SessionView
from services.planner.understand.acts.labels import Label
from services.planner.understand.acts.ngrams import SIZE, TOKEN, Places, ngrams_of, place_of
from services.planner.understand.corrections.marked_corrections import answered_at
from services.planner.understand.items.item_names import near_evidence
from services.planner.understand.pieces import Piece
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text.domain import is_technical, is_vague
from services.planner.understand.text.marks import has_mark
from services.planner.understand.text.tokens import Kind

Floats = npt.NDArray[np.float64]
# How much form and context weigh beside the words, whose values have length 1.
FORM = 0.2
_MOST = 3


def words_of(piece: Piece) -> Places:
    """Positions of the n-grams of a piece, with its references and the words that name an item masked."""
    found = ngrams_of(piece.masked)
    if piece.masked_name is not None:
        found = np.union1d(found, ngrams_of(piece.masked_name))
    return found


def own_features(pieces: Sequence[Piece], at: int, view: SessionView) -> tuple[Places, Floats]:
    """Places and values of all features of a piece but those of the labels before it, the intercept last."""
    words, form = words_of(pieces[at]), places_of(context_of(pieces, at, view))
    values = (np.full(len(words), 1 / np.sqrt(max(1, len(words)))), np.full(len(form), FORM), [1.0])
    return np.concatenate((words, form, [SIZE])), np.concatenate(values)


def context_of(pieces: Sequence[Piece], at: int, view: SessionView) -> list[str]:
    """What is known of a piece without the labels of others, as words."""
    piece = pieces[at]
    found = [f"form {word}" for word in _own(piece)]
    count = min(len(piece.asked.items), 2)
    state = f"{count}{'o' if view.options else ''}{'e' if view.evidence else ''}"
    verdicts = _verdicts(piece)
    names = "n" if piece.names else "-"
    place = f"{'f' if at == 0 else ''}{'l' if at == len(pieces) - 1 else ''}{'s' if piece.first else ''}"
    found += [f"state {state}", f"items {count}", f"place {place}", f"place {place} {verdicts} {piece.bare}"]
    found += [f"items {count} {word}" for word in (verdicts, names, f"{piece.pointed} {verdicts} {piece.bare}")]
    found += [f"names {names} {verdicts} {is_technical(piece.text)}", f"evidence {bool(view.evidence)}"]
    found += [f"recorded {word}" for word in _recorded(piece, view)]
    shown = f"{'options' if view.options else 'pending'} {len(view.options or view.pending)}"
    found += [f"{shown} {word}" for word in _own(piece)]
    for offset, side in ((-1, "before"), (1, "after")):
        if 0 <= at + offset < len(pieces):
            near = pieces[at + offset]
            found += [f"{side} {word}" for word in (*_own(near), *_edges(near))]
    return found


def after_labels(before: Sequence[Label], piece: Piece) -> list[str]:
    """What the labels of the pieces before tell of a piece, as words."""
    last = before[-1].value if before else "^"
    second = before[-2].value if len(before) > 1 else "^"
    names = bool(piece.names)
    return [
        f"last {last}",
        f"last {last} {piece.first}",
        f"last {second} {last}",
        f"last {last} {piece.bare} {piece.pointed} {_verdicts(piece)}",
        f"last {last} {names} {is_technical(piece.text)}",
        *(f"had {label}" for label in sorted({label.value for label in before})),
    ]


def places_of(words: Sequence[str]) -> Places:
    """Positions of the words of form and context."""
    return np.array(sorted({place_of(f"@{word}") for word in words}), dtype=np.int64)


@lru_cache(maxsize=8)  # A piece is asked for its own, and then by those beside it.
def _own(piece: Piece) -> tuple[str, ...]:
    return tuple(_read_own(piece))


def _read_own(piece: Piece) -> Iterator[str]:
    if piece.clause.pasted:
        yield "pasted"
        return
    text = piece.text
    yield f"asks {piece.clause.asks}"
    yield f"bare {piece.bare} {_verdicts(piece)}"
    yield f"verdicts {_verdicts(piece)}"
    yield f"technical {is_technical(text)} {any(map(str.isdigit, text))}"
    yield f"wh {has_wh(text)}"
    yield f"vague {is_vague(text)}"
    yield f"length {min(len(text) // 8, 6)}"
    kinds = {token.kind.value for segment in piece.segments for token in (*segment.refs, *segment.excepted)}
    yield from (f"points {kind}" for kind in sorted(kinds))
    yield f"pointed {piece.pointed}"
    if piece.names is not None:
        names = piece.names
        yield f"names {names.own} {names.covered >= 0.7} {names.lacks}"
        yield f"measures {piece.measured(names.item)}"
    elif len(piece.asked.items) == 1:
        yield f"only {piece.measured(piece.asked.items[0])}"
    cues = {found.payload for found in cue_terms().find(read_text(text))} if len(text) < 200 else set()
    yield from (f"cue {cue}" for cue in sorted(cues))


def _edges(piece: Piece) -> Iterator[str]:
    """The first two words of a piece and the last two."""
    words = TOKEN.findall(piece.masked) if not piece.clause.pasted else []
    if words:
        yield f"first {' '.join(words[:2])}"
        yield f"last {' '.join(words[-2:])}"


def _recorded(piece: Piece, view: SessionView) -> Iterator[str]:
    """What is on record of what a piece points at or names, beside what it says."""
    if not view.evidence or piece.clause.pasted:
        return
    verdicts = {evidence.phenomenon_id: str(evidence.verdict) for evidence in view.evidence}
    ordinals = [number for segment in piece.segments for token in segment.refs for number in token.numbers]
    answered = answered_at(ordinals[0], view) if len(ordinals) == 1 else None
    place = near_evidence(piece.text, view) if not piece.pointed else None
    told = verdicts[answered[0]] if answered else "-"
    near = verdicts[view.evidence[place].phenomenon_id] if place is not None else "-"
    yield from (f"pointed {told}", f"near {near}", f"near {near} {bool(piece.names)}")
    yield from (f"pointed {told} {_verdicts(piece)}", f"near {near} {_verdicts(piece)} {bool(piece.names)}")
    yield f"admits {has_mark(piece.text, 'admits')} {has_mark(piece.text, 'unanswered')} {near} {told}"


def _verdicts(piece: Piece) -> str:
    """The marks of a piece that decide, in order: verdicts, hedges, groups."""
    shown: list[str] = []
    for segment in piece.segments[:_MOST]:
        kinds = "".join(sorted({token.kind.value[0] for token in segment.refs if token.kind in (Kind.ALL, Kind.REST)}))
        said = segment.verdict.value if segment.verdict else "-"
        shown.append(f"{kinds}{said[:1]}{'~' if segment.hedged else ''}{'x' if segment.excepted else ''}")
    return "|".join(shown)
