"""Draws a chart as SVG or PNG, without a browser and without the network."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path as File
from typing import TYPE_CHECKING, Any

from gateway.analysis.scene import HEIGHT, WIDTH, Box, Label, Path, Shape, shapes

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

_INK = "#333333"
_SCALE = 2
# Fonts that have Chinese; without one of these Pillow's own is used, which has Latin letters.
_FONTS = (
    "NotoSansCJK-Regular.ttc", "NotoSansSC-Regular.otf", "wqy-zenhei.ttc", "wqy-microhei.ttc", "PingFang.ttc",
    "msyh.ttc", "simhei.ttf", "SourceHanSansSC-Regular.otf", "DroidSansFallback.ttf", "DejaVuSans.ttf",
)  # fmt: skip
_FAMILY = "system-ui, 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif"


def write_chart(spec: Mapping[str, Any], path: File) -> None:
    """Writes the chart of a Vega-Lite specification; the name ends in .svg or .png. Raises OSError."""
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
    """The chart as a PNG of twice the size."""
    import io

    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), "#ffffff")
    canvas = ImageDraw.Draw(image)
    for shape in shapes(spec):
        _paint(canvas, shape)
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def _paint(canvas: ImageDraw, shape: Shape) -> None:
    match shape:
        case Box():
            right, bottom = shape.x + shape.width, shape.y + shape.height
            canvas.rectangle([each * _SCALE for each in (shape.x, shape.y, right, bottom)], fill=shape.color)
        case Path():
            points = [(x * _SCALE, y * _SCALE) for x, y in shape.points]
            if shape.filled:
                canvas.polygon(points, fill=shape.color, outline="#ffffff")
            else:
                canvas.line(points, fill=shape.color, width=round(shape.width * _SCALE), joint="curve")
        case Label():
            anchor = {"start": "ls", "middle": "ms", "end": "rs"}[shape.anchor]
            place = (shape.x * _SCALE, shape.y * _SCALE)
            canvas.text(place, shape.text, fill=_INK, font=_font(shape.size * _SCALE), anchor=anchor)


@cache
def _font(size: int) -> Any:
    from PIL import ImageFont

    for name in _FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
