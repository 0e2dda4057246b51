"""What lint found: findings with their place, rule and texts in both languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path

import yaml

from services.knowledge.library.load import Library
from services.knowledge.library.yaml_text import read_yaml

_TEXTS = Path(__file__).with_name("findings.yaml")
Line = Callable[[Path, str], int]


def line_finder() -> Line:
    """Finds lines of fields; reads each file once."""
    read = cache(_composed)

    def line(file: Path, field: str) -> int:
        if file.suffix != ".yaml":
            return 0
        node: yaml.Node | None = read(file)
        found = 1
        for part in filter(None, field.split(".")):
            node, found = _inside(node, part, found)
        return found

    return line


def _composed(file: Path) -> yaml.Node | None:
    return yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def _inside(node: yaml.Node | None, part: str, line: int) -> tuple[yaml.Node | None, int]:
    """The node of a key or position, and its line; stays at the nearest one above where there is no such part."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == part:
                return value, key.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode) and part.isdigit() and int(part) < len(node.value):
        item = node.value[int(part)]
        return item, item.start_mark.line + 1
    return None, line


class Severity(StrEnum):
    """error: it misleads or fails; warning: it weakens the library; hint: worth a look."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True)
class Finding:
    """`rule` is stable; `field` is the path in the entry (`links.3.why`), `line` its line from 1, 0 if unknown.

    `what` and `advice` are in English, `what_zh` and `advice_zh` in Chinese.
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


def sort_key(finding: Finding) -> tuple[object, ...]:
    """Errors first, then by file, line and rule."""
    severity = list(Severity).index(finding.severity)
    return severity, finding.file, finding.line, finding.rule, finding.field, finding.what


@dataclass
class Report:
    """Collects the findings about a library. rates: how often a phenomenon shows, by the strength of its link."""

    library: Library
    rates: Mapping[str, float]
    findings: list[Finding] = field(default_factory=list)
    _line: Line = field(default_factory=line_finder)

    def add(self, severity: Severity, key: str, place: tuple[str, str], **details: object) -> None:
        """Adds a finding. key: one of findings.yaml, it begins with the rule; place: id and field."""
        entry, path = place
        texts = [
            finding_texts()[key][language][part].format(**details)
            for language in ("en", "zh")
            for part in ("what", "advice")
        ]
        file, path_in_file = self._place(entry, path)
        shown = str(file.relative_to(Path.cwd())) if file.is_relative_to(Path.cwd()) else str(file)
        rule = key.partition(".")[0]
        self.findings.append(Finding(severity, rule, entry, shown, path, self._line(file, path_in_file), *texts))

    def _place(self, entry: str, path: str) -> tuple[Path, str]:
        """The file of an entry or a subject, and the path of its field in that file."""
        if entry in self.library.defined:
            file, above = self.library.defined[entry]
            return file, f"{above}.{path}"
        return self.library.files[entry], path


@cache
def finding_texts() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """All texts: key -> language -> `what` and `advice`."""
    texts: dict[str, dict[str, dict[str, str]]] = read_yaml(_TEXTS.read_text(encoding="utf-8"))
    return texts
