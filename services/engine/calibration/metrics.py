"""Metrics of played cases, and their plots."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

_BINS = 10
# Bounds the log loss: a belief of zero in the true cause would cost infinitely many bits.
_LEAST_BELIEF = 2.0**-40
_SIDE = 360
_MARGIN = 48
_INK, _BAR, _GUIDE = "#222", "#4477aa", "#999"


@dataclass(frozen=True, slots=True)
class Played:
    """The end of a case. place: the rank, from 1, of the true cause among the three leaders; 0 if it is not there."""

    case_id: str
    questions: int = 0
    stopped: bool = False
    confidence: float = 0.0
    belief_in_right: float = 0.0
    place: int = 0
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Metrics:
    """Shares in [0, 1] of all cases that did not fail, unless stated otherwise.

    right_when_stopped: the accuracy of cases that ended with a conclusion. ece: the expected calibration error, in ten
    bins of equal width weighted by size. brier: the mean squared error of the leader's confidence.
    false_confidence_rate: cases that ended with a wrong conclusion. log_loss_bits: the mean of -log2 of the belief in
    the true cause. failures: cases that the engine refused.
    """

    cases: int
    top1: float
    top3: float
    mean_questions: float
    right_when_stopped: float
    stopped_share: float
    ece: float
    brier: float
    false_confidence_rate: float
    log_loss_bits: float
    failures: int


def measure(played: Sequence[Played]) -> Metrics:
    """The metrics of played cases; zeros if there are none."""
    ended = [case for case in played if not case.failed]
    stopped = [case for case in ended if case.stopped]
    return Metrics(
        cases=len(played),
        top1=_mean([case.place == 1 for case in ended]),
        top3=_mean([case.place > 0 for case in ended]),
        mean_questions=_mean([case.questions for case in ended]),
        right_when_stopped=_mean([case.place == 1 for case in stopped]),
        stopped_share=_mean([case.stopped for case in ended]),
        ece=_calibration_error(ended),
        brier=_mean([(case.confidence - (case.place == 1)) ** 2 for case in ended]),
        false_confidence_rate=_mean([case.stopped and case.place != 1 for case in ended]),
        log_loss_bits=_mean([-math.log2(max(case.belief_in_right, _LEAST_BELIEF)) for case in ended]),
        failures=len(played) - len(ended),
    )


def calibration_bins(played: Sequence[Played]) -> list[list[Played]]:
    """The cases that did not fail, in ten bins of equal width by confidence."""
    bins: list[list[Played]] = [[] for _ in range(_BINS)]
    for case in played:
        if not case.failed:
            bins[min(int(case.confidence * _BINS), _BINS - 1)].append(case)
    return bins


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _calibration_error(cases: Sequence[Played]) -> float:
    gaps = (abs(sum(case.confidence - (case.place == 1) for case in group)) for group in calibration_bins(cases))
    return sum(gaps) / len(cases) if cases else 0.0


def reliability_svg(played: Sequence[Played]) -> str:
    """The reliability diagram: accuracy against confidence, one dot for each tenth, with an area by number of cases."""
    ended = sum(not case.failed for case in played)
    marks = [_line(0.0, 0.0, 1.0, 1.0)]
    for group in calibration_bins(played):
        if group:
            confidence = sum(case.confidence for case in group) / len(group)
            right = sum(case.place == 1 for case in group) / len(group)
            radius = 3.0 + 12.0 * (len(group) / ended) ** 0.5
            marks.append(
                _dot(confidence, right, radius, f"{len(group)} cases: {confidence:.3f} held, {right:.3f} right")
            )
    ticks = [(place / 5, f"{place / 5:.1f}") for place in range(6)]
    return _figure(f"Reliability, {ended} cases", "belief in the leading cause", "share right", ticks, ticks, marks)


def questions_svg(played: Sequence[Played]) -> str:
    """The histogram of questions: one bar for each number, as high as its share of the cases."""
    counts = Counter(case.questions for case in played if not case.failed)
    most, highest, total = max(counts, default=0), max(counts.values(), default=1), max(counts.total(), 1)
    width = 1.0 / (most + 1)
    marks = [
        _bar(questions * width, width, count / highest, f"{questions} questions: {count} cases")
        for questions, count in sorted(counts.items())
    ]
    step = max(1, (most + 1) // 10)
    across = [((questions + 0.5) * width, str(questions)) for questions in range(0, most + 1, step)]
    up = [(place / 4, f"{place / 4 * highest / total:.2f}") for place in range(5)]
    return _figure(f"Questions asked, {counts.total()} cases", "questions", "share of cases", across, up, marks)


def _figure(
    title: str,
    across: str,
    up: str,
    ticks_across: Iterable[tuple[float, str]],
    ticks_up: Iterable[tuple[float, str]],
    marks: Iterable[str],
) -> str:
    size, middle = _SIDE + 2 * _MARGIN, _MARGIN + _SIDE // 2
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" font-family="sans-serif" font-size="12">',
        f'<rect width="{size}" height="{size}" fill="#fff"/>',
        f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="{_GUIDE}"/>',
        _text(middle, 28, title),
        _text(middle, size - 8, across),
        _text(14, middle, up, f' transform="rotate(-90 14 {middle})"'),
        *(_text(_x(place), _MARGIN + _SIDE + 18, label) for place, label in ticks_across),
        *(_text(_MARGIN - 18, _y(place) + 4, label) for place, label in ticks_up),
        *marks,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _text(x: float, y: float, words: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle" fill="{_INK}"{more}>{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    ends = f'x1="{_x(x1):g}" y1="{_y(y1):g}" x2="{_x(x2):g}" y2="{_y(y2):g}"'
    return f'<line {ends} stroke="{_GUIDE}" stroke-dasharray="4 4"/>'


def _dot(x: float, y: float, radius: float, words: str) -> str:
    place = f'cx="{_x(x):.1f}" cy="{_y(y):.1f}" r="{radius:.1f}"'
    return f'<circle {place} fill="{_BAR}" fill-opacity="0.7"><title>{escape(words)}</title></circle>'


def _bar(left: float, width: float, height: float, words: str) -> str:
    place = f'x="{_x(left):.1f}" y="{_y(height):.1f}" width="{width * _SIDE * 0.9:.1f}" height="{height * _SIDE:.1f}"'
    return f'<rect {place} fill="{_BAR}"><title>{escape(words)}</title></rect>'


def _x(place: float) -> float:
    return _MARGIN + place * _SIDE


def _y(place: float) -> float:
    return _MARGIN + (1.0 - place) * _SIDE
