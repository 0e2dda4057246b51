"""The looks: statements whose rows tell many causes apart, each shown once a case."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from dbdiag.planner.v1.planner_types import Reach
from dbdiag.vocabulary import LocalizedText

from gateway.session.case_talk import said_before
from gateway.session.catalog import Catalog
from gateway.session.ledger import Session
from gateway.turn.tools.reach import limits_of
from lang import deferred_re as re
from lang.terms import Terms
from lang.tokens import read_text

_FILE = Path(__file__).with_name("looks.yaml")
# By this, before its name, a session remembers that a look was shown.
_LOOK = "opening:look:"
# What a statement reads.
_VIEWS = re.compile(r"\b(?:from|join)\s+([\w.]+)", re.IGNORECASE)
_OF_LOG = ("errors", "log", "crash")


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


def shown_queries(session: Session, catalog: Catalog) -> tuple[str, ...]:
    """The statements of the looks that were shown in this case, the latest first."""
    shown = [each.removeprefix(_LOOK) for each in reversed(session.clarified) if each.startswith(_LOOK)]
    return tuple(text for look in shown if (text := statement_of(catalog, look).en))


def statement_of(catalog: Catalog, look: str) -> LocalizedText:
    """The statements of a look; empty where there are none for the database of the library."""
    known = (_file()["looks"][engine] for engine in catalog.engines if engine in _file()["looks"])
    text = next((looks[look] for looks in known if look in looks), "")
    return LocalizedText(**text) if isinstance(text, dict) else LocalizedText(text, text)


def asked_beside(session: Session, catalog: Catalog) -> tuple[str, ...]:
    """The pending checks that read what the last look reads: who cannot run the look cannot make them either."""
    read = set(_VIEWS.findall(statement_of(catalog, last_shown(session)).en))
    found = ((each.phenomenon_id, catalog.phenomena.get(each.phenomenon_id)) for each in session.pending)
    return tuple(name for name, known in found if known is not None and read & set(_VIEWS.findall(known.how.en)))


def within_reach(session: Session, look: str) -> str:
    """The look, or what is run at the host in its place by who has no session in the database; empty without both."""
    cannot = {each.reach for each in limits_of(session)}
    at_host: dict[str, str] = _file()["at_host"]
    if look in at_host and Reach.DATABASE in cannot:
        look = at_host[look]
    needed = {Reach.DATABASE} if look in at_host else {Reach.HOST, Reach.SERVER_LOG if look in _OF_LOG else Reach.HOST}
    return "" if cannot & needed else look


def looks_over_time(session: Session, message: str) -> list[str]:
    """The looks at what was, where this message or one before it tells that the trouble comes and goes; else none."""
    told = "\n".join([*said_before(session), message])
    return list(_file()["over_time"]) if any(_comes_and_goes().find(read_text(told))) else []


def is_of_now(look: str) -> bool:
    """Whether a look shows nothing while all is well."""
    return look in _file()["of_now"]


def is_pasted(look: str, message: str) -> bool:
    """Whether what a message pastes is what this look shows."""
    return any(each in message for each in _file()["shows"].get(look, ()))


def closer_looks(names: set[str]) -> list[str]:
    """The looks that come first where phenomena of these English names are on record."""
    return [look for look, of in _file()["closer"].items() if not names.isdisjoint(of)]


def instead_of(look: str) -> str:
    """The look in place of one that cannot be run; empty if there is none."""
    return str(_file()["instead"].get(look, ""))


@cache
def _comes_and_goes() -> Terms[bool]:
    terms: Terms[bool] = Terms()
    for word in _file()["comes_and_goes"]:
        terms.add(str(word), True)
    return terms


@cache
def _file() -> dict[str, Any]:
    return dict(yaml.load(_FILE.read_bytes(), yaml.CSafeLoader))
