"""A value that is to be set for one role alone: the rules of the whole server do not hold for it."""

from __future__ import annotations

from lang import deferred_re as re

_KIND = r"(?:账号|账户|用户|角色|\brole|\buser|\baccount|\blogin)"
_NAME = r"(?P<{0}>[A-Za-z_][A-Za-z0-9_]*)"
_ROLE = re.compile(
    rf"(?:给|对|for|only|just)\s*(?:the |our |my )?{_NAME.format('given')}\s*(?:这一?个|那个)?\s*{_KIND}"
    rf"|{_KIND}\s+{_NAME.format('called')}\s*(?:单独|alone|only)"
    rf"|(?:alter role|单独给|只给|仅给)\s*{_NAME.format('alone')}",
    re.IGNORECASE,
)
OPEN = "<role>"
_ALONE = re.compile(
    rf"(?:单独|只给|仅给|不是全局|only for|just for|for only|for just)[^.。?？!！]*{_KIND}"
    rf"|{_KIND}[^.。?？!！]*(?:单独|alone|不是全局|not global)",
    re.IGNORECASE,
)


def is_for_role(words: str) -> bool:
    """Whether words want something for one role alone."""
    return _ALONE.search(words) is not None


def role_of(words: str) -> str:
    """The role that words want something for, or the blank for it; empty where it is for all.

    "The report user" describes one, and does not name it.
    """
    if not is_for_role(words):
        return ""
    found = ((each, next(filter(None, each.groups()), "")) for each in _ROLE.finditer(words))
    return next((name for each, name in found if "_" in name or not each[0].isascii()), OPEN)
