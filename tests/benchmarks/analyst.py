"""Measures the reading of questions on the test warehouse: `python -m tests.benchmarks.analyst [BATCH...] [-v]`.

Each question is read by rules, compiled and run on 200,000 rows; its result is compared with that of a gold query.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import duckdb

from tests.support import described, warehouse
from tests.support.warehouse.scoring import FOLDER, Score, Scorer, cases


def measure(batches: list[str], scale: float = 1.0) -> list[Score]:
    """The scores of all cases of some batches."""
    with duckdb.connect() as connection:
        warehouse.fill(connection, scale)
        connection.execute((FOLDER / "views.sql").read_text("utf-8"))
        scorer = Scorer(warehouse.describe(connection), connection)
        return [scorer.score(case) for batch in batches for case in cases(batch)]


def figures(scores: list[Score]) -> dict[str, float]:
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
    batches = options.batches or sorted(
        path.stem for folder in (FOLDER, described.FOLDER) for path in folder.glob("*[0-9].txt")
    )
    started = time.perf_counter()
    for batch in batches:
        scores = described.score(batch) if batch.startswith("described") else measure([batch])
        if options.verbose:
            for one in scores:
                if one.verdict != "right":
                    asked = " >> ".join([*one.case.previous, one.case.question])
                    print(f"{one.verdict:8} {one.case.kind:9} {asked}\n      {one.note}")
        print(batch, {name: round(value, 3) for name, value in figures(scores).items()})
    print(f"{time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
