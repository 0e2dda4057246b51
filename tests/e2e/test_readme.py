"""What the README shows is what the program does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.transcripts import OPENINGS, README, placed, transcript
from tests.support.processes import Running, embedded


@pytest.fixture(scope="module")
def dbdiag(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with embedded(tmp_path_factory.mktemp("readme")) as running:
        yield running


@pytest.mark.parametrize("language", sorted(OPENINGS))
def test_the_transcript_is_what_the_program_says(dbdiag: Running, language: str) -> None:
    """Played again, the README's conversation has the same words; `python -m tests.e2e.transcripts` renews it."""
    readme = README.read_text(encoding="utf-8")
    assert placed(readme, language, transcript(dbdiag.url, language)) == readme


def test_the_two_commands_come_first() -> None:
    """`make run` and `make test` stand before anything else a newcomer would try."""
    readme = README.read_text(encoding="utf-8")
    first_block = readme.split("```")[1]
    assert "make run" in first_block
    assert "make test" in first_block
