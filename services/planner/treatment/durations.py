"""How long things take since something was done, and before; how long a query takes; and since when it is bad."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lang import deferred_re as re
from lang.cues import cue_terms, is_plain
from lang.listed import lists_beside
from lang.numbers.model import Role
from lang.numbers.values import read_values
from lang.tokens import Kind, Text, read_text
from lang.vocabulary import Unit
from services.planner.model import Aftermath, SessionView, Speaker
from services.planner.treatment.done_marks import tells_now
from services.planner.treatment.sentences import told_clauses
from services.planner.understand.text.word_lists import listed

_LISTED = lists_beside(__file__)

_SECONDS = "s"
# A longer message is a story or an output; a longer report tells of more than one thing.
_LONGEST, _SHORT = 300, 60
# So much of the time before, or less, is good news; so much, or more, is none.
_QUICKER, _AS_BEFORE = 1 / 3, 0.8
_RUNS, _GOES_ON = listed("treatment.was_run"), listed("treatment.goes_on")
# What was before, elsewhere, or is to come is no run since.
_NOT_SINCE = ("past", "others", "elsewhere", "question", "supposition", "plan", "wish", "negation")

_NUMBERS = ("half an", "an", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_AMOUNTS: dict[str, float] = {
    **{han: number for number, han in enumerate("一二三四五六七八九十", 1)},
    **{word: number for number, word in enumerate(_NUMBERS)},
    **{"两": 2, "俩": 2, "半": 0.5, "half an": 0.5},
}
_LASTS = _LISTED.pattern("lasts", re.IGNORECASE)
# The longest of all queries, as it is told: "the longest one is 7 min", "最长的也就 7 分钟".
_LONGEST_IS = _LISTED.pattern("longest_is", re.IGNORECASE)
# Before the minutes of the longest query of all.
AT_MOST = "at most "
_MINUTES = 60
_DAY = 86400
# Since when the trouble is there, as a day and a time of it, in neither language.
_BEGAN, _DAYS, _CORRECTS = listed("briefs.began"), listed("briefs.days"), listed("briefs.corrects")
_TIME_NOW = listed("briefs.now")
_CLOCK, _CLOCK_PARTS = listed("briefs.clock"), listed("briefs.clock_parts")
# From the afternoon on a clock of twelve hours is ahead by these.
_HALF_DAY, _HALF_HOUR = 12, "半"
_LATE = ("afternoon", "evening", "last_night")
_EARLIEST_NIGHT = 5


def aftermath_by_figure(said: str, view: SessionView, deed: int = 0) -> Aftermath | None:
    """How things are, by how long they take now, else by the size that something has now.

    deed: the place of the clause that tells what was done; how long a run behind it took is how long it takes now.
    """
    if now := _by_duration(said, view, tells_now):
        return now
    quick = _by_duration(said, view, _tells_run, deed + 1) is Aftermath.WELL
    return Aftermath.WELL if quick or _is_smaller_now(said, view) else None


def _by_duration(said: str, view: SessionView, is_now: Callable[[Text], bool], first: int = 0) -> Aftermath | None:
    """How things are, by the one time that a short clause tells of now, the last one, and the longest told before."""
    texts = [read_text(each) for each in told_clauses(said[:_LONGEST])[first:] if len(each) <= _SHORT]
    texts = [text for text in texts if not (_GOES_ON.search(text.normal) or _lasts_already(text))]
    told = filter(is_now, reversed(texts))
    now = next((times for text in told if len(times := _durations(text)) == 1), [])
    if not now:
        return None
    messages = [view.opening, *(each.text for each in view.history if each.speaker is Speaker.USER)]
    messages = [each for each in messages if len(each) <= _LONGEST] + [each.words for each in view.evidence]
    before = max((seconds for each in messages for seconds in _durations(read_text(each))), default=0.0)
    if not before or not now[0]:
        return None
    share = now[0] / before
    return Aftermath.WELL if share <= _QUICKER else Aftermath.UNCHANGED if share >= _AS_BEFORE else None


def _tells_run(text: Text) -> bool:
    """Whether a clause tells of a run that somebody made, and of none before or to come: "the rerun took 20 s"."""
    return _RUNS.search(text.normal) is not None and not any(
        each.payload in _NOT_SINCE for each in cue_terms().find(text)
    )


def _lasts_already(text: Text) -> bool:
    """Whether a clause tells since when something is so: days are no time that work takes ("nine days already")."""
    return any(seconds >= _DAY for seconds in _durations(text))


def _is_smaller_now(said: str, view: SessionView) -> bool:
    """Whether something has a third or less of the size now that it was told to have before: "pg_wal 4.1G"."""
    before = [size for each in view.history if each.speaker is Speaker.USER for size in _sizes(each.text)]
    before += [size for words in (view.opening, *(each.words for each in view.evidence)) for size in _sizes(words)]
    return any(name == was and now <= size * _QUICKER for name, now in _sizes(said) for was, size in before)


def _sizes(said: str) -> Iterator[tuple[frozenset[str], float]]:
    """The sizes that clauses tell, one each, with the words for what has it."""
    for text in (read_text(clause) for line in said.splitlines() for clause in told_clauses(line)):
        sizes = [each for each in read_values(text) if Unit.BYTES in each.readings and not each.bare]
        beside = [token for at, token in enumerate(text.tokens) if not any(at in each.covered for each in sizes)]
        name = frozenset(token.text for token in beside if token.kind is Kind.WORD and not is_plain(token))
        if len(sizes) == 1 and name:
            yield name, sizes[0].readings[Unit.BYTES][1]


def _durations(text: Text) -> list[float]:
    values = [each for each in read_values(text) if each.role is Role.VALUE]
    return [each.readings[_SECONDS][1] for each in values if _SECONDS in each.readings and not each.bare]


def runtimes_in(said: str) -> Iterator[str]:
    """How many minutes a report or a query takes, as a sentence tells it; last what the longest of all takes."""
    yield from (str(_minutes(found)) for found in _LASTS.finditer(said))
    yield from (f"{AT_MOST}{_minutes(found)}" for found in _LONGEST_IS.finditer(said))


def longest_of(told: Iterable[str]) -> int:
    """How many minutes the longest query takes of what was told of them; 0 where nothing was."""
    known = list(told)
    most = [int(each.removeprefix(AT_MOST)) for each in known if each.startswith(AT_MOST)]
    return most[-1] if most else max(map(int, known), default=0)


def _minutes(found: re.Match[str]) -> int:
    amount = float(_AMOUNTS.get(found["amount"].lower(), 0) or found["amount"])
    amount += 1 if found["more"] else 0.5 if found["half"] or found["and_half"] else 0
    hours = found["unit"].lower().startswith(("h", "小", "钟"))
    return max(round(amount * (_MINUTES if hours else 1)), 1)


def began_in(said: str, aftermath: Aftermath | None, view: SessionView) -> str:
    """Since when: "14:00", "last_night", "last_night 23:10"; empty where it is not told, or of what is over.

    Once something is on record, a time is that of something else unless it corrects what was said.
    """
    meant = aftermath is not Aftermath.WELL and (not view.evidence or _CORRECTS.search(said.lower()))
    found = _BEGAN.search(said.lower()) if meant else None
    if found is None:
        return ""
    told = found[0]
    days = [each.lastgroup or "" for each in _DAYS.finditer(told)]
    clock = _CLOCK.search(told)
    time = _time(clock[0], days) if clock is not None else ""
    return " ".join(part for part in (*days[:1], time) if part)


def now_in(said: str) -> str:
    """The time of the day that a message tells it is: "3am here", "现在凌晨3点"; empty where it tells none."""
    found = _TIME_NOW.search(said.lower())
    if found is None:
        return ""
    days = [each.lastgroup or "" for each in _DAYS.finditer(found[0])]
    clock = _CLOCK.search(found[0])
    return _time(clock[0], days) if clock is not None else ""


def _time(words: str, days: list[str]) -> str:
    """A time as HH:MM; empty where there is none such."""
    parts = _CLOCK_PARTS.search(words)
    if parts is None:
        return ""
    hour, minute = int(parts["hour"]), 30 if parts["minute"] == _HALF_HOUR else int(parts["minute"] or 0)
    night = "last_night" in days and hour <= _EARLIEST_NIGHT
    late = parts["half"] == "pm" or (not night and any(day in _LATE for day in days))
    hour += _HALF_DAY if late and hour < _HALF_DAY else 0
    return f"{hour:02}:{minute:02}" if hour < 2 * _HALF_DAY and minute < 60 else ""
