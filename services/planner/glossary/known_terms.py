"""The terms and the errors that people on call meet, by the names that they have, with slips of the fingers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang import deferred_re as re
from services.planner.model import Text

# The files, and the server that alone has the settings and views which one names.
_FILES = {"postgresql.yaml": "postgresql", "mysql.yaml": "mysql", "host.yaml": ""}
# What is written together, apart or with a sign between: "work_mem", "work mem".
_JOINTS = re.compile(r"[\s_/-]+")
# From these lengths on a name may have one slip in it, or two.
_ONE_SLIP, _TWO_SLIPS, _ONE_SLIP_HAN = 6, 10, 3
_FILE = Path(__file__).with_name("server_errors.yaml")


class Term(NamedTuple):
    """A term: its id, its names in both languages, what it is, and whose settings and views are among its names."""

    term_id: str
    names: tuple[str, ...]
    text: Text
    engine: str = ""

    def is_foreign(self, name: str, engine: str) -> bool:
        """Whether a name of it is a setting or a view that this server has not."""
        return "_" in name and bool(self.engine and engine) and self.engine != engine


@cache
def terms() -> dict[str, Term]:
    """All terms by their ids."""
    folder = Path(__file__).parent
    entries: dict[str, Term] = {}
    for name, engine in _FILES.items():
        for term_id, entry in yaml.load((folder / name).read_bytes(), yaml.CSafeLoader).items():
            names = tuple(each for listed in entry["names"].values() for each in listed)
            entries[term_id] = Term(term_id, names, Text(entry["zh"], entry["en"]), engine)
    return entries


def find_term(words: str) -> Term | None:
    """The term that words name, as a plural or with a slip too; None if they name none."""
    key = _key(words)
    known = _by_key()
    for each in (key, key.removesuffix("s"), key.removesuffix("es")):
        if each and each in known:
            return terms()[known[each]]
    near = _nearest(key)
    return terms()[known[near]] if near else None


def name_in(text: str, term: Term) -> str:
    """The longest name of a term that a text has in it as a word of its own; empty if it has none."""
    return max((name for name in term.names if _word(name).search(text)), key=len, default="")


@cache
def _word(name: str) -> re.Pattern[str]:
    joined = r"[\s_-]".join(re.escape(part) for part in name.split())
    return re.compile(rf"(?i)(?<![a-z0-9_]){joined}(?:e?s)?(?![a-z0-9_])")


@cache
def _by_key() -> dict[str, str]:
    return {_key(name): term.term_id for term in terms().values() for name in term.names}


def _key(words: str) -> str:
    return _JOINTS.sub("", words.casefold())


def _nearest(key: str) -> str:
    """The name that a word is a slip of; it begins alike, and is long enough for the slip to be one."""
    from rapidfuzz.distance import OSA

    if len(key) < (_ONE_SLIP if key.isascii() else _ONE_SLIP_HAN):
        return ""
    most = 2 if len(key) >= _TWO_SLIPS and key.isascii() else 1
    alike = [name for name in _by_key() if name[0] == key[0] and abs(len(name) - len(key)) <= most]
    near = [(OSA.distance(key, name), abs(len(name) - len(key)), name) for name in alike]
    slips, _, name = min(near, default=(most + 1, 0, ""))
    return name if slips <= most else ""


class ServerError(NamedTuple):
    """An error by words of its message. step: the statement is to be run again, as the text says."""

    words: tuple[str, ...]
    text: Text
    step: bool


@cache
def _errors() -> tuple[ServerError, ...]:
    content = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    entries = content.values()
    return tuple(
        ServerError(tuple(each["words"]), Text(each["zh"], each["en"]), bool(each.get("step"))) for each in entries
    )


def error_in(message: str) -> ServerError | None:
    """The error of a server that a message quotes; None where it quotes none that is known."""
    said = message.lower()
    return next((each for each in _errors() if any(words in said for words in each.words)), None)


def with_refusal(said: str, message: str) -> str:
    """The person's own words, with the line of the message behind them by which a server refuses a statement."""
    lines = (line.strip() for line in message.splitlines() if line.strip() not in said)
    refused = next((line for line in lines if "|" not in line and error_in(line)), "")
    return f"{said}\n{refused}" if refused and not error_in(said) else said
