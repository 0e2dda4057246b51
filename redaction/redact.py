"""The entry point through which every text passes, the widest kinds of secrets first; and the literals of SQL.

Linear in the length of the text: every pattern is bounded or only moves forward.
"""

from __future__ import annotations

import json
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from lang import deferred_re as re
from redaction.credentials import without_credentials, without_people

_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\n]++|"")*+"')
# A bare number is a counter unless its key says otherwise.
_JSON_NUMBER = re.compile(
    r'("(?:\w{0,20}_)?(?:phone|mobile|tel|telephone|cell|msisdn|card|id_?card|ssn|iban|手机号?|电话|身份证号?|卡号)'
    r'(?:_?(?:no|num|number))?"\s{0,3}:\s{0,3})\d{7,19}(?![\d.])',
    re.IGNORECASE,
)
# Depth of JSON strings that contain JSON.
_DEEPEST = 3
# Too short and simple to be a secret, like most cells of a table.
_HARMLESS = re.compile(r"[A-Z]?[a-z_ ]{0,15}|[\d.:+ -]{0,9}")
_FOUR = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)")
_SIX = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,8}(?:\d{0,3}(?:\.\d{1,3}){3})?(?![\w:])")
_STRING = r"'(?:[^'\\\n]|''|\\.)*+(?:'|\Z)"
_COMPARED = re.compile(
    r"(?:[=<>~]|\b(?:like|ilike)|\b(?:values|in)\s{0,9}\()\s{0,9}[eEnN]?"
    rf"{_STRING}(?:\s{{0,9}},\s{{0,9}}(?:{_STRING}|[\w.+-]{{1,40}}))*+",
    re.IGNORECASE,
)
_STRINGS = re.compile(_STRING)
# A date, number or amount written as a string.
_MEASURE = re.compile(r"[\d\s.:+TZ/-]*|\d{1,9}\s?(?:us|ms|s|min|h|d|B|kB|MB|GB|TB|%|seconds?|minutes?|hours?|days?)")
# A query on the server's catalogues, or a setting's new value: advice, not user data.
_OF_SERVER = re.compile(
    r"\b(?:(?:from|join)\s{1,9}(?:pg_catalog\.)?pg_\w{1,60}|alter\s{1,9}(?:system|database|role|user)\b[^;]{0,100}\bset)\b"
    r"[^;]{0,300}\Z",
    re.IGNORECASE,
)
_NEAR = 400
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


def without_addresses(text: str) -> str:
    """The text without IPv4 and IPv6 addresses."""
    text = _SIX.sub(lambda found: "[address]" if _is(IPv6Address, found[0]) else found[0], text)
    return _FOUR.sub(lambda found: "[address]" if _is(IPv4Address, found[0]) else found[0], text)


def _is(kind: type[IPv4Address] | type[IPv6Address], written: str) -> bool:
    try:
        kind(written)
    except AddressValueError:
        return False
    return written not in ("::", "0.0.0.0")


def redact(text: str, hide_addresses: bool = False) -> str:
    """The text with each secret replaced by its kind in brackets; unchanged if there is none. Idempotent.

    hide_addresses: hides IP addresses as well; a diagnosis often needs them, so this is the site's policy.
    """
    text = _of_json(text, _DEEPEST) if _is_json(text) else _plain(text)
    return without_addresses(text) if hide_addresses else text


def _is_json(text: str) -> bool:
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return False
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def _of_json(text: str, deeper: int) -> str:
    """Redacts a JSON text: first each string unescaped, then the whole, where keys describe their values."""
    known: dict[str, str] = {}
    text = _JSON_STRING.sub(lambda found: _remembered(found[0], deeper, known), text)
    return _JSON_NUMBER.sub(r'\1"[number]"', without_credentials(text))


def _plain(text: str) -> str:
    if '""' in text:
        text = _QUOTED.sub(_within_quotes, text)
    return without_people(without_literals(without_credentials(text)))


def _within_quotes(found: re.Match[str]) -> str:
    """Redacts an SQL name or CSV cell with its doubled quotes unescaped."""
    value = found[0][1:-1].replace('""', '"')
    kept = without_people(without_literals(without_credentials(value)))
    return found[0] if kept == value else '"' + kept.replace('"', '""') + '"'


def _remembered(written: str, deeper: int, known: dict[str, str]) -> str:
    """Cached, because cells of a table repeat."""
    if _HARMLESS.fullmatch(written, 1, len(written) - 1):
        return written
    if written not in known:
        known[written] = _within_json(written, deeper)
    return known[written]


def _within_json(written: str, deeper: int) -> str:
    """Redacts a JSON string unescaped, so that escapes hide no line breaks or quotes; it may be JSON itself."""
    try:
        value = json.loads(written, strict=False)
    except ValueError:
        return written
    kept = _of_json(value, deeper - 1) if deeper and _is_json(value) else _plain(value)
    return written if kept == value else json.dumps(kept, ensure_ascii=False)


def redact_spoken(text: str) -> str:
    """A person's words with each secret replaced by its kind in brackets. Idempotent.

    Unlike `redact`, keeps quoted words and numbers unless a statement compares or stores them.
    """
    text = without_message_values(without_credentials(text))
    if "'" in text and VERB.search(text):
        text = _COMPARED.sub(_without_values, text)
    return without_people(text)


def _without_values(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - _NEAR) : found.start()]
    named = found.string.startswith("::reg", found.end())
    return found[0] if named or _OF_SERVER.search(before) else _STRINGS.sub(_without_value, found[0])


def _without_value(found: re.Match[str]) -> str:
    value = found[0][1:].removesuffix("'")
    return found[0] if KNOWN.fullmatch(value) or _MEASURE.fullmatch(value) else "'?'"


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
