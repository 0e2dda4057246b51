"""Puts into the plan what a message says outright of what was asked, or is on record: it is of that, and nothing else.

"You asked if most of it is slow, the answer is YES", "there ARE lock waits, i told you", "i meant most of it is slow".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from dbdiag.planner.v1.planner_types import (
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    ItemList,
    ObservationStep,
    PlanStep,
    Reference,
    SmalltalkStep,
)
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.session.ledger import LedgerEntry
from gateway.turn.amendments import ask_which, is_explicit, is_shown
from gateway.turn.answers.asked_last import opening_answer
from gateway.turn.answers.by_name import content_of
from gateway.turn.context import Turn
from gateway.turn.objections.outright import Clause, answer_in, clauses_of, disputes, has, taken_back, without
from lang.cues import plain_words
from lang.judging.amending import wrongly_said
from lang.judging.protesting import protests_in
from lang.modality import is_negated
from lang.parts import cues_of
from lang.polarity import TRENDS
from lang.tokens import Kind, read_text

# What names a thing shares so much with its name, so many words of it, and so many times as much as with any other.
_NAMES, _SEVERAL, _CLEARLY = 0.5, 2, 1.2
# So many times as well another name of the library fits what is not of an entry.
_BETTER = 1.5
# Words are alike from so many letters: slow, slower.
_STEM = 4
# A trend by itself is said in so few characters.
_SHORT = 24
_Said = tuple[str, Verdict, tuple[str, ...]]


def hear_outright(turn: Turn) -> None:
    """Puts what is said outright in place of what the same words were taken for."""
    told = {name: (verdict, words) for name, verdict, words in _told(turn)}
    back = taken_back(turn.message)
    lost = _lost(turn, back[0]) if back is not None and told.keys().isdisjoint(_recorded(turn)) else []
    quoted = [each.words for each in clauses_of(turn.message) if has("quoted_answers", each.words)]
    spoken = [each for _, words in told.values() for each in words]
    spoken += quoted + ([back[1]] if back is not None and lost else [])
    if not spoken:
        return
    answers = [FeedbackStep(Reference(id=name), verdict, words[-1]) for name, (verdict, words) in told.items()]
    gone = [CorrectionStep(Reference(id=each.phenomenon_id), retract=True) for each in lost]
    settled = bool(answers or gone)
    kept = [step for step in turn.plan.steps if not _is_taken_for(turn, step, spoken, settled)]
    steps = (*answers, *gone, *kept)
    turn.plan = replace(turn.plan, steps=steps or (ClarifyStep(ClarifyKind.VAGUE, turn.message),))


def _told(turn: Turn) -> Iterator[_Said]:
    clauses = clauses_of(turn.message)
    yield from _answered(turn, clauses)
    yield from _meant(turn, clauses)
    yield from _moving(turn, clauses)
    if disputes(turn.message) and not wrongly_said(turn.message):
        yield from tuple(_disputed(turn, clauses)) or _insisted(turn, clauses)


def _answered(turn: Turn, clauses: tuple[Clause, ...]) -> Iterator[_Said]:
    """What a clause names, answered by the next one."""
    for clause, following in pairwise(clauses):
        verdict = None if following.asked else answer_in(following.words)
        if verdict is None or answer_in(clause.words) is not None:
            continue
        known = {*_asked(turn), *_recorded(turn)} if clause.asked else set(_asked(turn))
        thing = " ".join(token.text for token in content_of(clause.words))
        found = _named(turn, clause.words, known) or (_named(turn, thing, known) if clause.asked else None)
        if found is not None:
            yield found, verdict, (clause.words, following.words)


def _meant(turn: Turn, clauses: tuple[Clause, ...]) -> Iterator[_Said]:
    for clause in clauses:
        said = without("means", clause.words)
        if has("means", clause.words) and clause.states and not is_negated(said):
            found = _named(turn, said, set(_asked(turn)))
            if found is not None:
                yield found, Verdict.CONFIRMED, (clause.words,)


def _moving(turn: Turn, clauses: tuple[Clause, ...]) -> Iterator[_Said]:
    """The one thing that is asked of which the name says how it moves, where a message opens with just that."""
    for clause in clauses[:1]:
        says = _trends(clause.words)
        if not clause.states or len(clause.words) > _SHORT or content_of(clause.words) or len(says) != 1:
            continue
        alike = [each for each in _pending(turn) if says & _trends_of(turn, each)]
        if len(alike) == 1:
            yield alike[0], Verdict.CONFIRMED, (clause.words,)


def _disputed(turn: Turn, clauses: tuple[Clause, ...]) -> Iterator[_Said]:
    """What is on record, or was asked about as a reading, and a clause names: it is as the clause says."""
    protested = {words.strip() for each in protests_in(turn.message) if each.name for words in each.words}
    for clause in clauses:
        said = _without_cry(without("disputes", clause.words))
        if not clause.states or answer_in(clause.words) or any(clause.words in each for each in protested):
            continue
        found = _named(turn, said, _recorded(turn) | {each.phenomenon_id for each in turn.session.proposed})
        if found is not None and not _names_another(turn, said, found):
            yield found, Verdict.DENIED if is_negated(said) else Verdict.CONFIRMED, (clause.words,)


def _insisted(turn: Turn, clauses: tuple[Clause, ...]) -> Iterator[_Said]:
    """The one denial that was heard last, where a message says against it that it is so: 哪里没有了，明明有."""
    words = [each.words for each in clauses if has("against", each.words)]
    says = {answer_in(without("against", each.words)) for each in clauses}
    heard = [each for each in turn.session.active() if each.turn == turn.session.turn - 1 and not is_shown(each)]
    denied = [each.phenomenon_id for each in heard if each.verdict is Verdict.DENIED]
    if words and Verdict.CONFIRMED in says and len(denied) == 1:
        yield denied[0], Verdict.CONFIRMED, tuple(each.words for each in clauses)


def _without_cry(words: str) -> str:
    """The words without the yes or no that they open with: "NO i do get that error" denies no error."""
    opened = opening_answer(words, LocalizedText())[1]
    return words.removeprefix(opened) if opened else words


def _lost(turn: Turn, verdict: Verdict) -> list[LedgerEntry]:
    """The last entry with an answer that is taken back by its name; of several, which one is asked."""
    found = [turn.session.active_for(name) for name in _recorded(turn)]
    heard = [each for each in found if each is not None and each.verdict is verdict]
    last = max((each.turn for each in heard), default=0)
    latest = [each for each in heard if each.turn == last]
    if len(latest) > 1:
        ask_which(turn, turn.message)
    return latest if len(latest) == 1 else []


def _is_taken_for(turn: Turn, step: PlanStep, spoken: list[str], settled: bool) -> bool:
    """Whether a step is what the words that are settled were taken for."""
    match step:
        case ObservationStep(text=words) | ClarifyStep(words=words):
            return _says_no_more(words, spoken)
        case FeedbackStep(words=words, verdict=verdict, reference=Reference(id=None | str() as name, list=named)):
            if name is not None and (named is ItemList.OPTIONS or name.lower() in turn.message.lower()):
                return False
            cried = settled and disputes(turn.message) and verdict is Verdict.DENIED
            of_them = any(_plain(words) in _plain(each) or _plain(each) in _plain(words) for each in spoken)
            return of_them or (cried and not any(map(str.isdigit, words)))
        case CorrectionStep():
            return settled and not is_explicit(step.original)
        case SmalltalkStep():
            return settled
    return False


def _plain(words: str) -> str:
    return "".join(filter(str.isalnum, words.lower()))


def _says_no_more(words: str, spoken: list[str]) -> bool:
    """Whether words name nothing beside what is settled."""
    if any(words in each for each in spoken):
        return True
    rest = words
    for each in spoken:
        rest = rest.replace(each, " ")
    return rest != words and not content_of(rest)


def _pending(turn: Turn) -> list[str]:
    return [item.phenomenon_id for item in turn.session.pending]


def _asked(turn: Turn) -> list[str]:
    """What is asked now, or was before."""
    asked = turn.session.clarification
    items = (*(asked.options if asked is not None else ()), *turn.session.pending, *turn.session.earlier)
    return list(dict.fromkeys(item.phenomenon_id for item in items))


def _recorded(turn: Turn) -> set[str]:
    """What is on record by the person's words."""
    return {each.phenomenon_id for each in turn.session.active() if not is_shown(each)}


