"""The two things that a question sets against each other: two actions, or one action on two objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lang import deferred_re as re
from lang.listed import lists_beside
from lang.objects import PID, Role, Seen, bind
from services.planner.model import ConclusionView, TurnResults
from services.planner.speak.case.remedy_steps import specific, steps_left
from services.planner.speak.objects import objects_known
from services.planner.speak.rights.named_actions import named_in
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import (
    actions_of_statements,
    mentions_in,
    names_database,
    names_ddl,
    read_actions,
)
from services.planner.treatment.shown_actions import SESSION, codes_in
from services.planner.understand.text.word_lists import listed, names

_LISTED = lists_beside(__file__)

ENDING = ("terminate", "cancel")
_TWO = 2
_WAITING = (Role.DDL, Role.WAITS, Role.HEAD, Role.LAST)
# Between the two things that are set against each other.
_BETWEEN = _LISTED.pattern("between", re.IGNORECASE)
# What names nothing by itself, so that the other one of the two is what was shown.
_POINTS = _LISTED.pattern("points", re.IGNORECASE)
_STRONG = listed("treatment.either_or")


class Option(NamedTuple):
    """One of the two: an action, and the object that it is done to where that is known."""

    action: str
    name: str = ""


def options_in(
    action: str, asked: str, following: Sequence[Option], results: TurnResults, voice: Voice
) -> list[Option]:
    """The two things that words set against each other; the second from what was shown last or is next, if need be.

    following: what the steps left of the remedy do.
    """
    steps = [each.action for each in following]
    parts = [part for part in _BETWEEN.split(asked) if part.strip()]
    sessions = [each for each in objects_known(results) if each.kind == PID]
    found = _of_parts(action, parts, steps, sessions)
    if len(found) < _TWO:
        found = _with_other_session(found or [Option(action, "")] if action in ENDING else found, sessions)
    if len(found) < _TWO and not _names_unknown(asked, found):
        known = {each.action for each in found}
        beside = {each.action: each for each in reversed((*_shown(voice), *following)) if each.action not in known}
        found += list(reversed(beside.values()))
    found = found[:_TWO]
    if len({each.action for each in found}) == _TWO:
        found = [_with_object(each, found, following, voice) for each in found]
    return found


def _names_unknown(asked: str, found: Sequence[Option]) -> bool:
    """Whether the other one of two is named by words that are no action."""
    parts = [part for part in _STRONG.split(asked) if part.strip()]
    unknown = [part for part in parts if not named_in(part) and not _POINTS.fullmatch(part)]
    return bool(found) and len(parts) > 1 and bool(unknown)


def next_options(found: ConclusionView | None, results: TurnResults, voice: Voice) -> list[Option]:
    """What the steps left of a remedy do, in their order."""
    left = steps_left(found, results, voice) if found is not None else []
    statements = [bind(each.step.how, voice.objects) for each in left if not each.step.prevents]
    return [option for how in statements for option in _of_statement(how)]


def _of_statement(how: str) -> list[Option]:
    """What a statement does, and to which session."""
    number = SESSION.search(how)
    actions = sorted(actions_of_statements(how))
    return [Option(each, number[0] if number is not None and each in ENDING else "") for each in actions]


def _of_parts(action: str, parts: Sequence[str], steps: Sequence[str], sessions: Sequence[Seen]) -> list[Option]:
    """What each part of a question names: an action, an object, or both; one without a verb shares that of another."""
    named = [named_in(part) for part in parts]
    verb = next((each[0] for each in named if each), action)
    found: list[Option] = []
    for part, actions in zip(parts, named, strict=True):
        names = [each for each in SESSION.findall(part)] or _by_words(part, sessions)
        shared = actions or _with_verb(parts, part) or ((verb,) if names and verb else ())
        own = [specific(each, steps) for each in shared]
        pairs = [Option(each, name) for each in own for name in (names if each in ENDING and names else [""])]
        found += [each for each in pairs if each not in found]
    return _without_bare(found)


def _with_verb(parts: Sequence[str], part: str) -> tuple[str, ...]:
    """The actions of a part with the verb of the first one: "restart the application or the database"."""
    text = read_actions(parts[0])
    verbs = [text.quote(each.first, each.last) for each in mentions_in(text)]
    if not verbs or named_in(part):
        return ()
    named = named_in(f"{verbs[0]} {part}")
    alone = () if names_database(part) else named_in(verbs[0])
    return tuple(each for each in named if each not in alone)


def _without_bare(found: list[Option]) -> list[Option]:
    """The options without those that are another one less its object."""
    return [each for each in found if each.name or not any(one.name and one.action == each.action for one in found)]


def _by_words(part: str, sessions: Sequence[Seen]) -> list[str]:
    """The session that words name by what it does: the DDL, or the query that holds the others up."""
    if names_ddl(part):
        return [each.name for each in sessions if each.role is Role.DDL][:1]
    return [each.name for each in sessions if each.culprit][:1] if names("named.query", part) else []


def _with_other_session(found: list[Option], sessions: Sequence[Seen]) -> list[Option]:
    """An end of a session beside that of the other one that the queue turns on: the root, or the head."""
    if not found or found[0].action not in ENDING:
        return found
    one = found[0]
    heads = [each.name for each in sessions if each.role in (Role.DDL, Role.HEAD)]
    roots = [each.name for each in sessions if each.culprit]
    others = [name for name in (*roots, *heads) if name != one.name]
    if not one.name or not others:
        return found
    return [one, Option(one.action, others[0])]


def _shown(voice: Voice) -> list[Option]:
    """What the statements in the last answer do."""
    return list(dict.fromkeys(option for code in codes_in(voice.previous) for option in _of_statement(code)))


def _with_object(option: Option, both: Sequence[Option], following: Sequence[Option], voice: Voice) -> Option:
    """An end of a session with the session: that of the other option, of its step, or the one that holds others up."""
    if option.name or option.action not in ENDING:
        return option
    other = next((each.name for each in both if each.name), "")
    of_step = next((each.name for each in following if each.action == option.action), "")
    return option._replace(name=other or of_step or voice.objects.get(PID, ""))
