"""Slips of the fingers in what people type."""

from __future__ import annotations

from lang.spelling import Speller
from lang.tokens import read_text
from tests.support.cases import for_each

KNOWN = ("everything", "replication", "query", "connection", "checkpoint")


@for_each(
    ("typed", "meant"),
    [
        ("evrything", "everything"),
        ("everyhting", "everything"),
        ("replicaton", "replication"),
        ("qureies", "query"),
        ("conections", "connection"),
    ],
)
def test_a_slip_means_the_one_known_word_beside_it(typed: str, meant: str) -> None:
    """A word that is a slip away from a known one is read as it, whether its ending is its own or a suffix."""
    mended, _ = Speller(lambda: KNOWN).mend(read_text(typed))
    assert [token.key for token in mended.tokens] == [meant]


@for_each("typed", ["everybody", "orders", "reflection", "billing"])
def test_another_word_is_no_slip(typed: str) -> None:
    """A word that is known, or near to none, stays as it is typed."""
    text = read_text(typed)
    assert Speller(lambda: KNOWN).mend(text)[0] == text
