"""Why something is taken back, told apart from what holds instead: "it's 45, misplaced a digit"."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.understand.classifier.acts import Act, act_of

# Where what was said ends and what holds begins.
STOP = re.compile(r"[,;。:]|\.(?=\s)|\s[-–—]+(?=\s)|——")
_REASON = 0.6


def told_elsewhere(sentence: str) -> bool:
    """Whether what a sentence speaks of is told to be of another system or time: "the log I sent is from staging"."""
    return any(
        act_of(part).of(Act.ELSEWHERE, Act.CORRECTION) >= _REASON for part in STOP.split(sentence) if part.strip()
    )


def is_reason(text: str, retracts: bool) -> bool:
    """Whether a text says why something is taken back, and nothing that holds instead; `retracts`: no more was announced."""
    if re.search(r"\d", text):
        return False
    likely = act_of(text)
    if retracts:
        return likely.of(Act.YES, Act.NO) < _REASON
    return likely.of(Act.UNKNOWN, Act.WEAK, Act.ASIDE, Act.CORRECTION) >= _REASON


def without_reasons(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """The span without clauses at its ends that only say why it was wrong; never empty."""
    cuts = [span[0], *(stop.end() for stop in STOP.finditer(text, *span)), span[1]]
    while len(cuts) > 2 and is_reason(text[cuts[-2] : cuts[-1]], False):
        cuts.pop()
    while len(cuts) > 2 and is_reason(text[cuts[0] : cuts[1]], False):
        cuts.pop(0)
    return cuts[0], cuts[-1]
