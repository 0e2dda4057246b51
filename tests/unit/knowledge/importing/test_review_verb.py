"""`dbdiag knowledge review`: the review file by commands and by questions."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gateway.cli.main import main
from services.knowledge.importing.deciding.review import read_review
from services.knowledge.importing.importer import import_tickets
from services.knowledge.library.load import InvalidLibrary, load
from tests.support.sample_libraries import as_export, exported, phenomenon, tree_hash, write_library

ROOT = Path(__file__).parents[4]
TICKETS = [
    exported("T-1", "原因甲", "水管漏水", "电线短路"),
    exported("T-2", "原因乙", "水龙头滴水", "水管漏水"),
    exported("T-3", "原因丙", "the roof leaks", "窗户关不上"),
]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with three tickets, over nothing."""
    monkeypatch.chdir(tmp_path)
    import_tickets(as_export(TICKETS), "json", tmp_path / "site", ())
    return tmp_path / "site"


def again(site: Path) -> None:
    """Imports the same tickets once more."""
    import_tickets(as_export(TICKETS), "json", site, ())


def wait(site: Path, said: str) -> None:
    """Marks a decision as one for a person."""
    review = yaml.safe_load((site / "review.yaml").read_text(encoding="utf-8"))
    ruling = next(item for item in review["phenomena"] if item["statement"] == said)
    ruling["unclear"] = True
    (site / "review.yaml").write_text(yaml.safe_dump(review, allow_unicode=True), encoding="utf-8")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """The exit code and the JSON of the verb."""
    code = main(["knowledge", "review", "--library", "site", "--base", "none", "--json", *arguments])
    written = capsys.readouterr()
    return code, json.loads(written.out or written.err)


def ids(site: Path) -> dict[str, str]:
    """Each statement's id."""
    review = read_review(site)
    return {ruling.statement: str(ruling.into) for ruling in (*review.phenomena, *review.root_causes)}


def handle(site: Path, said: str) -> str:
    """The sign before a decision in the list."""
    return next(ruling.handle for ruling in read_review(site).phenomena if ruling.statement == said)


