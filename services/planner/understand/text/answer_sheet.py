"""Answers strung together without any stop, taken apart: "第一个有第二个也有第三个我不会看", "havent looked at 2 yet 1 is there 3 isnt"."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from services.planner.understand.text.clauses import Clause, Sentence
from services.planner.understand.text.segments import pointers_of, segments_of
from services.planner.understand.text.tokens import Kind, tokens_of

_ONE = (Kind.ORDINALS, Kind.ID, Kind.LAST, Kind.MIDDLE, Kind.FROM_END)
_BESIDE = (Kind.EXCEPT, Kind.ONLY, Kind.REST, Kind.ALL)


def one_by_one(sentence: Sentence) -> Sentence:
    """The sentence with a clause that answers several items, each before its verdict, as a clause for each."""
    return Sentence(tuple(part for clause in sentence.clauses for part in _parts(clause)))


def _parts(clause: Clause) -> list[Clause]:
    starts = _starts(clause.text)
    if len(starts) < 2 or clause.asks:
        return [clause]
    ends = [*starts[1:], len(clause.text)]
    parts = [_part(clause, start, end) for start, end in zip([0, *starts[1:]], ends, strict=True)]
    said = [segments_of(part.text) for part in parts]
    answers = all(len(one) == 1 and one[0].pointed and not one[0].verdict_first for one in said[1:])
    told = all(one and (one[0].verdict is not None or one[0].content or one[0].hedged) for one in said)
    return parts if answers and told and len(said[0]) == 1 else [clause]


def _starts(text: str) -> list[int]:
    """Where items are pointed at one by one: nothing before the first but its verdict, a verdict or words between two."""
    pointers = [token for token in pointers_of(text) if token.kind is not Kind.JUST]
    if any(token.kind not in _ONE for token in pointers) or any(token.kind in _BESIDE for token in tokens_of(text)):
        return []
    starts = [pointers[0].start] if pointers else []
    for before, after in pairwise(pointers):
        if not _says(text[before.end : after.start]):
            return []
        starts.append(after.start)
    return starts


def _says(between: str) -> bool:
    return any(token.kind in (Kind.VERDICT, Kind.HEDGE) for token in tokens_of(between))


def _part(clause: Clause, start: int, end: int) -> Clause:
    text = clause.text[start:end]
    left = start + len(text) - len(text.lstrip(" ,"))
    right = end - (len(text) - len(text.rstrip(" ,")))
    return replace(clause, text=clause.text[left:right], start=clause.start + left, end=clause.start + right)
