"""Several answers revised in one sentence: "I had them backwards, idle is no and logins are yes", "swap 1 and 2"; and what stands."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import CorrectionStep, ItemList, Reference, SessionView, Verdict
from services.planner.understand.acts import Act, act_of
from services.planner.understand.answers import polarity_of, segments_of
from services.planner.understand.clauses import Clause, Sentence
from services.planner.understand.corrections import says_wrong
from services.planner.understand.hearing import masked
from services.planner.understand.lexicon import words
from services.planner.understand.naming import named, near_evidence
from services.planner.understand.pointing_back import answered_at, pointed_at
from services.planner.understand.references import open_list

_OPPOSITE = {Verdict.CONFIRMED: Verdict.DENIED, Verdict.DENIED: Verdict.CONFIRMED}
_ADMITS = 0.6
_SWAP = re.compile(
    r"对调|调换|互换|换过来|反过来|[说弄搞写填看记答]反|颠倒|"
    + words(
        "swap(?:ped)?(?: (?:that|them|those|these|it))?",
        "switch(?:ed)?(?: (?:them|those|these))",
        "(?:the )?(?:other|wrong) way (?:a)?round",
        "backwards?",
        "mixed (?:them |those |these )?up",
        "flip(?:ped)?(?: (?:them|those|these|it))?",
        "vice versa",
        "reversed",
    )
)
_STANDS = re.compile(
    r"维持(?:原判|原样|不变)?|(?:保持)?不变|照旧|不(?:用|必)?(?:改|动)|还是原来|没(?:有)?变|没错|没说错|"
    + words(
        "stands?",
        "still (?:holds?|stands?)",
        "unchanged",
        "stays?(?: as (?:it )?(?:was|is))?",
        "keeps?",
        "as (?:it )?was",
        "was right",
    )
)


def without_what_stands(sentence: Sentence, view: SessionView) -> Sentence | None:
    """The sentence without clauses that only say that an earlier answer stands; None when nothing is left."""
    left = tuple(clause for clause in sentence.clauses if not _stands(clause, view))
    if len(left) == len(sentence.clauses):
        return sentence
    return Sentence(left) if left else None


def _stands(clause: Clause, view: SessionView) -> bool:
    if not view.evidence or clause.asks or clause.pasted or re.search(r"\d{2}|%", clause.text):
        return False
    if not _STANDS.search(clause.text) or says_wrong(_STANDS.sub(" ", clause.text)):
        return False
    if any(segment.pointed for segment in segments_of(clause.text)):
        return pointed_at(clause.text, view, past=True)[1]
    return near_evidence(clause.text, view) is not None and named(clause.text, open_list(view)) is None


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
    """The answered items that a clause points at or names, each with the verdict that it gives."""
    found: list[tuple[str, Reference, Verdict | None]] = []
    for segment in segments_of(text):
        for token in segment.refs if not segment.hedged else ():
            for ordinal in token.numbers:
                answered = answered_at(ordinal, view)
                if answered is not None:
                    found.append((*answered, segment.verdict))
    place = None if found else near_evidence(text, view)
    if place is not None:
        reference = Reference(ordinal=place + 1, list=ItemList.EVIDENCE)
        found.append((view.evidence[place].phenomenon_id, reference, polarity_of(text)))
    return found


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
