"""Whether words assert that an action was done or was not: by a frame of the verb, never by its mere mention.

Done is what stands in the perfect or the past with people as the doers, or beside a mark that it is over. A question, a
condition, a plan, a noun and a quotation assert nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from lang.terms import Found
from lang.tokens import Text, is_matched
from services.planner.treatment.actions import (
    Mention,
    action_named,
    mentions_in,
    names_another_object,
    read_actions,
    share_a_verb,
    target_spans,
)
from services.planner.treatment.clause_news import tells_deed
from services.planner.treatment.done_marks import marks_in, past_forms
from services.planner.treatment.sentences import told_clauses
from services.planner.understand.text.word_lists import listed

# How near to a verb what it was done to stands.
_NEAR = 2
# How many words may stand between a negation and the verb.
_DENIED_BETWEEN = 3
_ASKING = ("?", "？", "吗", "么", "没", "没有")
# Verbs that tell of symptoms as well: "dropped to 3 s", "increased latency".
_BARE = ("drop", "stop", "set_parameter")
_SET = "set"
# What happens to an application or a job without anybody.
_BY_THEMSELVES = frozenset(("stop", "restart", "scale"))
# "要不重启": an offer.
_OFFERS = ("要",)
_WEIGHS = listed("treatment.weighs")


class Told(Enum):
    """What words say of an action."""

    DONE = "done"
    UNDONE = "undone"
    # Only to other things it was not done.
    NO_MORE = "no_more"


def told_of(text: Text, mention: Mention, acted: bool) -> Told | None:
    """What a clause says of an action in it; None if nothing. acted: the clause tells that something was done."""
    asks = text.normal.rstrip().rstrip("!！.。").endswith(_ASKING)
    if (asks and not acted) or mistaken_action(text, (mention,)):
        return None
    marks = marks_in(text)
    nothing = any(token.text == "nothing" for token in text.tokens[mention.last : mention.last + 1])
    if nothing or _is_denied(text, mention, marks):
        return Told.NO_MORE if any(mark.payload == "others" for mark in marks) else Told.UNDONE
    return Told.DONE if acted else None


def disputed_in(text: Text, noted: Sequence[str]) -> str:
    """The action of these that a clause only repeats as a question, so that it was not done: "dropping?"."""
    if not text.normal.rstrip(" !！").endswith(_ASKING[:2]):
        return ""
    whole = {at for at, token in enumerate(text.tokens) if is_matched(token)} - target_spans(text)
    repeats = [each.action for each in mentions_in(text) if whole <= {*range(each.first, each.last)}]
    return next((action for action in noted if any(share_a_verb(each, action) for each in repeats)), "")


def weighs_deeds(text: Text) -> bool:
    """True if a sentence weighs one thing to do against another, so that neither is done."""
    return _WEIGHS.search(text.normal) is not None


def names_doer(text: Text) -> bool:
    """Whether a clause names people, who did something or did not."""
    return any(mark.payload in ("people", "doer") for mark in marks_in(text))


def is_of_others(text: Text, mention: Mention) -> bool:
    """Whether an action is what somebody else did or does: "the kernel that killed it", "an admin doing kill -9"."""
    before = {mark.last for mark in marks_in(text) if mark.payload in ("whose_deed", "at_it")}
    does = any(mark.payload == "at_it" and mark.last == mention.first for mark in marks_in(text))
    return does or (mention.first in before and _is_past(text, mention.first))


def was_done(text: Text, mention: Mention) -> bool:
    """True if a clause tells that the action in it was done."""
    return told_of(text, mention, tells_deed(text.normal)) is Told.DONE


def is_forgone(text: Text, mention: Mention) -> bool:
    """Whether words ask to do without an action: "不回滚行不行", "without rolling back"; not "杀不杀", "why not"."""
    marks = marks_in(text)
    if any(mark.payload == "why" for mark in marks):
        return False
    for mark in marks:
        if mark.payload == "forgone" and mark.last == mention.first:
            before = text.tokens[mark.first - 1].text if mark.first else ""
            return before not in (text.tokens[mention.first].text, text.tokens[mention.last - 1].text, *_OFFERS)
    return False


def forgoes(action: str, asked: str) -> bool:
    """Whether words name an action only to ask what there is without it."""
    named = [(text, each) for clause in told_clauses(asked) for text, each in _named(action, clause)]
    return bool(named) and all(is_forgone(*each) for each in named)


def _named(action: str, clause: str) -> Iterator[tuple[Text, Mention]]:
    text = read_actions(clause)
    return ((text, each) for each in mentions_in(text) if share_a_verb(each.action, action))


def mistaken_action(text: Text, mentions: Sequence[Mention]) -> str:
    """The action that was done to the wrong thing, by a clause or a question of it; empty if none is."""
    wrong = [mark.first for mark in marks_in(text) if mark.payload == "mistaken"]
    return next((each.action for each in mentions if any(0 <= at - each.last <= 1 for at in wrong)), "")


def _is_denied(text: Text, mention: Mention, marks: Sequence[Found[str]]) -> bool:
    """Whether the person says that it was not done: a negation next to the verb, with nobody else as the doer."""
    for mark in marks:
        if mark.payload != "denies" or mark.last > mention.first or mention.first - mark.last > _DENIED_BETWEEN:
            continue
        between = {at for at in range(mark.last, mention.first) if is_matched(text.tokens[at])}
        if between <= _covered(marks, "denied_between") and _is_by_people(text, mark.first, marks, mention):
            return not any(each.payload == "undone" for each in marks)
    return False


def _covered(marks: Sequence[Found[str]], name: str) -> set[int]:
    return {at for mark in marks if mark.payload == name for at in range(mark.first, mark.last)}


def _is_by_people(text: Text, at: int, marks: Sequence[Found[str]], mention: Mention | None = None) -> bool:
    """Whether nobody stands before a verb, or people do: "errors stopped" is no stopping of anything.

    A verb that tells of symptoms as well needs what it was done to, where nobody is named.
    """
    adverbs, people = _covered(marks, "adverbs"), _covered(marks, "people")
    for place in _words_before(text, at):
        if place in people or place in _covered(marks, "han_before"):
            return True
        if place in _covered(marks, "going_on"):
            opens = next(_words_before(text, place), None) is None
            return opens or bool(people) or any(mark.payload == "past" and mark.first < place for mark in marks)
        if place not in adverbs:
            return mention is not None and place in target_spans(text) and _is_done_by_people(mention)
    return mention is None or mention.action not in _BARE or _names_its_object(text, mention)


def _is_done_by_people(mention: Mention) -> bool:
    """Whether what stands before a verb without a doer is its object: a slot is dropped by somebody, a job may stop."""
    action = action_named(mention.action)
    return action is not None and bool(action.targets) and not (action.by_itself or action.verbs & _BY_THEMSELVES)


def _names_its_object(text: Text, mention: Mention) -> bool:
    """Whether a verb that also tells of symptoms says what it was done to: "dropped it", "set the minimum to 5"."""
    following = [token.text for token in text.tokens[mention.last :] if is_matched(token)]
    if text.tokens[mention.first].text == _SET:
        return "to" in following[1:] or "=" in text.normal
    return any(mention.last <= place < mention.last + _NEAR for place in _covered(marks_in(text), "pointing"))


def _words_before(text: Text, at: int) -> Iterator[int]:
    return (place for place in range(at - 1, -1, -1) if is_matched(text.tokens[place]))


def _is_past(text: Text, at: int) -> bool:
    """Whether the token has a form of the past; terms are compared by stems."""
    return text.tokens[at].text.lower() in past_forms()


def acts_on_another(words: str) -> bool:
    """Whether words name what is acted on by a name of its own: "cancel flyway"."""
    text = read_actions(words)
    return any(names_another_object(text, each.last) for each in mentions_in(text))
