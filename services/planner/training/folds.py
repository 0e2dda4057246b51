"""Cross-validation of the reader: taggers that never saw some files of labelled messages."""

from __future__ import annotations

from collections.abc import Iterator

from services.planner.training.labelled import load_labelled
from services.planner.training.tagging import fit, rows_of_phrases
from services.planner.understand.acts.tagger import Tagger


def taggers_without_files(files_a_fold: int = 1) -> Iterator[tuple[tuple[str, ...], Tagger]]:
    """The files of each fold, with a tagger that was trained on all phrases and on the messages of all other files."""
    messages = load_labelled()
    of_phrases = rows_of_phrases(messages)
    files = sorted({message.file for message in messages})
    for at in range(0, len(files), files_a_fold):
        fold = tuple(files[at : at + files_a_fold])
        yield fold, fit(of_phrases, [message for message in messages if message.file not in fold])
