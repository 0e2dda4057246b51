"""The actions that words or a statement name: each verb with what it is done to, looked for nearest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

import yaml

from lang import deferred_re as re
from lang.cues import cue_terms, is_plain
from lang.terms import Terms
from lang.tokens import Kind, Text, is_matched, read_text
from services.planner.treatment.sentences import asks_cost
from services.planner.understand.text.word_lists import listed

_FILE = Path(__file__).with_name("actions.yaml")
_EXPLAIN = listed("treatment.only_looks")  # `EXPLAIN (ANALYZE, BUFFERS)` looks, and changes nothing.
_HAPPENS, _AFTERWARDS = listed("treatment.happens"), listed("treatment.afterwards")
_ASKS_NOT, _ASKS_OF_WORDS = listed("treatment.asks_not"), listed("treatment.asks_of_words")
_RELOADING = "set_parameter"  # What goes with other changes: the reload after them.
_IS_SQL = re.compile(r"\s*(?:alter|create|drop|set|update|delete)\s+\w")
_RESTART, _RESTART_APP = "restart", "restart_app"
_SEVERAL, _ALL = frozenset(map(str, range(4, 1000))), frozenset(("all", "other", "remaining", "last", "of"))


class Action(NamedTuple):
    """What people do. targets: words for what it is done to; none if the verb alone means it. kind: of the object.

    by_itself: it also happens without anybody. general: it helps against many causes. apart: words beside which the
    verb means something else. nearby: what a verb that stands alone is done to, which goes before a target further off.
    """

    name: str
    verbs: frozenset[str]
    targets: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    kind: str = ""
    by_itself: bool = False
    general: bool = False
    apart: tuple[str, ...] = ()
    nearby: tuple[str, ...] = ()


class Mention(NamedTuple):
    """An action that words name, at the tokens from `first` up to, without, `last`."""

    action: str
    first: int
    last: int


class _Catalogue(NamedTuple):
    actions: tuple[Action, ...]
    verbs: Terms[str]
    targets: Terms[str]
    apart: Terms[str]
    nearby: Terms[str]
    databases: Terms[str]
    ddl: Terms[str]
    fillers: frozenset[str]
    by_people: Mapping[str, frozenset[str]]
    pointed: Mapping[str, frozenset[str]]


@cache
def _catalogue() -> _Catalogue:
    content = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    actions = tuple(
        Action(
            name,
            frozenset(each["verbs"]),
            tuple(each.get("targets", ())),
            tuple(each.get("statement", ())),
            each.get("kind", ""),
            bool(each.get("by_itself")),
            bool(each.get("general")),
            tuple(each.get("apart", ())),
            tuple(each.get("nearby", ())),
        )
        for name, each in content["actions"].items()
    )
    targets, apart, nearby = (
        _terms({each.name: getattr(each, words) for each in actions}) for words in ("targets", "apart", "nearby")
    )
    databases, ddl = (_terms({name: content[name]}) for name in ("databases", "ddl"))
    fillers = frozenset(map(str, content["fillers"]))
    by_people, pointed = (
        {name: frozenset(words) for name, words in content[each].items()} for each in ("by_people", "pointed")
    )
    verbs = _terms(content["verbs"])
    return _Catalogue(actions, verbs, targets, apart, nearby, databases, ddl, fillers, by_people, pointed)


def _terms(words: Mapping[str, Sequence[str]]) -> Terms[str]:
    terms: Terms[str] = Terms()
    for name, each in words.items():
        for word in each:
            terms.add(str(word), name)
    return terms


def action_names() -> tuple[str, ...]:
    """The names of all actions."""
    return tuple(action.name for action in _catalogue().actions)


def action_named(name: str) -> Action | None:
    """The action of this name."""
    return next((action for action in _catalogue().actions if action.name == name), None)


def names_ddl(words: str) -> bool:
    """Whether words speak of a statement that changes the form of a table."""
    return any(True for _ in _catalogue().ddl.find(read_text(words)))


def names_database(words: str) -> bool:
    """Whether words name a database or its server."""
    return any(True for _ in _catalogue().databases.find(read_text(words)))


def read_actions(words: str) -> Text:
    """Words as they are read for actions: what only looks is left out."""
    return read_text(_blank(_EXPLAIN, words))


def asking_words(sentence: str) -> str:
    """A sentence as it asks for an action, with blanks for what happens to something by itself: "it got cancelled".

    What it says not to be asked or quotes from an answer is blank as well. What is lost by it is asked of the action.
    """
    for said in (_ASKS_OF_WORDS, _ASKS_NOT, *(() if asks_cost(sentence) else (_HAPPENS, _AFTERWARDS))):
        sentence = _blank(said, sentence)
    return sentence


def _blank(pattern: re.Pattern[str], words: str) -> str:
    return pattern.sub(lambda found: " " * len(found[0]), words)


def mentions_in(text: Text, beside: Sequence[str] = ()) -> tuple[Mention, ...]:
    """The actions that words name, in their order. beside: where else their targets may be named, nearest first."""
    found: dict[tuple[int, int], set[str]] = {}
    for verb in _catalogue().verbs.find(text):
        found.setdefault((verb.first, verb.last), set()).add(verb.payload)
    spans = [
        span for span in found if not any(_covers(other, span) for other in found) and _is_by_somebody(text, *span)
    ]
    places = {span: () if _is_of_another(text, *span) else beside for span in spans}
    mentions = (
        Mention(_named_whole(text, *span) or _meant(found[span], text, places[span], span[0]), *span)
        for span in sorted(spans)
    )
    return tuple(_of_its_object(text, mention) for mention in mentions if mention.action)


def _of_its_object(text: Text, mention: Mention) -> Mention:
    """A restart of something by a name of its own, or of many, and of no database is that of an application."""
    words, counters = [each.text for each in text.tokens], _catalogue().pointed["counted"]
    counted = any(one in _SEVERAL and two in counters for one, two in pairwise(words))  # "6个实例": of no database
    if mention.action != _RESTART or (_names_database(text) and not counted):
        return mention
    after = next((each for each in words[mention.last :] if each not in _catalogue().fillers | _ALL), "")
    other = counted or after in _SEVERAL or names_another_object(text, mention.last)
    return mention._replace(action=_RESTART_APP) if other else mention


def _names_database(text: Text, after: int = 0) -> bool:
    """Whether a text names a database behind a place, by no part of a word for an application: "app instance"."""
    catalogue = _catalogue()
    apps = {each.last for each in catalogue.targets.find(text) if each.payload == _RESTART_APP}
    return any(each.first not in apps and each.first >= after for each in catalogue.databases.find(text))


def _is_by_somebody(text: Text, first: int, last: int) -> bool:
    """Whether a verb tells what somebody does, and not what may happen by itself."""
    words = _catalogue().by_people
    if text.tokens[first].text in words["nouns"] and first and text.tokens[first - 1].text in words["after"]:
        return False
    if text.quote(first, last) not in words["verbs"]:
        return True
    before = [token.text for token in text.tokens[:first] if is_matched(token)]
    if words["anywhere"] & {*before}:
        return True
    return next((each for each in reversed(before) if each not in words["adverbs"]), "") in words["right_before"]


def _named_whole(text: Text, first: int, last: int) -> str:
    """The action of a verb that is the name of a function, whatever stands beside it: "pg_terminate_backend it"."""
    verb = text.quote(first, last)
    return next(iter(actions_of_statements(verb)), "") if "_" in verb else ""


def target_spans(text: Text) -> set[int]:
    """The places of all words for what actions are done to."""
    return {at for found in _catalogue().targets.find(text) for at in range(found.first, found.last)}


def names_target(words: str, action: str) -> bool:
    """Whether words name what an action is done to."""
    return any(found.payload == action for found in _catalogue().targets.find(read_text(words)))


def share_a_verb(action: str, other: str) -> bool:
    """Whether two actions are told by the same verb, so that one without its target may be the other."""
    one, two = action_named(action), action_named(other)
    return one is not None and two is not None and bool(one.verbs & two.verbs)


def names_another_object(text: Text, after: int) -> bool:
    """Whether something that no action has for a target stands right after a verb: "停了归档"."""
    told = {at for found in cue_terms().find(text) for at in range(found.first, found.last)} | target_spans(text)
    for at, token in enumerate(text.tokens[after:], after):
        if token.kind not in (Kind.HAN, Kind.WORD):
            return False
        if token.text not in _catalogue().fillers:
            return at not in told and not is_plain(token)
    return False


def _is_of_another(text: Text, first: int, last: int) -> bool:
    """Whether a verb has an object of its own, right after it or, of a Chinese one, before it: "debezium 停用了"."""
    if text.tokens[first].kind is Kind.HAN and first and text.tokens[first - 1].kind is Kind.WORD:
        before = {at for found in cue_terms().find(text) for at in range(found.first, found.last)} | target_spans(text)
        token = text.tokens[first - 1]
        if first - 1 not in before and token.text not in _catalogue().fillers and not is_plain(token):
            return True
    return _points_at_another(text, first) or names_another_object(text, last)


def _points_at_another(text: Text, verb: int) -> bool:
    """Whether a Chinese verb has before it something that is pointed at and that no action is done to."""
    catalogue = _catalogue()
    known = target_spans(text) | {at for each in catalogue.nearby.find(text) for at in range(each.first, each.last)}
    words = [token.text for token in text.tokens[:verb]]
    for at in range(len(words) - 2):
        if words[at] in catalogue.pointed["by"] and words[at + 1] in catalogue.pointed["counted"]:
            thing = text.tokens[at + 2]
            return thing.kind is Kind.HAN and at + 2 not in known and thing.text not in catalogue.fillers | {"我"}
    return False


def actions_in(words: str, beside: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of the actions that words name, each once."""
    return tuple(dict.fromkeys(mention.action for mention in mentions_in(read_actions(words), beside)))


