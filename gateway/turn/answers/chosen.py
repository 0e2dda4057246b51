"""The choice of an opening question that a message says in words: they go before a number, and before "none".

`said_of_choices.yaml` has the patterns of the words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from re import Pattern
from typing import Any

import yaml
from dbdiag.matcher.v1.matcher_types import Reading
from dbdiag.planner.v1.planner_types import ClarifyKind, ClarifyStep, FeedbackStep, ItemList, PlanStep, Reference
from dbdiag.vocabulary import Verdict

from gateway.session.catalog import Catalog
from gateway.session.ledger import LedgerEntry
from gateway.turn.context import Turn
from gateway.turn.findings import ToolResult
from gateway.turn.opening.troubles import meant, openings
from lang import deferred_re as re
from lang.judging.amending import clauses_in
from lang.modality import is_negated

_FILE = Path(__file__).with_name("said_of_choices.yaml")
_PART = re.compile("«(\\w+)»")

# Patterns by the English name of the phenomenon that a choice stands for.
_Patterns = Mapping[str, Pattern[str]]


def go_by_words(turn: Turn) -> None:
    """Takes the choice that the words describe, in place of a number that means another one, or of a refusal."""
    answered, message = _open_choices(turn), turn.message
    if not (answered or said().disputes.search(message) or said().again.search(message)):
        return
    told = _told(turn)
    if answered:
        _choose(turn, {name: words for name, words in told.items() if name in answered})
        return
    wrong = _taken_wrongly(turn, told)
    steps = turn.plan.steps
    if wrong is not None:
        turn.plan = replace(turn.plan, steps=tuple(step for step in steps if not _is_numbered(step)))
        _set_right(turn, wrong, told)
    elif told and said().again.search(message):
        turn.plan = replace(turn.plan, steps=tuple(step for step in steps if not _is_told_again(step)))


def without_chosen(turn: Turn, result: ToolResult) -> ToolResult:
    """The reading without what it sees in words that chose an answer, unless they hold a figure.

    Nor does it deny what the message says in the words of a choice: "whatever writes hangs, looking is fine".
    """
    chosen = _told(turn)
    told = tuple(words for words in chosen.values() if any(_says(step, words) for step in turn.plan.steps))

    def rest(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
        return tuple(each for each in readings if not (_is_of_choice(told, each) or _denies_told(chosen, each)))

    words = tuple(
        replace(each, meaning=replace(each.meaning, readings=rest(each.meaning.readings))) for each in result.words
    )
    return replace(result, words=words, readings=rest(result.readings))


def _denies_told(told: dict[str, str], reading: Reading) -> bool:
    return reading.verdict is Verdict.DENIED and reading.phenomenon_id in told and not reading.pasted


def _is_of_choice(told: tuple[str, ...], reading: Reading) -> bool:
    beside = any(part in reading.words or reading.words in part for words in told for part in words.split(", "))
    return beside and bool(reading.words) and not (reading.pasted or any(map(str.isdigit, reading.words)))


def _says(step: PlanStep, words: str) -> bool:
    """Whether a step is the choice that these words tell."""
    return isinstance(step, FeedbackStep) and step.reference.list is ItemList.OPTIONS and step.words == words


def _told(turn: Turn) -> dict[str, str]:
    """The phenomena of the choices that the message says, with the words that say so."""
    shown = set(_open_choices(turn))
    kinds = [kind for kind, opening in openings().items() if shown and shown <= meant(turn.catalog, opening)]
    within = [choices_told_within(turn.catalog, kind, turn.message) for kind in kinds[:1]]
    return choices_told(turn.catalog, turn.message) | (within[0] if within else {})


def _open_choices(turn: Turn) -> tuple[str, ...]:
    """The phenomena of the opening question that is open, in its order; () while another one is, or none."""
    asked = turn.session.clarification
    options = asked.options if asked is not None else ()
    shown = {(item.name.zh, item.name.en) for item in options}
    texts = ({(each.text.zh, each.text.en) for each in opening.known} for opening in openings().values())
    return tuple(item.phenomenon_id for item in options) if shown and any(shown <= known for known in texts) else ()


def _choose(turn: Turn, told: dict[str, str]) -> None:
    """Puts the choice that is told in place of all other answers to the question; of several, one that is numbered."""
    steps, asked = turn.plan.steps, turn.session.clarification
    if not told or asked is None:
        return
    numbers = {step.reference.ordinal for step in steps if isinstance(step, FeedbackStep) and _is_numbered(step)}
    known = {item.phenomenon_id: item.ordinal for item in asked.options if item.phenomenon_id in told}
    chosen = [name for name, ordinal in known.items() if ordinal in numbers] or (list(known) if len(known) == 1 else [])
    rest = (step for step in steps if not (_is_numbered(step) or _refuses(step)))
    answers = (
        FeedbackStep(Reference(id=name, list=ItemList.OPTIONS), Verdict.CONFIRMED, told[name]) for name in chosen
    )
    turn.plan = replace(turn.plan, steps=(*answers, *rest))


def _is_numbered(step: PlanStep) -> bool:
    return isinstance(step, FeedbackStep) and step.reference.ordinal is not None and step.verdict is Verdict.CONFIRMED


def _refuses(step: PlanStep) -> bool:
    """Whether a step answers the list as a whole, or asks what was meant."""
    if isinstance(step, ClarifyStep):
        return step.kind in (ClarifyKind.AMBIGUOUS_FEEDBACK, ClarifyKind.NO_SUCH_ITEM, ClarifyKind.VAGUE)
    return isinstance(step, FeedbackStep) and step.reference.list in (None, ItemList.OPTIONS)


def _taken_wrongly(turn: Turn, told: dict[str, str]) -> LedgerEntry | None:
    """The choice on record that the message calls wrong by saying another one of its question."""
    if not said().disputes.search(turn.message):
        return None
    ids = {found.name.en: found.phenomenon_id for found in turn.catalog.phenomena.values()}
    kinds = [{ids.get(each.means, "") for each in opening.known} for opening in openings().values()]
    beside = {name for kind in kinds for name in kind if kind & (set(told) - {name})}
    chosen = (each for each in reversed(turn.session.active()) if each.origin == "answer")
    wrong = (each for each in chosen if each.verdict is Verdict.CONFIRMED and each.phenomenon_id in beside)
    return next((each for each in wrong if each.phenomenon_id not in told), None)


def _set_right(turn: Turn, wrong: LedgerEntry, told: dict[str, str]) -> None:
    turn.take_back(wrong)
    for name in told if len(told) == 1 else ():
        turn.note(turn.session.entry(name, Verdict.CONFIRMED, 1.0, turn.message, "answer"))


def _is_told_again(step: PlanStep) -> bool:
    return isinstance(step, FeedbackStep) and _is_numbered(step) and bool(said().again.search(step.words))


@dataclass(frozen=True)
class Said:
    """What people say. of: for each choice; within: by the kind of trouble, where only its question gives the sense.

    rest_well: that the trouble is confined, which excludes the choices named in `wide`.
    """

    of: _Patterns
    disputes: Pattern[str]
    again: Pattern[str]
    rest_well: Pattern[str]
    wide: frozenset[str]
    within: Mapping[str, _Patterns] = field(default_factory=dict)


def choices_told(catalog: Catalog, message: str) -> dict[str, str]:
    """The phenomena of the choices that a message says, with the words that say so; no denials."""
    found = {name: _all_said(pattern, message) for name, pattern in said().of.items()}
    return _by_id(catalog, {name: ", ".join(words) for name, words in found.items() if words})


def choices_told_within(catalog: Catalog, kind: str, message: str) -> dict[str, str]:
    """The phenomena of the choices that a message says once this kind of trouble is what is talked of; no denials."""
    patterns = said().within.get(kind, {})
    told = {name: _all_said(pattern, message)[-1:] for name, pattern in patterns.items()}
    return _by_id(catalog, {name: words[0] for name, words in told.items() if words})


def choices_excluded(catalog: Catalog, message: str) -> set[str]:
    """The phenomena of the choices that cannot be, by a message that says that the rest works."""
    wide = said().wide if said().rest_well.search(message) else frozenset()
    return {found.phenomenon_id for found in catalog.phenomena.values() if found.name.en in wide}


def _all_said(pattern: Pattern[str], message: str) -> list[str]:
    return [each[0] for each in pattern.finditer(message) if not _is_denied(message, each.start())]


def _is_denied(message: str, start: int) -> bool:
    before = message[:start]
    clause = clauses_in(before)[-1:] if before.strip() else []
    return any(is_negated(each) for each in clause if before.endswith(each))


def _by_id(catalog: Catalog, told: dict[str, str]) -> dict[str, str]:
    ids = {found.name.en: found.phenomenon_id for found in catalog.phenomena.values()} if told else {}
    return {ids[name]: words for name, words in told.items() if name in ids}


@cache
def said() -> Said:
    """The patterns as the file has them."""
    read: dict[str, Any] = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    parts: dict[str, str] = {}

    def filled(text: str) -> str:
        return _PART.sub(lambda found: parts[found[1]], text)

    for name, part in read["parts"].items():
        parts[name] = filled(part)

    def pattern(texts: list[str]) -> Pattern[str]:
        return re.compile("(?i)" + "|".join(map(filled, texts)))

    def patterns(listed: dict[str, list[str]]) -> _Patterns:
        return {name: pattern(texts) for name, texts in listed.items()}

    within = {kind: patterns(listed) for kind, listed in read["said_within"].items()}
    rest_well, wide = pattern(read["rest_well"]["said"]), frozenset(read["rest_well"]["excludes"])
    return Said(patterns(read["said"]), pattern(read["disputes"]), pattern(read["again"]), rest_well, wide, within)
