"""Whose outputs a message shows: those that it says are of a standby or another host are not of this system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lang.clauses import Cue
from lang.modality import is_negated
from lang.parts import cues_of
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.marks import MARKS, has_mark
from lang.pastes.model import Block
from lang.tokens import Text, read_text

_LONGEST, _SHORT = 200, 40
_OUTPUTS = ("table", "log", "error")
_WORD = re.compile(r"\s*([a-z]+)")
_COMMAS = (",", "，")
_LAST_CLAUSE = re.compile(r".*[,，.。;；!！?？:：]", re.DOTALL)


def mark_owners(lines: PastedLines, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks, with `elsewhere` set on outputs that stand below such words; below those of this system it ends.

    Where nothing is said before the first output, the first words after it tell.
    """
    if not any(block.kind in _OUTPUTS for block in blocks):
        return tuple(blocks)
    said = [_owner(lines, block) for block in blocks]
    first = next((at for at, block in enumerate(blocks) if block.kind in _OUTPUTS), len(blocks))
    spoken = any(block.kind == "prose" for block in blocks[:first])
    after = next((said[at] for at in range(first, len(blocks)) if blocks[at].kind == "prose"), None)
    elsewhere = bool(after) and not spoken
    marked = []
    for block, owner in zip(blocks, said, strict=True):
        elsewhere = elsewhere if owner is None else owner
        if owner is not None and block.kind == "prose" and _is_label(lines.lines[block.first]):
            marked.append(replace(block, kind="note"))
        else:
            marked.append(replace(block, elsewhere=True) if elsewhere and block.kind in _OUTPUTS else block)
    return tuple(marked)


def _is_label(line: str) -> bool:
    """True for words that say no more than whose an output is."""
    return len(line) <= _SHORT and not any(char.isdigit() for char in line)


def is_of_standbys(texts: Sequence[str]) -> bool:
    """True for a check about standbys, whose output may be that of one. texts: its command in each language."""
    return any(has_mark(text, MARKS.of_standbys) for text in texts)


def _owner(lines: PastedLines, block: Block) -> bool | None:
    """True for words that place what they introduce on another system, False for this one; None for all others."""
    line = lines.lines[block.last - 1]
    if block.kind in ("echo", "query"):
        prompt = line[: max(line.find(block.words.split("\n")[-1]), 0)]
        return True if any(mark in prompt.lower() for mark in MARKS.standby_hosts) else None
    if block.kind != "prose" or len(line) > _LONGEST:
        return None
    text = read_text(line)
    cues = cues_of(text)
    if any(cue.name == "elsewhere" or (cue.name == "standby" and _is_place(cue, text, line)) for cue in cues):
        return True
    return False if any(cue.name == "here" for cue in cues) else None


def _is_place(cue: Cue, text: Text, line: str) -> bool:
    """ "On the standby", "备库的 iostat" and "standby:" are places; what a standby does is a statement about it, and so
    is that there is none.
    """
    start, end = text.span(cue.first, cue.last)
    before, after = line[:start].lower().split(), line[end:].lower()
    where = next((word for word in reversed(before) if word not in MARKS.articles), "")
    word = _WORD.match(after)
    said = _LAST_CLAUSE.sub("", line[:start])
    if where.endswith(MARKS.not_at_place) or is_negated(said):
        return False
    if after.startswith(_COMMAS) and where and not where.endswith(MARKS.at_place):
        return False  # It ends a clause that says something of it: "we have one standby, df says:".
    return (
        where.endswith(MARKS.at_place)
        or not after.strip()
        or after.lstrip().startswith(MARKS.of_place)
        or (word is not None and word[1] in MARKS.commands)
    )
