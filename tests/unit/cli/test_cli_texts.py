"""The texts of the command line: one table a folder, in both languages."""

from __future__ import annotations

import re
from string import Formatter

from gateway.cli.language import Texts
from tests.support.cases import for_each
from tests.support.house import ROOT

FOLDERS = sorted(path.parent.name for path in (ROOT / "gateway/cli").glob("*/texts.yaml"))
# Texts without a word of their own.
PLAIN = {"judged", "done_of", "replayed"}
# Keys that are put together from a prefix and a word of a service.
COMPOSED = ("kind_", "one_", "step_", "figure_", "state_", "stop_", "ruled_")
# A verdict is the key of its text.
VERDICTS = {"found", "suspected", "healthy", "unseen"}
HAN = re.compile("[一-鿿]")


def placeholders(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_every_folder_that_speaks_has_a_table() -> None:
    """Each folder of verbs has its texts beside it."""
    assert {"ask", "chat", "dataset", "diagnose", "faults", "knowledge", "tools", "up"} == set(FOLDERS)


@for_each("folder", FOLDERS)
def test_each_text_is_there_in_both_languages(folder: str) -> None:
    """English and Chinese have the same placeholders; Chinese characters stand in the Chinese texts, and only there."""
    table = Texts(folder).table
    assert [key for key, texts in table.items() if set(texts) != {"en", "zh"}] == []
    assert [key for key, texts in table.items() if placeholders(texts["en"]) != placeholders(texts["zh"])] == []
    assert [key for key, texts in table.items() if key not in PLAIN and not HAN.search(texts["zh"])] == []
    assert [key for key, texts in table.items() if HAN.search(texts["en"])] == []


@for_each("folder", FOLDERS)
def test_each_text_is_used(folder: str) -> None:
    """No text is left in a table after its last use."""
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "gateway/cli").rglob("*.py"))
    keys = [key for key in Texts(folder).table if not key.startswith(COMPOSED) and key not in VERDICTS]
    assert [key for key in keys if not re.search(rf"[\"']{key}[\"']", source)] == []
