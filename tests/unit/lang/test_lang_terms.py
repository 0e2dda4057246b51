"""Terms are found wherever their words stand, whatever was looked for before."""

from __future__ import annotations

from lang.terms import Terms
from lang.tokens import read_text
from tests.support.cases import for_each

SAID = ["data file read", "datafileread", "lock wait", "cache hit ratio", "锁等待", "NOT (SubPlan 1)", "sessions"]


def terms() -> Terms[str]:
    """Plain terms, which wait for their first word, and others."""
    made: Terms[str] = Terms()
    for term in SAID:
        made.add(term, term)
    return made


@for_each(
    ("text", "found"),
    [
        ("Locks waiting", {"lock wait"}),
        ("wait event DataFileRead", {"data file read"}),
        ("wait event data_file_read", {"data file read", "datafileread"}),
        ("会话都在锁等待", {"锁等待"}),
        ("the caches' hit ratio fell", {"cache hit ratio"}),
        ("a filter with NOT (SubPlan 1) for all sessions", {"NOT (SubPlan 1)", "sessions"}),
        ("nothing of it", set()),
    ],
)
def test_a_term_is_found_by_any_form_of_its_words(text: str, found: set[str]) -> None:
    """A term that waits is met by its first word in any form, and is found again."""
    made = terms()
    for _ in range(2):
        assert {each.payload for each in made.find(read_text(text))} == found


def test_the_words_of_terms_are_all_known_before_any_is_met() -> None:
    """The words are those of all terms, and knowing them changes nothing of what is found."""
    made, asked = terms(), terms()
    before = asked.words
    for text in SAID:
        assert made.find(read_text(text)) == asked.find(read_text(text))
    assert before == made.words == asked.words
    assert {"data", "fil", "datafileread", "wait", "锁", "等", "待", "session"} <= before
