"""Who points out that the answers before did not fit together: "you said 98 two minutes ago", "前后矛盾"."""

from __future__ import annotations

from lang import deferred_re as re

_PLAINLY = re.compile(
    r"(?i)前后矛盾|自相矛盾|前后不一|前言不搭后语"
    r"|你[^。！？?!]{0,4}(?:刚才|前面|之前|刚刚?|上面)[^。！？?!]{0,3}说[^。！？?!]{1,30}现在又"
    r"|\b(?:you|u)(?:'re| are| r)? (?:just |now )?contradict(?:ed|ing)? (?:yourself|urself)"
    r"|\bmake up (?:your|ur) mind\b"
    r"|\b(?:you|u) (?:just |literally )?said [^.!?\n]{2,50}\band now (?:you|u|its|it's)\b"
)
_SAID = re.compile(
    r"(?i)\b(?:you|u) (?:just |literally |only )?(?:said|told me|had)\b[^.!?\n]*"
    r"|你[^。！？?!]{0,4}(?:刚才|前面|之前|刚刚?|上面)[^。！？?!]{0,3}[说讲][^。！？?!]*"
)
_PERCENT = re.compile(r"(?<![\d.])(\d{1,3})(?:\.\d+)?(?!\d)\s*(?:%|percent\b|(?![\w.]))")
# An amount of something else: a bare figure beside one of the same size is that, and no share.
_AMOUNT = re.compile(r"(?i)(?<![\d.])(\d{1,3})\s?(?:[kmgt]i?b?|ms|s|min|h)(?![a-z])")


def points_out(message: str) -> bool:
    """True if words say outright that two answers contradict each other."""
    return bool(_PLAINLY.search(message))


def figures_told(message: str) -> tuple[int, ...]:
    """The percentages that somebody was told before, as the message quotes them."""
    amounts = set(_AMOUNT.findall(message))
    told = (each for said in _SAID.finditer(message) for each in _PERCENT.finditer(said.group()))
    return tuple(int(each[1]) for each in told if each[1] not in amounts or not each[0].strip().isdecimal())
