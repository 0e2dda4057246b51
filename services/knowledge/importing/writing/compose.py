"""Composes library entries from tickets. They have one language; `untranslated` names the missing one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeVar

from services.knowledge.importing.deciding.decisions import Mention
from services.knowledge.importing.deciding.review import Name
from services.knowledge.importing.matching.statement import Statement, generalise
from services.knowledge.library.schema import (
    Aliases,
    Observe,
    PhenomenonEntry,
    RootCauseEntry,
    SolutionStep,
    Text,
    TicketEntry,
    Untranslated,
)

Entry = TypeVar("Entry", PhenomenonEntry, RootCauseEntry)
_QUERY = re.compile(r"^\s*(?:select|show|with|explain|\\d)\b|\bfrom\s+pg_", re.IGNORECASE)
_COMMAND = re.compile(
    r"\b(?:iostat|vmstat|top|sar|df|du|free|dmesg|grep|tail|ps|ss|netstat|pidstat|journalctl|pg_dump)\b", re.IGNORECASE
)
_STEP = re.compile(r"^\s*(?:\d+[.、)]|[一二三四五六七八九十]+、)\s*")
_DANGEROUS = re.compile(
    r"terminate|drop|truncate|vacuum full|restart|delete|archive_mode = off|重启|删除|终止|强制|清理", re.IGNORECASE
)
_CODE = re.compile(r"[:：]\s*(?P<code>[A-Za-z_\\][^\u4e00-\u9fff]{7,})$")


def make_phenomenon(identity: str, mention: Mention, others: Sequence[Statement]) -> PhenomenonEntry:
    """A phenomenon of a statement; the other statements of its kind become its aliases."""
    statement = mention.statement
    return PhenomenonEntry(
        id=identity,
        name=_both(statement.text),
        description=_both(mention.why.strip() or statement.text),
        aliases=add_aliases(Aliases(), [other for other in others if other.key != statement.key]),
        observe=Observe(
            kind="manual", how=mention.method.strip() or statement.text, present_when=_both(statement.text)
        ),
        cost=_cost(mention.method),
        untranslated=_missing(statement),
    )


def make_root_cause(
    identity: str, mention: Mention, others: Sequence[Statement], ticket: TicketEntry
) -> RootCauseEntry:
    """A cause of a ticket's words, with that ticket's solution as it stands there."""
    statement = mention.statement
    category = re.sub(r"[^A-Z]+", "_", ticket.metadata.module.upper()).strip("_")
    return RootCauseEntry(
        id=identity,
        name=_both(statement.text),
        category=category or "UNKNOWN",
        mechanism=_both(ticket.root_cause),
        aliases=add_aliases(Aliases(), [other for other in others if other.key != statement.key]),
        solution=tuple(_step(words) for words in _steps(ticket.solution)),
        untranslated=_missing(statement),
    )


def add_aliases(known: Aliases, statements: Sequence[Statement]) -> Aliases:
    """The aliases with these statements added, each under its language, in the order of their keys."""
    words: dict[str, list[str]] = {"zh": list(known.zh), "en": list(known.en)}
    for statement in sorted(statements, key=lambda item: item.key):
        if statement.text not in words[statement.language]:
            words[statement.language].append(statement.text)
    return Aliases(zh=tuple(words["zh"]), en=tuple(words["en"]))


def rename_entry(entry: Entry, name: Name | None) -> Entry:
    """The entry under a person's name; the name it had becomes an alias, so that it is still recognised.

    With a name in both languages nothing is left to translate in it.
    """
    if name is None or (name.zh in (None, entry.name.zh) and name.en in (None, entry.name.en)):
        return entry
    called = Text(zh=name.zh or entry.name.zh, en=name.en or entry.name.en)
    gone = [generalise(text) for text in {entry.name.zh, entry.name.en} - {called.zh, called.en}]
    both = name.zh is not None and name.en is not None
    untranslated = None if both else entry.untranslated
    update = {"name": called, "aliases": add_aliases(entry.aliases, gone), "untranslated": untranslated}
    return entry.model_copy(update=update)


def _both(text: str) -> Text:
    return Text(zh=text, en=text)


def _missing(statement: Statement) -> Untranslated:
    return "en" if statement.language == "zh" else "zh"


def _cost(method: str) -> Literal[1, 2, 3]:
    if _QUERY.search(method):
        return 1
    return 2 if _COMMAND.search(method) else 3


def _steps(solution: str) -> list[str]:
    steps: list[str] = []
    for line in filter(str.strip, solution.splitlines()):
        if _STEP.match(line) or not steps:
            steps.append(_STEP.sub("", line).strip())
        else:
            steps[-1] = f"{steps[-1]} {line.strip()}"
    return [step for step in steps if step]


def _step(words: str) -> SolutionStep:
    code = _CODE.search(words)
    return SolutionStep(
        do=_both(words),
        how=code["code"].strip() if code else None,
        risk="high" if _DANGEROUS.search(words) else "medium",
    )
