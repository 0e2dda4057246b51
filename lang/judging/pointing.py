"""Words about the talk and not about the thing: which item is meant ("no, the DDL one", "我说的是锁那条"), and that
the answers before did not fit together ("you said 98 two minutes ago", "前后矛盾").
"""

from __future__ import annotations

from lang import deferred_re as re
from lang.listed import lists_beside

_LISTED = lists_beside(__file__)

_UNIT = re.compile(r"[\"“][^\"“”\n]*[\"”]|(?:[^,.;:!?~，。；：！？…\n\"“”]|(?<=\w)\.(?=\w))+[,.;:!?~，。；：！？…]*")
_QUOTE = re.compile(r"[\"“](?P<quoted>[^\"“”\n]{4,})[\"”]")
_QUOTED = re.compile(r"^[\"“](?P<name>.+)[\"”]$")
_EN = (
    r"(?i)^(?:(?:no+|nope|not that|wait|hey|ffs|dude|ok|and|but|so|i (?:just |only )?(?:mean|meant)"
    r"|i was (?:just |only )?(?:asking|talking) about)\b\s*)*"
)
_KIND = r"(?:one|thing|check|item|entry|question|line)"
_ZH = r"^(?:不是?|不对|啊|诶|哎|那就)*"
_POINTS = (
    re.compile(rf"{_EN}(?:the|that|ur|your) (?P<name>.+?) {_KIND}$"),
    re.compile(rf"{_EN}(?:the |that )?{_KIND} (?:with|about|on|that says|called|saying|of)\b\s*(?P<name>.*)$"),
    _LISTED.pattern("points_3"),
    re.compile(_ZH + r"(?:我(?:刚才)?[说问指](?:的?(?:就|可)?是)?)?(?P<name>.*?)的?[那这]一?[个条项]的?$"),
    re.compile(_ZH + r"我(?:刚才)?[说问指]的(?:就|可)?是(?P<name>.*)$"),
)
_IN_QUESTION = _LISTED.pattern("in_question")
_LOOKS = _LISTED.pattern("looks")
_ASKS = _LISTED.pattern("asks")
_OPENS = re.compile(r"(?i)^(?:no+|nope|wait|hey|ok|ffs|wtf|omg|dude|不是?|不对|啊|诶|哎|\s)*$")
_ENDS = " \t,.;:!?~，。；：！？…"
_PLAINLY = _LISTED.pattern("plainly")
_TOLD_BEFORE = _LISTED.pattern("told_before")
_PERCENT = re.compile(r"(?<![\d.])(\d{1,3})(?:\.\d+)?(?!\d)\s*(?:%|percent\b|(?![\w.]))")
# An amount of something else: a bare figure beside one of the same size is that, and no share.
_AMOUNT = re.compile(r"(?i)(?<![\d.])(\d{1,3})\s?(?:[kmgt]i?b?|ms|s|min|h)(?![a-z])")


def asks_to_look(words: str) -> bool:
    """True if words ask how something is looked at."""
    return bool(_LOOKS.search(words))


def pointed_at(message: str) -> tuple[tuple[str, str], ...]:
    """The clauses that point, each with its words for what is meant; () where a message does more than that and ask.

    A quotation by itself points where another clause does, or the message asks how to look.
    """
    found: list[tuple[str, str]] = []
    points = asks_to_look(message)
    if points and (quotes := [(each.group(), each["quoted"]) for each in _QUOTE.finditer(message)]):
        return tuple(quotes)
    for unit in (each.group().strip() for each in _UNIT.finditer(message)):
        said = unit.strip(_ENDS)
        quoted = _QUOTED.match(said)
        named = quoted or next((match for pattern in _POINTS if (match := pattern.match(said))), None)
        if named is not None and not asks_to_look(said):
            found.append((unit, named["name"]))
            points = points or quoted is None
        elif said and not (_ASKS.search(unit) or _OPENS.match(said)):
            return ()
    return tuple(found) if points else ()


def pointed_at_in(question: str) -> str:
    """The words by which a question points at something: "how do i look at that DDL thing" at "DDL"."""
    found = _IN_QUESTION.search(question)
    return (found["en"] or found["zh"]) if found is not None else ""


def points_out(message: str) -> bool:
    """True if words say outright that two answers contradict each other."""
    return bool(_PLAINLY.search(message))


def figures_told(message: str) -> tuple[int, ...]:
    """The percentages that somebody was told before, as the message quotes them."""
    amounts = set(_AMOUNT.findall(message))
    told = (each for said in _TOLD_BEFORE.finditer(message) for each in _PERCENT.finditer(said.group()))
    return tuple(int(each[1]) for each in told if each[1] not in amounts or not each[0].strip().isdecimal())
