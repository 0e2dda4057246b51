"""Answers revised by their ordinals, which no label is needed for: "1 no, I was wrong", "I had 1 and 2 backwards"."""

from __future__ import annotations

from collections.abc import Sequence

from lang.judging.amending import only_errs
from services.planner.model import CorrectionStep, ItemList, Reference, SessionView, Verdict
from services.planner.understand.corrections.marked_corrections import answered_at
from services.planner.understand.items.item_names import near_evidence
from services.planner.understand.pieces import Piece
from services.planner.understand.text.marks import has_mark, without_marks
from services.planner.understand.text.numerals import canonical_id
from services.planner.understand.text.segments import Segment, is_bare, polarity_of, segments_of
from services.planner.understand.text.tokens import Kind, Token

_OPPOSITE = {Verdict.CONFIRMED: Verdict.DENIED, Verdict.DENIED: Verdict.CONFIRMED}
Said = tuple[str, Reference, Verdict | None]


def revisions_of(sentence: Sequence[Piece], view: SessionView, alone: bool = True) -> tuple[CorrectionStep, ...]:
    """The answers that a sentence revises; () where it admits no error or points at nothing that was answered.

    alone: the message says nothing besides, so that what was the wrong way round can only be what was said last.
    """
    texts = [piece.clause.text for piece in sentence]
    if not view.evidence or any(piece.clause.asks for piece in sentence):
        return ()
    swaps = any(has_mark(text, "swap") for text in texts)
    if not (swaps or any(has_mark(text, "admits") for text in texts)):
        return ()
    said = [found for text in texts for found in _said(text, view, swaps)]
    recorded = {evidence.phenomenon_id: evidence.verdict for evidence in view.evidence}
    changed = {
        phenomenon: CorrectionStep(reference, verdict=verdict)
        for phenomenon, reference, verdict in said
        if verdict is not None and verdict is not recorded.get(phenomenon)
    }
    if len(changed) > 1 and (swaps or _says_no_more(texts)):
        return tuple(changed.values())
    if swaps and (said or (alone and (_says_no_more(texts) or all(map(only_errs, texts))))):
        return _swapped(said, view)
    ordinals = {number for text in texts for token in _refs(text) for number in token.numbers or (token.text,)}
    single = len(changed) == 1 and len(ordinals) == 1 and _says_no_more(texts)
    if not changed and len(said) == len(ordinals) == 1 and _says_no_more(texts):
        # "The first was wrong, no": the verdict stands in a clause of its own.
        return _with_verdict_of(texts, said[0], recorded)
    return tuple(changed.values()) if single else ()


def _with_verdict_of(
    texts: Sequence[str], said: Said, recorded: dict[str, Verdict | None]
) -> tuple[CorrectionStep, ...]:
    verdicts = {segment.verdict for text in texts for segment in _plain(text) if segment.verdict}
    if len(verdicts) != 1 or verdicts == {recorded.get(said[0])}:
        return ()
    return (CorrectionStep(said[1], verdict=verdicts.pop()),)


def _text(text: str) -> str:
    return without_marks(without_marks(text, "swap"), "admits").strip()


def _plain(text: str) -> tuple[Segment, ...]:
    return segments_of(_text(text))


def _refs(text: str) -> tuple[Token, ...]:
    """What a clause points by: ordinals and ids."""
    return tuple(token for segment in _plain(text) for token in segment.refs)


def _says_no_more(texts: Sequence[str]) -> bool:
    """True if the sentence is nothing but references, verdicts and the admission."""
    bare = all(not _text(text) or is_bare(_text(text)) for text in texts)
    return bare and not any(one.excepted or one.only or one.hedged for text in texts for one in _plain(text))


def _said(text: str, view: SessionView, swaps: bool) -> list[Said]:
    """The answered items that a clause points at, or in a swap names, with the verdict that it gives."""
    found: list[Said] = []
    last: Verdict | None = None
    for segment in reversed(_plain(text)):
        last = segment.verdict or last
        for token in segment.refs if not segment.hedged else ():
            if token.kind is Kind.ID and canonical_id(token.text) in {item.phenomenon_id for item in view.evidence}:
                found.insert(0, (canonical_id(token.text), Reference(id=canonical_id(token.text)), last))
            for ordinal in token.numbers:
                answered = answered_at(ordinal, view)
                if answered is not None:
                    found.insert(0, (*answered, last))
    place = near_evidence(_text(text), view) if swaps and not found else None
    if place is not None:
        reference = Reference(ordinal=place + 1, list=ItemList.EVIDENCE)
        found.append((view.evidence[place].phenomenon_id, reference, polarity_of(_text(text))))
    return found


def _swapped(said: Sequence[Said], view: SessionView) -> tuple[CorrectionStep, ...]:
    """Two answers with each other's verdict: those that are meant, else the last two."""
    pointed = {phenomenon: reference for phenomenon, reference, _ in said}
    last = view.evidence[-1]
    latest = sum(evidence.turn == last.turn for evidence in view.evidence)
    if not pointed and latest == 1 and last.verdict is not None and last.verdict in _OPPOSITE:
        reference = Reference(ordinal=len(view.evidence), list=ItemList.EVIDENCE)
        return (CorrectionStep(reference, verdict=_OPPOSITE[last.verdict]),)
    if not pointed and latest > 2:
        return ()  # Which of them is meant nobody can tell.
    if not pointed:
        first = max(len(view.evidence) - 2, 0)
        pointed = {
            evidence.phenomenon_id: Reference(ordinal=first + at, list=ItemList.EVIDENCE)
            for at, evidence in enumerate(view.evidence[first:], 1)
        }
    recorded = {evidence.phenomenon_id: evidence.verdict for evidence in view.evidence}
    verdicts = {recorded[phenomenon] for phenomenon in pointed}
    if len(pointed) != 2 or verdicts != {Verdict.CONFIRMED, Verdict.DENIED}:
        return ()
    return tuple(
        CorrectionStep(reference, verdict=_OPPOSITE[verdict])
        for phenomenon, reference in pointed.items()
        if (verdict := recorded[phenomenon]) in _OPPOSITE
    )
