"""Messages that are nothing but marks: "1. yes 2. no 3. /", "y n ?"."""

from __future__ import annotations

from collections.abc import Sequence

from services.planner.model import ClarifyKind, ClarifyStep, FeedbackStep, PlanStep, Verdict
from services.planner.understand.items.references import Asked
from services.planner.understand.text.messages import Message
from services.planner.understand.text.segments import is_bare, pointers_of, polarity_of
from services.planner.understand.text.tokens import Kind, tokens_of
from services.planner.understand.text.word_lists import listed

_ENTRY = listed("answer_marks.entry")
_SKIPPED = listed("answer_marks.skipped")
_PARTED = listed("answer_marks.parted")
_MARK = listed("answer_marks.mark")
_YES_NO = {Verdict.CONFIRMED, Verdict.DENIED}
_LONG = 400


def marks_of(message: Message, asked: Asked) -> tuple[PlanStep, ...] | None:
    """The steps of a message of verdicts under ordinals, or in the order of the items; None for any other."""
    text = message.normal.strip().rstrip(".")
    if not asked.items or len(text) > _LONG:
        return None
    words = message.original.strip()
    return _numbered(text, asked) or _in_order(text, words, asked)


def in_order(clauses: Sequence[str], words: str, asked: Asked) -> tuple[PlanStep, ...]:
    """The steps of clauses of verdicts without references, as many as items are open and not all alike: "y n y"."""
    if len(asked.items) < 2 or not all(is_bare(clause) for clause in clauses):
        return ()
    tokens = [token for clause in clauses for token in tokens_of(clause)]
    verdicts = [token.verdict for token in tokens if token.kind is Kind.VERDICT]
    if len(verdicts) != len(asked.items) or len(set(verdicts)) < 2 or pointers_of(",".join(clauses)):
        return ()
    pairs = zip(asked.ordinals, verdicts, strict=True)
    return tuple(FeedbackStep(asked.at(ordinal), verdict, words) for ordinal, verdict in pairs)


def _numbered(text: str, asked: Asked) -> tuple[PlanStep, ...] | None:
    entries = list(_ENTRY.finditer(text))
    if len(entries) < 2 or text[: entries[0].start()].strip():
        return None
    said = [(int(entry["ordinal"]), entry["said"].strip(" ,;.")) for entry in entries]
    marked = all(entry["stop"] for entry in entries) or any(_SKIPPED.fullmatch(mark) for _, mark in said)
    known = all(asked.find(ordinal) for ordinal, _ in said)
    if len({ordinal for ordinal, _ in said}) < len(said) or not (marked or known):
        return None
    steps: list[PlanStep] = []
    for (ordinal, mark), entry in zip(said, entries, strict=True):
        verdict, words = _verdict(mark), entry[0].strip(" ,;.")
        if verdict is None:
            return None
        if asked.find(ordinal):
            steps.append(FeedbackStep(asked.at(ordinal), verdict, words))
        else:
            steps.append(ClarifyStep(ClarifyKind.NO_SUCH_ITEM, words, (asked.at(ordinal),)))
    return tuple(steps)


def _in_order(text: str, words: str, asked: Asked) -> tuple[PlanStep, ...] | None:
    marks = [mark for mark in _PARTED.split(text) if mark]
    if len(marks) < 2 or len(asked.items) < 2 or not all(_MARK.fullmatch(mark) for mark in marks):
        return None
    verdicts = [_verdict(mark) for mark in marks]
    if len(set(verdicts)) < 2:
        return None
    if len(marks) != len(asked.items):
        references = tuple(asked.at(ordinal) for ordinal in asked.ordinals)
        mixed = set(verdicts) >= _YES_NO
        return (ClarifyStep(ClarifyKind.AMBIGUOUS_FEEDBACK, words, references),) if mixed else None
    pairs = zip(asked.ordinals, verdicts, strict=True)
    return tuple(FeedbackStep(asked.at(ordinal), verdict, words) for ordinal, verdict in pairs if verdict is not None)


def _verdict(mark: str) -> Verdict | None:
    """What one mark says; None when it is more than a mark."""
    if _SKIPPED.fullmatch(mark) or mark == "u":
        return Verdict.UNKNOWN
    if not mark or not is_bare(mark) or pointers_of(mark):
        return None
    said = {verdict for part in mark.replace(";", ",").split(",") if (verdict := polarity_of(part)) is not None}
    return polarity_of(mark) if len(said) < 2 else None
