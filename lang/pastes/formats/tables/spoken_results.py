"""Results that are told: "ran it, nothing came back", "你那个sql我跑了 空的", "0 rows", "两次查出来一样，没涨"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from lang.pastes.marks import MARKS

# Longer words say more than that there was no output, and a line of so many is output.
_LONGEST, _LONGEST_LINE = 120, 400
_SENTENCE_ENDS = "。.;；!！?？"
_CLAUSE_ENDS = _SENTENCE_ENDS + ",，"
_ENDS = _CLAUSE_ENDS + ":：~～、-— \t"
_BREAK = "\n"
_FOOTERS = (": (0 ", ":(0 ", "：(0 ", ", (0 ", "，(0 ")


def part_empty_results(text: str) -> str:
    """The text, as long as before, with what only tells of a result, empty or unchanged, on a line of its own."""
    lines = text.split(_BREAK)
    return _BREAK.join(_parted(line) if 0 < len(line) <= _LONGEST_LINE else line for line in lines)


def tells_empty_result(line: str) -> bool:
    """True for words about running a query that say that nothing came, and for nothing else."""
    said = line.strip(_ENDS)
    if not said or len(said) > _LONGEST or _form("told").fullmatch(said.lower()) is None:
        return False
    return _has(said, "empty") or (_has(said, "nothing") and (_has(said, "ran") or _has(said, "commands")))


def tells_unchanged(line: str) -> bool:
    """True for words that two readings were the same, and for nothing else."""
    said = line.strip(_ENDS)
    if not said or len(said) > _LONGEST or _form("compared").fullmatch(said.lower()) is None:
        return False
    return _has(said, "unchanged") and _has(said, "twice")


def _parted(line: str) -> str:
    said = line.lower()
    parted = list(line)
    for start in _sentences(said):
        found = _form("told").match(said, start)
        end = next((at for at in range(found.end(), start, -1) if _ends_clause(said, at)), start) if found else start
        whole = next((at for at in range(start, len(said)) if said[at] in _SENTENCE_ENDS), len(said))
        if tells_unchanged(line[start:whole]):
            end = whole
        if tells_unchanged(line[start:end]) or (found and tells_empty_result(line[start:end])):
            for at in (start - 1, end):
                if 0 <= at < len(line) and line[at] in _ENDS:
                    parted[at] = _BREAK
            break
    return "".join(parted)


def _sentences(said: str) -> Iterator[int]:
    """Where sentences begin: behind a mere comma "0 rows" may be of what stands before it, the server's own is not."""
    yield 0
    yield from (at + 1 for at, char in enumerate(said) if char in _SENTENCE_ENDS or said.startswith(_FOOTERS, at))


def _ends_clause(said: str, at: int) -> bool:
    return at >= len(said) or said[at] in _CLAUSE_ENDS


def _has(said: str, name: str) -> bool:
    return _form(name).search(said.lower()) is not None


@cache
def _form(name: str) -> re.Pattern[str]:
    """The words of a list; of `told` and `compared` all that tell of an empty or an unchanged result, in any order."""
    if name not in ("told", "compared"):
        return re.compile(_either(getattr(MARKS, name)))
    told = (MARKS.empty, MARKS.nothing) if name == "told" else (MARKS.unchanged, MARKS.twice, MARKS.around_readings)
    words = [word for each in (*told, MARKS.ran, MARKS.commands, MARKS.around_results) for word in each]
    number = "" if name == "told" else r"\d+|"
    return re.compile(f"(?>{number}{_either(words)}|[{re.escape(_ENDS)}])++")


def _either(words: Iterable[str]) -> str:
    """The longest words first; Latin ones and numbers as whole words."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(
        (r"(?<![a-z0-9.])" if word[0].isascii() else "")
        + re.escape(word)
        + (r"(?![a-z0-9])" if word[-1].isascii() else "")
        for word in ordered
    )
