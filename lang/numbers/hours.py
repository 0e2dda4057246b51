"""Hours of the day up to which a clause holds: "before 10", "from 0 till about 10", 十点以前, 0点到10点."""

from __future__ import annotations

from collections.abc import Sequence

from lang.clauses import Clause
from lang.cues import word_set
from lang.numbers.numerals import read_numeral
from lang.tokens import Kind, Text, Token

_DAY = 24
_OCLOCK, _TO, _BEFORE = ("点", "时"), ("到", "至"), ("前", "以前", "之前")


def tells_hours(text: Text, clause: Clause) -> bool:
    """True if a clause says up to which hour of the day it holds, so that it tells nothing of the others."""
    tokens = text.tokens[clause.first : clause.last]
    return any(_ends_at(tokens, at) for at in range(len(tokens)))


def _ends_at(tokens: Sequence[Token], at: int) -> bool:
    """Whether an hour that something lasts to begins at a token."""
    numeral = read_numeral(tokens, at)
    if numeral is None or not 0 <= numeral[0][0] <= numeral[0][1] <= _DAY:
        return False
    behind = tokens[numeral[1] :]
    if behind and behind[0].text in _OCLOCK:
        said = "".join(token.text for token in behind[1:3])
        return said.startswith(_BEFORE) or (at > 0 and tokens[at - 1].text in _TO)
    before = [token.text for token in tokens[:at] if token.text not in word_set("value_fillers")]
    if not before or before[-1] not in word_set("hour_leads"):
        return False
    # "Before 10 sessions" is no hour.
    counts = behind and behind[0].kind is not Kind.SIGN and behind[0].text not in word_set("after_hours")
    return before[-1] not in word_set("counting_leads") or not counts
