"""Words that tell of an action whether it was done, and how things are since."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from lang.cues import cue_terms
from lang.terms import Found, Terms
from lang.tokens import Text, is_matched
from services.planner.model import Aftermath
from services.planner.treatment.actions import Mention
from services.planner.understand.text.word_lists import listed

_FILE = Path(__file__).with_name("done_marks.yaml")
# How many tokens after an action, and before it, tell that it was done.
_AFTER, _BEFORE = 9, 6
_WELL = frozenset(("well", "helped", "recovered", "vanished"))
_UNCHANGED = frozenset(("unchanged", "no_help", "not_recovered", "helped_for_a_while", "trouble_began"))
# A question, a wish or a plan tells nothing of how things are.
_OPEN, _OPENING = frozenset(("question", "supposition", "plan", "wish")), "question_opening"
# What recovers here is a server, not the case.
_NO_OUTCOME = frozenset(("recovery",))
_DENYING = frozenset(("没", "不", "未", "not", "n't", "no", "never", "hasn't", "isn't", "aren't", "nothing", "nobody"))

# "lag 35 min -> 4 min -> 0": what was too much is none any more.
_TO_NOTHING = listed("treatment.to_nothing")
# What a clause ends with that asks.
_ASKING = ("?", "？", "吗", "么", "没", "没有", "不")


@cache
def _content() -> dict[str, list[str]]:
    return dict(yaml.load(_FILE.read_bytes(), yaml.CSafeLoader))


@cache
def _people() -> frozenset[str]:
    return frozenset(map(str, _content()["people"]))


@cache
def _marks() -> Terms[str]:
    terms: Terms[str] = Terms()
    for name, words in _content().items():
        for word in words:
            terms.add(str(word), str(name))
    return terms


def was_done(text: Text, mention: Mention) -> bool:
    """True if the words of a clause tell that the action in it was done, now and by the person."""
    if text.normal.rstrip().endswith(_ASKING[:4]):
        return False
    found = _marks().find(text)
    told = [mark for mark in found if _tells_done(mark, mention, text)]
    return bool(told) and not any(_undoes(mark, mention, max(told[0].last, mention.last)) for mark in found)


def _undoes(mark: Found[str], mention: Mention, told: int) -> bool:
    """Whether a word takes back that the action was done. told: the token after the words that tell it."""
    if mention.first <= mark.first < mention.last:
        return False
    return (mark.payload == "undone" and mark.first < mention.last + _AFTER) or (
        mark.payload == "denied" and mark.first < told
    )


def _tells_done(mark: Found[str], mention: Mention, text: Text) -> bool:
    match mark.payload:
        case "done_after":
            return mention.last - 1 <= mark.first < mention.last + _AFTER
        case "done_before":
            return mention.first - _BEFORE <= mark.first < mention.first
        case "past":
            stands = mark.first < mention.last and mention.first < mark.last and _is_past(text, mark.first)
            return stands and _is_by_a_person(text, mark.first)
    return False


def _is_by_a_person(text: Text, at: int) -> bool:
    """Whether a form of the past has nobody before it, or people: "errors stopped" is no stopping of anything."""
    before = next((token.text for token in reversed(text.tokens[:at]) if is_matched(token)), "")
    return not before or not before.isascii() or before.lower() in _people()


def _is_past(text: Text, at: int) -> bool:
    """Whether the token has a form of the past; terms are compared by stems."""
    word = text.tokens[at].text.lower()
    return word.endswith(("ed", "ot", "lt")) or word in ("rolled", "failed", "got")


def tells_it_was_done(text: Text) -> bool:
    """True if a clause tells that what was shown was done, without saying what it was."""
    found = _marks().find(text)
    return any(mark.payload == "did_it" for mark in found) and not any(
        mark.payload == "undone" and mark.first < 2 for mark in found
    )


def aftermath_of(text: Text) -> Aftermath | None:
    """How things are, by the words of one clause; None if it does not tell."""
    cues = cue_terms().find(text)
    names = {str(mark.payload) for mark in cues}
    if text.normal.rstrip().endswith(_ASKING) and "hedge" not in names:
        return None  # "好像好了?" is good news, said with care.
    found = [*_marks().find(text), *cues]
    if names & _OPEN or any(mark.payload == _OPENING and not mark.first for mark in found):
        return None
    if "others" in names or ("past" in names and "now" not in names):
        return None  # "昨天都好好的" and "the rest is fine" are no news of the trouble.
    denied = [at for at, token in enumerate(text.tokens) if is_matched(token) and token.text in _DENYING]
    told = [mark for mark in found if not any(0 < mark.first - at <= 2 for at in denied)]
    if any(str(mark.payload) in _UNCHANGED for mark in told):
        return Aftermath.UNCHANGED
    well = [mark for mark in told if str(mark.payload) in _WELL and text.tokens[mark.first].text not in _NO_OUTCOME]
    return Aftermath.WELL if well or _TO_NOTHING.search(text.normal) else None
