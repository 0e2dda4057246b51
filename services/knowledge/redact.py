"""Leaves out of people's words what must not be kept: connection strings, passwords, keys, addresses, phone numbers."""

from __future__ import annotations

import re
from typing import NamedTuple

_WORD = r"[A-Za-z0-9._%+-]"
_VALUE = r"(?:'[^'\n]*'|\"[^\"\n]*\"|[^\s'\",;，；。、\[\]<>()（）]+)"
_SCHEMES = (
    r"postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|oracle|sqlserver|opengauss|gaussdb|kingbase8?|dm|"
    r"clickhouse|cockroachdb|tidb|db2|ftp|sftp|ldaps?"
)
_SECRET_NAMES = (
    r"pass(?:word|wd|phrase)?|pwd|pgpassword|secret(?:[_-]?(?:access[_-]?)?key)?|api[_-]?key|(?:access[_-]?)?token"
)


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    instead: str


def _rule(pattern: str, instead: str) -> _Rule:
    return _Rule(re.compile(pattern, re.IGNORECASE), instead)


# The widest first, so that nothing of a connection string is left over.
_RULES = (
    _rule(
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)".replace(".*?", r"[\s\S]*?"),
        "[key]",
    ),
    _rule(rf"\b(?:jdbc:)?(?:{_SCHEMES})(?:\+\w+)?(?::\w+)*:(?://|@)[^\s'\"，。；、）)]+", "[connection string]"),
    _rule(r"\b[a-z][a-z0-9+.-]*://[^\s/@:]+:[^\s@]+@[^\s'\"，。；、）)]+", "[connection string]"),
    _rule(
        rf"\b(?:(?:host(?:addr)?|port|dbname|user|password|sslmode)\s*=\s*{_VALUE}[ \t;]+)+"
        rf"(?:host(?:addr)?|port|dbname|user|password|sslmode)\s*=\s*{_VALUE}",
        "[connection string]",
    ),
    _rule(rf"(\b(?:\w+_)?(?:{_SECRET_NAMES})\b[\"']?\s*(?:=|:|：|\bis\b)\s*)(?!\[){_VALUE}", r"\1[password]"),
    _rule(rf"((?:密码|口令|密钥|令牌)\s*(?:是|为|[:：=])\s*)(?!\[){_VALUE}", r"\1[password]"),
    _rule(r"(\b(?:identified\s+by|with(?:\s+encrypted)?\s+password|password)\s+)'[^'\n]*'", r"\1[password]"),
    _rule(rf"((?:^|\s)mysql\b[^\n]*?\s-p)(?!\[)(?=[^\s])(?:{_VALUE})", r"\1[password]"),
    _rule(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*", "[key]"),
    _rule(r"\b(?:sk-[\w-]{16,}|AKIA[0-9A-Z]{16}|gh[pousr]_\w{20,}|xox[abprs]-[\w-]{10,})", "[key]"),
    _rule(r"(\bbearer\s+)[\w.~+/=-]{12,}", r"\1[key]"),
    _rule(rf"(?<![A-Za-z0-9]){_WORD}+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+", "[e-mail]"),
    _rule(r"(?<![\d.+])\+\d{1,3}[- ]?(?:\(\d{1,4}\)[- ]?)?\d{2,5}(?:[- ]?\d{2,5}){1,4}(?![\d.])", "[phone]"),
    _rule(r"(?<![\d.-])(?:86[- ])?0\d{2,3}-\d{7,8}(?![\d.])", "[phone]"),
    _rule(r"(?<![\d.-])(?:\(\d{3}\)\s?|\d{3}-)\d{3}-\d{4}(?![\d-])", "[phone]"),
)
_MOBILE = re.compile(
    r"(?<![\d.=])(?:86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?!\d|\.\d|\s*(?:bytes?|字节|[KMGT]i?B|B\b|ms|毫秒))"
)
_MEBIBYTE = 1 << 20


class Redacted(NamedTuple):
    """Words that may be kept, and how much was left out of them."""

    text: str
    left_out: int


def redact(text: str) -> Redacted:
    """The words without secrets; each is replaced by its kind in brackets. Doing it twice changes nothing more."""
    left_out = 0
    for pattern, instead in _RULES:
        text, found = pattern.subn(instead, text)
        left_out += found
    kept, found = _without_mobiles(text)
    return Redacted(kept, left_out + found)


def _without_mobiles(text: str) -> tuple[str, int]:
    """Without mobile numbers; 17179869184 is 16 GiB and no number of anybody."""
    count = 0

    def instead(match: re.Match[str]) -> str:
        nonlocal count
        digits = re.sub(r"\D", "", match[0])
        if int(digits) % _MEBIBYTE == 0:
            return match[0]
        count += 1
        return "[phone]"

    return _MOBILE.sub(instead, text), count
