"""Statements: a plea, a vague complaint, talk, or a fact; a fact's clauses are kept together and its numbers are kept."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    ObservationStep,
    PlanStep,
    SmalltalkKind,
    SmalltalkStep,
)
from services.planner.understand.answers.turn import Turn
from services.planner.understand.classifier.acts import Act
from services.planner.understand.judging import arbitration
from services.planner.understand.judging.classified import ANSWERS, Heard
from services.planner.understand.statements.continuing import continues, elaborates
from services.planner.understand.text import observations, smalltalk
from services.planner.understand.text.clauses import Clause
from services.planner.understand.text.domain import has_letters, is_technical, is_vague

# A place in the file system is a thing of its own.
# A letter or two say nothing.
_LETTERS = re.compile(r"[\W\d_]*[a-z]{1,2}[\W\d_]*")


def states(turn: Turn, clause: Clause, heard: Heard) -> None:
    """A statement: a plea, a vague complaint, talk, or a fact."""
    text, said = clause.text, turn.words(clause)
    talk = smalltalk.talk(text)
    vague = not has_letters(text) or is_vague(text) or bool(_LETTERS.fullmatch(text))
    if talk is not None or heard.likely.of(Act.SMALLTALK) >= arbitration.SURE:
        turn.add(SmalltalkStep(talk or SmalltalkKind.OUT_OF_SCOPE))
    elif _tells_amount(turn, text, vague) and heard.likely.of(Act.FACT, *ANSWERS) >= arbitration.POSSIBLE:
        _fact(turn, clause, heard)
    elif vague or heard.likely.of(Act.VAGUE) >= arbitration.SURE or arbitration.is_noise(text, heard):
        turn.add(ClarifyStep(ClarifyKind.VAGUE, said))
    elif arbitration.is_talk(text, heard, bool(turn.asked_list.items)):
        turn.add(_beside(turn, said, heard), said)
    else:
        _fact(turn, clause, heard)


def _tells_amount(turn: Turn, text: str, vague: bool) -> bool:
    """Whether a clause without words of its own tells an amount, of what was stated before it or by its unit."""
    if turn.asked or not arbitration.has_number(text):
        return False
    return turn.last_stated is not None or (vague and bool(arbitration.AMOUNT.search(text)))


def _fact(turn: Turn, clause: Clause, heard: Heard) -> None:
    """A fact of its own, more of the one before, or more of what was answered."""
    text = clause.text
    if elaborates(text, heard, turn.last_answered):
        return
    if turn.last_stated is not None and continues(text, heard, turn.named):
        turn.extend_fact(clause)
        return
    span = observations.fact_span(text)
    turn.fact_start = turn.lead.start if turn.lead else clause.start + span[0]
    words = turn.message.words(turn.fact_start, clause.start + span[1])
    stated = ObservationStep(words, observations.certainty_of(text))
    turn.lead = None
    if arbitration.is_filler(text, heard):
        turn.fillers.append(stated)
    turn.add(stated, "" if is_technical(text) else turn.words(clause))


def _beside(turn: Turn, said: str, heard: Heard) -> PlanStep:
    """What becomes of a statement outside the field: a fact or a question back where it may be a symptom, else talk."""
    if turn.steps or not arbitration.may_be_symptom(heard):
        return SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE)
    if heard.likely.of(Act.FACT) >= arbitration.POSSIBLE:
        return ObservationStep(said)
    return ClarifyStep(ClarifyKind.VAGUE, said)
