"""What an answer stands on: no item gets a verdict that the message does not point at, one by one or all together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from lang import deferred_re as re
from lang.judging.amending import clauses_in
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Group,
    ItemList,
    ObservationStep,
    PlanStep,
    Verdict,
)
from services.planner.understand.acts.words import is_heard
from services.planner.understand.items.item_names import touched
from services.planner.understand.items.references import Asked, ordinals_of
from services.planner.understand.pieces import Piece
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.marks import has_mark
from services.planner.understand.text.numerals import canonical_id
from services.planner.understand.text.segments import pointers_of
from services.planner.understand.text.tokens import Kind, tokens_of

_CLAIMS = (Verdict.CONFIRMED, Verdict.DENIED)
_WORDS = re.compile(r"[a-z]{2,}")
_FEW = 3
_NOT = ("not", "不是")


def grounded(steps: Sequence[PlanStep], pieces: Sequence[Piece], asked: Asked) -> tuple[PlanStep, ...]:
    """The steps without yes or no on items that nothing in the message points at; such items are asked back."""
    if len(asked.items) < 2 or not any(_reached(step, asked) for step in steps):
        return tuple(steps)
    pieces = [piece for piece in pieces if not piece.clause.pasted]
    reachable = {ordinal for piece in pieces for ordinal in _pointed_at(piece, asked)}
    grouped = any(piece.groups or has_mark(piece.text, "none") for piece in pieces)
    unheard = any(_is_unheard(piece) for piece in pieces)
    return tuple(_grounded(steps, asked, reachable, grouped, unheard))


def without_contrasts(steps: Sequence[PlanStep], pieces: Sequence[Piece]) -> list[PlanStep]:
    """The steps without a no to an item whose number only sets a figure apart: "an hour ago, not 3"."""
    pointed = [each for each in steps if isinstance(each, FeedbackStep) and any(map(str.isdigit, each.words))]
    behind = {piece.text.strip() for piece in pieces if not piece.first}
    if len(pointed) != 1 or not _sets_apart(pointed[0], behind):
        return list(steps)
    told = [ObservationStep(pointed[0].words)] if pointed[0].words.lower() not in behind else []
    return [*(each for each in steps if each is not pointed[0]), *told]


def _sets_apart(step: FeedbackStep, behind: Set[str]) -> bool:
    """Whether an answer ends with a clause, behind others, of nothing but a number and "not"."""
    last = clauses_in(step.words.lower())[-1].strip()
    said = [token for token in tokens_of(last) if token.kind is not Kind.MARK] if last in behind else []
    bare = len(said) == 2 and not said[1].explicit and said[1].kind is Kind.ORDINALS
    return bare and said[0].text in _NOT and step.verdict is Verdict.DENIED


def _grounded(
    steps: Sequence[PlanStep], asked: Asked, reachable: set[int], grouped: bool, unheard: bool
) -> Iterator[PlanStep]:
    for step in steps:
        reached = _reached(step, asked)
        if not reached or not isinstance(step, FeedbackStep):
            yield step
            continue
        of_all = step.reference.group is Group.ALL
        lost = reached if of_all and unheard and not grouped else set() if of_all or grouped else reached - reachable
        if lost:
            references = tuple(asked.at(ordinal) for ordinal in sorted(lost))
            yield ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, step.words, references)
        else:
            yield step


def _reached(step: PlanStep, asked: Asked) -> set[int]:
    """The ordinals of the open list that a step says yes or no of."""
    if not isinstance(step, FeedbackStep) or step.verdict not in _CLAIMS:
        return set()
    if step.reference.group is Group.ALL and step.reference.list is asked.list:
        return set(asked.ordinals)
    place = asked.place_of(step.reference) if step.reference.list is not ItemList.EARLIER else None
    return set() if place is None else {place}


def _pointed_at(piece: Piece, asked: Asked) -> set[int]:
    """The ordinals of the open list that a piece points at by place or id, or has a word of."""
    found = touched(piece.text, asked)
    for token in pointers_of(piece.pointing):
        if token.kind is Kind.ID:
            wanted = canonical_id(token.text)
            found.update(item.ordinal for item in asked.items if item.phenomenon_id == wanted)
        elif token.kind is Kind.JUST:
            found.update(asked.ordinals)
        elif token.kind not in (Kind.ALL, Kind.REST):
            found.update(ordinals_of(token, asked))
    return found


def _is_unheard(piece: Piece) -> bool:
    """True if a piece is a few words that nobody was ever heard to say, so that nobody knows what it points at."""
    words = _WORDS.findall(_content(piece.text))
    return 0 < len(words) <= _FEW and not is_technical(piece.text) and not any(map(is_heard, words))


def _content(text: str) -> str:
    """The content words of a clause, blanks in the place of all others."""
    return "".join(token.text if token.kind is Kind.CONTENT else " " for token in tokens_of(text))
