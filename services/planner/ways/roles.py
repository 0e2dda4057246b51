"""Of which act somebody asks with which role it may be done: the one that is named, was refused, or is pointed at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.planner.model import SessionView, Speaker
from services.planner.treatment.actions import action_named, actions_in, actions_of_statements
from services.planner.treatment.sentences import sentences_of
from services.planner.treatment.shown_actions import shown_actions
from services.planner.understand.text.word_lists import listed

_ASKS_ROLE = listed("ways.asks_role")
_POINTS = listed("ways.points")
_PROMPT = listed("ways.prompt")
# The verbs that a Chinese sentence may have alone, with those of actions that they may mean.
_DEEDS = {"建": {"create"}, "删": {"drop"}, "清": {"drop"}, "杀": {"terminate", "cancel"}, "停": {"stop"}}


def roles_asked(said: str, message: str, view: SessionView) -> Iterator[tuple[str, str]]:
    """The sentences that ask with which role something may be done, each with its action."""
    for sentence in sentences_of(said):
        if _ASKS_ROLE.search(sentence) and (action := _action_of(sentence, said, message, view)):
            yield sentence, action


def _action_of(sentence: str, said: str, message: str, view: SessionView) -> str:
    """The action that a sentence names, else the statement that was run; what it only points at, of words before."""
    if named := actions_in(sentence):
        return named[0]
    if ran := next(_ran_in([message]), ""):
        return ran
    if not _POINTS.search(sentence):
        return ""
    last = next((each.text for each in reversed(view.history) if each.speaker is Speaker.USER), "")
    before = (*_ran_in([last]), *actions_in(said), *actions_in(last), *shown_actions(view))
    return next((each for each in before if _may_be_meant(each, sentence)), "")


def _may_be_meant(action: str, sentence: str) -> bool:
    """Whether a sentence whose verb names no act alone can mean this one: "能建吗" is of building alone."""
    deeds = [verbs for each, verbs in _DEEDS.items() if each in sentence]
    named = action_named(action)
    return named is not None and (not deeds or any(named.verbs & verbs for verbs in deeds))


def _ran_in(messages: Iterable[str]) -> Iterator[str]:
    """The actions of the statements that messages show behind a prompt."""
    statements = (found[1] for text in messages for found in _PROMPT.finditer(text))
    yield from (action for each in statements for action in sorted(actions_of_statements(each)))
