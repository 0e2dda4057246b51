"""The clauses of a message: where one ends, which sentence it belongs to, and which of its words ask by their form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from lang.cues import negation_words, word_set
from lang.judging.proposed_acts import is_proposed
from lang.tokens import Kind, Text, Token, is_inner_dot

_LONGEST = 60
_UNIT = 2
_BRACKETS = ("(", ")")
# A noun before "is" is as short, and so are the words between that and "fine".
_NOUN, _FILLED = 4, 4
_BEING, _WHOLES = word_set("being"), word_set("wholes")
_TOLD = ("slow", "bad", "high", "large")
# What ends a list of things, with 啥 before it; what is behind a thing that is told beside another.
_LISTS, _ALSO = "的", "也"
_INTERJECTIONS, _STATED = word_set("interjections"), word_set("begins_statement")
# "And no this did not start then": the no is the opening all the same.
_BEFORE_ONE = frozenset(("and", "but", "so", "well"))


class Cue(NamedTuple):
    """A word of the lexicon at the tokens from `first` up to `last`; `name` is its list."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Clause:
    """The tokens from `first` up to `last`. sentence: counts from 0. asked: a question mark ends it."""

    first: int
    last: int
    sentence: int
    asked: bool = False


def split_clauses(text: Text, cues: Iterable[Cue], together: frozenset[int]) -> list[Clause]:
    """The clauses of a text in order.

    A clause ends at punctuation, before words such as 但是 and but, before "everything else" after "slow", and at a
    space before a Chinese character after another one or after a value ("CPU 97% 没有锁等待"), unless it goes on with
    the value or counts none ("0 死锁"), and before another thing after a value ("才用了 40% io 也不高"). A yes or no at
    its beginning is one by itself: "no the standby is there" denies no standby; and so is each denial of "no restart
    no failover". Brackets of a call are part of its name: "function tax(numeric) does not exist".
    together: tokens before which nothing may be split, since a term or a value goes across.
    """
    turns, fine = set(_turns(cues)), frozenset(cue.first for cue in cues if cue.name == "fine")
    together = together | _calls(text.tokens)
    clauses: list[Clause] = []
    first = sentence = 0
    for at, token in enumerate(text.tokens):
        ends = at not in together and _ends(text.tokens, at, turns) and not _counts_none(text.tokens, first, at)
        ends = ends or _opens(text.tokens, first, at, fine) or _denies_again(text.tokens, first, at)
        if (ends or at - first >= _LONGEST) and at > first:
            clauses.append(Clause(first, at, sentence, _is_question_mark(token)))
        elif ends and _is_question_mark(token):
            clauses = _asked_before_bracket(text.tokens, at, clauses)
        if ends or at - first >= _LONGEST:
            first = at + 1 if token.kind in (Kind.STOP, Kind.COMMA) else at
            sentence += token.kind is Kind.STOP
    if first < len(text.tokens):
        clauses.append(Clause(first, len(text.tokens), sentence))
    return clauses


def _asked_before_bracket(tokens: tuple[Token, ...], at: int, clauses: list[Clause]) -> list[Clause]:
    """The clauses, with those from before a bracket on that a question mark stands right behind as asked."""
    if tokens[at - 1].text != ")" or not clauses:
        return clauses
    opened = next((place for place in range(at - 1, -1, -1) if tokens[place].text == "("), at)
    return [replace(each, asked=True) if each.last >= opened else each for each in clauses]


def _turns(cues: Iterable[Cue]) -> Iterator[int]:
    """Where a thought of its own begins: at 但是 and but, and at "the others" behind a word of how things stand."""
    found = list(cues)
    told = {cue.last for cue in found if cue.name in _TOLD}
    yield from (cue.first for cue in found if cue.name == "turn" or (cue.name == "others" and cue.first in told))


def _ends(tokens: tuple[Token, ...], at: int, turns: set[int]) -> bool:
    token = tokens[at]
    if token.kind is Kind.STOP:
        return not _is_dot_of_name(tokens, at)
    if token.kind is Kind.COMMA:
        return token.text not in ("、", '"', "`", "“", "”")
    if at in turns:
        return True
    if parts_clauses(tokens, at):
        return True
    if at > 0 and token.space and tokens[at - 1].text in word_set("ends_statement"):
        return True
    if not (at > 0 and token.space and _ends_value(tokens, at)):
        return False
    also = [each.text for each in tokens[at + 1 : at + 2]] == [_ALSO]
    return token.text not in word_set("amount_goes_on") if token.kind is Kind.HAN else also