def _covers(other: tuple[int, int], span: tuple[int, int]) -> bool:
    return other != span and other[0] <= span[0] and span[1] <= other[1]


def _meant(verbs: set[str], text: Text, beside: Sequence[str], verb: int) -> str:
    """The action of the verbs whose target is named nearest; else what they mean alone."""
    apart = {
        found.payload for place in (text, *map(read_actions, beside[:1])) for found in _catalogue().apart.find(place)
    }
    fitting = [each for each in _catalogue().actions if each.verbs & verbs and each.name not in apart]
    # What was said before is long, and read only for a verb that has no target here.
    for place in chain((text,), map(read_actions, beside)):
        named = {found.payload for terms in (_catalogue().targets, _catalogue().nearby) for found in terms.find(place)}
        here = verb if place is text and text.tokens[verb].kind is Kind.WORD else 0
        named -= {_RESTART_APP} if _names_database(place, here) else set()
        if of_target := next((each.name for each in fitting if each.name in named), ""):
            return of_target
        if place is text and _RESTART in {each.name for each in fitting} and _names_database(text):
            return _RESTART
    return next((action.name for action in fitting if not action.targets), "")


@lru_cache(maxsize=1024)
def actions_of_step(action: str, how: str) -> frozenset[str]:
    """The actions that a step of a remedy is: by its statement where it has one, else by its words."""
    named = actions_of_statements(how)
    if named:
        return named
    statement = _EXPLAIN.sub(" ", how.lower())
    if (how and not statement.strip()) or statement.lstrip().startswith(("select", "show", "explain")):
        return frozenset()
    return frozenset(actions_in(action if _IS_SQL.match(statement) else f"{action}. {how}"))


@lru_cache(maxsize=1024)
def actions_of_statements(how: str) -> frozenset[str]:
    """The actions that statements are; a reload beside another change is none."""
    statement = " ".join(_EXPLAIN.sub(" ", how.lower()).split())
    named = frozenset(name for part in statement.split(";") if (name := _action_of(part)))
    return named - {_RELOADING} or named


def _action_of(statement: str) -> str:
    found = (each for each in _catalogue().actions if any(_stands(part, statement) for part in each.statements))
    return next((each.name for each in found), "")


def _stands(part: str, statement: str) -> bool:
    return part in statement and re.search(rf"(?<![a-z_]){re.escape(part)}(?![a-z_])", statement) is not None
