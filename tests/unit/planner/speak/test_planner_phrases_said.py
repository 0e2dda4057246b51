"""Every phrase that the code says is written in both languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.planner import speak
from services.planner.model import Language
from services.planner.speak.voice import load_phrases

_SAYS = ("say", "once", "was_told", "has_said")


def phrases_said() -> Iterator[str]:
    """The names of phrases that calls have as they stand."""
    for path in sorted(Path(speak.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr=attr), args=[ast.Constant(value=str(phrase)), *_]) if (
                    attr in _SAYS
                ):
                    yield phrase


@pytest.mark.parametrize("language", list(Language))
def test_every_phrase_that_is_said_is_written(language: Language) -> None:
    """No answer fails for a phrase that the texts of a language lack."""
    assert {*phrases_said()} - load_phrases(language).keys() == set()
