"""The number of cores, which no output of the server has: a person tells it beside the output that is judged by it."""

from __future__ import annotations

from lang import deferred_re as re
from lang.expressions import Row
from lang.pastes.model import RowRule

# The name by which a rule asks for it, as for a column.
CORES = "cores"
_TOLD = re.compile(
    r"(?<![\w.])(?P<before>\d{1,3})[ -]?(?:physical |cpu |logical )?(?:v?cores?|v?cpus?|核)(?![a-z%])"
    r"|(?:\bnproc\b|\bcores\b|核数|核心数)\s*(?:是|为|只有|=|:|：|is|are|says|gives|shows)?\s*(?P<after>\d{1,3})(?![\d.%])",
    re.IGNORECASE,
)


def cores_told(said: str) -> float | None:
    """The number of cores that words tell; None without one, and where they tell several."""
    told = {float(found["before"] or found["after"]) for found in _TOLD.finditer(said)}
    return told.pop() if len(told) == 1 else None


def with_cores(rule: RowRule, rows: tuple[Row, ...], said: str) -> tuple[Row, ...]:
    """The rows with the number of cores that is told beside them, where the rule asks for it."""
    if not any(CORES in found.names for found in rule.expressions):
        return rows
    told = cores_told(said)
    return rows if told is None else tuple({**row, CORES: told} for row in rows)
