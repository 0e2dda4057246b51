"""Draws a chart as SVG or PNG, without a browser and without the network."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path as File
from typing import Any

from gateway.analysis.scene import HEIGHT, WIDTH, Box, Label, Path, Shape, shapes
from services.chassis.errors import Precondition

_INK = "#333333"
_SCALE = 2
_FAMILY = ", ".join(
    f"'{name}'"
    for name in (
        "Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Zen Hei",
        "WenQuanYi Micro Hei", "Source Han Sans SC", "Droid Sans Fallback", "DejaVu Sans", "Liberation Sans", "Arial",
    )
) + ", sans-serif"  # fmt: skip


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
