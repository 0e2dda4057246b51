"""A question of several actions: each gets an answer of its own."""

from __future__ import annotations

from dataclasses import replace

from services.planner.model import HelpAnswer, TurnResults
from services.planner.questions_asked.interrogatives import is_question
from services.planner.speak.case.leave import give_leave
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import mentions_in, read_actions, share_a_verb
from services.planner.treatment.deeds import was_done, weighs_deeds
from services.planner.treatment.going_on import asks_order
from services.planner.treatment.named_steps import STEP, objects_to_it
from services.planner.treatment.sentences import clauses_of, sentences_of


def tell_each(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The ruling on each action that a clause of its own asks about."""
    return "\n\n".join(dict.fromkeys(give_leave(each, results, voice) for each in asked_apart(answer)))


def asked_apart(answer: HelpAnswer) -> list[HelpAnswer]:
    """An answer for each action that is asked about apart from the others; the one as it is where there is one."""
    asked, *told = answer.text.split("\n")
    if answer.action in ("", STEP) or objects_to_it(asked) or asks_order(asked) or weighs_deeds(read_actions(asked)):
        return [answer]
    parts: dict[str, list[str]] = {}
    action, before = "", list[str]()
    for clause in (clause for sentence in sentences_of(asked) for clause in clauses_of(sentence)):
        action = _asked(clause, asked, answer.action) or action
        (parts.setdefault(action, []) if action else before).append(clause)
    if answer.action not in parts or len(parts) == 1:
        return [answer]
    return [replace(answer, action=each, text="\n".join((" ".join(words), *told))) for each, words in parts.items()]


def _asked(clause: str, asked: str, of_question: str) -> str:
    """The action that a clause asks about; that of the question where its verb may mean it."""
    text = read_actions(clause)
    named = [each for each in mentions_in(text, (asked,)) if not was_done(text, each)]
    if not named or not is_question(clause):
        return ""
    own = named[0].action
    return of_question if share_a_verb(own, of_question) else own
