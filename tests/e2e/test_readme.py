"""What the documents show is what the program does."""

from __future__ import annotations

import re

import pytest

from tests.e2e.transcripts import ROOT, TRANSCRIPTS, Transcript, insert, render
from tests.support.running.processes import Running

pytestmark = pytest.mark.sampled

READMES = ("README.md", "README.zh.md")


@pytest.mark.parametrize("wanted", TRANSCRIPTS, ids=lambda one: f"{one.document}-{one.language}")
def test_the_transcript_is_what_the_program_says(embedded_dbdiag: Running, wanted: Transcript) -> None:
    """Played again, a document's conversation has the same words; `python -m tests.e2e.transcripts` renews it."""
    document = (ROOT / wanted.document).read_text(encoding="utf-8")
    assert insert(document, wanted.language, render(embedded_dbdiag.url, wanted)) == document


@pytest.mark.parametrize("name", READMES)
def test_the_two_commands_come_first(name: str) -> None:
    """`make run` and `make test` stand before anything else a newcomer would try."""
    first_block = (ROOT / name).read_text(encoding="utf-8").split("```")[1]
    assert "make run" in first_block
    assert "make test" in first_block


@pytest.mark.parametrize("name", READMES)
def test_a_readme_is_short(name: str) -> None:
    """A README is read in a few minutes: at most 150 lines."""
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= 150


def test_both_readmes_have_the_same_content() -> None:
    """The Chinese README has the sections, links and commands of the English one, in the same order."""
    outlines = []
    for name in READMES:
        text = re.sub(r"<!-- transcript.*?<!-- end", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
        headings = [line.count("#") for line in text.splitlines() if re.match(r"#+ ", line)]
        links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if not link.startswith("README")]
        commands = re.findall(r"^(?:make|dbdiag) [a-z]+", text, flags=re.MULTILINE)
        outlines.append((headings, links, commands))
    assert outlines[0] == outlines[1]


@pytest.mark.parametrize("name", READMES)
def test_links_lead_somewhere(name: str) -> None:
    """Every relative link of a README names a file of the project."""
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
