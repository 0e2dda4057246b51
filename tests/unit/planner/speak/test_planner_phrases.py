"""Both languages say the same things."""

from __future__ import annotations

import string

from services.planner.model import Language
from services.planner.speak.voice import load_phrases

ZH, EN = load_phrases(Language.ZH), load_phrases(Language.EN)


def holes(said: str | list[str]) -> list[set[str]]:
    """The placeholders of each wording of a phrase."""
    wordings = [said] if isinstance(said, str) else said
    return [{name for _, name, _, _ in string.Formatter().parse(text) if name is not None} for text in wordings]


def test_the_phrase_tables_have_the_same_keys() -> None:
    """What can be said in one language can be said in the other."""
    assert set(ZH) == set(EN)


def test_every_wording_of_a_phrase_has_the_same_placeholders() -> None:
    """No wording in either language drops a value or asks for one that another lacks."""
    found = {key: [*holes(ZH[key]), *holes(EN[key])] for key in ZH}
    assert {key: names for key, names in found.items() if any(one != names[0] for one in names)} == {}
