"""What a suspicion names: a cause, areas of causes as people name them, or something that was changed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml
from dbdiag.matcher.v1.matcher_types import SearchPhenomenaResponse
from dbdiag.planner.v1.planner_types import AppliedSuggestion, ClarifyKind, MatterView

from gateway.session.catalog import Catalog
from gateway.turn.context import Turn
from lang import deferred_re as re
from lang.concepts.glossary import load
from lang.concepts.named_things import things_named
from lang.cues import cue_terms
from lang.terms import Terms
from lang.tokens import read_text

NAMES_A_CAUSE_FROM = 0.5
NAMES_A_SIGHT_FROM = 0.7
_SENTENCE_END = re.compile(r"[。！？!?\n]|[.](?=\s|$)")
_QUESTION_MARKS = "?？"
_ASKING = ("question", "question_opening")
_AREAS, _CHANGES = (Path(__file__).with_name(each) for each in ("areas.yaml", "changes.yaml"))
_CHANGE, _OTHER = "change", "other"
_EITHER_OR = re.compile(r"(?i)\bor\b|或者?|还是|[,，、?？]")
# What names a place and no cause: "the network between the app and the database".
_PLACES = frozenset(("application", "new", "report", "session", "statement"))


def suspect(turn: Turn, text: str, reply: SearchPhenomenaResponse) -> None:
    """Notes what is suspected, each once. Whatever is asked is noted; what is only told, where it names a cause.

    A suspicion that names a phenomenon leads to a clarification: only the person knows whether it was observed.
    """
    asked = is_asked(turn.message, text)
    found = _named(text, reply, asked=asked)
    heard = bool(turn.noted or turn.answers or turn.session.proposed or len(turn.plan.steps) > 1)
    if not (found or asked or heard) and _asks_of_sight(turn, text, reply):
        return
    if not found and (tells_change(text) or not (turn.suggestions if asked else heard)):
        found = [AppliedSuggestion(text, matter=MatterView(text))]
    known = {_key(each) for each in turn.suggestions}
    turn.suggestions += [each for each in found if _key(each) not in known]


def is_asked(message: str, text: str) -> bool:
    """Whether words stand in a sentence that asks."""
    before, here, after = message.partition(text)
    if not here:
        return any(mark in text for mark in _QUESTION_MARKS)
    end = _SENTENCE_END.search(after)
    if end is not None and end[0] in _QUESTION_MARKS:
        return True
    opening = [*_SENTENCE_END.finditer(before)]
    sentence = before[opening[-1].end() if opening else 0 :] + text
    return any(cue.payload in _ASKING for cue in cue_terms().find(read_text(sentence)))


def _key(suggestion: AppliedSuggestion) -> str:
    matter = suggestion.matter
    return matter.area or matter.root_cause_id or matter.words


def _named(text: str, reply: SearchPhenomenaResponse, *, asked: bool) -> list[AppliedSuggestion]:
    """The areas that words name and nothing nearer, else the cause that they are like."""
    best = next((each for each in reply.root_causes if each.score >= NAMES_A_CAUSE_FROM), None)
    names = f"{best.name.zh}\n{best.name.en}" if best is not None else ""
    areas = areas_of(text) if asked or names_nothing_else(text) else ()
    if best is None or names_only_area(text, names):
        return [AppliedSuggestion(text, matter=MatterView(text, area=each)) for each in areas]
    matter = MatterView(text, root_cause_id=best.root_cause_id, name=best.name)
    return [AppliedSuggestion(text, best.root_cause_id, best.name, matter=matter)]


def _asks_of_sight(turn: Turn, text: str, reply: SearchPhenomenaResponse) -> bool:
    """Whether it is asked back if something like the words was seen."""
    told = {entry.phenomenon_id for entry in turn.session.active()}
    seen = [found.phenomenon_id for found in reply.candidates if found.score >= NAMES_A_SIGHT_FROM]
    asked = [found for found in seen if found not in told]
    return bool(asked) and turn.ask_back(ClarifyKind.MULTIPLE_MATCHES, text, asked)


def areas_of(text: str) -> tuple[str, ...]:
    """The areas that words set against each other, one of each part: "the network to the replica" is of the network."""
    parts = (_of_part(part) for part in _EITHER_OR.split(text))
    return tuple(dict.fromkeys(each for each in parts if each))


def _of_part(words: str) -> str:
    """The area that words are of: the first that they name, in Chinese the last, for places stand before it there."""
    found = [each.payload for each in _terms().find(read_text(words)) if each.payload != _CHANGE]
    return next(iter(found if words.isascii() else reversed(found)), "")


def categories_of(text: str) -> frozenset[str]:
    """The categories of the causes in the areas that words name."""
    return frozenset(category for area in areas_of(text) for category in _areas()[area][0])


def causes_in(area: str, catalog: Catalog) -> list[str]:
    """The causes of an area: those that are about what it is called by, where there are such."""
    categories = _areas()[area][0]
    causes = [each for each in catalog.root_causes.values() if each.category in categories]
    about = [each for each in causes if is_about(area, f"{each.name.zh}\n{each.name.en}")]
    return [each.root_cause_id for each in about or causes]


def is_about(area: str, name: str) -> bool:
    """Whether a name is about what an area is called by."""
    said = any(each.payload == area for each in _terms().find(read_text(name)))
    return said or not things_named(name).isdisjoint(_of_areas((area,)))


def tells_change(text: str) -> bool:
    """Whether words tell of something that was changed: a release, a setting, a move."""
    return any(each.payload == _CHANGE for each in _terms().find(read_text(text)))


def kinds_of_change(text: str) -> frozenset[str]:
    """The kinds of changes that a text names: a release, a job, a setting."""
    return frozenset(each.payload for each in _change_terms().find(read_text(text))) - {_OTHER}


def names_only_area(text: str, names: str) -> bool:
    """Whether words name an area or a change, and nothing else of a cause's names: "the disk" is no full disk."""
    return bool(areas_of(text) or tells_change(text)) and not _beside_areas(text) & things_named(names)


def names_nothing_else(text: str) -> bool:
    """Whether words name areas alone."""
    return bool(areas_of(text)) and not _beside_areas(text)


def _beside_areas(text: str) -> frozenset[str]:
    """The things that words name beside those of their areas, without places."""
    return things_named(text) - {*_of_areas((*areas_of(text), _CHANGE))} - load().grammar.unspecific - _PLACES


def _of_areas(areas: tuple[str, ...]) -> Iterator[str]:
    for area in areas:
        yield from things_named("\n".join(_areas()[area][1]))


@cache
def _areas() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The categories and the words of each area."""
    read = yaml.load(_AREAS.read_bytes(), yaml.CSafeLoader)
    areas = {name: (tuple(area["categories"]), tuple(map(str, area["words"]))) for name, area in read.items()}
    return {**areas, _CHANGE: ((), tuple(word for words in _changes().values() for word in words))}


@cache
def _changes() -> dict[str, tuple[str, ...]]:
    """The words of each kind of change; no cause of a library is of these, only the facts and the times tell."""
    return {kind: tuple(words) for kind, words in yaml.load(_CHANGES.read_bytes(), yaml.CSafeLoader).items()}


@cache
def _change_terms() -> Terms[str]:
    terms: Terms[str] = Terms()
    for kind, words in _changes().items():
        for word in words:
            terms.add(word, kind)
    return terms


@cache
def _terms() -> Terms[str]:
    terms: Terms[str] = Terms()
    for name, (_, words) in _areas().items():
        for word in words:
            terms.add(word, name)
    return terms
