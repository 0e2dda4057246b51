"""The tool match_phenomena: what the free words of a plan mean, recorded in the ledger.

One call serves all words of a turn: observations, both sides of corrections, suppositions. Suspicions are searched
apart: they are never evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gateway.apply import correct, replace_entry
from gateway.clients import MatcherClient
from gateway.contradictions import ask_which_holds
from gateway.language import Verdict
from gateway.matching import (
    Candidate,
    Interpretation,
    MatchClarification,
    MatchRequest,
    Observation,
    SearchReply,
)
from gateway.plan import ClarifyKind, CorrectionStep
from gateway.references import NoSuchItem, resolve
from gateway.results import AppliedSuggestion
from gateway.turn import Turn

# A suspicion lifts a cause by its likeness, at most this much, when the likeness is worth the name.
MAX_BOOST = 0.2
NAMES_A_CAUSE_FROM = 0.5
NAMES_A_SIGHT_FROM = 0.7
_MAX_OBSERVATIONS = 50


@dataclass(frozen=True)
class _Ask:
    """Words to interpret, and what to do with the interpretation."""

    observation: Observation
    use: Callable[[Turn, Interpretation], None]


async def match_phenomena(turn: Turn, matcher: MatcherClient) -> None:
    """Interprets every free word of the plan; raises what the matcher raises, with nothing half recorded."""
    asks = _asks(turn)[:_MAX_OBSERVATIONS]
    searches = [
        (step.suggestion.text, await _search(turn, matcher, step.suggestion.text))
        for step in turn.plan.steps
        if step.suggestion
    ]
    if asks:
        session = turn.session
        request = MatchRequest(
            snapshot_id=session.snapshot_id,
            observations=tuple(ask.observation for ask in asks),
            pending_phenomenon_ids=tuple(item.phenomenon_id for item in session.pending),
            evidence_phenomenon_ids=tuple(entry.phenomenon_id for entry in session.active()),
            language=turn.language.value,
            option_phenomenon_ids=tuple(
                item.phenomenon_id for item in (session.clarification.options if session.clarification else ())
            ),
        )
        reply = await matcher.match(request)
        turn.exchanges.append(("match_phenomena", request, reply))
        turn.usage["match"] = reply.usage
        for ask, interpretation in zip(asks, reply.interpretations, strict=True):
            ask.use(turn, interpretation)
    for text, found in searches:
        _suspect(turn, text, found)


async def _search(turn: Turn, matcher: MatcherClient, text: str) -> SearchReply:
    reply = await matcher.search(turn.session.snapshot_id, text, limit=5)
    turn.exchanges.append(("search_phenomena", text, reply))
    return reply


def _asks(turn: Turn) -> list[_Ask]:
    asks = []
    for step in turn.plan.steps:
        if step.observation is not None:
            text = step.observation.text
            asks.append(_Ask(Observation(text, step.observation.certainty), _recorder(text)))
        elif step.correction is not None:
            asks += _correction_asks(step.correction)
    return asks


def _recorder(text: str) -> Callable[[Turn, Interpretation], None]:
    return lambda turn, interpretation: _record(turn, text, interpretation)


def _record(turn: Turn, text: str, interpretation: Interpretation) -> None:
    match = interpretation.match
    if match is not None:
        entry = turn.session.entry(match.phenomenon_id, match.verdict, match.score, text, "words")
        entry = replace(entry, value=match.extracted_value)
        if not ask_which_holds(turn, entry):
            turn.note(entry, match.also_possible_id)
    elif interpretation.clarification is not None:
        told = {entry.phenomenon_id for entry in turn.session.active()}
        options = [option.phenomenon_id for option in interpretation.clarification.options]
        unheard = [option for option in options if option not in told]
        # Words whose likeliest meaning is on record already are a repetition, not a riddle.
        riddle = bool(options and unheard) and options[0] == unheard[0]
        if riddle and turn.ask_back(_kind_of(turn, text, interpretation.clarification, unheard), text, unheard):
            return
        if not told.intersection(options[:1]):
            turn.unmatched.append(text)
    else:
        turn.unmatched.append(text)


def _kind_of(turn: Turn, text: str, asked: MatchClarification, unheard: list[str]) -> ClarifyKind:
    """What is missing: words that name one thing with a limit and state no number lack the number."""
    if len(unheard) == 1 and turn.has_limit(unheard[0]) and not any(map(str.isdigit, text)):
        return ClarifyKind.MISSING_VALUE
    return ClarifyKind(asked.kind.value)


def _correction_asks(step: CorrectionStep) -> list[_Ask]:
    """A correction by words has up to two texts: what is taken back, and what is said in its place."""
    if step.words is not None:
        words = step.words
        return [_Ask(Observation(words), lambda turn, found: _replace(turn, step, words, found))]
    if step.original.words is not None:
        return [_Ask(Observation(step.original.words), lambda turn, found: _take_back(turn, step, found))]
    return []


def _replace(turn: Turn, step: CorrectionStep, words: str, interpretation: Interpretation) -> None:
    old = turn.session.active_for(_original(turn, step, interpretation))
    match = interpretation.match
    if match is None:
        if old is not None:
            turn.take_back(old, words)
        _record(turn, words, interpretation)
        return
    entry = turn.session.entry(match.phenomenon_id, match.verdict, match.score, words, "correction")
    replace_entry(turn, old, replace(entry, value=match.extracted_value))


def _take_back(turn: Turn, step: CorrectionStep, interpretation: Interpretation) -> None:
    found = _original(turn, step, interpretation)
    if found:
        correct(turn, step, found)
    else:
        turn.unmatched.append(step.original.words or "")


def _original(turn: Turn, step: CorrectionStep, interpretation: Interpretation) -> str:
    """The active phenomenon a correction is about: the one referred to, else the likest active one."""
    if step.original.words is None:
        try:
            return resolve(turn.session, step.original, turn.plan, turn.catalog.phenomena)[0]
        except NoSuchItem:
            return ""
    active = {entry.phenomenon_id for entry in turn.session.active()}
    found = [interpretation.match.phenomenon_id] if interpretation.match else []
    found += [candidate.phenomenon_id for candidate in _all_candidates(interpretation)]
    return next((phenomenon_id for phenomenon_id in found if phenomenon_id in active), "")


def _all_candidates(interpretation: Interpretation) -> tuple[Candidate, ...]:
    options = interpretation.clarification.options if interpretation.clarification else ()
    return options + interpretation.candidates


def _suspect(turn: Turn, text: str, reply: SearchReply) -> None:
    """Notes the cause a suspicion names, with its boost in [0, MAX_BOOST].

    One that names no cause but something to be seen is asked back: only the person knows whether it was seen.
    """
    best = reply.root_causes[0] if reply.root_causes else None
    if best is not None and best.score >= NAMES_A_CAUSE_FROM:
        boost = round(MAX_BOOST * min(best.score, 1.0), 2)
        turn.suggestions.append(AppliedSuggestion(text, best.root_cause_id, best.name, boost=boost))
        return
    told = {entry.phenomenon_id for entry in turn.session.active()}
    seen = [found.phenomenon_id for found in reply.candidates if found.score >= NAMES_A_SIGHT_FROM]
    asked = [found for found in seen if found not in told]
    if not asked or not turn.ask_back(ClarifyKind.MULTIPLE_MATCHES, text, asked):
        turn.suggestions.append(AppliedSuggestion(text))


async def suppositions(turn: Turn, matcher: MatcherClient, words: list[str]) -> list[tuple[str, Verdict]]:
    """What the words of a what-if question suppose; words that fit nothing are left out."""
    request = MatchRequest(turn.session.snapshot_id, tuple(Observation(text) for text in words))
    reply = await matcher.match(request)
    turn.exchanges.append(("match_phenomena", request, reply))
    found = []
    for interpretation in reply.interpretations:
        if interpretation.match is not None:
            found.append((interpretation.match.phenomenon_id, interpretation.match.verdict))
    return found
