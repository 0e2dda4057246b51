"""The parts of a message that a model may read, and the kinds it may choose for each.

The trained tagger bounds the choice: a part with one plausible kind is not sent to the model.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.planner.model import ClarifyKind, ClarifyStep, QuestionKind, SessionView, TurnPlan, Verdict
from services.planner.understand.acts.labels import Label
from services.planner.understand.acts.likelihood import Likely, likely_label
from services.planner.understand.items.references import open_list
from services.planner.understand.text import smalltalk
from services.planner.understand.text.domain import has_letters, is_technical
from services.planner.understand.text.messages import read
from services.planner.understand.text.segments import polarity_of

# Most parts sent to the model, and the longest message (characters) that it reads.
_MOST_PARTS, _LONGEST = 8, 2000
# The likeliest kind may be at most this many times as likely as the model's choice.
TRUST = 8.0
# Kinds below this likelihood are not offered.
_LEAST = 0.08
QUESTIONS = tuple(label for label in Label if label.question)
_VERDICTS = {Label.YES: Verdict.CONFIRMED, Label.NO: Verdict.DENIED, Label.UNKNOWN: Verdict.UNKNOWN}
_KINDS = {
    "question": QUESTIONS,
    "suspicion": (Label.SUSPICION,),
    "observation": (Label.FACT,),
    "answer": tuple(_VERDICTS),
    "talk": (Label.SMALLTALK, Label.ASIDE, Label.ELSEWHERE),
}
# Minimum likelihood for a verdict from the classifier alone.
_SAYS = 0.6
# Minimum likelihood that a clause is a question, and share of its likeliest kind of question.
_ASKED, _CLEAR = 0.3, 0.5


@dataclass(frozen=True)
class Part:
    """A clause as written, with the kinds that the model may choose in `may`.

    `verdict` is the verdict its words carry and `asks` its kind of question, None if unclear; `likeliest` is the
    classifier's kind, which `may` need not include.
    """

    words: str
    may: tuple[str, ...]
    verdict: Verdict | None = None
    asks: QuestionKind | None = None
    likeliest: str = ""


def part_of(words: str, view: SessionView) -> Part:
    """Classifies a clause and bounds the kinds it may be."""
    normal = read(words).normal
    likely = likely_label(words, view)
    verdict = _verdict(normal, likely)
    may = [kind for kind, labels in _KINDS.items() if likely.of(*labels) >= max(likely.share / TRUST, _LEAST)]
    if verdict is None or not open_list(view).items:
        may = [kind for kind in may if kind != "answer"]
    elif "answer" not in may:
        may.append("answer")
    if is_technical(normal):
        may = [kind for kind in may if kind != "talk"]
    likeliest = next((kind for kind, labels in _KINDS.items() if likely.label in labels), "")
    return Part(words, tuple(may), verdict, _asks(likely), likeliest)


def _asks(likely: Likely) -> QuestionKind | None:
    label, share = likely.among(QUESTIONS)
    return label.question if likely.of(*QUESTIONS) >= _ASKED and share >= _CLEAR else None


def _verdict(normal: str, likely: Likely) -> Verdict | None:
    """The verdict of a clause: by the rules, else by the classifier."""
    ruled = polarity_of(normal)
    if ruled is not None:
        return ruled
    return _VERDICTS.get(likely.label) if likely.share >= _SAYS else None


def find_unclear_parts(plan: TurnPlan, unsure: tuple[str, ...], message: str) -> tuple[str, ...]:
    """The unclear clauses in message order; empty for a message with prompt injection."""
    normal = read(message).normal
    if len(message) > _LONGEST or smalltalk.posed(normal) or smalltalk.commands_assistant(normal):
        return ()
    vague = [step.words for step in plan.steps if isinstance(step, ClarifyStep) and step.kind is ClarifyKind.VAGUE]
    found = dict.fromkeys(part for part in (*unsure, *vague) if has_letters(read(part).normal) and part in message)
    return tuple(sorted(found, key=message.find))[:_MOST_PARTS]