def test_list_shows_what_waits(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only what is unclear, or everything; each with its sign, its id and who says it."""
    wait(site, "电线短路")
    code, value = run(capsys, "list")
    assert (code, value["unclear"], [item["statement"] for item in value["decisions"]]) == (0, 1, ["电线短路"])
    assert value["decisions"][0]["what"] == handle(site, "电线短路")
    assert len(run(capsys, "list", "--all")[1]["decisions"]) == 8
    assert main(["knowledge", "review", "--library", "site"]) == 0
    assert "1 decision to review" in capsys.readouterr().out


def test_accept_is_remembered(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a person agrees with never waits again."""
    wait(site, "电线短路")
    assert run(capsys, "accept", handle(site, "电线短路")) == (
        0,
        {"action": "accept", "what": [handle(site, "电线短路")], "unclear": 0},
    )
    before = tree_hash(site)
    again(site)
    assert tree_hash(site) == before
    assert run(capsys, "accept", "all")[0] == 0


def test_merge_and_split_are_applied_at_once_and_again(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By sign, statement or id; later imports keep both, and the ids that were given up stay so."""
    first = ids(site)
    assert run(capsys, "merge", handle(site, "水龙头滴水"), first["水管漏水"])[0] == 0
    assert ids(site)["水龙头滴水"] == first["水管漏水"]
    assert first["水龙头滴水"] not in load([site]).phenomena
    assert run(capsys, "split", "水龙头滴水")[0] == 0
    made = ids(site)["水龙头滴水"]
    assert made not in first.values()
    assert run(capsys, "merge", made, first["水管漏水"])[0] == 0
    before = tree_hash(site)
    again(site)
    assert tree_hash(site) == before
    assert run(capsys, "merge", "原因乙", ids(site)["原因甲"])[0] == 0
    assert load([site]).tickets["T-2"].root_cause_id == ids(site)["原因甲"]


def test_rename_is_remembered_and_keeps_the_old_words(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The entry has its name, the statement is an alias; a library built again from the review has it too."""
    identity = ids(site)["水管漏水"]
    code, value = run(capsys, "rename", identity, "--zh", "供水管道渗漏", "--en", "The water pipe leaks")
    assert (code, value["renamed"]) == (0, identity)
    entry = load([site]).phenomena[identity]
    assert (entry.name.zh, entry.name.en, entry.untranslated) == ("供水管道渗漏", "The water pipe leaks", None)
    assert "水管漏水" in entry.aliases.zh
    before = tree_hash(site)
    again(site)
    assert tree_hash(site) == before
    for folder in ("phenomena", "tickets"):
        for file in (site / folder).iterdir():
            file.unlink()
    again(site)
    assert load([site]).phenomena[identity].name.en == "The water pipe leaks"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["merge", "水管漏水", "P-0404"], "P-0404 does not exist; the nearest id is P-500"),
        (["merge", "水管漏水", "RC-5000"], "RC-5000 is no phenomenon"),
        (["merge", "没有这句话", "P-5000"], "is not a decision of this review"),
        (["split", "水管漏水"], "was made for this statement"),
        (["rename", "P-0404", "--zh", "甲"], "P-0404 does not exist"),
        (["rename", "P-5000"], "--zh"),
        (["accept", "P-9"], "is not a decision of this review"),
        (["merge", "水管漏水"], "merge takes a decision and an id"),
        (["split"], "split takes one decision"),
    ],
)
def test_what_cannot_be_done_is_said(
    site: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """Bad input ends with 2, names the nearest and leaves every byte as it was."""
    before = tree_hash(site)
    code, value = run(capsys, *arguments)
    assert code == 2
    assert words in json.dumps(value, ensure_ascii=False)
    assert tree_hash(site) == before


def test_an_entry_of_the_base_is_not_renamed(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It belongs to another library; nor is a library without a review reviewed."""
    write_library(site.parent / "base", [phenomenon("P-0001")], [], [])
    arguments = ["knowledge", "review", "rename", "P-0001", "--en", "x", "--library", "site", "--base", "base"]
    assert main(arguments) == 2
    assert "not of this library" in capsys.readouterr().err
    assert main(["knowledge", "review", "--library", "base"]) == 2
    assert "import tickets first" in capsys.readouterr().err


def edit(site: Path, **changes: dict[str, str]) -> None:
    """Changes rulings as a person does in an editor."""
    review = yaml.safe_load((site / "review.yaml").read_text(encoding="utf-8"))
    for item in review["phenomena"]:
        item.update(changes.get(item["statement"], {}))
    (site / "review.yaml").write_text(yaml.safe_dump(review, allow_unicode=True), encoding="utf-8")


def test_a_circle_of_merges_is_refused(site: Path) -> None:
    """Two or three that are merged into each other would all be gone; the circle is named, nothing is written."""
    first = ids(site)
    names = ["水管漏水", "电线短路", "窗户关不上"]
    for way in (names[:2], names):
        following = [*way[1:], way[0]]
        pairs = zip(way, following, strict=True)
        edit(site, **{one: {"decision": "merge", "into": first[other]} for one, other in pairs})
        before = tree_hash(site)
        with pytest.raises(InvalidLibrary, match="a circle: "):
            again(site)
        assert tree_hash(site) == before


def test_an_id_that_was_given_up_is_never_used_again(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing can be merged into it, and no new thing gets it, even when somebody sets the counter back."""
    first = ids(site)
    run(capsys, "merge", "水龙头滴水", first["水管漏水"])
    code, value = run(capsys, "merge", "电线短路", first["水龙头滴水"])
    assert code == 2
    assert "its number is never used again" in json.dumps(value, ensure_ascii=False)
    review = (site / "review.yaml").read_text(encoding="utf-8")
    review = review.replace(
        next(line for line in review.splitlines() if "next_phenomenon" in line), "next_phenomenon: 5000"
    )
    (site / "review.yaml").write_text(review, encoding="utf-8")
    import_tickets(as_export([*TICKETS, exported("T-9", "原因丁", "从来没有见过的事")]), "json", site, ())
    assert ids(site)["从来没有见过的事"] not in first.values()


@pytest.mark.skipif(os.name != "posix", reason="pseudo terminals are of POSIX")
def test_at_a_terminal_it_asks(site: Path) -> None:
    """One decision after the other: a wrong answer is explained, then what was typed is done."""
    wait(site, "电线短路")
    wait(site, "窗户关不上")
    first = ids(site)
    target = first["水管漏水"]
    waiting = sorted(("电线短路", "窗户关不上"), key=lambda said: first[said])
    typed = f"x\nm P-0404\nm {target}\na\n"
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "gateway.cli", "knowledge", "review", "--library", str(site), "--base", "none"]
    with subprocess.Popen(command, cwd=ROOT, stdin=follower, stdout=follower, stderr=follower) as process:
        os.close(follower)
        os.write(leader, typed.encode())
        shown = b""
        while True:
            try:
                piece = os.read(leader, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        assert process.wait(60) == 0
    os.close(leader)
    text = shown.decode()
    assert "1 of 2" in text
    assert "'x' is not an answer" in text
    assert "P-0404 does not exist" in text
    assert "nothing left to review" in text
    assert ids(site)[waiting[0]] == target
    assert ids(site)[waiting[1]] == first[waiting[1]]
