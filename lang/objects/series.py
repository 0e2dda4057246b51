"""What consoles print, as a person would say it, in as many characters.

A series "09:00 41%  09:30 19%  10:15 0%" is "41% -> 0%", its first value and the one farthest from it; of a graph's
legend, "min 2% max 71% avg 40% last 69%", the figure that holds now is said. The shares of a CPU line stand behind
their names, and directories of a server go by their own names.
"""

from __future__ import annotations

from collections.abc import Sequence
from re import Match, Pattern

from lang import deferred_re as re
from lang.cues import word_set
from lang.listed import lists_beside

_LISTED = lists_beside(__file__)

_NUMBER, _UNIT = r"\d+(?:\.\d+)?", r"\s?(?:%|％|(?:ms|[KMGT]i?B/s|[KMGT]i?B|IOPS|s)\b)"
_PAIR = _LISTED.pattern("pair", re.IGNORECASE)
# The figures of a legend, the first that is there is said; a limit in brackets is none of them.
_FIGURES = ("last", "current", "now", "当前", "最新", "avg", "average", "mean", "平均", "min", "max", "最小", "最大")
_FIGURE = _LISTED.pattern("figure", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:->|→|[,，;；|])?\s*")
_SIZE = r"\d[\d.]*\s?[KMGTP](?:i?B)?\b"
_PATH = r"(?<![\w/])(?P<{0}>(?:/[\w.-]+)*/)(?=pg_wal\b|pg_xlog\b|pgsql_tmp\b)"
_AFTER = re.compile(rf"{_SIZE}\s+(?:(?:in|at|of|for|under)\s+)?{_PATH.format('path')}", re.IGNORECASE)
_BEFORE = _LISTED.pattern("before", re.IGNORECASE)
_SHARE = re.compile(r"(?<![\w.])(\d[\d.]*)\s?%?\s*\b(us|sy|ni|id|wa|hi|si|st)\b")
_IN_LINE = 4
_UNSAID = ("ni", "hi", "si")


def say_series(words: str) -> str:
    """The words, as long as before, with each series as its first value and the one farthest from it."""
    for run in _runs(_PAIR, words):
        start, end = run[0].start(), run[-1].end()
        words = words[:start] + _say(run, end - start) + words[end:]
    for run in _runs(_FIGURE, words):
        start, end = run[0].start(), run[-1].end()
        now = min(run, key=lambda pair: _FIGURES.index(pair["figure"].lower()))
        words = words[:start] + _value(now).rjust(end - start) + words[end:]
    return words


def _runs(form: Pattern[str], words: str) -> list[list[Match[str]]]:
    """What of a form stands several times in a row."""
    runs: list[list[Match[str]]] = []
    for pair in form.finditer(words):
        if runs and _BETWEEN.fullmatch(words, runs[-1][-1].end(), pair.start()):
            runs[-1].append(pair)
        else:
            runs.append([pair])
    return [run for run in runs if len(run) > 1]


def _value(pair: Match[str]) -> str:
    return f"{pair['value']}{pair['unit'].strip()}"


def _say(run: Sequence[Match[str]], length: int) -> str:
    """What a run of pairs says, from its beginning to its end."""
    first = float(run[0]["value"])
    far = max(run, key=lambda pair: abs(float(pair["value"]) - first))
    begins, last = _value(run[0]), _value(far)
    if far is run[0]:
        return last.rjust(length)
    return f"{begins} ->" + last.rjust(length - len(begins) - len(" ->"))


def name_directories(said: str) -> str:
    """The text, as long as before, with the directories of a server that have a size by their own names alone."""
    for form in (_AFTER, _BEFORE):
        said = form.sub(lambda found: _without_path(found), said)
    return said


def tells_contents(name: str) -> bool:
    """False for a directory whose size tells nothing of what it is named after: one of slots holds no WAL."""
    return word_set("bookkeeping").isdisjoint(name.lower().split("_"))


def _without_path(found: Match[str]) -> str:
    first, last = found.start("path") - found.start(), found.end("path") - found.start()
    return found[0][:first] + " " * (last - first) + found[0][last:]


def say_cpu_line(words: str) -> str:
    """The words, as long as before, with the shares of each CPU line behind their names: "wa 45.0"."""
    return "\n".join(_say_shares(line) for line in words.split("\n"))


def _say_shares(line: str) -> str:
    return _SHARE.sub(_name_first, line) if len(_SHARE.findall(line)) >= _IN_LINE else line


def _name_first(found: Match[str]) -> str:
    share, name = found[1], found[2]
    if name in _UNSAID:
        return " " * len(found[0])
    return name + " " * (len(found[0]) - len(share) - len(name)) + share
