"""What the answer says of a correction that changed nothing on record, and to who points out that answers disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dbdiag.planner.v1.planner_types import (
    AppliedCorrection,
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    HypothesisView,
    NotedEvidence,
    QuestionStep,
    QuestionTopic,
    SmalltalkKind,
    SmalltalkStep,
    Speaker,
)
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.turn.amendments import ask_which, corrects
from gateway.turn.context import Turn
from gateway.turn.contradictions import plain
from lang.cues import plain_words
from lang.judging.amending import called_wrong, clauses_in, set_right, unsaid
from lang.judging.pointing import figures_told, points_out
from lang.judging.protesting import protests_in
from lang.modality import is_negated
from lang.tokens import read_text


def note_beside(turn: Turn) -> None:
    """Where the record was not changed, asks what a retraction means, or says that what was wrong was no evidence."""
    asked = turn.clarification if turn.clarification and turn.clarification.kind is not ClarifyKind.VAGUE else None
    noted = [entry for entry in turn.noted if entry.verdict is not Verdict.UNKNOWN]
    alone = all(isinstance(step, ClarifyStep | SmalltalkStep) for step in turn.plan.steps)
    if turn.corrections or asked or not turn.session.active() or (turn.session.clarification and not noted):
        return
    if turn.guessed and alone and not noted and ask_which(turn, turn.message):
        return
    called = _called(turn)
    instead = _instead(turn, called)
    if (called or instead) and not any(_says_part(entry, called, instead) for entry in noted):
        turn.corrections.append(AppliedCorrection(LocalizedText(), called, instead))
        if not noted:
            turn.unclear.clear()
            turn.clarification = None
            turn.smalltalk = [kind for kind in turn.smalltalk if kind is not SmalltalkKind.OUT_OF_SCOPE]
        turn.unmatched[:] = [each for each in turn.unmatched if noted and each not in instead]


def _called(turn: Turn) -> str:
    """What a message calls wrong, if it corrects or the person had said it: nobody told of a vpn that "is crap"."""
    told = " ".join(each.text for each in turn.session.dialogue if each.speaker is Speaker.USER)
    found = (*called_wrong(turn.message), *unsaid(turn.message), *_scrapped(turn))
    amends = corrects(turn) or bool(set_right(turn.message))
    # "It has not recovered, take that back" denies what somebody else said: it is so.
    found = tuple(each for each in found if amends or not is_negated(each) or plain(each) in plain(told))
    return next((each for each in found if _words_of(each) and (amends or _words_of(each) & _words_of(told))), "")


def _scrapped(turn: Turn) -> tuple[str, ...]:
    return tuple(each.name for each in protests_in(turn.message) if each.orders)


def _words_of(text: str) -> set[str]:
    tokens = (each for each in read_text(text).tokens if any(map(str.isalnum, each.text)))
    return {each.key for each in tokens} - plain_words()


def _instead(turn: Turn, called: str) -> str:
    """What a message says in place of what was wrong; neither a question nor what is only scrapped has any."""
    told = (step.words for step in turn.plan.steps if isinstance(step, CorrectionStep) and step.words)
    said = set_right(turn.message) or next(told, "")
    if called and called in said:
        said = ", ".join(clauses_in(turn.message.partition(called)[2])[1:]).strip()
    asked = [each.text for each in turn.plan.steps if isinstance(each, QuestionStep) and each.text]
    kept = [each for each in clauses_in(said) if not _is_asked(turn, each.strip(), asked)]
    if called in _scrapped(turn) or not kept:
        return ""
    return said if len(kept) == len(clauses_in(said)) else ", ".join(map(str.strip, kept))


def _is_asked(turn: Turn, clause: str, asked: Sequence[str]) -> bool:
    """Whether a clause asks, by its own mark or as it was understood."""
    after = turn.message.partition(clause)[2].lstrip()[:1]
    return after in ("?", "？") or any(clause in each for each in asked)


def _says_part(entry: NotedEvidence, *parts: str) -> bool:
    """Whether an entry was read from words of these parts of a message: the correction is told with it then."""
    said = _words_of(entry.words)
    return any(each and (said <= _words_of(each) or _words_of(each) <= said) for each in parts)


def own_up(turn: Turn) -> None:
    """Says how a belief that the message quotes moved since, or that two answers did not fit together."""
    moved = _moved(turn)
    if moved is None and not points_out(turn.message):
        return
    turn.corrections.insert(0, moved or AppliedCorrection(LocalizedText(), misheard=True))
    steps = (step for step in turn.plan.steps if not _asks_which(step))
    turn.plan = replace(turn.plan, steps=tuple(steps))


def _asks_which(step: object) -> bool:
    """Whether a step is what "which is it" was taken for."""
    return isinstance(step, QuestionStep) and step.topic is QuestionTopic.OBJECT


def _moved(turn: Turn) -> AppliedCorrection | None:
    """The belief that was told with a figure of the message, the latest first, with what it is now."""
    points = turn.session.case_points()
    told = set(figures_told(turn.message))
    for point in reversed(points[:-1]):
        for before in point.beliefs:
            now = _percent(_belief_in(points[-1].beliefs, before.root_cause_id))
            if _percent(before.confidence) in told and now != _percent(before.confidence):
                figures = (f"{_percent(before.confidence)} %", f"{now} %")
                return AppliedCorrection(before.name, *figures, misheard=True)
    return None


def _belief_in(beliefs: tuple[HypothesisView, ...], root_cause_id: str) -> float:
    return next((each.confidence for each in beliefs if each.root_cause_id == root_cause_id), 0.0)


def _percent(confidence: float) -> int:
    return round(confidence * 100)
