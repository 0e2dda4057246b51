"""How likely each label is for words by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.planner.model import SessionView
from services.planner.understand.acts.labels import LABELS, Label
from services.planner.understand.acts.piece_features import own_features
from services.planner.understand.acts.tagger import Tagger, shipped
from services.planner.understand.pieces import pieces_of
from services.planner.understand.text.messages import read

# What tells something, or answers, and asks nothing.
TELLING = (
    Label.ASIDE,
    Label.CORRECTION,
    Label.ELSEWHERE,
    Label.FACT,
    Label.NO,
    Label.SMALLTALK,
    Label.UNKNOWN,
    Label.WEAK,
    Label.YES,
)


@dataclass(frozen=True)
class Likely:
    """How likely each label is, in the order of `LABELS`; sums to 1."""

    shares: tuple[float, ...]

    @property
    def label(self) -> Label:
        """The likeliest label."""
        return LABELS[self.shares.index(max(self.shares))]

    @property
    def share(self) -> float:
        """The likelihood of the likeliest label."""
        return max(self.shares)

    def of(self, *labels: Label) -> float:
        """The likelihood of any of these labels."""
        return sum(self.shares[LABELS.index(label)] for label in labels)

    def among(self, labels: Sequence[Label]) -> tuple[Label, float]:
        """The likeliest of these labels, and its share among them."""
        best = max(labels, key=self.of)
        return best, self.of(best) / max(self.of(*labels), 1e-9)


def likely_label(words: str, view: SessionView, tagger: Tagger | None = None) -> Likely:
    """How likely each label is for words that stand by themselves, by the last of their clauses."""
    pieces = pieces_of(read(words), view)
    if not pieces:
        return Likely(tuple(float(label is Label.ASIDE) for label in LABELS))
    tagger = tagger or shipped()
    shares = tagger.shares(tagger.scores(*own_features(pieces, len(pieces) - 1, view)), (), pieces[-1])
    return Likely(tuple(map(float, shares)))


def telling(words: str) -> float:
    """How likely words only tell something."""
    return likely_label(words, SessionView()).of(*TELLING)
