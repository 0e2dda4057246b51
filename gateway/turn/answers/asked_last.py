"""The yes or no with which a message opens: it answers the single question that was asked last.

What stands behind it is read as well. Where a denial goes on, it is an answer if it repeats a word of the question.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from pathlib import Path

from dbdiag.planner.v1.planner_types import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Group,
    Item,
    ItemList,
    ObservationStep,
    PlanStep,
    Reference,
    Speaker,
)
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.turn.answers.by_name import content_of
from gateway.turn.context import Turn
from lang import deferred_re as re
from lang.cues import plain_words
from lang.judging.amending import clauses_in
from lang.listed import Lists
from lang.modality import is_negated
from lang.tokens import Kind, read_text

_SAID = Lists(Path(__file__).with_name("yes_no.yaml"))
_ADDRESS, _NONE, _TOLD = _SAID.pattern("address"), _SAID.pattern("none"), _SAID.pattern("told")
_NO, _YES, _DENIES = _SAID.pattern("no"), _SAID.pattern("yes"), _SAID.pattern("denies")
_AROUND = " \t\r\n,.;:!?，。；：！？、~…"
# Shorter words of Latin letters are hardly what a question is about.
_LATIN = 3
_ALTERNATIVES = 3
# A yes or no with so many words of content says more than that.
_CONTENT = 2
# A clause with so many tells something of its own.
_OWN = 3
_STOPS = re.compile(r"[,.;:!?，。；：！？、~…\n]|\s+[\u4e00-\u9fff]")


def hear_answer(turn: Turn) -> None:
    """Puts the answer to the question that was asked last into the plan, in place of one to other things."""
    item = _asked_last(turn)
    if item is None:
        _leave_the_list(turn)
    if item is None or any(_is_pointed(step) for step in turn.plan.steps):
        return
    verdict, words = opening_answer(turn.message, item.name)
    if verdict is None:
        rest = tuple(each for each in turn.plan.steps if not (words and _is_of_options(each) and _is_in(each, words)))
        turn.plan = replace(turn.plan, steps=rest or (turn.plan.steps and (ObservationStep(turn.message),)))
        return
    proposed = turn.session.proposed_for(item.phenomenon_id)
    if proposed is not None and proposed.verdict is verdict and _repeats(words, item.name):
        verdict = Verdict.CONFIRMED  # "It is not high": what was taken for a no is said once more.
    answer = FeedbackStep(Reference(id=item.phenomenon_id, list=ItemList.OPTIONS), verdict, words)
    kept = (step for step in turn.plan.steps if not (_is_of_options(step) or _is_guess(step, words)))
    turn.plan = replace(turn.plan, steps=(answer, *kept))


def _leave_the_list(turn: Turn) -> None:
    """Drops an answer to a whole list where something else was asked; alone, its words are read for what they say."""
    asks = _ends_with_a_question(turn)
    meant = {
        verdict for verdict, asked in ((Verdict.CONFIRMED, asks or _chooses(turn)), (Verdict.DENIED, asks)) if asked
    }
    rest = tuple(step for step in turn.plan.steps if not _is_of_all(step, meant))
    if len(rest) < len(turn.plan.steps):
        turn.plan = replace(turn.plan, steps=rest or (ObservationStep(turn.message),))


def _asked_last(turn: Turn) -> Item | None:
    """The one thing that was asked about; which of two statements is wrong takes more than a yes."""
    asked = turn.session.clarification
    if asked is None or asked.contested or asked.retracts or len(asked.options) != 1:
        return None
    return asked.options[0]


def _ends_with_a_question(turn: Turn) -> bool:
    """Whether the last reply ended with a question of its own, "is it any better since?": it is what a no answers."""
    said = next((each.text for each in reversed(turn.session.dialogue) if each.speaker is Speaker.ASSISTANT), "")
    return turn.session.clarification is None and said.rstrip(" *`").endswith(("?", "？"))


def _chooses(turn: Turn) -> bool:
    """Whether the options that were asked about are alternatives: "all of it" is one of them."""
    asked = turn.session.clarification
    return asked is not None and not (asked.proposed or asked.contested) and len(asked.options) >= _ALTERNATIVES


def _is_of_all(step: PlanStep, meant: Set[Verdict]) -> bool:
    return isinstance(step, FeedbackStep) and step.reference.group is Group.ALL and step.verdict in meant


def _is_of_options(step: PlanStep) -> bool:
    return isinstance(step, FeedbackStep) and step.reference.id is None and step.reference.list is not ItemList.PENDING


def _is_in(step: PlanStep, words: str) -> bool:
    return isinstance(step, FeedbackStep) and step.words in words


def _is_pointed(step: PlanStep) -> bool:
    """Whether a step answers a check by its number; where one thing is asked, "not 1 but 9" points at nothing."""
    if not isinstance(step, FeedbackStep) or step.by_name or step.reference.ordinal is None:
        return False
    return step.reference.list is not ItemList.OPTIONS and any(map(str.isdigit, step.words))


def _is_guess(step: PlanStep, words: str) -> bool:
    """Whether a step takes the answer for one to the checks, or cannot tell what it is of."""
    match step:
        case ClarifyStep(kind=ClarifyKind.AMBIGUOUS_FEEDBACK):
            return True
        case FeedbackStep(reference=Reference(list=ItemList.PENDING, ordinal=ordinal, group=group), words=said):
            pointed = any(map(str.isdigit, said)) and ordinal is not None
            return not pointed and (group is Group.ALL or words in said)
    return False


def opening_answer(message: str, asked: LocalizedText) -> tuple[Verdict | None, str]:
    """The yes or no that a message opens with, as an answer to whether something is there, and its words."""
    opened = _ADDRESS.match(message)
    start = opened.end() if opened is not None else 0
    if _NONE.match(message, start):
        return None, ""
    for pattern, verdict in ((_NO, Verdict.DENIED), (_YES, Verdict.CONFIRMED)):
        if found := pattern.match(message, start):
            rest = message[found.end() :].lstrip(_AROUND)
            if _tells_another(message[found.end() :], asked):
                return None, found[0]
            turned = verdict is Verdict.CONFIRMED and _NO.match(rest) and not _NONE.match(rest)
            return (Verdict.DENIED if turned else verdict), message[start : found.end()].strip(_AROUND)
    return _going_on(message, start, asked)


def _going_on(message: str, start: int, asked: LocalizedText) -> tuple[Verdict | None, str]:
    """A denial that repeats what was asked, or that it was told before."""
    if (found := _DENIES.match(message, start)) and _repeats(found["rest"], asked):
        return Verdict.DENIED, found[0].strip(_AROUND)
    if found := _TOLD.match(message, start):
        if _tells_another(found["rest"], asked, _CONTENT):
            return None, ""
        if not is_negated(found["rest"]):
            return Verdict.CONFIRMED, message[start : found.start("rest")].strip(_AROUND)
        if _repeats(found["rest"], asked):
            return Verdict.DENIED, found[0].strip(_AROUND)
    return None, ""


def _tells_another(rest: str, asked: LocalizedText, least: int = _OWN) -> bool:
    """Whether a clause that goes on without a stop tells something of its own: "yeah somebody dropped a column"."""
    clause = "" if _STOPS.match(rest) else next(iter(clauses_in(rest)), "")
    return len(content_of(clause)) >= least and not _repeats(clause, asked)


def says_only(message: str, words: str) -> bool:
    """Whether a message is nothing but a yes or no: these words are all of it, and no content is in them."""
    left = message.replace(words, " ", 1) if words else message
    return not any(map(str.isalnum, left)) and len(content_of(words)) < _CONTENT


def _repeats(words: str, asked: LocalizedText) -> bool:
    """Whether words have a word of content of the question."""
    name = f"{asked.zh} {asked.en}".lower()
    told = (token for token in read_text(words).tokens if not plain_words() & {token.key, token.text})
    said = (token.text.lower() for token in told if token.kind in (Kind.WORD, Kind.HAN))
    return any(text in name for text in said if len(text) > _LATIN or not text.isascii())
