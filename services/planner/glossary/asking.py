"""Sentences that ask what a term means: "what's a slot", "xmin 是啥", "wal?? never heard of it", "11% 啥意思"."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang import deferred_re as re
from services.planner.glossary.known_terms import Term, find_term, terms

_FILE = Path(__file__).with_name("asking.yaml")
_X, _S = "X", "S"
# A term with what stands around it: within a clause, as short as the rest of the pattern allows.
_TERM = r"(?P<{group}>[^,，。;；:：?？!！\n]{{1,48}}?)"
_MARKS = re.compile(r"[\"“”`*「」『』]|(?<![a-zA-Z])['‘’]|['‘’](?![a-zA-Z])")
_AND = re.compile(r"(?i)\s+(?:and|or|vs\.?|versus)\s+|[和跟与]|\s*[/、]\s*")
_PERCENTAGE = "percentage"


class Meaning(NamedTuple):
    """What is asked for: the term, its name in the message, the words that ask, their place, a percentage's number."""

    term: Term
    name: str
    words: str
    at: int
    number: str = ""


class _Wording(NamedTuple):
    frames: tuple[re.Pattern[str], ...]
    before: re.Pattern[str]
    after: re.Pattern[str]
    which: re.Pattern[str]
    ran: re.Pattern[str]
    percentage: re.Pattern[str]


@cache
def _wording() -> _Wording:
    listed = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    frames = tuple(re.compile(_frame(each, listed)) for each in listed["frames"])
    rest = (re.compile(listed[name]) for name in ("before", "after", "which", "ran", "percentage"))
    return _Wording(frames, *rest)


def _frame(pattern: str, listed: dict[str, str]) -> str:
    pattern = pattern.replace("END", listed["end"])
    for group in (_X, _S):
        term = _TERM.format(group=group).replace("\\", r"\\")
        pattern = re.sub(rf"(?<![A-Za-z\\\[]){group}(?![A-Za-z])", term, pattern)
    return f"(?i){pattern}{listed['tails']}"


@lru_cache(maxsize=64)
def meanings_in(said: str) -> tuple[Meaning, ...]:
    """The terms that a message asks to have explained, each once, in the order of the message."""
    plain = _MARKS.sub(" ", _wording().ran.sub(lambda found: " " * len(found[0]), said))
    found: dict[str, Meaning] = {}
    for frame in _wording().frames:
        for match in frame.finditer(plain):
            words = said[match.start() : match.end()].strip(" ,，")
            for term, name, number in _named(match):
                found.setdefault(term.term_id, Meaning(term, name, words, match.start(), number))
    return tuple(sorted(found.values(), key=lambda each: each.at))


def asks_at(said: str, at: int) -> bool:
    """Whether this place of a message lies in the words that ask for a meaning: "what is a slot, in plain words"."""
    return any(each.at <= at < each.at + len(each.words) for each in meanings_in(said))


def _named(match: re.Match[str]) -> list[tuple[Term, str, str]]:
    """The terms in the place of a pattern where the term stands, their names there, and the number of a percentage."""
    groups = match.groupdict()
    strict = groups.get(_X)
    words = strict if strict is not None else groups[_S] or ""
    if _wording().which.search(words.strip()):
        return []
    named = [_term(part, strict is None) for part in (words, *_parts(words))]
    if named[0] is not None:
        return [named[0]]
    rest = [each for each in named[1:] if each is not None]
    return rest if len(rest) == len(named) - 1 else []


def _parts(words: str) -> list[str]:
    parts = _AND.split(words)
    return parts if len(parts) > 1 else []


def _term(words: str, ends_with_it: bool) -> tuple[Term, str, str] | None:
    """The term that words name, but for what stands around it; or at their end alone, where they may begin freely."""
    bare = _bare(words)
    percent = _wording().percentage.fullmatch(bare)
    if percent is not None:
        return terms()[_PERCENTAGE], bare, percent["number"]
    begun = [bare[at:] for at in range(len(bare)) if bare[at - 1 : at] == " "] if ends_with_it else []
    for each in (bare, *begun):
        name = _bare(each)
        term = find_term(name)
        if term is not None:
            return term, name, ""
    return None


def _bare(words: str) -> str:
    """Words without those around them that say nothing."""
    before, after = "", " ".join(words.split())
    while before != after and find_term(after) is None:
        before = after
        after = _wording().after.sub("", _wording().before.sub("", after)).strip()
    return after
