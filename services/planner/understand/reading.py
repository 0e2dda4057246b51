"""One clause at a time: a question, a suspicion, an answer, or a statement."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import (
    QuestionKind,
    QuestionStep,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
    Verdict,
)
from services.planner.understand.answers.answering import answers
from services.planner.understand.answers.lead_ins import chooses, introduces
from services.planner.understand.answers.lists import turned_to_list
from services.planner.understand.answers.other_systems import takes_elsewhere
from services.planner.understand.answers.turn import Turn
from services.planner.understand.answers.withdrawn_answers import could_not_look, denies_twice, was_only_puzzled
from services.planner.understand.classifier.acts import Act
from services.planner.understand.judging import arbitration
from services.planner.understand.judging.classified import Heard, hear
from services.planner.understand.judging.suspicions import is_guess, names_items, suspicion_of
from services.planner.understand.questions import questions, safety, suppositions
from services.planner.understand.statements.stating import states
from services.planner.understand.text import observations, smalltalk
from services.planner.understand.text.clauses import Clause
from services.planner.understand.text.domain import DIAGNOSIS, is_foreign, is_technical, is_vague
from services.planner.understand.text.segments import Segment, is_bare, pointers_of, segments_of

# What goes on with an order: "..., and record 2 as a yes too".
_ORDERED = re.compile(
    r"^[再并也都请且还]*[把将]|(?:记|算|标|填|写|当|改)(?:成|作|为)|^(?:and |then |also |just )*(?:mark|set|record|count|treat|put|make|take|log|note)(?![a-z])"
)


def read_clause(turn: Turn, clause: Clause) -> None:
    """Adds the steps of one clause."""
    clause = turned_to_list(turn, clause)
    heard = hear(clause.text, turn.asked_list)
    if introduces(turn, clause, heard):
        return
    if chooses(turn, clause, heard):
        turn.answers.answer(
            Segment(refs=pointers_of(f"#{turn.named}"), verdict=Verdict.CONFIRMED), turn.words(clause), turn.asked_list
        )
        return
    if takes_elsewhere(turn, clause, heard) or could_not_look(turn, clause.text, heard):
        return
    if smalltalk.commands_assistant(clause.text) or arbitration.orders(heard):
        turn.ordered = turn.ordered_here = True
        turn.add(SmalltalkStep(SmalltalkKind.ORDERS))
        return
    if arbitration.starts_anew(clause.text, heard):
        turn.begin_anew()
        return
    turn.elsewhere = turn.elsewhere and not arbitration.is_here(clause.text)
    if turn.ordered_here and (not heard.pointed or _ORDERED.search(clause.text)):
        return
    if (turn.sentence_answered or turn.asked_back) and arbitration.doubts(clause.text, heard):
        turn.answers.doubt()
        return
    if not (
        _asks(turn, clause, heard)
        or _suspects(turn, clause, heard)
        or arbitration.carries_nothing(clause.text, heard, turn.sentence_answered)
        or (not denies_twice(clause.text, heard) and answers(turn, clause, heard))
    ):
        states(turn, clause, heard)
    turn.elsewhere = turn.elsewhere or arbitration.is_elsewhere(heard)
    turn.named = heard.names.item.ordinal if heard.names else turn.named


def _asks(turn: Turn, clause: Clause, heard: Heard) -> bool:
    text, said = clause.text, turn.words(clause)
    if safety.asks_permission(text):
        turn.add(QuestionStep(QuestionKind.HELP, None, said))
        return True
    if is_guess(clause, heard, None):
        return False
    if _only_points(clause) and (clause.asks or text.endswith("呢")):
        turn.add(questions.question(QuestionKind.HELP, text, said, turn.view))
        return True
    if turn.view.options and heard.names and not (clause.asks or questions.has_wh(text)):
        return False
    if arbitration.is_no_question(text, clause.asks, heard, turn.asked):
        return False
    ruled = questions.asks(text, clause.asks)
    if ruled and not questions.has_wh(text) and (suspicion_of(text) or (is_bare(text) and not clause.asks)):
        return False
    if suppositions.asks_of_same(turn.steps[-1:], text):
        return True
    if turn.asked_here and arbitration.asks_nothing_new(text, clause.asks, turn.view):
        return True
    kind = arbitration.kind_of(text, heard, turn.view)
    if heard.likely.of(Act.SMALLTALK) >= arbitration.SURE or (
        is_foreign(text) and not questions.of_diagnosis(kind, text) and not arbitration.asks(heard)
    ):
        turn.add(SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE), said)
        return True
    if kind is QuestionKind.WHAT_IF:
        turn.add(suppositions.question_of(clause, turn.message, turn.view))
        return True
    if kind is not None:
        if kind in (QuestionKind.REASONING, QuestionKind.RELATIONS):
            was_only_puzzled(turn)
        turn.add(questions.question(kind, text, said, turn.view))
        return True
    if is_vague(re.sub("[吗么呢]", "", text)):
        return False
    guess = QuestionKind.RELATIONS if is_technical(text) else QuestionKind.HELP
    if is_technical(text) or DIAGNOSIS.search(text):
        turn.add(questions.question(guess, text, said, turn.view), said)
    else:
        turn.add(SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE), said)
    return True


def _only_points(clause: Clause) -> bool:
    """Whether a clause names items and says nothing of them: "2", "P-0022 呢"."""
    segments = segments_of(clause.text)
    said = any(part.verdict or part.hedged or part.content or part.excepted for part in segments)
    return not said and any(part.pointed for part in segments)


def _suspects(turn: Turn, clause: Clause, heard: Heard) -> bool:
    if any(names_items(one) and _is_answer(one) for one in segments_of(clause.text)):
        return False
    if questions.has_wh(clause.text) and heard.likely.of(Act.SUSPICION) < arbitration.SURE:
        return False
    found = suspicion_of(clause.text)
    unlikely = arbitration.is_no_suspicion(clause.text, found is not None, heard)
    if unlikely and not is_guess(clause, heard, found):
        return False
    turn.add(SuggestionStep(turn.words(clause, found or observations.fact_span(clause.text))))
    return True


def _is_answer(segment: Segment) -> bool:
    return segment.verdict is not None or segment.hedged or not segment.content
