"""Extracts the answer from a model's output: without thinking, code fences, and words around the JSON."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator

from lang import deferred_re as re

_OPEN, _CLOSE = "<think>", "</think>"
_THOUGHT = re.compile(r"^.*</think>", re.DOTALL)
_UNFINISHED = re.compile(r"^\s*<think>.*$", re.DOTALL)
# Objects of a text to try as the answer.
_MOST_OBJECTS = 8
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


def without_thinking(text: str) -> str:
    """The text without the thinking that some models write first; empty if there is nothing else."""
    return _UNFINISHED.sub("", _THOUGHT.sub("", text))


def find_objects(content: str) -> Iterator[str]:
    """The outermost JSON objects of a text, in order."""
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


async def strip_thinking(pieces: AsyncIterator[str]) -> AsyncIterator[str]:
    """The pieces of a streamed text, without initial thinking."""
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


def estimate_tokens(text: str) -> int:
    """An estimate of a text's tokens: one per East Asian character, one per four other characters."""
    east_asian = len(_CJK.findall(text))
    return east_asian + (len(text) - east_asian + 3) // 4
