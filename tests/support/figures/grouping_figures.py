"""B-cubed of the grouping over labelled anomalies: `python -m tests.support.figures.grouping_figures` prints it.

anomalies.jsonl holds statements in the words of tickets and issue threads, each with the group a person put it in. The
groups marked held_out were not looked at when words and weights were chosen.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from services.knowledge.importing.importer import import_tickets
from services.knowledge.library.load import load
from tests.support.sample_libraries import as_export, exported

FILE = Path(__file__).with_name("anomalies.jsonl")


@dataclass(frozen=True)
class Labelled:
    """One anomaly and its group."""

    words: str
    group: str
    held_out: bool


@dataclass(frozen=True)
class Score:
    """B-cubed: the mean over all items of how pure their cluster is, and of how much of their group is in it."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean."""
        return 2 * self.precision * self.recall / (self.precision + self.recall)


def labelled() -> list[Labelled]:
    """All of the file."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [Labelled(item["words"], item["group"], item["held_out"]) for item in map(json.loads, lines)]


def clusters(items: Sequence[Labelled], base: Sequence[Path] = ()) -> dict[str, str]:
    """What an import makes of the items: words to a phenomenon's id."""
    tickets = [exported(f"A-{number:04d}", "cause", item.words) for number, item in enumerate(items)]
    with tempfile.TemporaryDirectory() as name:
        import_tickets(as_export(tickets), "json", Path(name), base)
        made = load([*base, Path(name)]).tickets
        return {
            item.words: str(made[f"A-{number:04d}"].anomalies[0].phenomenon_id) for number, item in enumerate(items)
        }


def b_cubed(found: Mapping[str, Hashable], truth: Mapping[str, Hashable]) -> Score:
    """Over the words of `truth`."""
    precision = recall = 0.0
    for words, group in truth.items():
        cluster = {other for other in truth if found[other] == found[words]}
        members = {other for other, label in truth.items() if label == group}
        shared = len(cluster & members)
        precision += shared / len(cluster)
        recall += shared / len(members)
    return Score(precision / len(truth), recall / len(truth))


def measured(items: Sequence[Labelled]) -> Score:
    """The score of an import of these items alone, without a base."""
    return b_cubed(clusters(items), {item.words: item.group for item in items})


def main() -> None:
    """Prints the score of each part; with `wrong` also the mixed clusters of the part that is not held out."""
    every = labelled()
    seen = [item for item in every if not item.held_out]
    for name, items in (("all", every), ("seen", seen), ("held out", [item for item in every if item.held_out])):
        score = measured(items)
        groups = len({item.group for item in items})
        told = f"{name}: {len(items)} anomalies, {groups} groups"
        print(f"{told}: precision {score.precision:.3f}, recall {score.recall:.3f}, F1 {score.f1:.3f}")
    if "wrong" in sys.argv[1:]:
        found, groups_of = clusters(seen), {item.words: item.group for item in seen}
        for cluster in sorted(set(found.values())):
            members = [words for words, identity in found.items() if identity == cluster]
            mark = "MIXED" if len({groups_of[words] for words in members}) > 1 else ""
            print(cluster, mark, *(f"\n    {groups_of[words]:22} {words}" for words in members))


if __name__ == "__main__":
    main()
