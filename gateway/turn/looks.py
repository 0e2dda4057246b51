"""The looks: statements whose rows tell many causes apart, each shown once a case."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from dbdiag.vocabulary import LocalizedText

from gateway.session.catalog import Catalog
from gateway.session.ledger import Session

_FILE = Path(__file__).with_name("looks.yaml")
# By this, before its name, a session remembers that a look was shown.
_LOOK = "opening:look:"


def is_look(clarified: str) -> bool:
    """Whether what a session remembers to have asked is a look."""
    return clarified.startswith(_LOOK)


def was_shown(session: Session, look: str) -> bool:
    """Whether a look was shown in this case."""
    return _LOOK + look in session.clarified


def keep_shown(session: Session, look: str) -> None:
    """Remembers that a look is shown in this turn."""
    session.clarified += (_LOOK + look,)
    session.look_shown = session.turn


def last_shown(session: Session) -> str:
    """The look that was shown last; empty if none was."""
    return next((each.removeprefix(_LOOK) for each in reversed(session.clarified) if each.startswith(_LOOK)), "")


def statement_of(catalog: Catalog, look: str) -> LocalizedText:
    """The statements of a look; empty where there are none for the database of the library."""
    known = (_file()["looks"][engine] for engine in catalog.engines if engine in _file()["looks"])
    text = next((looks[look] for looks in known if look in looks), "")
    return LocalizedText(**text) if isinstance(text, dict) else LocalizedText(text, text)


def closer_looks(names: set[str]) -> list[str]:
    """The looks that come first where phenomena of these English names are on record."""
    return [look for look, of in _file()["closer"].items() if not names.isdisjoint(of)]


@cache
def _file() -> dict[str, Any]:
    return dict(yaml.load(_FILE.read_bytes(), yaml.CSafeLoader))
