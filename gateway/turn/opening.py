"""The first question of a case: one that parts the usual causes of the trouble that is told, in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from dbdiag.planner.v1.planner_types import (
    Answer,
    Clarification,
    ClarificationOption,
    ClarifyKind,
    HelpAnswer,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
)
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.session.ledger import Session
from gateway.turn.context import Turn
from gateway.turn.transitions import is_of_assistant
from lang.terms import Terms
from lang.tokens import read_text

_FILE = Path(__file__).with_name("opening.yaml")
_UNKNOWN = "unknown"
# By this a session remembers that it asked once more.
_AGAIN = "opening:again"
# Fewer choices part nothing.
_FEWEST = 2
# From this belief on a cause stands out, and its checks tell more than a question.
_STANDS_OUT = 0.25
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
    narrows: bool = False


def kind_of_trouble(message: str) -> str:
    """The kind of trouble that a message tells of; `unknown` if none of its words tells."""
    told = {found.payload for found in _terms().find(read_text(message))}
    return next((kind for kind in openings() if kind in told), _UNKNOWN)


def ask_opening(turn: Turn) -> bool:
    """Asks the opening question in place of what is unsure, where nothing is on record; False if it does not."""
    if not _is_due(turn):
        return False
    kind = kind_of_trouble(turn.message)
    later = bool(turn.session.clarified)
    earlier, words = turn.clarification, _words(turn)
    turn.clarification = None
    asked = not (later and kind == _UNKNOWN) and _ask(turn, openings()[kind], words)
    if not asked and not (later and _ask_in_a_line(turn)):
        turn.clarification = earlier
        return False
    turn.unmatched, turn.unclear, turn.diagnosis_view = [], [], None
    turn.answers = [answer for answer in turn.answers if not _sums_up_nothing(answer)]
    turn.session.pending = ()
    return True


def _sums_up_nothing(answer: Answer) -> bool:
    """Whether an answer is the summary of a case of which nothing is known: "老板在催"."""
    return isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.SUMMARY


def _ask(turn: Turn, opening: Opening, words: str) -> bool:
    options = _options(turn, opening)
    question = Clarification(
        ClarifyKind.VAGUE, words, options, question=opening.question, overview=_overview(turn, opening)
    )
    return len(options) >= _FEWEST and turn.ask(question)


def _ask_in_a_line(turn: Turn) -> bool:
    """Asks once more, in a line, where the choices were none; False if that was asked before."""
    if _AGAIN in turn.session.clarified:
        return False
    turn.clarification = Clarification(ClarifyKind.VAGUE, turn.message, question=_again())
    turn.asked_as = {_AGAIN}
    return True


def _is_due(turn: Turn) -> bool:
    """Whether the message told something, and nothing of it is sure enough to go on with."""
    asked = turn.clarification
    if asked is None and _asks_for_help(turn):
        turn.answers = []
        return True
    if _tells_only_what_hurts(turn):
        return True
    if turn.session.active() or turn.corrections or turn.suggestions or turn.engine_gap is not None:
        return False
    if asked is not None:
        return asked.kind in _VAGUE
    return bool(turn.unmatched or turn.unclear)


def _tells_only_what_hurts(turn: Turn) -> bool:
    """Whether all that is on record are complaints of the first message, and no cause stands out for them."""
    told, view = turn.session.active(), turn.diagnosis_view
    if not told or turn.clarification or turn.answers or turn.plan.pasted or view is None:
        return False
    first = all(entry.turn == turn.session.turn and entry.verdict is Verdict.CONFIRMED for entry in told)
    hurts = first and all(turn.catalog.is_complaint(entry.phenomenon_id) for entry in told)
    stands_out = any(cause.confidence >= _STANDS_OUT for cause in view.hypotheses[:1])
    return hurts and not stands_out and openings()[kind_of_trouble(turn.message)].narrows


def _asks_for_help(turn: Turn) -> bool:
    """Whether a message calls for help in a trouble that it names, where nothing is on record: not how to use this."""
    steps, helps = turn.plan.steps, (QuestionKind.HELP, None)
    calls = bool(steps) and all(isinstance(each, QuestionStep) and (each.kind, each.topic) == helps for each in steps)
    shown = any(isinstance(answer, HelpAnswer) and answer.items for answer in turn.answers)
    fresh = not (turn.session.active() or turn.session.clarified or turn.session.pending or shown)
    told = bool(list(_terms().find(read_text(turn.message))))
    return calls and fresh and told and not is_of_assistant(turn.message) and turn.engine_gap is None


def was_opened(session: Session) -> bool:
    """Whether the opening question was asked in this case, and once more."""
    return _AGAIN in session.clarified


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
            entry.get("narrows", False),
        )
        for kind, entry in read["kinds"].items()
    }


@cache
def _again() -> LocalizedText:
    return LocalizedText(**yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)["again"])


@cache
def _terms() -> Terms[str]:
    terms: Terms[str] = Terms()
    for kind, entry in yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)["kinds"].items():
        for word in entry["words"]:
            terms.add(str(word), kind)
    return terms