def _counts_none(tokens: tuple[Token, ...], first: int, at: int) -> bool:
    """True behind the zero that says how many of what follows there are: "0 死锁" at a clause's begin, "有 0% 丢包"."""
    if tokens[at].kind is not Kind.HAN or at == 0 or tokens[at].text in word_set("begins_statement") | negation_words():
        return False
    share = at > first + 1 and tokens[at - 1].text == "%" and tokens[at - 2].text == "0"
    return share or (at == first + 1 and tokens[first].text == "0")


def parts_clauses(tokens: tuple[Token, ...], at: int) -> bool:
    """True for a space between two Chinese characters, which people type for a comma."""
    return at > 0 and tokens[at].space and tokens[at].kind is Kind.HAN and tokens[at - 1].kind is Kind.HAN


def _opens(tokens: tuple[Token, ...], first: int, at: int, fine: frozenset[int]) -> bool:
    """True where a statement begins behind a yes or no that opens it: "and no this ..", "no archiving is fine"."""
    first += tokens[first].text in _BEFORE_ONE
    if at != first + 1 or tokens[first].text not in _INTERJECTIONS or first in fine:
        return False
    being = next((place for place in range(at, min(at + _NOUN, len(tokens))) if tokens[place].text in _BEING), None)
    if being is None or tokens[at].text in _STATED:
        return tokens[at].text in _STATED
    named = _WHOLES.isdisjoint(token.text for token in tokens[at:being])
    return named and not fine.isdisjoint(range(being + 1, being + _FILLED))


def opens_with_assent(tokens: tuple[Token, ...], clause: Clause, cue: Cue) -> bool:
    """True for an ok, at the beginning of its clause, that only answers: "ok I ran it", not "ok on all hosts"."""
    if cue.name != "fine" or tokens[cue.first].text not in word_set("assent_opens"):
        return False
    after = tokens[cue.last : clause.last]
    return cue.last - cue.first == 1 and bool(after) and after[0].text not in word_set("assent_goes_on")


def _denies_again(tokens: tuple[Token, ...], first: int, at: int) -> bool:
    """True at the second no of "no restart no failover" and "no no failover": each denies what stands behind it."""
    first += tokens[first].text in _BEFORE_ONE
    between = frozenset(token.text for token in tokens[first + 1 : at])
    denies = first < at and tokens[at].text == tokens[first].text == "no" and between.isdisjoint(_BEING)
    return denies and [token.text for token in tokens[at + 1 : at + 2]] != ["no"]


def _calls(tokens: tuple[Token, ...]) -> frozenset[int]:
    """The brackets that stand right behind a Latin word, and those that close them."""
    found: list[int] = []
    opened: list[bool] = []
    for at, token in enumerate(tokens):
        if token.text == "(":
            opened.append(at > 0 and not token.space and tokens[at - 1].kind is Kind.WORD)
        if token.text in _BRACKETS and opened and opened[-1]:
            found.append(at)
        if token.text == ")" and opened:
            opened.pop()
    return frozenset(found)


def _is_dot_of_name(tokens: tuple[Token, ...], at: int) -> bool:
    """True for the dot of "PostgreSQL.1804289383": a word before it and a number after it, without spaces."""
    return (
        is_inner_dot(tokens, at) and at > 0 and tokens[at - 1].kind is Kind.WORD and tokens[at + 1].kind is Kind.NUMBER
    )


def _ends_value(tokens: tuple[Token, ...], at: int) -> bool:
    """True if a number with or without a sign or short unit, or "f" and "off", stands before a token."""
    last = tokens[at - 1]
    if last.kind is Kind.NUMBER or last.text in word_set("values_said"):
        return True
    return at > 1 and tokens[at - 2].kind is Kind.NUMBER and not last.space and len(last.text) <= _UNIT


def _is_question_mark(token: Token) -> bool:
    return token.kind is Kind.STOP and "?" in token.text


