"""Whether words tell that nobody answers who has the right to act: "DBA is asleep n not picking up"."""

from __future__ import annotations

from lang import deferred_re as re

_ADMIN = r"(?:dbas?|(?:db |sys)?admins?|on-?call|ops|superusers?)"
_AWAY = (
    r"(?:asleep|sleeping|unreachable|gone|away|on (?:leave|holiday|vacation)|(?:not|n'?t|never|nt)\s+(?:\w+\s+)?"
    r"(?:pick\w*|answer\w*|respond\w*|repl\w*|there|around|reachable|available|awake|in))"
)
_NOBODY = re.compile(
    rf"\b{_ADMIN}\b[^.?!]{{0,30}}\b{_AWAY}\b"
    r"|\b(?:can'?t|cannot|couldn'?t)\s+(?:reach|get hold of|wake|find|get)\b"
    rf"[^.?!]{{0,16}}\b(?:{_ADMIN}|anybody|anyone)\b"
    rf"|\b(?:nobody|no one|no)\b[^.?!]{{0,12}}(?:\b{_ADMIN}\b[^.?!]{{0,12}})?"
    r"\b(?:answers|picks? up|reachable|awake|around|available)\b"
    r"|(?:dba|管理员|运维|管库的|有权限的)[^，。？！]{0,6}(?:睡|不接|没接|联系不上|找不到|不在|请假|休假|不回|没回|打不通)"
    r"|(?:联系不上|找不到|打不通)[^，。？！]{0,4}(?:dba|管理员|运维|管库的)",
    re.IGNORECASE,
)


def nobody_in(said: str) -> bool:
    """Whether somebody with the right is said not to answer, or nobody to."""
    return _NOBODY.search(said.replace("’", "'")) is not None
