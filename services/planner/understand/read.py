"""The plan of a message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from services.planner.model import FeedbackStep, Group, PlanSource, PlanStep, Reference, SessionView, TurnPlan, Verdict
from services.planner.understand.acts.certain import certain_labels
from services.planner.understand.acts.labels import Label
from services.planner.understand.acts.tagger import Tagger, shipped, tag
from services.planner.understand.acts.typos import mended
from services.planner.understand.answers.answer_marks import in_order, marks_of
from services.planner.understand.answers.doubts import DROPS
from services.planner.understand.answers.feedback import Answers
from services.planner.understand.answers.grounds import grounded, without_contrasts
from services.planner.understand.answers.subjects import LEADING, leads_to, only_opens, only_protests, points_apart
from services.planner.understand.corrections.revisions import revisions_of
from services.planner.understand.items.references import Asked, open_list
from services.planner.understand.pieces import Piece, pieces_of
from services.planner.understand.plan_rules import step_for_nothing, tidied, without_posing
from services.planner.understand.questions.data_questions import data_question
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.steps import Steps
from services.planner.understand.text import smalltalk
from services.planner.understand.text.messages import Message, language_of, read

_LIKELY = 0.5
# What words that state nothing are taken for.
_TALK = (Label.ASIDE, Label.SMALLTALK, Label.VAGUE, Label.SUSPICION)
# A list of checks has few items; its answers fit in as many characters.
_SHEET = 120


def steps_of(
    message: Message,
    view: SessionView,
    pieces: Sequence[Piece],
    labels: Sequence[Label],
    shares: Sequence[float] | None = None,
) -> list[PlanStep]:
    """The steps of labelled pieces, in the order of the message; shares: how sure each label is, 1 where not given."""
    steps = Steps(message, view, Answers(view, pointing=any(map(points_apart, pieces))))
    sure, chosen = list(shares or [1.0] * len(labels)), list(labels)
    for first, last in sentences_in(pieces):
        revised = (
            ()
            if pieces[first].clause.pasted
            else revisions_of(pieces[first:last], view, _stands_alone(pieces, first, last))
        )
        steps.add_revisions(revised)
        begin = first + (first == 0 and steps.chooses(pieces[first:last]))
        following = pieces[last] if last < len(pieces) else None
        heard = _heard(labels[first:last], sure[first:last], view)
        certain = certain_labels(pieces[first:last], heard, view, following)
        for at, given in enumerate(certain, first):
            chosen[at], sure[at] = (chosen[at], sure[at]) if given is None else (given, 1.0)
        for at in range(begin, last if not revised else begin):
            label, share = chosen[at], sure[at]
            if label is Label.NO and only_opens(pieces, chosen, at):
                label, chosen[at + 1] = Label.ASIDE, Label.FACT if chosen[at + 1] is Label.MORE else chosen[at + 1]
            elif _answers_nothing(pieces, chosen, at, label):
                label = Label.ASIDE
            elif label in LEADING and leads_to(pieces[at], pieces[at + 1 : last], chosen[at + 1 : last]):
                steps.point(pieces[at])
                continue
            steps.read(pieces[at], label, share)
    bare = all(not piece.clause.pasted and piece.bare for piece in pieces) and sum(piece.first for piece in pieces) == 1
    return steps.finish(bare)


def _stands_alone(pieces: Sequence[Piece], first: int, last: int) -> bool:
    """Whether a message says nothing besides one of its sentences but a bare yes or no."""
    return all(piece.bare for piece in (*pieces[:first], *pieces[last:]))


def _heard(labels: Sequence[Label], shares: Sequence[float], view: SessionView) -> list[Label]:
    """The labels without questions that are only guessed at, where an option is to be chosen: "when we commit"."""
    guessed = (
        bool(view.options) and label.question is not None and share < DROPS
        for label, share in zip(labels, shares, strict=True)
    )
    return [Label.VAGUE if guess else label for guess, label in zip(guessed, labels, strict=True)]


def _answers_nothing(pieces: Sequence[Piece], chosen: Sequence[Label], at: int, label: Label) -> bool:
    """Whether a yes or no is none: it only protests before a correction, or asks back."""
    protests = label is Label.NO and only_protests(pieces, chosen, at)
    if label is Label.YES and pieces[at].groups and any(each.clause.pasted for each in pieces[at + 1 : at + 2]):
        return True  # "They all look like this:" leads to an output, and that tells.
    asks = label is Label.WEAK and has_wh(pieces[at].text)  # "What does rows=1 mean" names it and says nothing of it.
    return protests or asks or _retorts(pieces[at], label) or (label in (Label.YES, Label.NO) and pieces[at].only_asks)


def _retorts(piece: Piece, label: Label) -> bool:
    """Whether a question asks what the assistant cannot do, which tells nothing of the person: 你自己不会算？"""
    return label in (Label.UNKNOWN, Label.NO) and piece.clause.asks and "你" in piece.text and "我" not in piece.text


def sentences_in(pieces: Sequence[Piece]) -> list[tuple[int, int]]:
    """Where each sentence begins and ends among the pieces."""
    starts = [at for at, piece in enumerate(pieces) if piece.first or at == 0]
    return list(pairwise([*starts, len(pieces)]))


def last_word(steps: Sequence[PlanStep], view: SessionView) -> tuple[PlanStep, ...]:
    """The steps with one answer an item: groups are spelled out where single answers stand beside them, the last word counts."""
    asked = open_list(view)
    singles = [step for step in steps if isinstance(step, FeedbackStep) and step.reference.group is None]
    spelled: list[PlanStep] = []
    for step in steps:
        grouped = isinstance(step, FeedbackStep) and step.reference.group is Group.ALL
        if isinstance(step, FeedbackStep) and grouped and singles and step.reference.list is asked.list:
            spelled += [replace(step, reference=asked.at(ordinal)) for ordinal in asked.ordinals]
        else:
            spelled.append(step)
    kept: list[PlanStep] = []
    for step in spelled:
        before = [other for other in kept if isinstance(step, FeedbackStep) and _same_target(step, other, asked)]
        if any(isinstance(other, FeedbackStep) and other.verdict is _verdict_of(step) for other in before):
            continue  # "Yes obviously, since hours": the first words said it.
        kept = [*(other for other in kept if other not in before), step]
    return tuple(kept)


def _same_target(step: FeedbackStep, other: PlanStep, asked: Asked) -> bool:
    return isinstance(other, FeedbackStep) and _target(other.reference, asked) == _target(step.reference, asked)


def _verdict_of(step: PlanStep) -> Verdict | None:
    return step.verdict if isinstance(step, FeedbackStep) else None


def _target(reference: Reference, asked: Asked) -> object:
    """What a reference comes to, so that an id and its ordinal are the same."""
    if reference.ordinal is not None and reference.list is asked.list:
        item = asked.find(reference.ordinal)
        return item.phenomenon_id or reference if item else reference
    return reference.id or reference


def prepared(original: str) -> Message:
    """The message normalised, its slips mended, without text that poses as the system."""
    return mended(without_posing(read(original)))


def direct_steps(original: str, message: Message, view: SessionView, pieces: Sequence[Piece]) -> tuple[PlanStep, ...]:
    """The steps of a message that needs no labels: a command, or a list of marks."""
    command = smalltalk.command(original, bool(view.evidence))
    if command is not None:
        return (command,)
    marks = marks_of(message, open_list(view))
    if marks is not None:
        return marks
    counted = data_question(original, view)
    if counted is not None:
        return (counted,)
    if sum(piece.first for piece in pieces) == 1 and not pieces[0].clause.pasted:
        texts = [piece.text for piece in pieces]
        return in_order(texts, message.words(0, len(message.normal)), open_list(view))
    return ()


def read_sheet(original: str, view: SessionView) -> TurnPlan | None:
    """The plan of a message that is nothing but answers to the open list, "1 no, 2 yes": nothing else reads it."""
    asked = open_list(view)
    if not asked.items or len(original) > _SHEET or view.options:
        return None
    marks = marks_of(prepared(original), asked)
    if marks is None or not all(isinstance(step, FeedbackStep) for step in marks):
        return None
    return TurnPlan(marks, language_of(original, view.language), PlanSource.RULES)


def plan_of(
    original: str,
    message: Message,
    view: SessionView,
    pieces: Sequence[Piece],
    labels: Sequence[Label],
    shares: Sequence[float] | None = None,
) -> TurnPlan:
    """The plan of a message whose pieces have these labels, each so sure."""
    said = last_word(steps_of(message, view, pieces, labels, shares), view)
    steps = tidied(grounded(without_contrasts(said, pieces), pieces, open_list(view))) or (
        step_for_nothing(message, original),
    )
    return TurnPlan(steps, language_of(original, view.language), PlanSource.RULES)


def read_by(tagger: Tagger, original: str, view: SessionView) -> tuple[TurnPlan, tuple[str, ...]]:
    """The plan of a message, and the words of the pieces that are only guessed at."""
    message = prepared(original)
    pieces = pieces_of(message, view)
    direct = direct_steps(original, message, view, pieces)
    if direct:
        return TurnPlan(direct, language_of(original, view.language), PlanSource.RULES), ()
    tagged = tag(tagger, pieces, view)
    plan = plan_of(original, message, view, pieces, tagged.labels, tagged.shares)
    unsure = tuple(
        message.words(piece.clause.start, piece.clause.end)
        for piece, share in zip(pieces, tagged.shares, strict=True)
        if share < _LIKELY and not piece.clause.pasted
    )
    return plan, unsure


def read_message(original: str, view: SessionView) -> tuple[TurnPlan, tuple[str, ...]]:
    """The plan of a message by the shipped tagger, and the words of the pieces that are only guessed at."""
    return read_by(shipped(), original, view)


def understand(original: str, view: SessionView) -> TurnPlan:
    """The plan of a message; it has at least one step."""
    return read_message(original, view)[0]


def _tagged_alone(words: str) -> list[tuple[Label, float]]:
    view = SessionView()
    found = tag(shipped(), pieces_of(prepared(words), view), view)
    return [*zip(found.labels, found.shares, strict=True)]


def is_aside(words: str) -> bool:
    """Whether words, heard by themselves, state nothing: "fuck this job honestly"."""
    labels = [label for label, _ in _tagged_alone(words)]
    return bool(labels) and all(label in _TALK for label in labels)


def label_alone(words: str) -> tuple[Label, float]:
    """What words are heard as by themselves, whatever stands around them, and how surely."""
    return max(_tagged_alone(words), key=lambda each: each[1], default=(Label.ASIDE, 0.0))
