"""How many rows there really are, told after a plan without them: "那天实际有三千万", "really 30 million"."""

from __future__ import annotations

from lang import deferred_re as re
from lang.expressions import Row
from lang.numbers.values import read_values
from lang.pastes.judge_rows import judge_rows
from lang.pastes.model import RowRule, Verdict
from lang.tokens import read_text
from lang.vocabulary import Unit

_ACTUAL, _ESTIMATED = "rows_actual", "rows_estimated"
_CLAUSE = re.compile(r"(?:[^.,，。;；!！?？\n]|[.,](?=\d))+[?？]?")
_REALLY = re.compile(r"实际|真实|其实|count|\b(?:really|actual|actually|in reality)\b", re.IGNORECASE)
_OF_ALL = re.compile(r"总共|一共|整张表|全表|\b(?:in total|whole table|entire table)\b", re.IGNORECASE)


def judge_counted(rule: RowRule, rows: tuple[Row, ...], said: str) -> tuple[Verdict, str] | None:
    """What the rows of a plan say with the count that words tell, and these words; None where they tell none."""
    known = (row for row in rows if isinstance(row.get(_ESTIMATED), float) and row.get(_ACTUAL) is None)
    least = min(known, key=lambda row: float(str(row[_ESTIMATED])), default=None)
    for clause in _CLAUSE.findall(said) if least else ():
        if clause.endswith(("?", "？")) or not _REALLY.search(clause) or _OF_ALL.search(clause):
            continue
        counts = (amount.readings.get(Unit.COUNT) for amount in read_values(read_text(clause)))
        told = [({**(least or {}), _ACTUAL: count[0]},) for count in counts if count]
        if any(judge_rows(rule, (row,), 0.0) == "confirmed" for row in told):
            return "confirmed", clause.strip()
    return None
