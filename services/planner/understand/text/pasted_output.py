"""Separates the person's own words from pasted output, which is for the matcher alone."""

from __future__ import annotations

from lang import deferred_re as re
from lang.pastes.formats.blocks import find_blocks
from lang.pastes.formats.pasted_lines import split_lines
from lang.pastes.formats.tables.delimited import KnownColumns, server_columns
from services.planner.understand.text.messages import read
from services.planner.understand.text.smalltalk import posed

# More numbers than a list of checks has are a row of output, whose header was not copied.
_ONLY_NUMBERS = re.compile(r"\s*(?:-?\d+(?:\.\d+)?%?\s+){5,}-?\d+(?:\.\d+)?%?\s*")
# Orders are looked for in messages of at most this length; a longer one is mostly output.
_LONGEST = 20_000


def split_off_pastes(message: str) -> tuple[str, bool]:
    """The person's own words, line by line as written, and whether there is anything else in the message.

    Text that poses as the system is taken out first: it may begin inside a pasted line and go on below it.
    """
    lines = split_lines(message)
    blocks = find_blocks(lines, KnownColumns.of((), server_columns()))
    prose = [at for block in blocks if block.kind == "prose" for at in range(block.first, block.last)]
    own = [at for at in prose if not _ONLY_NUMBERS.fullmatch(lines.lines[at])]
    if len(own) == len(prose) and all(block.kind in ("prose", "note") for block in blocks):
        return message, False
    clean = split_lines(_without_posing(lines.text)).lines
    return "\n".join(clean[at] for at in own), True


def _without_posing(text: str) -> str:
    """The text with blanks in place of what poses as the system; line breaks stay."""
    if len(text) > _LONGEST:
        return text
    message = read(text)
    for start, end in posed(message.normal):
        first, last = message.origins[start], message.origins[end - 1] + 1
        blank = "".join("\n" if character == "\n" else " " for character in text[first:last])
        text = text[:first] + blank + text[last:]
    return text
