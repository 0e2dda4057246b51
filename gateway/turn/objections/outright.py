"""The clauses of a message that say something outright: an answer, what was meant, that what was heard is not so.

A question says nothing outright, and who quotes an answer gives none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from re import Pattern
from typing import Any

import yaml
from dbdiag.vocabulary import Verdict

from lang import deferred_re as re
from lang.judging.amending import takes_back
from lang.parts import cues_of
from lang.tokens import read_text

_FILE = Path(__file__).with_name("outright.yaml")
_CLAUSE = re.compile(
    r"(?:[^,.:;!?~，。：；！？…\n\u4e00-\u9fff]|[.:](?=\w)|[\u4e00-\u9fff])+(?P<end>[,.:;!?~，。：；！？…\s]*)"
)
_BESIDE = " \t\r\n,.:;!?~，。：；！？、…"
_AROUND = _BESIDE + '"“”「」'
_ASKS = re.compile(r"(?:[吗嘛么]|没有?|对不对|是不是)\s*[?？]+$|[吗么]$")
_CAPITALS = re.compile(r"(?<![A-Z] )\b(?:DO|DOES|IS|ARE|HAVE|HAS|YES|NO)\b(?! [A-Z])")
# A yes or no that was heard, as the words that take it back name it.
_HEARD = re.compile(
    r"(?i)(?:\b(?:that|the|your|ur|this|my)\s+)?[\"“'‘](?P<en>no|yes)[\"”'’]"
    r"|\b(?:that|the|your|ur|this|my) (?P<bare>no|yes)\b"
    r"|(?:[那这]个|[那这]条|你的|你那个)?[\"“「『‘](?P<zh>没有?|有|不是|是|否)[\"”」』’]|[那这]个(?P<plain>没有)"
)
_YES = frozenset(("yes", "有", "是"))
_CRIED, _ASKED = frozenset("!！"), frozenset("?？")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause. asked: it ends as a question. cried: it is stressed."""

    words: str
    asked: bool = False
    cried: bool = False

    @property
    def states(self) -> bool:
        """Whether it is said by the person and of the thing: neither asked, nor supposed, nor what another one said."""
        return not (self.asked or has("quotes", self.words) or _opens_question(self.words))


def clauses_of(message: str) -> tuple[Clause, ...]:
    """The clauses of a message that are no output."""
    lines = "\n".join(line for line in message.splitlines() if "|" not in line)
    return tuple(_clauses(lines))


def _clauses(message: str) -> Iterator[Clause]:
    for found in _CLAUSE.finditer(message):
        end, words = set(found["end"]), found.group().strip(_BESIDE)
        if words:
            yield Clause(words, bool(end & _ASKED) or bool(_ASKS.search(found.group().strip())), bool(end & _CRIED))


def disputes(message: str) -> bool:
    """Whether a message says that what was heard is not so, or that it was told before."""
    first = next(iter(clauses_of(message)), None)
    cried = first is not None and (first.asked or first.cried) and answer_in(first.words) is Verdict.DENIED
    return cried or has("disputes", message) or bool(_CAPITALS.search(message)) or taken_back(message) is not None


def taken_back(message: str) -> tuple[Verdict, str] | None:
    """The answer that a clause takes back by its name, and the clause: 'take that "no" back', 把那个“没有”收回."""
    for clause in clauses_of(message):
        found = _HEARD.search(clause.words)
        rest = _HEARD.sub(" that ", clause.words, 1) if clause.words.isascii() else _HEARD.sub("那个", clause.words, 1)
        if found is not None and takes_back(" ".join(rest.split())):
            said = found[found.lastgroup or 0].lower()
            return (Verdict.CONFIRMED if said in _YES else Verdict.DENIED), clause.words
    return None


def answer_in(words: str) -> Verdict | None:
    """The yes or no that words are, with no more than "the answer is" before it."""
    said = words.lower().strip(_AROUND)
    leads = sorted((each for each in _phrases("answers") if said.startswith(each)), key=len, reverse=True)
    rests = (said, *(said[len(each) :].strip(_AROUND) for each in leads))
    for name, verdict in (("yes", Verdict.CONFIRMED), ("no", Verdict.DENIED)):
        if any(rest in _phrases(name) for rest in rests):
            return verdict
    return None


def has(name: str, words: str) -> bool:
    """Whether words have one of the phrases of a list."""
    return bool(_pattern(name).search(words))


def without(name: str, words: str) -> str:
    """The words without the phrases of a list."""
    return _pattern(name).sub(" ", words).strip(_AROUND)


def _opens_question(words: str) -> bool:
    cues = cues_of(read_text(words))
    return any(cue.name == "question" or (cue.name == "question_opening" and cue.first == 0) for cue in cues)


@cache
def _phrases(name: str) -> frozenset[str]:
    read: dict[str, Any] = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    return frozenset(str(each) for words in read[name].values() for each in words)


@cache
def _pattern(name: str) -> Pattern[str]:
    phrases = sorted(_phrases(name), key=len, reverse=True)
    parts = (rf"\b{re.escape(each)}\b" if each.isascii() else re.escape(each) for each in phrases)
    return re.compile("(?i)" + "|".join(parts))
