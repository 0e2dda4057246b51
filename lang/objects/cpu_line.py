"""The CPU line of top, as a person would say it: the name of a share first, and nothing of interrupts ("si")."""

from __future__ import annotations

from re import Match

from lang import deferred_re as re

_SHARE = re.compile(r"(?<![\w.])(\d[\d.]*)\s?%?\s*\b(us|sy|ni|id|wa|hi|si|st)\b")
_IN_LINE = 4
_UNSAID = ("ni", "hi", "si")


def say_cpu_line(words: str) -> str:
    """The words, as long as before, with the shares of each CPU line behind their names: "wa 45.0"."""
    return "\n".join(_say(line) for line in words.split("\n"))


def _say(line: str) -> str:
    return _SHARE.sub(_name_first, line) if len(_SHARE.findall(line)) >= _IN_LINE else line


def _name_first(found: Match[str]) -> str:
    share, name = found[1], found[2]
    if name in _UNSAID:
        return " " * len(found[0])
    return name + " " * (len(found[0]) - len(share) - len(name)) + share