def resolve(spans: Iterable[tuple[int, int, int]]) -> Iterator[int]:
    """Of spans as (first, last, rank) the positions of those that no longer one overlaps; ties go to the lower rank."""
    taken: set[int] = set()
    ordered = sorted(enumerate(spans), key=lambda item: (item[1][0] - item[1][1], item[1][2], item[1][0]))
    for position, (first, last, _) in ordered:
        if taken.isdisjoint(range(first, last)):
            taken.update(range(first, last))
            yield position


def points_at_thing(text: Text, first: int, last: int) -> bool:
    """Whether the interrogative at these tokens points at a thing, at none or ends a list, and asks for none."""
    if "".join(token.text for token in text.tokens[first:last]) not in word_set("pointed_at"):
        return False
    before = [token.text for token in text.tokens[max(first - 3, 0) : first]]
    after = [token.text for token in text.tokens[last : last + 2]]
    ends = [*before[-1:], "".join(before[-2:])]
    points = not word_set("points_at").isdisjoint(ends) and "question" not in before
    told = len(after) > 1 and after[0] in word_set("persons") and after[1] in word_set("perceive")
    return points or told or _ends_list(text.tokens, first, last)


def _ends_list(tokens: Sequence[Token], first: int, last: int) -> bool:
    """搜索啥的都正常: the things before it, and others like them."""
    if not first or [token.text for token in tokens[last : last + 1]] != [_LISTS]:
        return False
    if tokens[first - 1].text in word_set("asks_with"):
        return False
    following = tokens[last + 1 : last + 2]
    return not following or following[0].kind in (Kind.STOP, Kind.COMMA) or following[0].text in word_set("lists_go_on")


def opens_question(text: Text, clause: Clause, cues: Iterable[Cue]) -> bool:
    """Whether a clause opens like a question: "can I drop it", "and can I drop it"; "and is at 100 %" asks nothing."""
    opening = {cue.first - clause.first for cue in cues if cue.name == "question_opening"}
    words = [token.text for token in text.tokens[clause.first : clause.last]]
    if opening and words[0] == "how":
        return True  # "How long on 80 million rows and does it hurt the disks".
    begins = next((at for at, word in enumerate(words) if word not in word_set("before_question")), 0)
    of = words[begins + 1 : begins + 2]
    return begins in opening and of != ["not"] and (begins == 0 or not word_set("askers").isdisjoint(of))


def asks_a_not_a(tokens: Sequence[Token]) -> bool:
    """锁不锁, 慢不慢: a character, 不, and the character again.

    时不时 and 动不动 say how often something is, and 只是不是 that it only is not so.
    """
    return any(
        one.kind is Kind.HAN
        and one.text == other.text
        and middle.text == "不"
        and one.text not in word_set("often_doubled")
        and not (at and tokens[at - 1].text in word_set("merely"))
        for at, (one, middle, other) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False))
    )


def is_tag(text: Text, clause: Clause) -> bool:
    """Whether a clause only asks if what stands before it is right: "thats the order?", 对吧."""
    words = {token.text for token in text.tokens[clause.first : clause.last]}
    asks = clause.asked or not words.isdisjoint(word_set("question_tags"))
    return asks and not words.isdisjoint(word_set("held_right")) and words <= word_set("in_tags")


def asks_which(tokens: Sequence[Token]) -> bool:
    """ "Yes it ends or yes it stays", 会断还是会留着: of two readings of an answer one is asked for."""
    words = [token.text for token in tokens]
    if words[:1] and words[0] in _INTERJECTIONS:
        return any(one == "or" and other in _INTERJECTIONS for one, other in pairwise(words))
    ends = [at + 2 for at, pair in enumerate(pairwise(words)) if pair == ("还", "是")]
    return any(at < len(words) and words[at] in word_set("doubled_in_choice") & set(words[: at - 2]) for at in ends)


def orders(text: Text, clause: Clause) -> bool:
    """Whether a clause only tells what to do: what others propose, or an action in its place in an order.

    The action has the form that nobody has done yet: "then alter it".
    """
    words = [token.text for token in text.tokens[clause.first : clause.last]]
    opening = next((word for word in words if word not in word_set("before_order")), "")
    ordered = opening in word_set("orders") and not word_set("in_sequence").isdisjoint(words)
    return ordered or is_proposed(text.normal, (text.tokens[clause.first].start, text.tokens[clause.last - 1].end))
