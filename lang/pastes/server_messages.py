"""A server's message within a sentence: "our pods crash with: FATAL: sorry, too many clients already"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lang.pastes.check_index import CheckIndex
from lang.pastes.model import Block, Finding, Span, Table
from lang.pastes.reading_of_logs import judge_error

# The severity as servers write it, and the message up to a closing quotation mark or the end of a Chinese clause.
_MESSAGE = re.compile(
    r"(?:\b(?:ERROR|FATAL|PANIC|WARNING)|致命错误|错误|警告)\s?[:：]\s{0,4}\S[^\n“”「」『』，。；]*", re.MULTILINE
)


def judge_messages(words: str, index: CheckIndex) -> Iterator[tuple[Span, tuple[Finding, ...]]]:
    """Each server message in a person's words with what it is a sign of; offsets are places in the words."""
    for found in _MESSAGE.finditer(words):
        table = Table(("time", "line"), (("", found[0]),), "log")
        yield Span(*found.span(), found[0]), judge_error(Block("error", 0, 1, table), index, ())
