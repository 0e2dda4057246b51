"""What a sentence asks of the treatment and the case, once what the rest of it says is taken into account."""

from __future__ import annotations

from collections.abc import Set

from lang.cues import cue_terms
from lang.objects import identifiers_in
from lang.tokens import Text, is_matched
from services.planner.model import QuestionTopic, SessionView, Status
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.actions import Mention, actions_in, mentions_in, read_actions
from services.planner.treatment.deeds import is_of_others, was_done, weighs_deeds
from services.planner.treatment.sentences import asks_cost, asks_cost_of_end, clauses_of
from services.planner.treatment.shown_actions import (
    MAY,
    POINTING,
    POINTS,
    asked_before,
    said_beside,
    shown_actions,
    shows_reading,
)
from services.planner.treatment.wanted.wants import TOPICS, is_bare_question, tells, wants_in, without
from services.planner.understand.questions.questions import names_something
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.word_lists import listed

_OF_ONE_THING = ("object", "remaining", "certainty")  # Which of two things to do only seems to ask it.
_HOW = listed("treatment.how")  # How to see which one it is asks for the way.
STILL = listed("treatment.again")  # What is asked about again is what was done.
_OR = listed("treatment.or")
_OPENING = 1  # A verb so near to the beginning opens a clause: "or kill it".
_SEEKS = listed("treatment.seeks")
_BARE_COMMAND = listed("treatment.bare_command")
SETS = listed("treatment.sets")
# From this belief on the step of the leading cause is asked about.
_LEADS = 0.4
RESTARTS = ("restart", "restart_app")
# What the words for a loss are mistaken for.
_NOT_OF_COST = ("urgency", "effect")
# What something means is asked in so few characters; longer sentences tell what something means for them.
_DEFINING = 48
# "重启的缓存" is called after what was done; "重启的话" supposes it.
_OF, _IN_CASE = "的", "话"


def settled_wants(sentence: str, said: str, view: SessionView) -> list[str]:
    """What a sentence asks, without what the rest of it speaks against."""
    text, costs = read_actions(sentence), asks_cost(sentence)
    affects = tells(text, "affects")
    weighs = bool(actions_in(sentence)) and weighs_deeds(text)
    asks = is_question(sentence)
    wants = [each for each in _worded(sentence, text, weighs) if asks or not _takes_a_question(each)]
    bare = (is_bare_question(sentence) and not _is_of_before(text)) or any(map(_asks_to_do, clauses_of(sentence)))
    may = weighs or MAY.search(sentence) is not None or (bare and not wants) or (costs and asks)
    if not (wants or may or (affects and asks)):
        return []
    mentions = mentions_in(text, said_beside(said, view))
    named = any(_is_open(text, mention) for mention in mentions)
    if mentions and not named and not costs:
        wants = [want for want in wants if want != "leave"]  # What only was done or happened needs no leave.
    wants = [want for want in wants if not (costs and want in _NOT_OF_COST)]
    may = may or "leave" in wants or (affects and named)
    if (named or costs) and may and not {"leave", "effect"} & {*wants}:
        wants.append("leave")
    holds = _by_treatment(sentence, said, {*wants}, named, view) | _by_words(sentence, text, {*wants}, named, view)
    return [want for want in wants if holds.get(want, True)]


def _takes_a_question(want: str) -> bool:
    """Whether words mean that something is asked of an action only in a question: "ok to drop it" asks by itself."""
    return TOPICS[want] is QuestionTopic.RISK and want != "leave"


def _is_of_before(text: Text) -> bool:
    """Whether a question is of what somebody did before: words for the past before the verb, and more behind it."""
    past = [each.first for each in cue_terms().find(text) if each.payload == "past"]
    ends = max((at for at, token in enumerate(text.tokens) if is_matched(token)), default=0)
    return any(at < each.first and each.last < ends for at in past for each in mentions_in(text))


def _is_open(text: Text, mention: Mention) -> bool:
    """Whether an action may still be done: it is neither told as done, nor part of what something is called."""
    after = [token.text for token in text.tokens[mention.last : mention.last + 2]]
    attribute = after[:1] == [_OF] and after[1:] != [_IN_CASE]
    return not (attribute or is_of_others(text, mention) or was_done(text, mention))


