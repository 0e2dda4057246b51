"""Laws of outputs beside words: what an output decides is neither asked again nor undone by what is quoted there."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

NOW = 1_750_000_000.0  # 2025-06-15
SIZES = "$ du -sh *\n2.0G\tlog\n90G\tbase\n{wal}\tpg_wal\n\n"
BOUNDS = (
    "Partitions: m_a FOR VALUES FROM ('2025-04-01') TO ('2025-05-01'),\n"
    " m_b FOR VALUES FROM ('2025-05-01') TO ('2025-06-01')\n"
)


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


@for_each("said", ["is that normal? max_wal_size is 6GB", "正常吗？max_wal_size 是 6GB"])
@for_each("pending", [(), ("P-0129",)])
def test_a_size_and_the_setting_beside_it_decide_what_was_asked(
    reader: MessageReader, said: str, pending: tuple[str, ...]
) -> None:
    """A size in an output is judged with the base that the words beside it tell, also where just that was asked."""
    found = {
        item.reading.phenomenon_id: item.reading
        for item in reader.read(SIZES.format(wal="300G") + said, Topics(pending=pending), NOW).readings
    }
    assert (found["P-0129"].verdict, found["P-0129"].standing) == (Verdict.CONFIRMED, Standing.COUNTS)


@pytest.mark.parametrize(
    "said", ["and the error is the no partition one", "and yes, there is no partition error in the log"]
)
def test_what_an_output_lists_is_there_whatever_is_quoted(reader: MessageReader, said: str) -> None:
    """Words that quote an error do not say that a site lacks what the output beside them lists."""
    assert not [each for each in reader.read(f"{BOUNDS}\n{said}", now=NOW).facilities if not each.there]


def test_without_the_output_the_lack_is_heard(reader: MessageReader) -> None:
    """Plain words that there are no partitioned tables still rule out what needs them."""
    assert [each for each in reader.read("we have no partitioned tables", now=NOW).facilities if not each.there]
