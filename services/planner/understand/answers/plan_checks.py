"""Answers that only seem to point at what was asked: those by the item's own words, and words about everything."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import yaml

from lang import deferred_re as re
from lang.modality import is_guessed, is_puzzled
from lang.parts import cues_of, is_content
from lang.pastes.marks import MARKS, has_mark
from lang.tokens import read_text
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Group,
    ItemList,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
    TurnPlan,
    Verdict,
)
from services.planner.understand.answers.shown import last_answer
from services.planner.understand.items.item_names import touched
from services.planner.understand.items.references import Asked
from services.planner.understand.text.messages import read
from services.planner.understand.text.segments import is_bare, pointers_of, polarity_of, segments_of
from services.planner.understand.text.tokens import Kind, tokens_of

# In more words than those of a short answer, the answer stands at their beginning or is none.
_ANSWER, _POINTING = 30, 12
_SWEEPS = Path(__file__).parent / "sweeps.yaml"
_AT_ALL = " at all"
_WORD = re.compile(r"[a-z']+|[\u4e00-\u9fff]")
# A guess that something is not the cause; "不是槽吗" and "isn't it the slot" guess that it is.
_DENIED_GUESS = re.compile(
    r"(?i)^\W*(?:那|也|又|所以|其实|应该)*(?:不是|不会是)(?!.*[吗吧么呀]\W*$)(?!.*而是).{0,20}$"
    r"|^\W*(?:(?:so|then|and|but)\b\s*)*(?:(?:its|it's|it is|thats|that's) )?not\b(?!.*\b(?:is|was) it\b).{0,60}$"
)
_AROUND = " ,.!?;:，。！？；：~"


def mark_by_name(plan: TurnPlan) -> TurnPlan:
    """The plan with `by_name` set on each answer whose words neither point at the list nor are a verdict alone.

    One that is only guessed is asked about: "so yeah swapping i guess".
    """
    return replace(plan, steps=tuple(_marked(step) for step in plan.steps))


def _marked(step: PlanStep) -> PlanStep:
    if not isinstance(step, FeedbackStep) or step.reference.id is not None:
        return step
    if not _is_by_name(step):
        return step
    if step.verdict is Verdict.CONFIRMED and step.reference.ordinal is not None and is_guessed(step.words):
        return ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, step.words, (step.reference,))
    return replace(step, by_name=True)


def _is_by_name(step: FeedbackStep) -> bool:
    words = read(step.words).normal
    pointed = any(segment.pointed for segment in segments_of(words[:_POINTING] if len(words) > _ANSWER else words))
    return not (pointed or is_bare(words))


def ask_for_puzzled(plan: TurnPlan) -> TurnPlan:
    """The plan with "I don't understand that" as a question where things stand, in place of "cannot look".

    Whether something is not the cause is no hint at it: "不是槽？" asks how sure that is, or stands beside another guess.
    """
    denied = [step for step in plan.steps if isinstance(step, SuggestionStep) and _DENIED_GUESS.search(step.text)]
    beside = any(isinstance(step, SuggestionStep) and step not in denied for step in plan.steps)
    steps = [_asked_by_puzzled(step) for step in plan.steps if not (beside and step in denied)]
    return replace(plan, steps=tuple(_asks_certainty(step) if step in denied else step for step in steps))


def _asks_certainty(step: PlanStep) -> PlanStep:
    words = step.text if isinstance(step, SuggestionStep) else ""
    return QuestionStep(QuestionKind.HELP, text=words, topic=QuestionTopic.CERTAINTY)


def _asked_by_puzzled(step: PlanStep) -> PlanStep:
    if isinstance(step, FeedbackStep) and step.verdict is Verdict.UNKNOWN and is_puzzled(step.words):
        return QuestionStep(QuestionKind.PROGRESS, text=step.words)
    return step


def drop_labels(plan: TurnPlan, said: str) -> TurnPlan:
    """The plan without what only leads to a pasted output or tells of which item it is: "here you go", "3)"."""
    return replace(plan, steps=tuple(step for step in plan.steps if not _is_label(step, said)))


def _is_label(step: PlanStep, said: str) -> bool:
    if isinstance(step, FeedbackStep):
        announces = bool(step.words) and re.search(rf"{re.escape(step.words)}\s*[:：]\s*(?:\n|$)", said) is not None
        kinds = {token.kind for token in tokens_of(read(step.words).normal)}
        return announces or Kind.VERDICT not in kinds or (Kind.JUST in kinds and step.reference.group is Group.ALL)
    return isinstance(step, ClarifyStep)  # The output answers what the words leave open.


def drop_sweeps(plan: TurnPlan, said: str) -> TurnPlan:
    """The plan without answers to a whole list that are about something else, or whose words say another verdict."""
    message = read(said).normal.strip(_AROUND)
    protested = protests_beside(said)
    asks_back = any(isinstance(step, QuestionStep) for step in plan.steps)
    kept: list[PlanStep] = []
    if all(map(_is_of_others, filter(_points, plan.steps))):
        plan = replace(plan, steps=tuple(step for step in plan.steps if not _is_of_others(step)))
    for step in plan.steps:
        if _is_one_result(step):
            kept.append(ObservationStep(said.strip()))
            continue
        after_fact = bool(kept) and isinstance(kept[-1], ObservationStep)
        echoes = (after_fact or protested or asks_back) and _echoes_fact(step)
        if not (_is_false_sweep(step, message) or echoes):
            kept.append(step)
    return replace(plan, steps=tuple(kept))


def drop_unshown(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan without a bare yes or no to a check that the last answer does not name: "yeah, 128 MB for 90 GB"."""
    shown = last_answer(view)
    named = touched(read(said).normal, Asked(ItemList.PENDING, view.pending))
    items = [each for each in view.pending if each.name.zh not in shown and each.name.en not in shown]
    items = [each for each in items if each.ordinal not in named]
    if not shown or not items:
        return plan
    hidden = {each.ordinal for each in items} | {each.phenomenon_id for each in items}
    steps = tuple(step for step in plan.steps if not _is_of_hidden(step, hidden))
    rest = SmalltalkStep(SmalltalkKind.REMARK) if is_bare(read(said).normal) else ObservationStep(said.strip())
    return replace(plan, steps=steps or (rest,))


