"""How a change that somebody asks about lies to the beginning of the trouble, by the days and clocks that they name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml
from dbdiag.planner.v1.planner_types import Speaker, Timing

from gateway.session.ledger import Session
from gateway.turn.suspected.suspects import kinds_of_change, tells_change
from lang import deferred_re as re
from lang.concepts.glossary import load
from lang.concepts.named_things import things_named
from lang.listed import lists_beside
from lang.modality import is_negated

_LISTED = lists_beside(__file__)

_MOMENTS = Path(__file__).with_name("moments.yaml")
_CLAUSE = re.compile(r"[。！？!?;；\n：，、]|[.,:](?=\s|$)|(?<![a-z])(?=\band (?:he|she|they|we|i)\b)")
_ASIDE = re.compile(r"\s*[(（][^()（）\n]{0,80}[)）]")
_WHY = re.compile(r"\bwhy\b|\bhow come\b|为什么|为啥|怎么(?:就|会|偏|突然)")
_IS_THAT_IT = _LISTED.pattern("is_that_it")
# A time that is told of something else: of now, of when it was fine, in a question.
_OTHER = _LISTED.pattern("other")
_BEGAN_WITH = _LISTED.pattern("began_with")
_HAN, _LETTERS = re.compile(r"[\u4e00-\u9fff]+"), re.compile(r"[a-z_]{4,}")
_COMMON = frozenset(("that", "this", "with", "have", "been", "were", "release", "deploy", "change", "changed", "could"))
_AROUND_WEEKEND = frozenset(("mon", "sat", "sun"))
_CLOCK, _DATE, _WEEKEND = "clock", "date", "weekend"
# Changes that run for a time, and the days of a night and the morning after it.
_LASTING, _SINCE_NIGHT = frozenset(("load", "job", "purge")), frozenset(("yesterday", "today"))
_DIGITS = {each: at for at, each in enumerate("零一二三四五六七八九十")} | {"两": 2}
_HALF_DAY, _NEAR = 12, 1
# A longer clause is an output.
_LONGEST, _OPENING, _NEAR_CLAUSES = 160, 2, 3


def said_change(session: Session, message: str, asked: str) -> str:
    """The clause that tells the change which words ask about; "" if they ask about something else.

    Words that name a change mean it, with the time that was told of it; words that name nothing, or ask why it began
    just then, what was changed before.
    """
    told = [each for each in _clauses(asked) if tells_change(each)]
    here = [each for each in _clauses(message.partition(asked)[0] if asked in message else message) if _tells(each)]
    talk = [each for text in reversed(_said(session)) for each in _clauses(text) if _tells(each)]
    dated = [each for each in (*reversed(here), *talk) if _has_moment(each)]
    if told:
        near = [each for each in dated if alike(each, asked)]
        same = [*near, *(each for each in dated if _is_of_one_kind(each, asked))]
        own = [each for each in told if _has_moment(each)]
        return next(iter((*(each for each in same if _same_day(each, own)), *own, *same, *told)))
    if _asks_why_then(asked):
        return next(iter(dated), "")
    names_nothing = not things_named(asked) - load().grammar.unspecific
    near = here[-_NEAR_CLAUSES:]
    return next((each for each in (*dated, *reversed(near)) if each in near), "") if names_nothing else ""


def alike(one: str, other: str) -> bool:
    """Whether two clauses share a word that is no more than that there was a change."""
    return not _words(one).isdisjoint(_words(other))


def is_of_change(words: str, change: str) -> bool:
    """Whether words that are no output tell of this change."""
    said = tells_change(words) and "|" not in words
    return said and (alike(words, change) or _is_of_one_kind(words, change))


def _same_day(clause: str, asked: list[str]) -> bool:
    """Whether a clause tells a change of the very day that words ask about, and more of it than they do."""
    return any(_moments(clause)[0] & _moments(each)[0] and len(clause) > len(each) for each in asked)


def _is_of_one_kind(one: str, other: str) -> bool:
    """Whether two clauses name the same kind of change: "our deploy" is the release that was told of."""
    return not kinds_of_change(one).isdisjoint(kinds_of_change(other))


def _words(clause: str) -> frozenset[str]:
    """The longer words in letters, and the pairs of Chinese characters, without days."""
    plain = _moment().sub(" ", clause.lower())
    pairs = {run[at : at + 2] for run in _HAN.findall(plain) for at in range(len(run) - 1)}
    return frozenset((*pairs, *(each for each in _LETTERS.findall(plain) if each not in _COMMON)))


def _tells(clause: str) -> bool:
    """Whether a clause tells of a change that there was."""
    return tells_change(clause) and not is_negated(clause)


def asks_why(words: str) -> bool:
    """Whether words ask for a reason."""
    return _WHY.search(words.lower()) is not None


def _asks_why_then(words: str) -> bool:
    """Whether words ask why it began at that time: "why would it start yesterday?"."""
    return asks_why(words) and _has_moment(words)


def _has_moment(words: str) -> bool:
    return _moment().search(words.lower()) is not None


def points_at_change(session: Session, message: str, asked: str) -> bool:
    """Whether words ask if what was just told is it, and that was a change: "they rotated the keys. is that it?"."""
    return _IS_THAT_IT.search(asked.lower()) is not None and bool(said_change(session, message, asked))


def said_onset(session: Session, message: str) -> str:
    """The clause that tells since when the trouble is there: the first one with a time that tells of no change."""
    opening = [*_said(session), message][:_OPENING]
    clauses = (each for text in opening for each in _clauses(text))
    return next((each for each in clauses if _has_moment(each) and not (tells_change(each) or _OTHER.search(each))), "")


def began_with(change: str) -> bool:
    """Whether a clause tells both a change and that it began with it: "it started after they shipped a release"."""
    return _BEGAN_WITH.search(change.lower()) is not None


def compare(change: str, onset: str) -> Timing | None:
    """Whether a change and the beginning lie together; None where their words do not tell."""
    (days, clocks), (other_days, other_clocks) = _moments(change), _moments(onset)
    if kinds_of_change(change) & _LASTING and onset and not other_days - _SINCE_NIGHT and days <= _SINCE_NIGHT:
        # What ran for hours shows later, up to the next morning.
        near = days or (clocks and other_clocks and _are_near(clocks, other_clocks))
        return Timing.FITS if near else None
    if days and other_days and not days & other_days:
        both = days | other_days
        return Timing.FITS if _WEEKEND in both and not both.isdisjoint(_AROUND_WEEKEND) else Timing.APART
    if clocks and other_clocks:
        return Timing.FITS if _are_near(clocks, other_clocks) else Timing.APART
    return Timing.FITS if days & other_days else None


def _are_near(clocks: set[int], others: set[int]) -> bool:
    return min(min(abs(a - b) % 12, 12 - abs(a - b) % 12) for a in clocks for b in others) <= _NEAR


@cache
def _moment() -> re.Pattern[str]:
    words = yaml.load(_MOMENTS.read_bytes(), yaml.CSafeLoader)
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in words.items()))


def _said(session: Session) -> list[str]:
    return [each.text for each in session.dialogue if each.speaker is Speaker.USER]


def _clauses(text: str) -> Iterator[str]:
    """The clauses of what was said, without outputs."""
    plain = _ASIDE.sub(" ", text)
    return (each.strip() for each in _CLAUSE.split(plain) if each.strip() and len(each) <= _LONGEST and "|" not in each)


def _moments(words: str) -> tuple[set[str], set[int]]:
    """The days and the hours of the clock that words name."""
    found = [*_moment().finditer(words.lower())]
    days = {each[0] if each.lastgroup == _DATE else each.lastgroup or "" for each in found} - {_CLOCK}
    return days, {_hour(each[0]) for each in found if each.lastgroup == _CLOCK}


def _hour(words: str) -> int:
    digits = re.compile(r"\d+").search(words)
    if digits is not None:
        return int(digits[0]) % _HALF_DAY
    tens, _, ones = words.rstrip("点").partition("十")
    if "十" not in words:
        return _DIGITS.get(tens, 0)
    return (_DIGITS.get(tens, 1) * 10 + _DIGITS.get(ones, 0)) % _HALF_DAY
