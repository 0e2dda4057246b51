"""Finds what stands in each clause of a message: subjects, words of the lexicon, values."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise

from lang.clauses import Clause, Cue, opens_with_assent, parts_clauses, resolve, split_clauses
from lang.cues import cue_terms, is_number_word, is_plain, number_words, word_set
from lang.numbers.model import TIMES, Role, Value
from lang.numbers.values import read_values
from lang.subjects import Mention, Slot, Use, find_mentions, find_slots
from lang.terms import Found
from lang.tokens import Kind, Text, Token

LIST_WORDS = word_set("joins")
_HOW_MUCH = word_set("how_much")
_KINDS = word_set("kinds")
_MACHINES, _AT = word_set("machines"), word_set("at_machine")
_OPEN = ("question", "plan", "supposition")
_NEARLY = word_set("nearly")
_SO_OFTEN = word_set("so_often")


@dataclass
class Parts:
    """A clause with all that was found in it."""

    clause: Clause
    mentions: list[Mention]
    slots: list[Slot]
    cues: list[Cue]
    values: list[Value]
    standbys: list[Cue] = field(default_factory=list)
    bound: dict[Mention, list[Value]] = field(default_factory=dict)


def find_parts(text: Text, uses: Sequence[Found[Use]]) -> list[Parts]:
    """The clauses with the subjects, words and values in each."""
    uses = [use for use in uses if not any(parts_clauses(text.tokens, at) for at in range(use.first + 1, use.last))]
    found = cue_terms().find(text)
    found = _without_at_times(text, found)
    cues = _without_phrases(text, _longest(found))
    together = frozenset(
        at for found in uses if found.payload.slot == "say" for at in range(found.first + 1, found.last)
    )
    together |= frozenset(at for cue in cues for at in range(cue.first + 1, cue.last))
    clauses = split_clauses(text, cues, together)
    joined = frozenset(
        at for at, token in enumerate(text.tokens) if token.text in LIST_WORDS and not _opens_path(text, at)
    )
    mentions = [find_mentions(within(clause, uses), joined) for clause in clauses]
    named = _named_lengths(mentions)
    blocked = frozenset(named).union(*(range(cue.first, cue.last) for cue in cues))
    values = read_values(text, blocked)
    valued = frozenset[int]().union(*(value.covered for value in values))
    # A word that a subject takes leaves the shorter ones in it free: 没有 in 没有恢复 before 恢复冲突.
    left = _longest(each for each in found if not _is_taken(_cue(each), named))
    free = [cue for cue in _without_phrases(text, left) if not valued.issuperset(range(cue.first, cue.last))]
    amounts = {value.first for value in values if value.readings.keys() != {TIMES}}
    # Before an amount 快 says how nearly it is so, and not how fast.
    uses = [use for use in uses if not _is_nearly(text, use, amounts)]
    free = [cue for cue in free if not _is_nearly(text, cue, amounts)]
    opened = {clause.first: clause for clause in clauses}
    free = [
        cue for cue in free if cue.first not in opened or not opens_with_assent(text.tokens, opened[cue.first], cue)
    ]
    parts = [_parts(clause, each, uses, free, values) for clause, each in zip(clauses, mentions, strict=True)]
    for each in parts:
        each.standbys = [
            cue for cue in cues if cue.name == "standby" and each.clause.first <= cue.first < each.clause.last
        ]
    _stay_on_standby(text, parts)
    return parts


def _without_at_times(text: Text, found: Sequence[Found[str]]) -> list[Found[str]]:
    """The words of the lexicon without "not constantly" and 不是每次: what is not so at all times is so at some."""
    often = {each.first: each.last for each in found if each.payload == "frequency"}
    gone: set[int] = set()
    for each in found:
        at = each.last
        while at < len(text.tokens) and text.tokens[at].text in _SO_OFTEN:
            at += 1
        if each.payload == "negation" and at in often:
            gone.update(range(each.first, often[at]))
    return [each for each in found if gone.isdisjoint(range(each.first, each.last))]


def _stay_on_standby(text: Text, parts: Sequence[Parts]) -> None:
    """What a sentence measures on a standby is of it until it says otherwise: "备库那台 w_await 203 ms，util 99%"."""
    for before, each in pairwise(parts):
        goes_on = each.clause.sentence == before.clause.sentence and not each.standbys
        if goes_on and not any(cue.name in ("here", "turn") for cue in each.cues):
            each.standbys = [cue for cue in before.standbys if _is_place(text, cue)]


def _is_place(text: Text, cue: Cue) -> bool:
    after = text.normal[text.tokens[cue.last - 1].end :].lstrip()
    before = [token.text for token in text.tokens[max(cue.first - 2, 0) : cue.first]]
    return after.startswith(tuple(_MACHINES)) or not _AT.isdisjoint(before)


def _opens_path(text: Text, at: int) -> bool:
    """True for the slash of "/PostgreSQL.123" in quotes, which joins nothing."""
    before = text.tokens[at - 1 : at]
    return text.tokens[at].text == "/" and (not before or before[0].kind in (Kind.COMMA, Kind.STOP))


def _parts(
    clause: Clause, mentions: list[Mention], uses: Sequence[Found[Use]], cues: Iterable[Cue], values: Iterable[Value]
) -> Parts:
    slots = find_slots(within(clause, uses), frozenset(mention.subject for mention in mentions))
    # A word inside a longer one that says nothing is no state or value: 快 in 快照.
    idle = [cue for cue in cues if cue.name == "idle_words"]
    slots = [slot for slot in slots if not any(_is_slot_inside(slot, cue) for cue in idle)]
    longest = {(slot.first, slot.last) for slot in slots}
    own = [cue for cue in cues if clause.first <= cue.first < clause.last]
    # A word that a subject has for its state or value is no negation or level of the lexicon.
    own = [cue for cue in own if not any(first <= cue.first and cue.last <= last for first, last in longest)]
    own_values = [value for value in values if clause.first <= value.first < clause.last]
    return Parts(clause, mentions, slots, own, own_values)


def _is_nearly(text: Text, word: Found[Use] | Cue, amounts: Set[int]) -> bool:
    """True for a word of speed that only says "nearly" of the amount behind it."""
    return word.last in amounts and word.last - word.first == 1 and text.tokens[word.first].text in _NEARLY


def settle_ages(parts: Parts, ages: frozenset[str]) -> Parts:
    """ "Started 3 hours ago" is a value of what is counted from a time on, and no word for the past; else it is none.

    ages: the subjects that are counted so.
    """
    ago = [value for value in parts.values if value.role is Role.AGO]
    if not any(mention.subject in ages for mention in parts.mentions):
        return replace(parts, values=[value for value in parts.values if value not in ago]) if ago else parts
    values = [replace(value, role=Role.VALUE) if value in ago else value for value in parts.values]
    told = [
        cue
        for cue in parts.cues
        if cue.name == "past" and any(value.first < cue.last and cue.first <= value.last for value in ago)
    ]
    return replace(parts, values=values, cues=[cue for cue in parts.cues if cue not in told])


def cues_of(text: Text) -> list[Cue]:
    """The words of the lexicon in a text; a longer one takes the words of a shorter one."""
    return _longest(cue_terms().find(text))


def _longest(found: Iterable[Found[str]]) -> list[Cue]:
    cues = [_cue(each) for each in found]
    spans = sorted({(cue.first, cue.last, 0) for cue in cues})
    kept = {spans[position][:2] for position in resolve(spans)}
    return [cue for cue in cues if (cue.first, cue.last) in kept]


def _cue(found: Found[str]) -> Cue:
    return Cue(found.payload, found.first, found.last)


def _without_phrases(text: Text, cues: list[Cue]) -> list[Cue]:
    """Drops cues inside a longer phrase for a multiple: "what it always is" asks nothing."""
    phrases = [found for found in number_words().find(text) if found.payload.table == "multiples"]
    return [cue for cue in cues if not any(_is_inside(cue, phrase.first, phrase.last) for phrase in phrases)]


def _named_lengths(mentions: Iterable[Iterable[Mention]]) -> dict[int, int]:
    """For each token that names a subject the length of the run of tokens that it is in."""
    spans = [span for each in mentions for mention in each for span in mention.spans]
    spans.sort(key=lambda span: span[1] - span[0])
    return {at: last - first for first, last in spans for at in range(first, last)}


def _is_taken(cue: Cue, named: Mapping[int, int]) -> bool:
    """True if a word of the lexicon belongs to a subject that is no shorter than it."""
    return any(named.get(at, 0) >= cue.last - cue.first for at in range(cue.first, cue.last))


def _is_inside(cue: Cue, first: int, last: int) -> bool:
    return first <= cue.first and cue.last <= last and cue.last - cue.first < last - first


def _is_slot_inside(slot: Slot, cue: Cue) -> bool:
    return cue.first <= slot.first and slot.last <= cue.last and slot.last - slot.first < cue.last - cue.first


def within(clause: Clause, uses: Sequence[Found[Use]]) -> list[Found[Use]]:
    """The terms that stand whole in a clause; uses: in the order in which they begin."""
    start = bisect_left(uses, clause.first, key=lambda use: use.first)
    end = bisect_left(uses, clause.last, lo=start, key=lambda use: use.first)
    return [use for use in uses[start:end] if use.last <= clause.last]


def has_content(text: Text, parts: Parts) -> bool:
    """True if a clause has words of its own beside values and words of the lexicon: it is a thought of its own."""
    covered = {at for value in parts.values for at in value.covered}
    covered |= {at for cue in parts.cues for at in range(cue.first, cue.last)}
    own = [text.tokens[at] for at in range(parts.clause.first, parts.clause.last) if at not in covered]
    return any(is_content(token) for token in own)


def has_kind(text: Text, parts: Parts) -> bool:
    """True if a clause opens with a word that tells which ones it is about: "small ones are ok"."""
    return text.tokens[parts.clause.first].text in _KINDS


def has_own_subject(text: Text, parts: Parts) -> bool:
    """True if a word that nothing explains stands before the first value of a clause."""
    first = min((value.first for value in parts.values if value.first >= parts.clause.first), default=parts.clause.last)
    covered = {at for cue in parts.cues for at in range(cue.first, cue.last)}
    covered |= {at for value in parts.values for at in value.covered}
    own = (text.tokens[at] for at in range(parts.clause.first, first) if at not in covered)
    return any(is_content(token) and (token.kind is Kind.WORD or not is_number_word(token.text)) for token in own)


def counts_none_of_another(text: Text, parts: Parts) -> bool:
    """True if a clause has zero of something it names itself: "值班表上零操作记录"."""
    zeros = (value.last for value in parts.values if value.is_zero and value.bare)
    return any(last < parts.clause.last and is_content(text.tokens[last]) for last in zeros)


def is_content(token: Token) -> bool:
    """True if a token is a word that says something of its own."""
    return token.kind in (Kind.WORD, Kind.HAN) and not is_plain(token)


def only_corrects(parts: Parts) -> bool:
    """True for a clause that only says that something was wrong."""
    return not parts.mentions and not parts.values and any(cue.name == "correction" for cue in parts.cues)


def is_answerable(text: Text, parts: Parts) -> bool:
    """True if a clause brings up a thing or asks for an amount, so that a value after it is the answer.

    "Deadlocks? zero" answers, and "will it lock the table? 200 M rows" does not.
    """
    tokens = text.tokens[parts.clause.first : parts.clause.last]
    asks = any(cue.name in _OPEN for cue in parts.cues)
    return not asks or any(token.text in _HOW_MUCH for token in tokens)
