"""A chart as shapes: what SVG and PNG are made of. It reads the Vega-Lite specifications of the analyst."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path as File
from typing import Any, Literal, TypeAlias

from services.chassis.errors import Precondition

WIDTH, HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 86, 150, 46, 92
_COLORS = ("#4c78a8", "#f58518", "#54a24b", "#e45756", "#72b7b2", "#eeca3b", "#b279a2", "#ff9da6", "#9d755d", "#bab0ac")
_MOST_LABELS, _LONGEST_LABEL = 14, 12
_INK, _PALE = "#333333", "#dddddd"
_TICKS = 5
_SCALE = 2
_FAMILY = ", ".join(
    f"'{name}'"
    for name in (
        "Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Zen Hei",
        "WenQuanYi Micro Hei", "Source Han Sans SC", "Droid Sans Fallback", "DejaVu Sans", "Liberation Sans", "Arial",
    )
) + ", sans-serif"  # fmt: skip


@dataclass(frozen=True)
class Box:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    color: str


@dataclass(frozen=True)
class Path:
    """Joined points; closed and filled, or a stroke."""

    points: tuple[tuple[float, float], ...]
    color: str
    filled: bool = False
    width: float = 2.0


@dataclass(frozen=True)
class Label:
    """A text at a point; anchor: where the point is in it."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "middle"
    size: int = 12


Shape: TypeAlias = "Box | Path | Label"


@dataclass(frozen=True)
class _Data:
    categories: list[str]
    series: list[str]
    values: dict[tuple[str, str], float]
    percent: bool


def shapes(spec: Mapping[str, Any]) -> list[Shape]:
    """The shapes of a chart of bars, stacked bars, lines or slices, in drawing order."""
    data, kind = _read(spec), str(spec["mark"]["type"])
    drawn: list[Shape] = [Label(WIDTH / 2, 24, str(spec.get("title", "")), size=15)]
    if kind == "arc":
        return drawn + list(_slices(data))
    stacked = kind == "bar" and len(data.series) > 1
    low, high = _range(data, stacked)
    step = _tick(high - low)
    scale = _Scale(math.floor(low / step) * step, math.ceil(high / step) * step or step)
    drawn += _axes(data, scale, step)
    drawn += _lines(data, scale) if kind == "line" else _bars(data, scale)
    return drawn + list(_legend(data.series if len(data.series) > 1 else []))


@dataclass(frozen=True)
class _Scale:
    low: float
    high: float

    def y(self, value: float) -> float:
        """The height on the page of a value."""
        part = (value - self.low) / ((self.high - self.low) or 1)
        return HEIGHT - _BOTTOM - part * (HEIGHT - _TOP - _BOTTOM)


def _read(spec: Mapping[str, Any]) -> _Data:
    encoding, rows = spec["encoding"], spec["data"]["values"]
    pie = "theta" in encoding
    category = str(encoding["color" if pie else "x"]["field"])
    measure = encoding["theta" if pie else "y"]
    series = str(encoding["color"]["field"]) if "color" in encoding and not pie else ""
    values: dict[tuple[str, str], float] = {}
    for row in rows:
        value = row[str(measure["field"])]
        if isinstance(value, int | float):
            key = (_text(row[category]), _text(row[series]) if series else "")
            values[key] = values.get(key, 0.0) + float(value)
    categories = list(dict.fromkeys(_text(row[category]) for row in rows))
    names = list(dict.fromkeys(_text(row[series]) for row in rows)) if series else [""]
    return _Data(categories, names, values, "%" in str(measure.get("axis", {}).get("format", "")))


def _text(value: object) -> str:
    return "–" if value is None else str(value)


def _range(data: _Data, stacked: bool) -> tuple[float, float]:
    found = list(data.values.values())
    if stacked:
        found = [sum(data.values.get((each, name), 0.0) for name in data.series) for each in data.categories]
    return min([0.0, *found]), max([0.0, *found])


def _tick(span: float) -> float:
    raw = (span or 1.0) / _TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= raw)


