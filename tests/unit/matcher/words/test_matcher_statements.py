"""What the model's statements become for the judge, against the shipped PostgreSQL library."""

from __future__ import annotations

import pytest

from lang.judging.judge import Context
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from services.matcher.model_statements import StatedRow, StatementMaker
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

YES, NO = Verdict.CONFIRMED, Verdict.DENIED


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def counted(reader: MessageReader, name: str, says: str, words: str, value: str = "", of: str = "") -> Verdict | None:
    """The verdict that counts of a phenomenon by one statement; None where none does."""
    row = StatedRow.model_validate(
        {
            "words": words, "phenomenon_id": name, "says": says, "value": value, "of": of,
            "polarity": "present", "modality": "asserted", "when": "now", "where": "here",
        }
    )  # fmt: skip
    maker = StatementMaker(reader.means, reader.subjects)
    context = Context(amounts=dict(maker.amounts_of(row)))
    found = reader.judge(maker.statements_of(row, 0), words, context)
    own = [item.reading for item in found if item.reading.phenomenon_id == name]
    return next((reading.verdict for reading in own if reading.standing is Standing.COUNTS), None)


@for_each(
    ("name", "words", "value", "of", "verdict"),
    [
        ("P-0016", "the volume is at 97%", "97%", "", YES),
        ("P-0016", "there is 3% free", "3% free", "", YES),
        ("P-0016", "还有 61% 可用", "61% 可用", "", NO),
        ("P-0016", "980 GB gone, it has 1 TB", "980 GB", "1 TB", YES),
        ("P-0044", "12 in use, 500 allowed", "12", "500", NO),
        ("P-0044", "588/600", "", "", YES),
        ("P-0044", "588 are in use", "588", "", None),
        ("P-0125", "130 MB/s, it was 20 MB/s last week", "130 MB/s", "20 MB/s", YES),
        ("P-0125", "five times the normal rate", "five times the normal rate", "", YES),
        ("P-0125", "from 20 MB/s to 130 MB/s", "", "", YES),
        ("P-0381", "r is 70 on 16 cores", "70", "16 cores", YES),
        ("P-0381", "r is 7 on 16 cores", "7", "16 cores", NO),
        ("P-0024", "open for seven hours", "seven hours", "", YES),
        ("P-0044", "it has 40 GB", "40 GB", "", None),
    ],
)
def test_numbers_are_read_from_the_quotes(
    reader: MessageReader, name: str, words: str, value: str, of: str, verdict: Verdict | None
) -> None:
    """A quoted number decides by its unit, as a part, as the rest or as a multiple; without its base nothing counts."""
    assert counted(reader, name, "value", words, value, of) is verdict


@for_each(
    ("name", "says", "verdict"),
    [
        ("P-0066", "state_bad", YES),
        ("P-0066", "state_good", NO),
        ("P-0066", "bad", YES),
        ("P-0066", "fine", NO),
        ("P-0027", "bad", YES),
        ("P-0027", "none", NO),
        ("P-0028", "rising", YES),
        ("P-0134", "rising", YES),
        ("P-0134", "falling", NO),
        ("P-0263", "helped_for_a_while", YES),
        ("P-0263", "no_help", NO),
        ("P-0263", "bad", None),
        ("P-0044", "mention", None),
        ("P-0044", "helped", None),
    ],
)
def test_words_are_judged_by_the_predicate(
    reader: MessageReader, name: str, says: str, verdict: Verdict | None
) -> None:
    """A state, an event, a trend and an outcome count as the predicate has it, and nothing else does."""
    assert counted(reader, name, says, "some words") is verdict
