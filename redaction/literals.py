"""Literals in SQL and in the server's messages about it: user data, whatever it looks like."""

from __future__ import annotations

from lang import deferred_re as re

_VERBS = (
    r"select|insert\s{1,9}into|update|delete\s{1,9}from|merge\s{1,9}into|values|where|(?:alter|create)\s{1,9}(?:role|user)"
    r"|call|copy|execute|set|having|when"
)
# After these, every string is a value; after other words, only one that follows an operator or a keyword.
_STRONG = (
    r"select|insert\s{1,9}into|delete\s{1,9}from|merge\s{1,9}into|update\s{1,9}\S{1,130}\s{1,9}set|comment\s{1,9}on"
    r"|notify|alter|create|declare|prepare"
)
# Their first letters, to skip most positions of a text quickly.
_FIRST = "[acdehimnpsuvw]"
_MARKS = re.compile(
    rf"(?:\b(?={_FIRST})(?:(?P<strong>(?:{_STRONG})\b)|(?P<verb>(?:{_VERBS})\b)))|(?P<quote>(?<!\w)(?:[eEnNxXbB]|[uU]&)?')|(?P<dollar>\$\w{{0,60}}\$)"
    r"|(?P<number>(?<![\w.$-])\d{4,}+(?:\.\d++)?(?!\w))|(?P<break>\n[ \t\r]{0,200}\n|\"(?=[,\t\r\n}\]]|$))",
    re.IGNORECASE,
)
# A text without one of each has nothing to remove: the sign of a value, and an SQL keyword before it.
_LEFT_OUT = re.compile(r"'|\$\w{0,60}\$|\d{4}")
VERB = re.compile(rf"\b(?={_FIRST})(?:{_STRONG}|{_VERBS})\b", re.IGNORECASE)
_BODY = re.compile(r"(?:[^'\\]|''|\\.)*+(?:'|\Z)", re.DOTALL)
_BEFORE_VALUE = re.compile(
    r"(?:[=<>(,|~+\[*/]|\b(?:like|ilike|in|values|then|else|select|and|or|between|to|set|when|from|date|timestamp"
    r"|timestamptz|time|by|any|all|return|similar|concat|limit|escape|not|distinct|where|as|case))\s{0,20}$",
    re.IGNORECASE,
)
_BEFORE_NO_VALUE = re.compile(r"\binterval\s{0,9}$", re.IGNORECASE)
_BEFORE_NUMBER = re.compile(r"(?:[=<>(,]|\b(?:in|values|then|else|between|and))\s{0,9}$", re.IGNORECASE)
# Queries about the server itself contain no user data.
KNOWN = re.compile(
    r"active|idle|idle in transaction(?: \(aborted\))?|disabled|Lock|LWLock|IO|BufferPin|Client|Timeout|IPC|Activity"
    r"|client backend|autovacuum (?:worker|launcher)|walsender|walreceiver|checkpointer|background writer|startup"
    r"|on|off|true|false|none|public|pg_catalog|information_schema|pg_toast|relation|transactionid|tuple|virtualxid"
    r"|advisory|epoch|-?infinity|second|minute|hour|day|week|month|year|streaming|sync|async|quorum|lost|reserved"
    r"|unreserved|(?:Access|Row)?(?:Share|Exclusive)(?:Row|Update)?(?:Exclusive)?Lock|\?|.?|\[[^\]]{1,20}\]"
)
_MESSAGES = (
    (
        "COPY ",
        re.compile(r"(\bCOPY [^\s,]{1,130}, line \d{1,18}(?:, column [^\s:]{1,130})?: )\"(?!\[value\])[^\n]*+"),
        r'\1"[value]"',
    ),
    ("unterminated ", re.compile(r"(\bunterminated [\w -]{1,40} at or near )\"(?!\[value\])[^\n]*+"), r'\1"[value]"'),
    (
        "Key (",
        re.compile(r"(\bKey \([^()\n]{1,200}\)=\()(?!\[value\])[^\n]{1,300}?(\) (?:already exists|is |conflicts))"),
        r"\1[value]\2",
    ),
    ("Failing row", re.compile(r"(\bFailing row contains \()(?!\[value\])[^\n]++"), r"\1[value])."),
    (
        "invalid input",
        re.compile(
            r"(\binvalid input (?:syntax for (?:type )?|value for enum )[\w \"]{1,80}: )\"(?!\[value\])[^\"\n]*+\""
        ),
        r'\1"[value]"',
    ),
    ("is out of range", re.compile(r"(\bvalue )\"(?!\[value\])[^\"\n]*+\"( is out of range)"), r'\1"[value]"\2'),
    ("$", re.compile(r"(\$\d{1,4} = )'(?!\?')(?:[^'\\]|''|\\.)*+(?:'|\Z)"), r"\1'?'"),
)


def without_literals(text: str) -> str:
    """Replaces strings, long numbers and quoted bodies of SQL with '?'; keeps limits, intervals and server terms."""
    text = without_message_values(text)
    if not (_LEFT_OUT.search(text) and VERB.search(text)):
        return text
    kept: list[str] = []
    place, within, numbers, strong = 0, False, False, False
    mark = _MARKS.search(text)
    while mark is not None:
        ends, instead = mark.end(), ""
        if mark["verb"] or mark["strong"]:
            within = numbers = True
            strong = strong or bool(mark["strong"])
        elif mark["break"]:
            within, numbers = within and mark["break"] == '"', False
            strong = strong and within
        elif within and mark["quote"]:
            ends, instead = _quoted(text, mark, strong)
        elif within and mark["dollar"]:
            ends, instead = _dollar_quoted(text, mark)
        elif numbers and mark["number"] and _BEFORE_NUMBER.search(text, max(0, mark.start() - 30), mark.start()):
            instead = "?"
        if instead:
            kept += [text[place : mark.start()], instead]
            place = ends
        mark = _MARKS.search(text, ends)
    return "".join([*kept, text[place:]])


def without_message_values(text: str) -> str:
    """The text without the values that the server's messages quote."""
    for sign, pattern, instead in _MESSAGES:
        if sign in text:
            text = pattern.sub(instead, text)
    return text


def _quoted(text: str, mark: re.Match[str], strong: bool) -> tuple[int, str]:
    """The end of a string and its replacement; None if it is not a value."""
    span = (text, max(0, mark.start() - 40), mark.start())
    if _BEFORE_NO_VALUE.search(*span) or not (strong or _BEFORE_VALUE.search(*span)):
        return mark.end(), ""
    body = _BODY.match(text, mark.end())
    if body is None:
        return mark.end(), ""
    if "\n" in body[0] and _BEFORE_VALUE.search(text, max(mark.end(), body.end() - 40), body.end() - 1):
        # A truncated string: the quote that seems to close it opens the next one.
        return body.end() - 1, mark[0] + "?'\n"
    value = body[0].removesuffix("'")
    harmless = KNOWN.fullmatch(value) is not None
    return body.end(), (text[mark.start() : body.end()] if harmless else mark[0] + "?'")


def _dollar_quoted(text: str, mark: re.Match[str]) -> tuple[int, str]:
    ends = text.find(mark[0], mark.end())
    ends = len(text) if ends < 0 else ends + len(mark[0])
    return ends, f"{mark[0]}?{mark[0]}"
