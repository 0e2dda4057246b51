"""The sessions that words place in a queue of locks: that of a DDL, the one that is waited for, one that is idle."""

from __future__ import annotations

from collections.abc import Iterator

from lang import deferred_re as re
from lang.listed import lists_beside
from lang.objects.kinds_and_roles import PID, Role, Seen

_LISTED = lists_beside(__file__)

_SENTENCE = re.compile(r"(?<=[。！？!?;；\n])|(?<=[^\d\W]\.)(?=\s)|(?<=\d\.)(?=\s)")
_CLAUSE = re.compile(r"[，,]")
# A number that counts or measures nothing.
_SESSION = _LISTED.pattern("session", re.IGNORECASE | re.ASCII)
_HOLDS = _LISTED.pattern("holds", re.IGNORECASE)
_IDLE = _LISTED.pattern("idle", re.IGNORECASE)
_DENIES = _LISTED.pattern("denies", re.IGNORECASE)
_ASKS = _LISTED.pattern("asks", re.IGNORECASE)
_POINTS = re.compile(r"\b(?:him|it|that (?:one|guy|session|pid)|he|she|her)\b|[它他她]|这个|那个", re.IGNORECASE)
# "the ALTER (pid 5120)": the session right after its statement; "waiting for 4410", "被 4410 挡住": the one in the way.
_DDL_OF = _LISTED.pattern("ddl_of", re.IGNORECASE)
_WAITED_FOR = _LISTED.pattern("waited_for", re.IGNORECASE)
# "20411 blocks the alter", "18833 一直堵着": the one in the way, unless that is asked.
_BLOCKS = _LISTED.pattern("blocks", re.IGNORECASE)


def blockers_said(text: str) -> Iterator[Seen]:
    """The session of each sentence that says so, where it is the only number there or the one that was just named."""
    before: list[str] = []
    for sentence in _SENTENCE.split(text):
        named = list(dict.fromkeys(_SESSION.findall(sentence)))
        meant = named or (before if _POINTS.search(sentence) else [])
        told = _told(_IDLE, sentence) or _told(_HOLDS, sentence)
        if told and len(meant) == 1 and not _ASKS.search(sentence.strip()):
            yield Seen(PID, meant[0], True)
        before = named or before


def _told(words: re.Pattern[str], sentence: str) -> bool:
    """Whether a clause says this and denies nothing."""
    return any(words.search(clause) and not _DENIES.search(clause) for clause in _CLAUSE.split(sentence))


def queue_said(text: str) -> Iterator[Seen]:
    """The session of a DDL, named right after its statement, and the one that is said to be waited for."""
    waited_for = [*_WAITED_FOR.findall(text), *_BLOCKS.findall(text)]
    yield from (Seen(PID, name, role=Role.DDL) for name in _DDL_OF.findall(text) if name not in waited_for)
    yield from (Seen(PID, name, culprit=True) for name in waited_for)
