"""What a model is asked about: the parts of a message that the rules only guessed at, and what each may be at all.

How such things are usually said bounds what a model may make of a part: where that is clear there is nothing to ask.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.planner.model import ClarifyKind, ClarifyStep, QuestionKind, SessionView, TurnPlan, Verdict
from services.planner.understand import smalltalk
from services.planner.understand.acts import Act, Likely
from services.planner.understand.answers import polarity_of
from services.planner.understand.domain import has_letters, is_technical
from services.planner.understand.hearing import QUESTIONS, hear
from services.planner.understand.references import open_list
from services.planner.understand.text import read

# A model reads a few unclear clauses of a message, not a page.
_MOST_PARTS, _LONGEST = 8, 2000
# How many times likelier another reading may be than the one that a model chooses.
TRUST = 8.0
# What is hardly ever said so is not worth asking about.
_LEAST = 0.08
_VERDICTS = {Act.YES: Verdict.CONFIRMED, Act.NO: Verdict.DENIED, Act.UNKNOWN: Verdict.UNKNOWN}
_KINDS = {
    "question": QUESTIONS,
    "suspicion": (Act.SUSPICION,),
    "observation": (Act.FACT,),
    "answer": tuple(_VERDICTS),
    "talk": (Act.SMALLTALK, Act.ASIDE, Act.ELSEWHERE),
}
# From this share on a clause says yes, no or cannot check without any word that the rules know for it.
_SAYS = 0.6
# What is asked for is clear when a clause asks with the first likelihood, and for one thing with the second.
_ASKED, _CLEAR = 0.3, 0.5


@dataclass(frozen=True)
class Part:
    """A clause as the person wrote it, and what it may be.

    `verdict` is the one that its words carry, `asks` what it asks for when it is a question, where that is clear;
    `likeliest` is the kind that such things most often are, whether this part may be it or not.
    """

    words: str
    may: tuple[str, ...]
    verdict: Verdict | None = None
    asks: QuestionKind | None = None
    likeliest: str = ""


def part_of(words: str, view: SessionView) -> Part:
    """What a clause may be, by how such things are said."""
    normal = read(words).normal
    likely = hear(normal, open_list(view)).likely
    verdict = _verdict(normal, likely)
    may = [kind for kind, acts in _KINDS.items() if likely.of(*acts) >= max(likely.share / TRUST, _LEAST)]
    if verdict is None or not open_list(view).items:
        may = [kind for kind in may if kind != "answer"]
    elif "answer" not in may:
        may.append("answer")
    if is_technical(normal):
        may = [kind for kind in may if kind != "talk"]
    likeliest = next((kind for kind, acts in _KINDS.items() if likely.act in acts), "")
    return Part(words, tuple(may), verdict, _asks(likely), likeliest)


def _asks(likely: Likely) -> QuestionKind | None:
    act, share = likely.among(QUESTIONS)
    return (
        QuestionKind[act.value.removeprefix("q_").upper()]
        if likely.of(*QUESTIONS) >= _ASKED and share >= _CLEAR
        else None
    )


def _verdict(normal: str, likely: Likely) -> Verdict | None:
    """The verdict that a clause carries: by its words, else by how such things are said."""
    ruled = polarity_of(normal)
    if ruled is not None:
        return ruled
    return _VERDICTS.get(likely.act) if likely.share >= _SAYS else None


def unclear_parts(plan: TurnPlan, unsure: tuple[str, ...], message: str) -> tuple[str, ...]:
    """The unclear clauses in the message's order; nothing of a message that gives orders or poses as a system."""
    normal = read(message).normal
    if len(message) > _LONGEST or smalltalk.posed(normal) or smalltalk.commands_assistant(normal):
        return ()
    vague = [step.words for step in plan.steps if isinstance(step, ClarifyStep) and step.kind is ClarifyKind.VAGUE]
    found = dict.fromkeys(part for part in (*unsure, *vague) if has_letters(read(part).normal) and part in message)
    return tuple(sorted(found, key=message.find))[:_MOST_PARTS]
