"""Cross-validation of the reader: each file of labelled messages is read by a tagger that never saw it.

`python -m services.planner.training.folds <output>` writes one JSON object a message: file, message, labels.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from services.planner.training.labelled import Labelled, load_labelled
from services.planner.training.tagging import fit, rows_of_phrases
from services.planner.understand.acts.tagger import Tagged, tag
from services.planner.understand.pieces import pieces_of
from services.planner.understand.read import prepared


def tagged_by_others(of_every: int = 1) -> Iterator[tuple[Labelled, Tagged]]:
    """Each labelled message with its labels by a tagger trained without its fold; of_every: files a fold."""
    messages = load_labelled()
    of_phrases = rows_of_phrases(messages)
    files = sorted({message.file for message in messages})
    for fold in (files[at : at + of_every] for at in range(0, len(files), of_every)):
        tagger = fit(of_phrases, [message for message in messages if message.file not in fold])
        for message in messages:
            if message.file in fold:
                yield message, tag(tagger, pieces_of(prepared(message.message), message.view), message.view)


def main() -> None:
    """Writes the labels of all messages, and prints the share of pieces whose label is the one learned from."""
    pieces = right = 0
    with Path(sys.argv[1]).open("w", encoding="utf-8") as output:
        for message, tagged in tagged_by_others():
            pieces += len(tagged.labels)
            right += sum(found is wanted for found, wanted in zip(tagged.labels, message.labels, strict=True))
            row = {"file": message.file, "message": message.message, "labels": [label.value for label in tagged.labels]}
            output.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{right / pieces:.3f} of {pieces} pieces")


if __name__ == "__main__":
    main()