def _is_of_hidden(step: PlanStep, hidden: set[int | str]) -> bool:
    if not isinstance(step, FeedbackStep) or step.verdict is Verdict.UNKNOWN:
        return False
    leans = is_bare(step.words) and not pointers_of(read(step.words).normal)
    of = step.reference
    return leans and ((of.list is ItemList.PENDING and of.ordinal in hidden) or of.id in hidden)


def protests_beside(said: str) -> bool:
    """Whether a message protests against what was answered: a no beside that is no answer."""
    message = read(said).normal
    return any(words in message for words in _sweeps()["protests"])


def _points(step: PlanStep) -> bool:
    """Whether a step answers a single item, or asks which one an answer is for."""
    if isinstance(step, ClarifyStep):
        return bool(step.references)
    if not isinstance(step, FeedbackStep) or step.reference.ordinal is None:
        return False
    # What somebody does not know of one thing by its name leaves open what else "the rest" is of.
    return not (step.verdict is Verdict.UNKNOWN and _is_by_name(step))


def _is_of_others(step: PlanStep) -> bool:
    """Whether a step is that all else is fine: beside answers to single items it is of the rest of the list."""
    if not isinstance(step, FeedbackStep):
        return False
    words = read(step.words).normal.strip(_AROUND)
    return words in _sweeps()["others"] or _tells_others_fine(words)


def _tells_others_fine(words: str) -> bool:
    """Whether words say nothing but that other things are fine: 别的都没事, "other pages look ok"."""
    text = read_text(words)
    cues = cues_of(text)
    if not {"others", "fine"} <= {cue.name for cue in cues}:
        return False
    covered = {at for cue in cues for at in range(cue.first, cue.last)}
    left = [token for at, token in enumerate(text.tokens) if at not in covered and is_content(token)]
    return len(left) <= 1


def _is_one_result(step: PlanStep) -> bool:
    """Whether a no to a whole list is an empty result, which is of the one query that was run."""
    if not isinstance(step, FeedbackStep) or step.reference.group is not Group.ALL:
        return False
    words = read(step.words).normal
    everything = any(token.kind in (Kind.ALL, Kind.REST) for token in tokens_of(words))
    return has_mark(words, MARKS.empty) and not everything


def _echoes_fact(step: PlanStep) -> bool:
    """Whether a no that names no list is of what is said or asked beside it: "no index on it. nope, there is none"."""
    if not isinstance(step, FeedbackStep) or step.reference.group is not Group.ALL:
        return False
    words = read(step.words).normal.replace(_AT_ALL, "")
    return step.verdict is Verdict.DENIED and not any(word in _sweeps()["lists"] for word in _WORD.findall(words))


def _is_false_sweep(step: PlanStep, message: str) -> bool:
    if not isinstance(step, FeedbackStep):
        return False
    words = read(step.words).normal.strip(_AROUND)
    if step.reference.group is Group.REST:
        return _is_of_others(step)
    if step.reference.group is not Group.ALL:
        return False
    said = polarity_of(words)
    if said is not None and said is not step.verdict:
        return True
    return words in _sweeps()["never"] or (words in _sweeps()["beside"] and words != message)


@cache
def _sweeps() -> dict[str, frozenset[str]]:
    loaded = yaml.load(_SWEEPS.read_text("utf-8"), yaml.CSafeLoader)
    return {name: frozenset(map(str, words)) for name, words in loaded.items()}
