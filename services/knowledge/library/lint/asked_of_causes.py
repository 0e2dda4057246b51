"""Questions that a cause answers: nobody could tell two of them apart by the same words, and the answers are short."""

from __future__ import annotations

from services.knowledge.library.lint.findings import Report, Severity
from services.knowledge.library.lint.texts import folded
from services.knowledge.library.schema import Question, RootCauseEntry

_LANGUAGES = ("zh", "en")
# What is read out in the middle of an incident has at most so many characters, with its statement.
_LONGEST = {"zh": 240, "en": 600}


def check_questions(report: Report) -> None:
    """Checks the wordings and the answers of every cause's questions."""
    for cause in report.library.root_causes.values():
        _asked_twice(report, cause)
        for at, question in enumerate(cause.questions):
            _answers(report, (cause.id, f"questions.{at}.answer"), question)


def _asked_twice(report: Report, cause: RootCauseEntry) -> None:
    seen: set[str] = set()
    for at, question in enumerate(cause.questions):
        for language in _LANGUAGES:
            for place, words in enumerate(getattr(question.asked, language)):
                if folded(words) in seen:
                    where = (cause.id, f"questions.{at}.asked.{language}.{place}")
                    report.add(Severity.ERROR, "asked-twice", where, words=words)
                seen.add(folded(words))


def _answers(report: Report, place: tuple[str, str], question: Question) -> None:
    for language in _LANGUAGES:
        length, most = len(getattr(question.answer, language)), _LONGEST[language]
        if length > most:
            where = (place[0], f"{place[1]}.{language}")
            report.add(Severity.WARNING, "answer-long", where, length=length, most=most)
