"""A message with pasted output as text: the person's own words as one, and outputs in words."""

from __future__ import annotations

from collections.abc import Sequence

from lang.pastes.cells import read_interval
from lang.pastes.formats.blocks import find_blocks
from lang.pastes.formats.pasted_lines import split_lines
from lang.pastes.formats.tables.delimited import KnownColumns
from lang.pastes.model import Block, Span

_LONGEST_SAID = 400
_OUTPUTS = ("table", "log", "alert")
# Of what stands above an output, what may tell whose it is.
_LABELS = ("note", "echo", "query")
# Rows, and the commands that print them.
_ROWS = ("table", "echo")


def join_prose(prose: Sequence[Span]) -> tuple[str, list[int]]:
    """The person's own words as one text, and for each of its characters the offset in the message."""
    parts: list[str] = []
    offsets: list[int] = []
    for span in prose:
        if parts:
            parts.append("\n")
            offsets.append(span.start)
        parts.append(span.words)
        offsets.extend(range(span.start, span.start + len(span.words)))
    return "".join(parts), offsets


def first_output(message: str, blocks: Sequence[Block]) -> str:
    """The first line of the first table, log or alert of a message; of one of another system the words that say so."""
    lines = split_lines(message).lines
    outputs = [(above, block) for above, block in zip((None, *blocks), blocks, strict=False) if block.kind in _OUTPUTS]
    own = [block for _, block in outputs if not block.elsewhere]
    labels = [above for above, _ in outputs if above is not None and above.kind in _LABELS]
    return next((lines[block.first].strip(" \t:：") for block in (*own, *labels)), "")


def speak_cell(cell: str) -> str:
    """A cell as a person would say it: a length of time in seconds."""
    length = read_interval(cell.strip())
    return f"{length:g} s" if length is not None and ":" in cell else cell.strip()


def without_rows(message: str, known: KnownColumns) -> str:
    """A message without the rows of outputs: what these show is read by the checks that they are of."""
    lines = split_lines(message)
    kept = [block for block in find_blocks(lines, known) if block.kind not in _ROWS]
    return "\n".join(line for block in kept for line in lines.lines[block.first : block.last])


def own_words(message: str, blocks: Sequence[Block]) -> str:
    """The person's own words in a message; empty where they are so many that they tell a story of their own."""
    lines = split_lines(message).lines
    said = "\n".join(line for block in blocks if block.kind == "prose" for line in lines[block.first : block.last])
    return said if len(said) <= _LONGEST_SAID else ""
