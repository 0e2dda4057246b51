"""The standbys that words name: "we have 2 replicas, pg-b and pg-c", "备库 pg_b 挂了"."""

from __future__ import annotations

from collections.abc import Iterator

from lang import deferred_re as re
from lang.listed import lists_beside

_LISTED = lists_beside(__file__)

_SENTENCE = re.compile(r"(?<=[。！？!?;；\n])|(?<=[^\d\W]\.)(?=\s)")
_TELLS = _LISTED.pattern("tells", re.IGNORECASE)
_NAME = _LISTED.pattern("name", re.IGNORECASE | re.ASCII)


def standbys_said(text: str) -> Iterator[str]:
    """The short names, with a letter or number at the end, of the sentences that speak of standbys."""
    for sentence in _SENTENCE.split(text):
        if _TELLS.search(sentence):
            yield from _NAME.findall(sentence)
