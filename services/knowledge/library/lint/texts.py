"""Texts: languages, duplicates, reasons."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from itertools import zip_longest

from services.knowledge.library.lint.findings import Report, Severity
from services.knowledge.library.schema import PhenomenonEntry, RootCauseEntry, Text
from services.knowledge.library.shipped_libraries import FOLDER

_HAN = re.compile(r"[\u3400-\u9fff]")
# A stop that something follows.
_SENTENCES = re.compile(r"[。！？].|[.!?]\s+\S")
_LETTER = re.compile(r"[a-z]{3,}", re.IGNORECASE)
# A statement without a Chinese character is as good as Chinese when it is names and numbers: this many words are not.
_ENGLISH_WORDS = 5
# A reason this often is a formula, not a reason.
_REPEATED = 4


def check_texts(report: Report) -> None:
    """All rules about texts."""
    _plain_words(report)
    _languages(report)
    _twice(report)
    _reasons(report)


def _plain_words(report: Report) -> None:
    """A shipped cause is told to somebody who knows no databases, in one sentence."""
    for cause in report.library.root_causes.values():
        if cause.plain is None:
            if report.library.files[cause.id].is_relative_to(FOLDER):
                report.add(Severity.ERROR, "no-plain", (cause.id, "mechanism"))
        elif any(_SENTENCES.search(text) for text in (cause.plain.zh, cause.plain.en)):
            report.add(Severity.WARNING, "plain-long", (cause.id, "plain"))


def _languages(report: Report) -> None:
    for entry in _entries(report):
        if entry.untranslated:
            place = (entry.id, "untranslated")
            report.add(Severity.WARNING, "untranslated", place, language=entry.untranslated)
            continue
        for path, text in _texts(entry):
            for face in _misplaced(text):
                report.add(Severity.WARNING, f"missing-language.{face}", (entry.id, path))
        for language in ("zh", "en"):
            if not getattr(entry.aliases, language):
                place = (entry.id, "aliases")
                report.add(Severity.WARNING, "missing-language.no-alias", place, language=language)


def _misplaced(text: Text) -> Iterator[str]:
    if _HAN.search(text.en):
        yield "in-english"
    if not _HAN.search(text.zh) and len(_LETTER.findall(text.zh)) >= _ENGLISH_WORDS:
        yield "no-chinese"


def _texts(entry: PhenomenonEntry | RootCauseEntry) -> Iterator[tuple[str, Text]]:
    yield "name", entry.name
    if isinstance(entry, PhenomenonEntry):
        yield "description", entry.description
        yield "observe.present_when", entry.observe.present_when
        return
    yield "mechanism", entry.mechanism
    if entry.plain:
        yield "plain", entry.plain
    for at, relief in enumerate(entry.relief):
        parts = {"do": relief.do, "costs": relief.costs, "not_when": relief.not_when}
        yield from ((f"relief.{at}.{part}", text) for part, text in parts.items() if text)
    for at, step in enumerate(entry.solution):
        yield f"solution.{at}.do", step.do
        # What undoes a step is often a command, the same in both languages.
        if step.undo and step.undo.zh != step.undo.en:
            yield f"solution.{at}.undo", step.undo
    for at, link in enumerate(entry.links):
        yield f"links.{at}.why", link.why
    if entry.verify:
        yield "verify", entry.verify
    for at, question in enumerate(entry.questions):
        yield f"questions.{at}.answer", question.answer
        for zh, en in zip_longest(question.asked.zh, question.asked.en, fillvalue=""):
            yield f"questions.{at}.asked", Text.model_construct(zh=zh, en=en)


def _twice(report: Report) -> None:
    """The same words for two phenomena, or for two causes, mean either: they are matched by chance."""
    for group in (report.library.phenomena.values(), report.library.root_causes.values()):
        said: dict[str, dict[str, str]] = defaultdict(dict)
        for entry in group:
            for path, name in _said(entry):
                said[folded(name)].setdefault(entry.id, path)
        for name, places in said.items():
            first, *others = sorted(places)
            for other in others:
                report.add(Severity.ERROR, "said-of-two", (other, places[other]), name=name, first=first)


def _said(entry: PhenomenonEntry | RootCauseEntry) -> Iterator[tuple[str, str]]:
    for language in ("zh", "en"):
        yield f"name.{language}", getattr(entry.name, language)
        for at, alias in enumerate(getattr(entry.aliases, language)):
            yield f"aliases.{language}.{at}", alias


def folded(words_: str) -> str:
    """Words without case, signs and widths, for comparing."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", words_).casefold()))


def _reasons(report: Report) -> None:
    where: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for cause in report.library.root_causes.values():
        for at, link in enumerate(cause.links):
            where[folded(link.why.en)].append((cause.id, f"links.{at}.why"))
    for reason, places in where.items():
        if len(places) >= _REPEATED:
            report.add(Severity.HINT, "reason-repeated", places[0], reason=reason, count=len(places))


def _entries(report: Report) -> Iterator[PhenomenonEntry | RootCauseEntry]:
    yield from report.library.phenomena.values()
    yield from report.library.root_causes.values()
