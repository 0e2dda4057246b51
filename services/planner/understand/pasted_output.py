"""Separates the person's own words from pasted output, which is for the matcher alone."""

from __future__ import annotations

from lang.pastes.formats.blocks import find_blocks
from lang.pastes.formats.delimited import KnownColumns
from lang.pastes.formats.pasted_lines import split_lines


def split_off_pastes(message: str) -> tuple[str, bool]:
    """The person's own words, line by line as written, and whether there is anything else in the message."""
    lines = split_lines(message)
    blocks = find_blocks(lines, KnownColumns.of(()))
    own = [line for block in blocks if block.kind == "prose" for line in lines.lines[block.first : block.last]]
    return "\n".join(own), any(block.kind not in ("prose", "note") for block in blocks)
