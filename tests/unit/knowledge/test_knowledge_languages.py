"""The verbs of `dbdiag knowledge` speak Chinese and English: as `--lang` says, else as the locale does."""

from __future__ import annotations

import io
import re
import string
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click
import pytest

from gateway.cli.knowledge.knowledge import knowledge
from gateway.cli.main import main
from services.knowledge.importing.writing.import_report import report_texts
from services.knowledge.library.lint.findings import finding_texts
from services.knowledge.library.shipped_libraries import locate
from tests.support.sample_libraries import phenomenon, root_cause, write_library

HAN = re.compile("[一-鿿]")
EXPORT = locate("postgresql").parent / "example_export.csv"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder and a locale that speaks English."""
    monkeypatch.chdir(tmp_path)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C.UTF-8")


def told(*arguments: str) -> str:
    """What `dbdiag knowledge` prints."""
    written = io.StringIO()
    with redirect_stdout(written):
        main(["knowledge", *arguments])
    return written.getvalue()


def verbs(group: click.Group) -> list[click.Command]:
    """Every verb, also those of the groups within."""
    found: list[click.Command] = []
    context = click.Context(group)
    for name in group.list_commands(context):
        verb = group.get_command(context, name)
        assert verb is not None
        found += verbs(verb) if isinstance(verb, click.Group) else [verb]
    return found


def fields(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_verb_takes_a_language() -> None:
    """`--lang zh` and `--lang en` are understood wherever something is said."""
    found = verbs(knowledge)
    assert len(found) > 12
    assert [verb.name for verb in found if [option.name for option in verb.params].count("lang") != 1] == []


@pytest.mark.parametrize("texts", [finding_texts(), report_texts()], ids=["findings", "import report"])
def test_both_languages_have_the_same_texts(texts: Mapping[str, Mapping[str, Any]]) -> None:
    """Each text stands there in Chinese and in English, with the same parts and details."""
    for key, languages in texts.items():
        assert languages.keys() == {"zh", "en"}, key
        zh, en = ({"": text} if isinstance(text, str) else text for text in (languages["zh"], languages["en"]))
        assert zh.keys() == en.keys(), key
        for part in en:
            assert fields(zh[part]) == fields(en[part]), key
            assert not HAN.search(en[part]), key
            assert HAN.search(zh[part]) or not re.search("[a-z]{3}", re.sub(r"\{.*?\}", "", zh[part])), key


def test_a_finding_is_told_in_the_language_asked_for(tmp_path: Path) -> None:
    """The same finding in Chinese and in English; --json has both."""
    cause = root_cause("RC-0001") | {"solution": []}
    library = write_library(tmp_path / "library", phenomena=[phenomenon("P-0001", "sight")], root_causes=[cause])
    arguments = ("lint", "--library", str(library))
    assert "没有解决办法" in told(*arguments, "--lang", "zh")
    assert "it has no solution" in told(*arguments, "--lang", "en")
    both = told(*arguments, "--json", "--lang", "zh")
    assert "it has no solution" in both
    assert "没有解决办法" in both


@pytest.mark.slow
def test_an_import_and_its_review_speak_chinese() -> None:
    """What was read, made and refused, the report, and what waits for a person."""
    imported = told("import", str(EXPORT), "--library", "library", "--report", "report.md", "--lang", "zh")
    assert "工单：读到 6 张，其中新的 6 张" in imported
    assert "拒收：第 27 行" in imported
    assert "## 要人看的" in Path("report.md").read_text(encoding="utf-8")
    waiting = told("review", "--library", "library", "--lang", "zh")
    assert re.search(r"\d+ 个决定要看，一共 \d+ 个", waiting)
    assert re.search(r"\d+ decisions to review, \d+ in all", told("review", "--library", "library"))


def test_the_locale_decides_where_nothing_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Chinese locale speaks Chinese, another one English, and --lang wins over it."""
    library = str(locate("host"))
    assert told("validate", "--library", library).startswith("valid:")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert told("validate", "--library", library).startswith("有效：")
    assert told("validate", "--library", library, "--lang", "en").startswith("valid:")