def _named(turn: Turn, words: str, known: Iterable[str]) -> str | None:
    """The one of these that words name, well above any other; its own words name an entry as well."""
    said = _content(words)
    scored = sorted(((_likeness(turn, said, each), each) for each in known), reverse=True)
    if not scored or scored[0][0] < _NAMES or (len(scored) > 1 and scored[0][0] <= _CLEARLY * scored[1][0]):
        return None
    return scored[0][1]


def _names_another(turn: Turn, words: str, phenomenon_id: str) -> bool:
    """Whether words name another phenomenon of the library so well that they are of that one."""
    said = _content(words)
    own = _likeness(turn, said, phenomenon_id)
    return any(_likeness(turn, said, each) > _BETTER * own for each in turn.catalog.phenomena)


def _likeness(turn: Turn, said: set[str], phenomenon_id: str) -> float:
    name = turn.catalog.phenomenon_name(phenomenon_id)
    entry = turn.session.active_for(phenomenon_id)
    told = entry.words if entry is not None and not is_shown(entry) else ""
    best = 0.0
    for text, weight in ((name.zh, 1.0), (name.en, 1.0), (told, 0.7)):
        named = _content(text)
        shared = {each for each in said if any(_is_alike(each, other) for other in named)}
        if len(shared) >= _SEVERAL or (shared == said and len("".join(shared)) >= _SEVERAL):
            best = max(best, weight * len(shared) / min(len(said), len(named)))
    return best


def _is_alike(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= _STEM and (one.startswith(other) or other.startswith(one)))


def _content(words: str) -> set[str]:
    tokens = read_text(words).tokens
    return {each.key for each in tokens if each.kind in (Kind.WORD, Kind.HAN)} - plain_words()


def _trends(words: str) -> set[str]:
    return {cue.name for cue in cues_of(read_text(words)) if cue.name in TRENDS}


def _trends_of(turn: Turn, phenomenon_id: str) -> set[str]:
    name = turn.catalog.phenomenon_name(phenomenon_id)
    return _trends(name.zh) | _trends(name.en)
