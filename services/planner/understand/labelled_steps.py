"""The steps that labelled pieces come to, sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from services.planner.model import PlanStep, SessionView
from services.planner.understand.acts.certain import certain_labels
from services.planner.understand.acts.labels import Label
from services.planner.understand.answers.feedback import Answers
from services.planner.understand.answers.subjects import LEADING, leads_to, only_opens, only_protests, points_apart
from services.planner.understand.corrections.revisions import revisions_of
from services.planner.understand.pieces import Piece
from services.planner.understand.steps import Steps
from services.planner.understand.text.messages import Message


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
        revised = () if pieces[first].clause.pasted else revisions_of(pieces[first:last], view)
        steps.add_revisions(revised)
        begin = first + (first == 0 and steps.chooses(pieces[first:last]))
        following = pieces[last] if last < len(pieces) else None
        certain = certain_labels(pieces[first:last], labels[first:last], view, following)
        for at, given in enumerate(certain, first):
            chosen[at], sure[at] = (chosen[at], sure[at]) if given is None else (given, 1.0)
        for at in range(begin, last if not revised else begin):
            label, share = chosen[at], sure[at]
            if label is Label.NO and only_opens(pieces, chosen, at):
                label, chosen[at + 1] = Label.ASIDE, Label.FACT if chosen[at + 1] is Label.MORE else chosen[at + 1]
            elif label is Label.NO and only_protests(pieces, chosen, at):
                label = Label.ASIDE
            elif label in LEADING and leads_to(pieces[at], pieces[at + 1 : last], chosen[at + 1 : last]):
                steps.point(pieces[at])
                continue
            steps.read(pieces[at], label, share)
    bare = all(not piece.clause.pasted and piece.bare for piece in pieces) and sum(piece.first for piece in pieces) == 1
    return steps.finish(bare)


def sentences_in(pieces: Sequence[Piece]) -> list[tuple[int, int]]:
    """Where each sentence begins and ends among the pieces."""
    starts = [at for at, piece in enumerate(pieces) if piece.first or at == 0]
    return list(pairwise([*starts, len(pieces)]))
