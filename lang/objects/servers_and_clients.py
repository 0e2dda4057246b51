"""How many connections and instances of the application there are, and which standbys, as words tell it."""

from __future__ import annotations

from collections.abc import Iterator

from lang import deferred_re as re
from lang.clauses import asks_a_not_a
from lang.cues import cue_terms
from lang.judging.proposed_acts import is_proposed
from lang.listed import lists_beside
from lang.tokens import read_text

CONNECTIONS, INSTANCES = "connections", "instances"
_THINGS = {
    CONNECTIONS: r"(\d{2,5})\s*(?:个|多个|条)?\s*(?:左右的?)?(?:连接(?!池)|conn(?:ection)?s?\b)",
    # "20 pods to 60" has 60.
    INSTANCES: r"(\d{1,4})\s*(?:个|多个)?\s*(?:pods?\b|app(?:lication)? instances?\b|应用实例)"
    r"(?!\s*(?:to|->|→|扩?到)\s*\d)",
}
_COUNTED = {name: re.compile(rf"(?<![\d.:]){things}", re.IGNORECASE | re.ASCII) for name, things in _THINGS.items()}
_CLAUSE = re.compile(r"(?<=[.。,，;；!！?？\n])|(?<= )(?=and we\b)")
_OPEN = ("question", "question_opening", "question_end", "plan", "supposition", "wish")
_LISTED = lists_beside(__file__)

_SENTENCE = re.compile(r"(?<=[。！？!?;；\n])|(?<=[^\d\W]\.)(?=\s)")
_TELLS = _LISTED.pattern("tells", re.IGNORECASE)
_NAME = _LISTED.pattern("name", re.IGNORECASE | re.ASCII)


def clients_counted(text: str) -> Iterator[tuple[str, str]]:
    """What is counted, by its name, and how many there are; what is asked, planned or proposed is not told."""
    told = [clause for clause in _clauses(text) if any(map(str.isdigit, clause)) and not _is_open(clause)]
    for name, counted in _COUNTED.items():
        yield from ((name, count) for clause in told for count in counted.findall(clause))


def _clauses(text: str) -> Iterator[str]:
    """The clauses of a text without those in which others propose something."""
    at = 0
    for clause in _CLAUSE.split(text):
        if not is_proposed(text, (at, at + len(clause))):
            yield clause
        at += len(clause)


def _is_open(clause: str) -> bool:
    text = read_text(clause)
    open_ = any(each.payload in _OPEN for each in cue_terms().find(text))
    return open_ or clause.rstrip().endswith(("?", "？")) or asks_a_not_a(text.tokens)


def standbys_said(text: str) -> Iterator[str]:
    """The short names, with a letter or number at the end, of the sentences that speak of standbys."""
    for sentence in _SENTENCE.split(text):
        if _TELLS.search(sentence):
            yield from _NAME.findall(sentence)
