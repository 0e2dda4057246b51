"""Several answers revised in one sentence: "I had them backwards, idle is no and logins are yes", "swap 1 and 2"; and what stands."""

from __future__ import annotations

from services.planner.model import CorrectionStep, ItemList, Reference, SessionView, Verdict
from services.planner.understand.classifier.acts import Act, act_of
from services.planner.understand.corrections.corrections import says_wrong
from services.planner.understand.items.item_names import near_evidence
from services.planner.understand.judging.classified import masked
from services.planner.understand.text.clauses import Sentence
from services.planner.understand.text.segments import polarity_of
from services.planner.understand.text.word_lists import compile_words

_OPPOSITE = {Verdict.CONFIRMED: Verdict.DENIED, Verdict.DENIED: Verdict.CONFIRMED}
_ADMITS = 0.6
_SWAP = compile_words("corrections.swap")


def revisions_of(sentence: Sentence, view: SessionView) -> tuple[CorrectionStep, ...]:
    """The new verdicts on two or more earlier answers that a sentence gives and admits an error about; () when it gives fewer."""
    swaps = bool(_SWAP.search(sentence.text))
    if not view.evidence or not (swaps or any(_admits(clause.text) for clause in sentence.clauses)):
        return ()
    found: dict[str, CorrectionStep] = {}
    for clause in sentence.clauses:
        for phenomenon, reference, verdict in _said(_SWAP.sub(" ", clause.text), view):
            if verdict is not None and verdict is not _recorded(view).get(phenomenon):
                found[phenomenon] = CorrectionStep(reference, verdict=verdict)
    if not found and swaps:
        found = _swapped(sentence, view)
    return tuple(found.values()) if len(found) > 1 else ()


def _admits(text: str) -> bool:
    return says_wrong(text) or act_of(masked(text)).of(Act.CORRECTION) >= _ADMITS


def _recorded(view: SessionView) -> dict[str, Verdict]:
    return {evidence.phenomenon_id: evidence.verdict for evidence in view.evidence if evidence.verdict}


def _said(text: str, view: SessionView) -> list[tuple[str, Reference, Verdict | None]]:
    """The answered item that a clause names, with the verdict that it gives."""
    place = near_evidence(text, view)
    if place is None:
        return []
    reference = Reference(ordinal=place + 1, list=ItemList.EVIDENCE)
    return [(view.evidence[place].phenomenon_id, reference, polarity_of(text))]


def _swapped(sentence: Sentence, view: SessionView) -> dict[str, CorrectionStep]:
    """The two answers that are told to be the wrong way round, each with the other's verdict."""
    pointed = [
        (phenomenon, reference)
        for clause in sentence.clauses
        for phenomenon, reference, _ in _said(_SWAP.sub(" ", clause.text), view)
    ]
    if not pointed:
        last = view.evidence[-2:]
        first = len(view.evidence) - len(last)
        pointed = [
            (evidence.phenomenon_id, Reference(ordinal=first + at, list=ItemList.EVIDENCE))
            for at, evidence in enumerate(last, 1)
        ]
    recorded = _recorded(view)
    verdicts = {recorded[phenomenon] for phenomenon, _ in pointed}
    if len(pointed) != 2 or verdicts != {Verdict.CONFIRMED, Verdict.DENIED}:
        return {}
    return {
        phenomenon: CorrectionStep(reference, verdict=_OPPOSITE[recorded[phenomenon]])
        for phenomenon, reference in pointed
    }
