"""A series of times with a value each, as a person would say it: from its first value to the one farthest from that.

"09:00 41%  09:30 19%  10:15 0%" of a console is "41% -> 0%": what it begins with tells little of what it shows. Of the
figures in the legend of a graph, "min 2% max 71% avg 40% last 69%", the one that holds now is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from re import Match, Pattern

from lang import deferred_re as re

_TIME = r"(?:(?:\d{4}-)?\d{1,2}[-/]\d{1,2}[ T]+)?\d{1,2}:\d\d(?::\d\d)?(?![\d:])|\d{1,2}[日号点]"
_NUMBER, _UNIT = r"\d+(?:\.\d+)?", r"\s?(?:%|％|(?:ms|[KMGT]i?B/s|[KMGT]i?B|IOPS|s)\b)"
_PAIR = re.compile(
    rf"(?:{_TIME})\s*[=:：,，|]?\s*(?P<value>{_NUMBER})(?![\d:.]*[\d:])(?P<unit>{_UNIT}?)", re.IGNORECASE
)
# The figures of a legend, the first that is there is said; a limit in brackets is none of them.
_FIGURES = ("last", "current", "now", "当前", "最新", "avg", "average", "mean", "平均", "min", "max", "最小", "最大")
_FIGURE = re.compile(
    rf"(?<![\w(（])(?P<figure>{'|'.join(_FIGURES)})\s*[=:：]?\s*(?P<value>{_NUMBER})(?![\d:.]*[\d:])(?P<unit>{_UNIT}?)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:->|→|[,，;；|])?\s*")


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
