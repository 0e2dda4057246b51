"""The lines of a message: cut to a bearable length, drawn boxes as plain ASCII, with their places in the message."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from lang.pastes.formats.tables.spoken_results import part_empty_results

MOST_CHARACTERS = 200_000
# Of equal length, so that places in the message stay the same.
_PLAIN = str.maketrans(
    dict.fromkeys("│┃║｜", "|")
    | dict.fromkeys("─━═", "-")
    | dict.fromkeys("┼╪╬┌┐└┘├┤┬┴╔╗╚╝╠╣╦╩╞╡", "+")
    | {"\u00a0": " "}
)
# The count of rows and the time taken, in any language: "(2 rows)", "(0 行记录)", "Empty set (0.00 sec)".
FOOTER = re.compile(r"\s*(?:\((\d+) [^()\d]{1,20}\)|(\d+) rows? in set.*|(Empty set)\b.*|(?:Time|时间)[:：].{1,40})\s*")
_FILL = "\0"
# What mail and chat put before a quoted line; before a lone number it is a comparison.
_QUOTE = re.compile(r"\s{0,3}(?:>[ \t]?)+(?=\s*\S)")


@dataclass(frozen=True)
class PastedLines:
    """The lines of a message and the offset of each. cut: how many characters at the end were left out."""

    lines: tuple[str, ...]
    starts: tuple[int, ...]
    text: str
    cut: int

    @cached_property
    def blank(self) -> tuple[bool, ...]:
        """Which lines hold nothing but spaces."""
        return tuple(not line.strip() for line in self.lines)

    @cached_property
    def footed(self) -> tuple[bool, ...]:
        """Which lines have a footer at or below them before the next blank line."""
        found: list[bool] = []
        below = False
        for line, blank in zip(reversed(self.lines), reversed(self.blank), strict=True):
            below = not blank and (below or FOOTER.fullmatch(line) is not None)
            found.append(below)
        return tuple(reversed(found))


@lru_cache(maxsize=8)  # What reads a message splits it again and again.
def split_lines(message: str) -> PastedLines:
    """The first 200,000 characters of a message, to the end of a line, line by line."""
    text = message
    if len(message) > MOST_CHARACTERS:
        text = message[: message.rfind("\n", 0, MOST_CHARACTERS) + 1 or MOST_CHARACTERS]
    lines = part_empty_results(text.translate(_PLAIN)).split("\n")
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    marks = _quotes(lines)
    plain = tuple(line[mark:].rstrip("\r") for line, mark in zip(lines, marks, strict=True))
    starts = [start + mark for start, mark in zip(starts, marks, strict=True)]
    return PastedLines(plain, tuple(starts), text, len(message) - len(text))


def _quotes(lines: Sequence[str]) -> list[int]:
    """How long the quotation mark before each line is; a line that only compares a number has none."""
    found = [_QUOTE.match(line) if ">" in line[:4] else None for line in lines]
    marks = [match.end() if match else 0 for match in found]
    beside = [bool(before or after) for before, after in zip([0, *marks], [*marks[1:], 0], strict=False)]
    return [
        mark if mark and (near or not line[mark:].lstrip()[:1].isdigit()) else 0
        for line, mark, near in zip(lines, marks, beside, strict=True)
    ]


def to_columns(line: str) -> str:
    """The line with one character a terminal column: a wide character is followed by a filler, see `from_columns`."""
    if line.isascii():
        return line
    wide = {"W", "F"}
    return "".join(
        char + _FILL if unicodedata.east_asian_width(char) in wide else char
        for char in line
        if not unicodedata.combining(char)
    )


def from_columns(cell: str) -> str:
    """A slice of `to_columns` as text, without spaces around it."""
    return cell.replace(_FILL, "").strip()
