"""The first question of a case: one that parts the usual causes of the trouble that is told, in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from dbdiag.planner.v1.planner_types import Clarification, ClarificationOption, ClarifyKind
from dbdiag.vocabulary import LocalizedText

from gateway.turn.context import Turn
from lang.terms import Terms
from lang.tokens import read_text

_FILE = Path(__file__).with_name("opening.yaml")
_UNKNOWN = "unknown"
# Fewer choices part nothing.
_FEWEST = 2
# What is asked back already asks as well as this would.
_VAGUE = (ClarifyKind.VAGUE, ClarifyKind.MULTIPLE_MATCHES)


@dataclass(frozen=True)
class Choice:
    """A choice in plain words; means: the English name of the phenomenon that it stands for."""

    text: LocalizedText
    means: str


@dataclass(frozen=True)
class Opening:
    """What is asked first about one kind of trouble, and the read-only statement whose output answers as well."""

    question: LocalizedText
    overview: str
    choices: tuple[Choice, ...]


def kind_of_trouble(message: str) -> str:
    """The kind of trouble that a message tells of; `unknown` if none of its words tells."""
    told = {found.payload for found in _terms().find(read_text(message))}
    return next((kind for kind in openings() if kind in told), _UNKNOWN)


def ask_opening(turn: Turn) -> bool:
    """Asks the opening question in place of what is unsure, where nothing is on record; False if it does not."""
    if not _is_due(turn):
        return False
    kind = kind_of_trouble(turn.message)
    asked_before = bool(turn.session.clarified)
    if kind == _UNKNOWN and asked_before:
        return False
    opening = openings()[kind]
    options = _options(turn, opening)
    earlier, turn.clarification = turn.clarification, None
    question = Clarification(
        ClarifyKind.VAGUE, _words(turn), options, question=opening.question, overview=_overview(turn, opening)
    )
    if len(options) < _FEWEST or not turn.ask(question):
        turn.clarification = earlier
        return False
    turn.unmatched, turn.unclear, turn.diagnosis_view = [], [], None
    turn.session.pending = ()
    return True


def _is_due(turn: Turn) -> bool:
    """Whether the message told something, and nothing of it is sure enough to go on with."""
    asked = turn.clarification
    if turn.session.active() or turn.corrections or turn.suggestions or turn.engine_gap is not None:
        return False
    if asked is not None:
        return asked.kind in _VAGUE
    return bool(turn.unmatched or turn.unclear)


def _words(turn: Turn) -> str:
    told = [turn.clarification.words] if turn.clarification is not None else []
    return next((words for words in [*told, *turn.unmatched, *turn.unclear] if words), turn.message)


def _options(turn: Turn, opening: Opening) -> tuple[ClarificationOption, ...]:
    """The choices that the library has a phenomenon for, numbered."""
    ids = {found.name.en: found.phenomenon_id for found in turn.catalog.phenomena.values()}
    known = [choice for choice in opening.choices if choice.means in ids]
    return tuple(
        ClarificationOption(ordinal, ids[choice.means], choice.text) for ordinal, choice in enumerate(known, 1)
    )


def _overview(turn: Turn, opening: Opening) -> str:
    """The statement, where the library is of the database that it is for."""
    return opening.overview if "postgresql" in turn.catalog.engines else ""


@cache
def openings() -> dict[str, Opening]:
    """The openings by kind of trouble, the most telling kind first."""
    read = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    return {
        kind: Opening(
            LocalizedText(**entry["question"]),
            read["overviews"][entry["overview"]],
            tuple(Choice(LocalizedText(each["zh"], each["en"]), each["means"]) for each in entry["choices"]),
        )
        for kind, entry in read["kinds"].items()
    }


@cache
def _terms() -> Terms[str]:
    terms: Terms[str] = Terms()
    for kind, entry in yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)["kinds"].items():
        for word in entry["words"]:
            terms.add(str(word), kind)
    return terms
