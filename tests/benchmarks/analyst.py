"""Measures the reading of questions: `python -m tests.benchmarks.analyst [BATCH...] [-v]`.

Batches are those of the retailer's warehouse, `described1` and so on for layers drafted from data, `hospital`,
`logistics`, `hotels`, and `own-zh`, `own-en` for dbdiag's own data. Each question is read by rules, compiled and run;
its result is compared with that of a gold query.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence

import duckdb

from tests.support.data import described, hand_warehouses, own_questions, warehouse
from tests.support.data.warehouse.scoring import FOLDER, Score, Scorer, cases

_OWN = "own-"


def measure(batches: list[str], scale: float = 1.0) -> list[Score]:
    """The scores of all cases of some batches."""
    with duckdb.connect() as connection:
        warehouse.fill(connection, scale)
        connection.execute((FOLDER / "views.sql").read_text("utf-8"))
        scorer = Scorer(warehouse.describe(connection), connection)
        return [scorer.score(case) for batch in batches for case in cases(batch)]


def score(batch: str) -> Sequence[Score]:
    """The scores of a batch of any kind."""
    if batch.startswith("described"):
        return described.score(batch)
    if batch.startswith(_OWN):
        return own_questions.score(batch.removeprefix(_OWN))
    return hand_warehouses.score(batch) if batch in hand_warehouses.NAMES else measure([batch])


def figures(scores: Sequence[Score]) -> dict[str, float]:
    """Shares: right of the answerable, wrong of the answered, left unanswered, right of those not to be answered."""
    answerable = [one for one in scores if one.case.is_answerable]
    others = [one for one in scores if not one.case.is_answerable]
    count = Counter(one.verdict for one in answerable)
    wrong = count["wrong"] + sum(one.verdict == "wrong" for one in others)
    answered = count["right"] + wrong
    return {
        "answerable": len(answerable),
        "right": count["right"] / max(1, len(answerable)),
        "wrong_of_answered": wrong / max(1, answered),
        "unanswered": (count["asked"] + count["refused"] + count["failed"]) / max(1, len(answerable)),
        "others": len(others),
        "others_right": sum(one.verdict == "right" for one in others) / max(1, len(others)),
    }


def main() -> None:
    """Prints the figures, and with -v each case that is not right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("batches", nargs="*")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    files = (path for folder in (FOLDER, described.FOLDER) for path in folder.glob("*[0-9].txt"))
    own = (f"{_OWN}{language}" for language in own_questions.BATCHES)
    batches = options.batches or [*sorted(path.stem for path in files), *hand_warehouses.NAMES, *own]
    started = time.perf_counter()
    for batch in batches:
        scores = score(batch)
        if options.verbose:
            for one in scores:
                if one.verdict != "right":
                    asked = " >> ".join([*one.case.previous, one.case.question])
                    print(f"{one.verdict:8} {one.case.kind:9} {asked}\n      {one.note}")
        print(batch, {name: round(value, 3) for name, value in figures(scores).items()})
    print(f"{time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