def _axes(data: _Data, scale: _Scale, step: float) -> Iterator[Shape]:
    for at in range(round((scale.high - scale.low) / step) + 1):
        value = scale.low + at * step
        height = scale.y(value)
        yield Path(((_LEFT, height), (WIDTH - _RIGHT, height)), _PALE, width=1.0)
        yield Label(_LEFT - 8, height + 4, f"{value:.0%}" if data.percent else _short(value), "end", 11)
    every = max(1, math.ceil(len(data.categories) / _MOST_LABELS))
    for at, name in enumerate(data.categories):
        if at % every == 0:
            lowered = 18 + (16 if (at // every) % 2 and len(data.categories) > 6 else 0)
            yield Label(_middle(data, at), HEIGHT - _BOTTOM + lowered, _cut(name), size=11)


def _short(value: float) -> str:
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{sign}"
    return f"{value:g}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"


def _slot(data: _Data) -> float:
    return (WIDTH - _LEFT - _RIGHT) / max(1, len(data.categories))


def _middle(data: _Data, at: int) -> float:
    return _LEFT + _slot(data) * (at + 0.5)


def _bars(data: _Data, scale: _Scale) -> Iterator[Shape]:
    width = _slot(data) * 0.72
    for at, category in enumerate(data.categories):
        above, below = 0.0, 0.0
        for place, name in enumerate(data.series):
            value = data.values.get((category, name), 0.0)
            base = above if value >= 0 else below
            top, bottom = scale.y(max(base, base + value)), scale.y(min(base, base + value))
            yield Box(_middle(data, at) - width / 2, top, width, bottom - top, _COLORS[place % len(_COLORS)])
            above, below = (above + value, below) if value >= 0 else (above, below + value)


def _lines(data: _Data, scale: _Scale) -> Iterator[Shape]:
    for place, name in enumerate(data.series):
        points = tuple(
            (_middle(data, at), scale.y(data.values[category, name]))
            for at, category in enumerate(data.categories)
            if (category, name) in data.values
        )
        color = _COLORS[place % len(_COLORS)]
        if len(points) > 1:
            yield Path(points, color)
        yield from (Box(x - 2.5, y - 2.5, 5, 5, color) for x, y in points)


def _slices(data: _Data) -> Iterator[Shape]:
    total = sum(data.values.values()) or 1.0
    x, y, radius = (WIDTH - _RIGHT) / 2, (HEIGHT + 20) / 2, 150.0
    angle = -math.pi / 2
    for place, name in enumerate(data.categories):
        turn = 2 * math.pi * data.values.get((name, ""), 0.0) / total
        steps = max(2, round(turn / 0.05))
        arc = [angle + turn * each / steps for each in range(steps + 1)]
        points = ((x, y), *((x + radius * math.cos(each), y + radius * math.sin(each)) for each in arc))
        yield Path(points, _COLORS[place % len(_COLORS)], filled=True)
        angle += turn
    shares = [f"{name} {data.values.get((name, ''), 0.0) / total:.1%}" for name in data.categories]
    yield from _legend(shares)


def _legend(names: Sequence[str]) -> Iterator[Shape]:
    for at, name in enumerate(names[:16]):
        yield Box(WIDTH - _RIGHT + 10, _TOP + at * 20, 12, 12, _COLORS[at % len(_COLORS)])
        yield Label(WIDTH - _RIGHT + 28, _TOP + at * 20 + 10, _cut(name) if len(name) > 18 else name, "start", 11)


def write_chart(spec: Mapping[str, Any], path: File) -> None:
    """Writes the chart of a Vega-Lite specification; the name ends in .svg or .png. Raises OSError, and for a
    PNG Precondition on a machine without fonts."""
    if path.suffix.lower() == ".svg":
        path.write_text(to_svg(spec), "utf-8")
    else:
        path.write_bytes(to_png(spec))


def to_svg(spec: Mapping[str, Any]) -> str:
    """The chart as an SVG document."""
    body = "".join(_svg(each) for each in shapes(spec))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' role="img" font-family="{_FAMILY}"><rect width="100%" height="100%" fill="#ffffff"/>{body}</svg>'
    )


def _svg(shape: Shape) -> str:
    match shape:
        case Box():
            return (
                f'<rect x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
                f' fill="{shape.color}"/>'
            )
        case Path():
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)
            if shape.filled:
                return f'<polygon points="{points}" fill="{shape.color}" stroke="#ffffff"/>'
            return f'<polyline points="{points}" fill="none" stroke="{shape.color}" stroke-width="{shape.width:g}"/>'
        case Label():
            return (
                f'<text x="{shape.x:.1f}" y="{shape.y:.1f}" text-anchor="{shape.anchor}" font-size="{shape.size}"'
                f' fill="{_INK}">{escape(shape.text)}</text>'
            )


def to_png(spec: Mapping[str, Any]) -> bytes:
    """The chart as a PNG of twice the size, with the machine's fonts. Raises Precondition where it has none."""
    import resvg_py

    drawn = resvg_py.svg_to_bytes(svg_string=to_svg(spec), zoom=_SCALE)
    if drawn == resvg_py.svg_to_bytes(svg_string=to_svg(spec), zoom=_SCALE, skip_system_fonts=True):
        raise Precondition("no_font")
    return drawn
