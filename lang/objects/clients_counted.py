"""How many connections there are, and how many instances of the application make them, as words tell it."""

from __future__ import annotations

from collections.abc import Iterator

from lang import deferred_re as re
from lang.clauses import asks_a_not_a
from lang.cues import cue_terms
from lang.tokens import read_text

CONNECTIONS, INSTANCES = "connections", "instances"
_THINGS = {
    CONNECTIONS: r"(\d{2,5})\s*(?:个|多个|条)?\s*(?:左右的?)?(?:连接(?!池)|conn(?:ection)?s?\b)",
    # "20 pods to 60" has 60.
    INSTANCES: r"(\d{1,4})\s*(?:个|多个)?\s*(?:pods?\b|app(?:lication)? instances?\b|应用实例)"
    r"(?!\s*(?:to|->|→|扩?到)\s*\d)",
}
_COUNTED = {name: re.compile(rf"(?<![\d.:]){things}", re.IGNORECASE | re.ASCII) for name, things in _THINGS.items()}
_CLAUSE = re.compile(r"(?<=[.。,，;；!！?？\n])|(?<= )(?=and we\b)")
_OPEN = ("question", "question_opening", "question_end", "plan", "supposition", "wish")


def clients_counted(text: str) -> Iterator[tuple[str, str]]:
    """What is counted, by its name, and how many there are; what is asked or planned is not told."""
    told = [clause for clause in _CLAUSE.split(text) if any(map(str.isdigit, clause)) and not _is_open(clause)]
    for name, counted in _COUNTED.items():
        yield from ((name, count) for clause in told for count in counted.findall(clause))


def _is_open(clause: str) -> bool:
    text = read_text(clause)
    open_ = any(each.payload in _OPEN for each in cue_terms().find(text))
    return open_ or clause.rstrip().endswith(("?", "？")) or asks_a_not_a(text.tokens)
