"""Labelled messages: `labelled/<group>.jsonl` has a message, its context and the label of each of its pieces a line.

`labelled/<group>.names.json` has names of phenomena in both languages, where the contexts of a group have one only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from services.planner.labelled_cases import CaseContext, view_of
from services.planner.model import SessionView, Text
from services.planner.training.regression import Row
from services.planner.understand.acts.labels import Label
from services.planner.understand.acts.piece_features import after_labels, own_features, places_of
from services.planner.understand.acts.tagger import AFTER
from services.planner.understand.pieces import Piece, pieces_of
from services.planner.understand.read import prepared

FOLDER = Path(__file__).parent / "labelled"
# How often a piece of a labelled message is seen in a pass, where a phrase is seen once.
TIMES = 4


@dataclass(frozen=True)
class Labelled:
    """A message with the labels of its pieces, from a file of this name."""

    file: str
    message: str
    view: SessionView
    labels: tuple[Label, ...]


@cache
def load_labelled() -> tuple[Labelled, ...]:
    """All labelled messages, by group and line."""
    return tuple(found for path in sorted(FOLDER.glob("*.jsonl")) for found in _read(path))


def _read(path: Path) -> Iterator[Labelled]:
    names = path.with_name(f"{path.stem}.names.json")
    known = (
        {name: Text(**said) for name, said in json.loads(names.read_text("utf-8")).items()} if names.exists() else {}
    )
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        view = view_of(CaseContext.model_validate(row["context"]), known)
        yield Labelled(row["file"], row["message"], view, tuple(map(Label, row["labels"])))


def rows_of(labelled: Labelled) -> list[Row]:
    """What is learned from a message: a row for each piece that no paste is."""
    pieces = pieces_of(prepared(labelled.message), labelled.view)
    if len(pieces) != len(labelled.labels):
        raise ValueError(
            f"labels of {labelled.message!r}: {len(labelled.labels)} for {len(pieces)} pieces; label it anew with "
            "services.planner.training.alignment"
        )
    return [
        row_of(pieces, at, labelled.view, labelled.labels) for at, piece in enumerate(pieces) if not piece.clause.pasted
    ]


def row_of(pieces: Sequence[Piece], at: int, view: SessionView, labels: Sequence[Label], times: int = TIMES) -> Row:
    """One piece in its context, after the labels before it."""
    places, values = own_features(pieces, at, view)
    after = places_of(after_labels(labels[:at], pieces[at]))
    return Row(np.append(places, after), np.append(values, np.full(len(after), AFTER)), labels[at], times)
