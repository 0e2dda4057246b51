"""Records the meaning of a plan's free words in the ledger, and notes the causes that its suspicions name."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Candidate, Clarification, Interpretation, Match, SearchPhenomenaResponse
from dbdiag.planner.v1.planner_types import AppliedSuggestion, ClarifyKind, CorrectionStep
from dbdiag.vocabulary import Verdict

from gateway.session.references import NoSuchItem, resolve
from gateway.turn.apply_plan import correct, replace_entry
from gateway.turn.context import ToolResult, Turn
from gateway.turn.contradictions import ask_which_holds

# A suspicion boosts a cause in proportion to its similarity, up to this limit, above a minimum similarity.
MAX_BOOST = 0.2
NAMES_A_CAUSE_FROM = 0.5
NAMES_A_SIGHT_FROM = 0.7


def apply_words(turn: Turn, result: ToolResult) -> None:
    """Applies the meanings in the order of the plan, then the suspicions."""
    for words in result.words:
        if words.step is None:
            _record(turn, words.text, words.meaning)
        elif words.step.words is not None:
            _replace(turn, words.step, words.text, words.meaning)
        else:
            _take_back(turn, words.step, words.meaning)
    for text, found in result.suspicions:
        _suspect(turn, text, found)


def _record(turn: Turn, text: str, interpretation: Interpretation) -> None:
    match = interpretation.match
    if match is not None:
        entry = turn.session.entry(match.phenomenon_id, read_verdict(match), match.score, text, "words")
        entry = replace(entry, value=match.extracted_value)
        if not ask_which_holds(turn, entry):
            turn.note(entry, match.also_possible_id)
    elif interpretation.clarification is not None:
        told = {entry.phenomenon_id for entry in turn.session.active()}
        options = [option.phenomenon_id for option in interpretation.clarification.options]
        unheard = [option for option in options if option not in told]
        # Words whose likeliest meaning is already on record are a repetition, not a question.
        riddle = bool(options and unheard) and options[0] == unheard[0]
        if riddle and turn.ask_back(_kind_of(turn, text, interpretation.clarification, unheard), text, unheard):
            return
        if not told.intersection(options[:1]):
            turn.unmatched.append(text)
    else:
        turn.unmatched.append(text)


def read_verdict(match: Match) -> Verdict:
    """The verdict of the words; None if the matcher gave none."""
    return match.verdict or Verdict.UNKNOWN


def _kind_of(turn: Turn, text: str, asked: Clarification, unheard: list[str]) -> ClarifyKind:
    """The kind of clarification: words about one quantity with a limit, but without a number, lack the value."""
    if len(unheard) == 1 and turn.has_limit(unheard[0]) and not any(map(str.isdigit, text)):
        return ClarifyKind.MISSING_VALUE
    return ClarifyKind(asked.kind or ClarifyKind.VAGUE)


def _replace(turn: Turn, step: CorrectionStep, words: str, interpretation: Interpretation) -> None:
    old = turn.session.active_for(_find_original(turn, step, interpretation))
    match = interpretation.match
    if match is None:
        if old is not None:
            turn.take_back(old, words)
        _record(turn, words, interpretation)
        return
    entry = turn.session.entry(match.phenomenon_id, read_verdict(match), match.score, words, "correction")
    replace_entry(turn, old, replace(entry, value=match.extracted_value))


def _take_back(turn: Turn, step: CorrectionStep, interpretation: Interpretation) -> None:
    found = _find_original(turn, step, interpretation)
    if found:
        correct(turn, step, found)
    else:
        turn.unmatched.append(step.original.words or "")


def _find_original(turn: Turn, step: CorrectionStep, interpretation: Interpretation) -> str:
    """The active phenomenon of a correction: the one referred to, else the most similar active one."""
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


def _suspect(turn: Turn, text: str, reply: SearchPhenomenaResponse) -> None:
    """Notes the suspected cause, with its boost in [0, MAX_BOOST].

    A suspicion that names a phenomenon leads to a clarification: only the person knows whether it was observed.
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
