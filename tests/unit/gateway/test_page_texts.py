"""The texts of the pages: each in both languages, none in the code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import gateway
from tests.support.cases import for_each

WEB = Path(gateway.__file__).parent / "web"
PAGES = {"the page": WEB, "the token form": WEB / "token", "the reference": WEB / "reference"}
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_HAN = re.compile(r"[一-鿿]")
# Signs rather than words.
_NEUTRAL = {"colon", "separator", "answer"}


def texts_of(folder: Path) -> dict[str, list[str | list[str]]]:
    """The texts of a page: key -> the text in each language."""
    content: dict[str, list[str | list[str]]] = json.loads((folder / "texts.json").read_text("utf-8"))
    assert content.pop("languages") == ["zh", "en"]
    return content


def code_of(folder: Path) -> str:
    """The markup and the scripts of a page."""
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.iterdir()) if path.suffix in (".html", ".js"))


@for_each("folder", PAGES.values(), ids=list(PAGES))
def test_every_text_is_there_in_both_languages(folder: Path) -> None:
    """A key has one text a language, with the same placeholders, in Chinese and in English."""
    for key, (chinese, english) in texts_of(folder).items():
        assert type(chinese) is type(english), key
        assert len(chinese) == len(english) if isinstance(chinese, list) else chinese, key
        assert set(_PLACEHOLDER.findall(str(chinese))) == set(_PLACEHOLDER.findall(str(english))), key
        if key == "otherLanguage":
            assert (chinese, english) == ("English", "中文")
        elif key not in _NEUTRAL:
            assert _HAN.search(str(chinese)), key
            assert not _HAN.search(str(english)), key


@for_each("folder", PAGES.values(), ids=list(PAGES))
def test_no_text_is_left_over_or_missing(folder: Path) -> None:
    """Each key stands in the page's code, and each key that the code names has a text."""
    known, code = texts_of(folder).keys(), code_of(folder)
    named = set(re.findall(r"\bt\(\"(\w+)\"|data-(?:t|label)=\"(\w+)\"", code))
    assert {one or other for one, other in named} <= known
    # The risks and statuses of a diagnosis are keys as well: they come with the answer.
    come_with_answers = {"low", "medium", "high", "exploring", "narrowing", "confirming", "stuck", "concluded"}
    assert {key for key in known - come_with_answers if not re.search(rf"\b{key}\b", code)} == set()


@for_each("folder", PAGES.values(), ids=list(PAGES))
def test_no_text_stands_in_the_code(folder: Path) -> None:
    """Scripts hold no Chinese: every phrase comes from the texts."""
    for path in folder.glob("*.js"):
        # List markers of a message are punctuation, and a range of characters is no phrase.
        assert not _HAN.search(path.read_text("utf-8")), path.name
