"""Collects findings with their places."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from services.knowledge.library import Library
from services.knowledge.lint.finding import Finding, Severity
from services.knowledge.lint.places import Line, lines


@dataclass
class Report:
    """The findings about one library."""

    library: Library
    findings: list[Finding] = field(default_factory=list)
    _line: Line = field(default_factory=lines)

    def add(self, severity: Severity, rule: str, place: tuple[str, str], what: str, advice: str) -> None:
        """One finding; `place` is the entry's id and the field's path in it."""
        entry, path = place
        file = self.library.files[entry]
        shown = str(file.relative_to(Path.cwd())) if file.is_relative_to(Path.cwd()) else str(file)
        self.findings.append(Finding(severity, rule, entry, shown, path, self._line(file, path), what, advice))
