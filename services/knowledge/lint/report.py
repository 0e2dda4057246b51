"""Collects findings with their places."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from services.knowledge.library import Library
from services.knowledge.lint.finding import Finding, Severity
from services.knowledge.lint.places import Line, lines
from services.knowledge.lint.wording import worded


@dataclass
class Report:
    """The findings about one library."""

    library: Library
    findings: list[Finding] = field(default_factory=list)
    _line: Line = field(default_factory=lines)

    def add(self, severity: Severity, face: str, place: tuple[str, str], **facts: object) -> None:
        """One finding, of the rule that `face` begins with; `place` is the entry's id and the field's path in it."""
        entry, path = place
        zh, en = worded(face, facts)
        file = self.library.files[entry]
        shown = str(file.relative_to(Path.cwd())) if file.is_relative_to(Path.cwd()) else str(file)
        line, rule = self._line(file, path), face.partition(".")[0]
        self.findings.append(Finding(severity, rule, entry, shown, path, line, *en, *zh))
