"""SVG plots of played cases: the reliability diagram and the histogram of questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from services.engine.calibration.metrics import Played, calibration_bins

_SIDE = 360
_MARGIN = 48
_INK, _BAR, _GUIDE = "#222", "#4477aa", "#999"


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
