"""One thing that lint found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """error: it misleads or fails; warning: it weakens the library; hint: worth a look."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True)
class Finding:
    """`rule` is stable; `field` is the path in the entry (`links.3.why`), `line` its line from 1, 0 where unknown.

    `what` and `advice` are English, `what_zh` and `advice_zh` the same in Chinese.
    """

    severity: Severity
    rule: str
    entry: str
    file: str
    field: str
    line: int
    what: str
    advice: str
    what_zh: str
    advice_zh: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.severity} {self.rule}: {self.entry} {self.field}: {self.what}; {self.advice}"


def in_order(finding: Finding) -> tuple[object, ...]:
    """Errors first, then by file, line and rule."""
    return (
        list(Severity).index(finding.severity),
        finding.file,
        finding.line,
        finding.rule,
        finding.field,
        finding.what,
    )
