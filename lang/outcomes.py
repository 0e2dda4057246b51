"""What became of an action: the words for it in the clause of the action and in the ones after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from lang.clauses import Cue
from lang.cues import load_lexicon, word_set
from lang.judging.amending import clauses_in
from lang.listed import lists_beside
from lang.modality import Meaning, Mode
from lang.parts import Parts, cues_of, is_content
from lang.terms import Terms
from lang.tokens import Kind, Text, Token, is_matched, read_text
from lang.vocabulary import Outcome

_LISTED = lists_beside(__file__)

_REACH = 3
# Beside one of these, words for an improvement tell no lasting one, none at all, or one not of now.
_NOT_OVER = frozenset(
    (
        *(
            "helped_for_a_while",
            "no_help",
            "not_recovered",
            "trouble_began",
            "bad",
            "high",
            "slow",
            "rising",
            "negation",
        ),
        *("question", "question_end", "stress_end", "supposition", "suspicion", "plan", "wish", "norm"),
        *("past", "elsewhere", "in_part"),
    )
)
# How something is, and no change of it: "it works", "秒开".
_STEADY = frozenset(("work", "works", "worked", "working", "秒"))
_OVER, _WELL = ("recovered", "helped"), ("fine", "unloaded", "falling")
# A word or two may follow.
_AFTER = 2
# The number of a session has so many digits or more.
_SESSION_DIGITS = 4
_TROUBLE = ("bad", "high", "slow", "rising")
# Good at first, and then bad again: "fine for 2 hours, then same again", 好了一上午又犯.
_RELAPSES = (
    _LISTED.pattern("relapses_1"),
    _LISTED.pattern("relapses_2"),
)
_ORDER = (Outcome.HELPED_FOR_A_WHILE, Outcome.NO_HELP, Outcome.HELPED, Outcome.TROUBLE_BEGAN)


def find_outcome(
    number: int, first: int, last: int, clauses: list[Parts], meanings: list[Meaning], acted: frozenset[int]
) -> tuple[Outcome, list[Cue]]:
    """The outcome of the action at the tokens `first` to `last` of clause `number`, and the cues that tell it.

    An outcome for a while stands over one at once; else the first clause that tells one decides.
    """
    found: list[tuple[Outcome, Cue]] = []
    for at in _scope(number, clauses, meanings, acted):
        here = list(_outcomes(clauses[at], last if at == number else -1))
        found.extend(here)
    for outcome in _ORDER[:1]:
        told = [cue for each, cue in found if each is outcome]
        if told and not _is_over(told, found, clauses):
            return outcome, told + [cue for each, cue in found if each is Outcome.HELPED]
        if told:
            found = [(each, cue) for each, cue in found if each is not outcome]
    if found:
        near = [pair for pair in found if pair[1].first < clauses[number].clause.last] or found
        outcome = min((each for each, _ in near), key=_ORDER.index)
        return outcome, [cue for each, cue in near if each is outcome]
    if _trouble_follows(number, first, last, clauses, meanings, acted):
        return Outcome.TROUBLE_BEGAN, []
    return Outcome.DONE, []


def tells_onset(words: str) -> bool:
    """True if words tell since when the trouble is there, or that all was well before: "fine yesterday"."""
    return any(map(_is_onset, clauses_in(words)))


def _is_onset(clause: str) -> bool:
    named = {cue.name for cue in cues_of(read_text(clause))}
    if not named.isdisjoint(("question", "question_end", "supposition", "plan", "retraction", "recovered")):
        return False
    dated = not named.isdisjoint(("past", "now", "at_times", *_TROUBLE)) or any(map(str.isdigit, clause))
    begun = not named.isdisjoint(("began", "trouble_began"))
    return "well_before" in named or {"past", "fine"} <= named or (begun and dated)


def tells_relapse(words: str) -> bool:
    """True if words tell that things were good for some time, and then bad as before."""
    return any(pattern.search(words) for pattern in _RELAPSES)


def relapse_follows(
    text: Text, number: int, last: int, clauses: list[Parts], meanings: list[Meaning], acted: frozenset[int]
) -> bool:
    """True if what follows an action that ends before the token `last` tells that it helped for a while."""
    end = max((clauses[at].clause.last for at in _scope(number, clauses, meanings, acted)), default=last)
    return last < end and tells_relapse(text.normal[text.tokens[last].start : text.tokens[end - 1].end])


def _is_over(told: list[Cue], found: list[tuple[Outcome, Cue]], clauses: list[Parts]) -> bool:
    """True if it helped for a while once, and does no more: "it used to buy an hour, now it does nothing"."""
    later = [cue for each, cue in found if each is Outcome.NO_HELP and cue.first > told[-1].first]
    here = [each for each in clauses if any(each.clause.first <= cue.first < each.clause.last for cue in later)]
    return any(cue.name == "now" for each in here for cue in each.cues)


def tells_recovery(text: Text) -> bool:
    """True if a message ends by saying that things are well again, and nothing in it speaks against that.

    That something is fine, falls or works says so only after what somebody did: "cpu is fine" is a finding.
    """
    cues = cues_of(text)
    words = [at for at, token in enumerate(text.tokens) if is_matched(token)]
    if not words or "?" in text.tokens[-1].text or any(cue.name in _NOT_OVER for cue in cues):
        return False
    acted = _acted(cues)
    if is_partial(text) and not acted:
        return False
    # What was dropped or ended is gone by itself.
    of_trouble = _is_of_trouble(text, cues)
    telling = (*_OVER, *(_WELL if acted else ()), *(("vanished",) if of_trouble else ()))
    deeds = {at for cue in cues if cue.name == "intervention" for at in range(cue.first, cue.last)}
    # "Pls help" asks for it; only "helped" tells.
    asked = {at for at, token in enumerate(text.tokens) if token.text == "help"}
    news = [cue for cue in cues if cue.name in telling and cue.first not in deeds | asked]
    ending = [cue for cue in news if cue.last > words[-1] - _AFTER]
    return any(acted or of_trouble or text.tokens[cue.first].text not in _STEADY for cue in ending)


def is_partial(text: Text) -> bool:
    """True if words tell of one way of access, or of now and then: what is well there is not over."""
    return bool(_partial().find(text))


@cache
def _partial() -> Terms[str]:
    terms: Terms[str] = Terms()
    for words in load_lexicon("partial").values():
        for word in words:
            terms.add(str(word), "partial")
    return terms


def _is_of_trouble(text: Text, cues: Sequence[Cue]) -> bool:
    """True if words name no thing, or a trouble: what is gone is then over ("the waits are gone", "it is gone")."""
    if any(trouble in text.normal for trouble in word_set("troubles")):
        return True
    gone = {at for cue in cues if cue.name == "vanished" for at in range(cue.first, cue.last)}
    covered = {at for cue in cues for at in range(cue.first, cue.last)}
    return not any(
        _is_thing(token) if token.kind is Kind.HAN else is_content(token) or _is_session(token)
        for at, token in enumerate(text.tokens)
        if at not in (gone if token.kind is Kind.HAN else covered)
    )


def _is_session(token: Token) -> bool:
    """Whether a number can be that of a session: when that is gone, nothing is known of the trouble."""
    return token.kind is Kind.NUMBER and token.text.isdecimal() and len(token.text) >= _SESSION_DIGITS


def _is_thing(token: Token) -> bool:
    """Whether a Chinese character is part of a thing, and does not only point or stress."""
    return token.text not in word_set("no_things")


def names_action(text: Text) -> bool:
    """True if a message names what somebody did against the trouble."""
    return _acted(cues_of(text))


def speaks_against_recovery(text: Text) -> bool:
    """True if a message has words beside which nothing in it tells that the trouble is over."""
    cues = cues_of(text)
    # "Coming back" is said of what helped and of what returns.
    helped = {(cue.first, cue.last) for cue in cues if cue.name == "helped"}
    return any(cue.name in _NOT_OVER and (cue.first, cue.last) not in helped for cue in cues)


def _acted(cues: Sequence[Cue]) -> bool:
    return any(cue.name == "intervention" for cue in cues)


def _scope(number: int, clauses: list[Parts], meanings: list[Meaning], acted: frozenset[int]) -> Iterator[int]:
    """The clause of the action and the ones after it, up to the next action."""
    for at in range(number, min(number + _REACH, len(clauses))):
        if at > number and (at in acted or clauses[at].clause.sentence > clauses[number].clause.sentence + 1):
            return
        if meanings[at].mode in (Mode.ASSERTED, Mode.HEDGED):
            yield at


def _outcomes(parts: Parts, last: int) -> Iterator[tuple[Outcome, Cue]]:
    negations = {cue.last for cue in parts.cues if cue.name == "negation"}
    for cue in parts.cues:
        if cue.name not in (Outcome.HELPED, Outcome.HELPED_FOR_A_WHILE, Outcome.NO_HELP, Outcome.TROUBLE_BEGAN):
            continue
        outcome = Outcome(cue.name)
        if cue.first < last and outcome is not Outcome.TROUBLE_BEGAN:
            continue
        if outcome is Outcome.HELPED and {cue.first, cue.first - 1} & negations:
            outcome = Outcome.NO_HELP
        yield outcome, cue


def _trouble_follows(
    number: int, first: int, last: int, clauses: list[Parts], meanings: list[Meaning], acted: frozenset[int]
) -> bool:
    """ "发版后都慢", "slow since the deploy": a word for after beside the action, and trouble in what follows."""
    after = any(
        cue.name == "after" and (0 <= cue.first - last <= 2 or 0 <= first - cue.last <= 2)
        for cue in clauses[number].cues
    )
    if not after:
        return False
    if any(cue.name in ("negation", "none", "fine", "unloaded") for cue in clauses[number].cues):
        return False
    scope = list(_scope(number, clauses, meanings, acted))
    return any(cue.name in _TROUBLE for at in scope for cue in clauses[at].cues) or any(
        mention.first >= last or mention.last <= first for mention in clauses[number].mentions if mention.first != first
    )