def _worded(sentence: str, text: Text, weighs: bool) -> list[str]:
    """What the words of a sentence ask for by themselves."""
    wants = [want for want in wants_in(text) if want in TOPICS and not (weighs and want in _OF_ONE_THING)]
    if names_something(sentence) and "object" not in wants:
        wants = [*(want for want in wants if want != "meaning"), "object"]
    if _BARE_COMMAND.search(sentence) and "command" not in wants:
        wants.append("command")
    return wants


def _by_treatment(sentence: str, said: str, wants: Set[str], named: bool, view: SessionView) -> dict[str, bool]:
    """Of what is asked about an action, whether there is one that it can be about."""
    again = bool(view.treatments) and _is_of_what_was_done(sentence)
    open_action = bool(shown_actions(view) or asked_before(view)) or "rights" in wants_in(read_actions(said))
    known = bool(named or actions_in(said)) or again or open_action
    leads = max((each.confidence for each in view.hypotheses), default=0.0) >= _LEADS
    meant = known or leads or view.status in (Status.NARROWING, Status.CONFIRMING, Status.CONCLUDED)
    of_cost = (asks_cost(sentence) and known) or asks_cost_of_end(sentence)
    of_open = not {"remaining", "where", "lost", "is_so"} & wants and (again or open_action)
    of_open = of_open and "remedy" not in wants_in(read_actions(sentence))  # "What can I do" asks leave for nothing.
    needs_restart = "needs_restart" in wants and restarts_for_another(said, view)
    return {
        "leave": not needs_restart and "rights" not in wants and (named or of_cost or of_open),
        "rights": meant,
        "undo": meant or bool(view.treatments),
        "locks": meant and not {"blocker", "object"} & wants,
        "takes": meant and not {"effect", "urgency"} & wants,
        "needs_restart": needs_restart,
        "reach": meant,
        "effect": "effect" in wants and _acts(said, view),
    }


def _by_words(sentence: str, text: Text, wants: Set[str], named: bool, view: SessionView) -> dict[str, bool]:
    """Of what is asked about the case, whether nothing else in the sentence asks it better."""
    leave = "leave" in wants and named
    return {
        "remaining": not leave,
        "object": not _HOW.search(text.normal) or names_something(sentence),
        "related": not {"urgency", "certainty"} & wants,
        "meaning": len(sentence) <= _DEFINING and not _SEEKS.search(sentence),
        # A statement for something that is named is to look at that.
        "command": not {"blocker", "overview"} & wants and not _names_what_to_see(sentence),
        "touch": bool(identifiers_in(sentence)),
        "where": not leave and "reads" not in wants,
        "reads": not named and bool(asked_before(view) or shows_reading(view)),
    }


def _names_what_to_see(sentence: str) -> bool:
    """Whether the clauses that ask for a command name what it is to show: that is to look at it."""
    asking = [text for clause in clauses_of(sentence) if tells(text := read_actions(clause), "command")]
    return any(is_technical(without(text, "command")) for text in asking)


def restarts_for_another(said: str, view: SessionView) -> bool:
    """Whether a restart is asked about as what another action takes: "... set it to 10, do I have to restart?"."""
    named = (*actions_in(said), *(each.action for each in view.treatments[-1:]), *shown_actions(view))
    another = "pool_size" in wants_in(read_actions(said)) or any(action not in RESTARTS for action in named)
    return another or SETS.search(said) is not None


def _is_of_what_was_done(sentence: str) -> bool:
    """Whether a question is of what was done before: it says so, or only points back."""
    return STILL.search(sentence) is not None or (len(sentence) <= POINTING and POINTS.search(sentence) is not None)


def _asks_to_do(clause: str) -> bool:
    """Whether a clause asks by its mark alone for an action that opens it: "..., kill her query?"."""
    last = _OR.split(clause)[-1].strip()
    return is_bare_question(last) and any(mention.first <= _OPENING for mention in mentions_in(read_actions(last)))


def _acts(said: str, view: SessionView) -> bool:
    """True if a case has come to what is done against the trouble."""
    concluded = view.status is Status.CONCLUDED
    return concluded or bool(view.treatments or actions_in(said) or shown_actions(view))
