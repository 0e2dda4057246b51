"""Words that tell of an action whether it was done, and how things are since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

import yaml

from lang.cues import cue_terms, load_lexicon, word_set
from lang.outcomes import is_partial
from lang.terms import Found, Terms
from lang.tokens import Kind, Text, is_matched, read_text
from services.planner.model import Aftermath
from services.planner.treatment.actions import mentions_in, target_spans
from services.planner.treatment.sentences import told_clauses
from services.planner.understand.text.word_lists import listed

_FILE = Path(__file__).with_name("done_marks.yaml")
_WELL = frozenset(("well", "well_to", "helped", "recovered", "vanished"))
_UNCHANGED = frozenset(("unchanged", "no_help", "not_recovered", "helped_for_a_while"))
# A question, a wish or a plan tells nothing of how things are.
_OPEN, _OPENING = frozenset(("question", "supposition", "plan", "wish")), "question_opening"
# What recovers here is a server, and what works may be all that does.
_NO_OUTCOME = frozenset(("recovery", "work", "works", "worked"))
# Right before a noun these words tell that it is the same one, and nothing of a change.
_SAME, _NOT_NEWS = ("same", "一样"), ("not_there", "disputed")
_NOW, _IS = frozenset(("now", "falling")), frozenset(("is", "are", "its", "it's"))
# What is gone is good news only where it was trouble: a machine, a session or a slot is none.
_ENDED, _VANISHED = frozenset(("gone", "消")), "vanished"
_DENYING = frozenset(("没", "不", "未", "not", "n't", "no", "never", "hasn't", "isn't", "aren't", "nothing", "nobody"))
_BACK = ("served", "speaker", "pointing")  # What is good news when it is back.
_IDLE = "idle_words"  # A way of speaking in which a word for good news is none: "hold on".
# What tells of trouble, and by what a clause tells none of now.
_BAD = frozenset(("bad", "high", "slow", "rising"))
_NOT_BAD = _OPEN | {"negation", "none", "past", "others", "elsewhere"}
_NOTHING = "nothing"  # Nothing of it is fine: then it is all bad.

# "lag 35 min -> 4 min -> 0": what was too much is none any more.
_OVER = [listed(f"treatment.{name}") for name in ("to_nothing", "is_back", "did_help", "trouble_over")]
_OF_NOW = frozenset(("again", "now"))  # Before these any form of a verb tells of now: "orders flow again".
_SELF = frozenset(("我", "们"))  # Whose own memory it is: "我记错了".
_CRIES = frozenset(("no", "nope"))
# A negation stands so few words before what it denies.
_NEAR = 2
_BACK_NEAR = 3  # So few words may stand between what serves people and its coming back.
# News of a change, which need no deed.
_OF_CHANGE = frozenset(("well", "well_to", "recovered", "vanished"))
# What a clause ends with that denies, and that asks.
_NONE = ("都没", "也没", "都没有", "也没有")
_ASKING = ("?", "？", "吗", "么", "没", "没有", "不")
_WEIGHS = listed("treatment.weighs")


@cache
def _content() -> dict[str, list[str]]:
    return dict(yaml.load(_FILE.read_bytes(), yaml.CSafeLoader))


@cache
def _marks() -> Terms[str]:
    terms: Terms[str] = Terms()
    for name, words in _content().items():
        for word in words:
            terms.add(str(word), str(name))
    return terms


@cache
def _troubles() -> Terms[str]:
    terms: Terms[str] = Terms()
    for word in sorted(word_set("troubles")):
        terms.add(word, word)
    return terms


@lru_cache(maxsize=256)
def marks_in(text: Text) -> tuple[Found[str], ...]:
    """The marks in a text, each standing for the name of its list."""
    return tuple(_marks().find(text))


@cache
def past_forms() -> frozenset[str]:
    """The forms of the past by which something is told as done; terms are compared by stems."""
    return frozenset(str(word).split()[0] for word in _content()["past"])


def tells_it_was_done(text: Text) -> bool:
    """True if a clause tells that what was shown was done, without saying what it was; "did it not work?" asks."""
    if text.normal.rstrip().endswith(_ASKING[:2]) or _WEIGHS.search(text.normal):
        return False
    found = marks_in(text)
    last = max((at for at, token in enumerate(text.tokens) if is_matched(token)), default=0) + 1
    if any(cue.payload == "question" for cue in cue_terms().find(text)):
        return False  # "What we did" asks.
    did = any(each.payload == "did_it" or (each.payload == "did_it_last" and each.last == last) for each in found)
    return did and not any(
        mark.payload == "did_nothing" or (mark.payload == "undone" and mark.first < 2) for mark in found
    )


def tells_nothing_was_done(text: Text) -> bool:
    """True if a clause tells that nothing of what was shown or told was done."""
    names = {mark.payload for mark in marks_in(text)}
    return "did_nothing" in names and "undone" not in names


@cache
def _words_of(names: frozenset[str]) -> frozenset[str]:
    """The English words of the terms of these names as they are spelled: a "sort" is not "sorted"."""
    return frozenset(word for term in _terms_of(names) for word in term.split() if word.isascii())


@cache
def _terms_of(names: frozenset[str]) -> frozenset[str]:
    lexicon = load_lexicon("outcomes") | load_lexicon("meaning")
    terms = [term for name in names for term in _content().get(name, ())]
    terms += [term for name in names & lexicon.keys() for term in lexicon[name]["en"]]
    return frozenset(map(str, terms))


def denies_deeds(said: str) -> bool:
    """True if a message says that nothing of what was shown was done."""
    return any(tells_nothing_was_done(read_text(clause)) for clause in told_clauses(said))


def speaks_of_record(text: Text) -> bool:
    """True if words are about what is on record here, and not about what somebody remembered wrong."""
    before = ["", *(token.text for token in text.tokens)]
    return any(mark.payload == "of_record" and before[mark.first] not in _SELF for mark in marks_in(text))


def tells_now(text: Text) -> bool:
    """True if words tell how things are now, or have become."""
    names = {str(mark.payload) for mark in cue_terms().find(text)}
    if names & _OPEN or text.normal.rstrip().endswith(_ASKING):
        return False
    became = text.normal.rstrip(" 。.!！").endswith("了") or any(token.text in _IS for token in text.tokens)
    return became or bool(names & _NOW)


def tells_it_ended(text: Text) -> bool:
    """True if words tell that what was ended is gone, which says nothing of the trouble."""
    pointed = any(mark.payload == "pointing" for mark in marks_in(text)) or bool(target_spans(text))
    names = {str(mark.payload) for mark in cue_terms().find(text)}
    ended = any(token.text == "gone" for token in text.tokens) or "recovered" in names
    return pointed and ended and aftermath_of(text) is None


def aftermath_of(text: Text) -> Aftermath | None:
    """How things are, by the words of one clause; None if it does not tell."""
    cues = cue_terms().find(text)
    names = {str(mark.payload) for mark in cues}
    if text.normal.rstrip().endswith(_ASKING) and not text.normal.rstrip().endswith(_NONE) and "hedge" not in names:
        return None  # "好像好了?" is good news, said with care.
    found = _with_what_came_back(text, [*marks_in(text), *cues])
    if names & _OPEN or any(mark.payload == _OPENING and not mark.first for mark in found):
        return None
    if any(mark.payload in ("asks_ahead", "asks_of_things") for mark in found):
        return None
    of_now = "now" in names or any(token.text in _IS for token in text.tokens)
    if tells_nothing_was_done(text) or "others" in names or ("past" in names and not of_now):
        return None  # "昨天都好好的" and "the rest is fine" and "I did nothing" are no news of the trouble.
    news = [mark for mark in found if str(mark.payload) in _WELL and _is_news(text, mark, found)]
    denied = [mark for mark in news if _is_denied(text, mark, found)]
    bad = [mark for mark in found if str(mark.payload) in _UNCHANGED and _is_spelled_out(text, mark)]
    unchanged = [mark for mark in bad if not _is_denied(text, mark, found)]
    if unchanged or (denied and denied == news) or _tells_nothing_is_fine(text, found):
        return Aftermath.UNCHANGED
    well = [mark for mark in news if mark not in denied and not _is_of_something_else(text, mark)]
    told = well or (_tells_it_is_over(text) and not any(mark.payload in _NOT_NEWS for mark in found))
    partly = is_partial(text) and not mentions_in(text)
    return Aftermath.WELL if told and not partly else None


def tells_change(text: Text) -> bool:
    """True if good news in a clause tells of a change for the better, and not only of how something is."""
    found = [*marks_in(text), *cue_terms().find(text)]
    steady = _covered(found, "steady")
    told = any(mark.payload in _OF_CHANGE and not steady.intersection(_span(mark)) for mark in found)
    return told or _tells_it_is_over(text)


def _tells_it_is_over(text: Text) -> bool:
    """Whether words tell of too much that is none any more, of what is there again, or of trouble that is over."""
    return any(each.search(text.normal) for each in _OVER)


def tells_contrast(text: Text, opening: bool = False) -> bool:
    """True if words set one thing against another, so that good news is of a part; the opening word does not."""
    return any(mark.payload == "contrast" and not (opening and mark.first == 0) for mark in marks_in(text))


def _with_what_came_back(text: Text, found: Sequence[Found[str]]) -> list[Found[str]]:
    """The words with a coming back as good news of what serves people, and as bad news of anything else."""
    served = [each.last for each in found if each.payload == "served"]
    back = [each for each in found if each.payload == "came_back"]
    well = [each for each in back if any(0 <= each.first - last <= _BACK_NEAR for last in served)]
    good = {at for each in well for at in _span(each)}
    kept = [each for each in found if each not in back and not (each.payload in _UNCHANGED and good & _span(each))]
    told = [replace(each, payload="well" if each in well else "unchanged") for each in back]
    return [*kept, *told]


def _span(mark: Found[str]) -> frozenset[int]:
    return frozenset(range(mark.first, mark.last))


def _covered(found: Sequence[Found[str]], name: str) -> frozenset[int]:
    return frozenset(at for mark in found if mark.payload == name for at in _span(mark))


def tells_bad_now(text: Text) -> bool:
    """True if a clause says that something is bad now, whatever it is, or that only something is."""
    cues = cue_terms().find(text)
    names = {str(mark.payload) for mark in cues if mark.payload == _IDLE or not _is_idle(mark, cues)}
    asks = text.normal.rstrip().endswith(_ASKING[:2])
    of_part = any(mark.payload == "only_that" for mark in marks_in(text))
    return ("now" in names or of_part) and bool(names & _BAD) and not asks and not names & _NOT_BAD


def _is_denied(text: Text, mark: Found[str], found: Sequence[Found[str]]) -> bool:
    """Whether a negation or a doubt stands right before a mark."""
    denying = [at for at, token in enumerate(text.tokens) if is_matched(token) and token.text in _DENYING]
    denying = [at for at in denying if not _is_cry(text, at, found)]
    disputed = any(each.payload == "disputed" and 0 <= mark.first - each.last <= _NEAR for each in found)
    disputed = disputed or any(token.text == "谁" for token in text.tokens[: mark.first])
    return disputed or any(0 < mark.first - at <= _NEAR for at in denying)


def _is_cry(text: Text, at: int, found: Sequence[Found[str]]) -> bool:
    """Whether a "no" only opens what is told: "no no its over"."""
    cry = text.tokens[at].text in _CRIES
    return cry and any(each.payload == "speaker" and each.first == at + 1 for each in found)


def _tells_nothing_is_fine(text: Text, found: Sequence[Found[str]]) -> bool:
    opens = [at for at, token in enumerate(text.tokens) if token.text == _NOTHING]
    return any(each.payload == "fine" and 0 < each.first - at <= _NEAR for each in found for at in opens)


def _is_idle(mark: Found[str], found: Sequence[Found[str]]) -> bool:
    """Whether a word is part of a way of speaking."""
    return any(each.payload == _IDLE and each.first <= mark.first < each.last for each in found)


def _is_spelled_out(text: Text, mark: Found[str]) -> bool:
    """Whether a word for bad news stands as it is spelled: what recovered is not recovering."""
    token, said = text.tokens[mark.first], text.quote(mark.first, mark.last)
    after = [each for each in text.tokens[mark.last :] if is_matched(each)][:1]
    if any((said.endswith(_SAME) and each.text != "as") or said.endswith("over") for each in after):
        return False  # "The same query", "not over 90".
    if text.quote(max(mark.first - 1, 0), mark.first + 1) == "现在":
        return False  # "现在恢复了" is no "在恢复".
    return mark.length > 1 or token.kind is not Kind.WORD or token.text in _terms_of(_UNCHANGED)


def _is_news(text: Text, mark: Found[str], found: Sequence[Found[str]]) -> bool:
    """Whether words that may be good news are spelled and meant as such."""
    tokens = text.tokens[mark.first : mark.last]
    spelled = all(token.kind is not Kind.WORD or token.text in _words_of(_WELL) for token in tokens)
    if not spelled and (mark.length == 1 or tokens[-1].text not in _OF_NOW):
        return False
    if _is_idle(mark, found) or any(each.payload == "not_there" and each.last <= mark.first for each in found):
        return False
    span = (mark.first, mark.last)
    weak = any(each.payload == "weak_news" and (each.first, each.last) == span for each in found)
    return not weak or bool(mentions_in(text)) or any(each.payload == "intervention" for each in found)


def _is_of_something_else(text: Text, mark: Found[str]) -> bool:
    """Whether a word that sounds like good news tells of a server, of before, or of what was ended."""
    if mark.payload == "well_to" and any(each.first < mark.first for each in mentions_in(text)):
        return True  # "set the pool back to 20"
    if any(each.payload == "later" and each.first == mark.last for each in marks_in(text)):
        return True  # "恢复之后又报错了"
    words = {token.text for token in text.tokens[mark.first : mark.last]}
    if words & _ENDED or mark.payload == _VANISHED:
        return not _is_trouble_before(text, mark.first)
    if "back" in words and words & _IS and mark.first:  # "jeff is back"
        return not any(each.payload in _BACK and each.last == mark.first for each in marks_in(text))
    return mark.length == 1 and bool(words & _NO_OUTCOME) and not _is_served(text, mark)


def _is_served(text: Text, mark: Found[str]) -> bool:
    """Whether what works is what serves people, and not the only thing that does."""
    found = marks_in(text)
    right_before = any(each.payload == "served" and each.last == mark.first for each in found)
    return right_before and not any(each.payload == "only_that" for each in found)


def _is_trouble_before(text: Text, at: int) -> bool:
    """Whether what stands before a place is trouble, and nothing to act on: "报错没了", "the waits are gone"."""
    if any(place < at for place in target_spans(text)):
        return False
    told = any(each.payload in _BAD and each.last <= at for each in cue_terms().find(text))
    return told or any(each.last <= at for each in _troubles().find(text))
