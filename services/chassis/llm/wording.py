"""What a model says beside its answer, and the answer in it: thinking, code fences, words before and after the JSON."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator

_OPEN, _CLOSE = "<think>", "</think>"
_THOUGHT = re.compile(r"^.*</think>", re.DOTALL)
_UNFINISHED = re.compile(r"^\s*<think>.*$", re.DOTALL)
# An answer is one of the first objects in a text.
_MOST_OBJECTS = 8
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


def without_thinking(text: str) -> str:
    """The text without the thinking that some models write before it; empty when they only thought."""
    return _UNFINISHED.sub("", _THOUGHT.sub("", text))


def objects_in(content: str) -> Iterator[str]:
    """The JSON objects in a text, in their order; objects within objects do not count."""
    text, at, decoder = without_thinking(content), 0, json.JSONDecoder()
    for _ in range(_MOST_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        yield text[at:end]
        at = end


async def spoken(pieces: AsyncIterator[str]) -> AsyncIterator[str]:
    """The pieces of a streamed text without the thinking that it may begin with."""
    held, begun, thought = "", False, False
    async for piece in pieces:
        if begun:
            yield piece
            continue
        held += piece
        start = held.lstrip()
        if start.startswith(_OPEN):
            if _CLOSE not in start:
                continue
            thought, start = True, start.partition(_CLOSE)[2].lstrip()
            held = start
        if not _OPEN.startswith(start):
            begun = True
            yield start if thought else held
    if not begun and not held.lstrip().startswith(_OPEN) and held:
        yield held


def tokens_in(text: str) -> int:
    """About how many tokens a text has: one for each East Asian character, one for each four of the others."""
    east_asian = len(_CJK.findall(text))
    return east_asian + (len(text) - east_asian + 3) // 4
