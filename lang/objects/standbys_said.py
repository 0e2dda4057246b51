"""The standbys that words name: "we have 2 replicas, pg-b and pg-c", "备库 pg_b 挂了"."""

from __future__ import annotations

from collections.abc import Iterator

from lang import deferred_re as re

_SENTENCE = re.compile(r"(?<=[。！？!?;；\n])|(?<=[^\d\W]\.)(?=\s)")
_TELLS = re.compile(
    r"\b(?:standbys?|replicas?|secondar(?:y|ies)|slaves?|async|streaming)\b|备库|从库|副本|备机|异步|流复制",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?<![\w.-])[a-z]{1,12}\d*(?:[_-](?:[a-z]|\d{1,3}|dc\d|[a-z]\d))(?![\w.-])", re.IGNORECASE | re.ASCII
)


def standbys_said(text: str) -> Iterator[str]:
    """The short names, with a letter or number at the end, of the sentences that speak of standbys."""
    for sentence in _SENTENCE.split(text):
        if _TELLS.search(sentence):
            yield from _NAME.findall(sentence)
