"""The few words that plans, results and beliefs share. Fields mirror the protos by name; see `wire.py`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What was answered about a phenomenon."""

    CONFIRMED = "confirmed"
    DENIED = "denied"
    UNKNOWN = "unknown"


class Language(StrEnum):
    """A language dbdiag speaks."""

    ZH = "zh"
    EN = "en"


class Status(StrEnum):
    """Where a diagnosis stands; derived, never stored."""

    EXPLORING = "exploring"
    NARROWING = "narrowing"
    CONFIRMING = "confirming"
    STUCK = "stuck"
    CONCLUDED = "concluded"


@dataclass(frozen=True)
class LocalizedText:
    """The same statement in both languages."""

    zh: str = ""
    en: str = ""

    def within(self, language: Language) -> str:
        """The statement in `language`, or in the other one where it is missing."""
        return (self.zh or self.en) if language is Language.ZH else (self.en or self.zh)


def absent(name: LocalizedText) -> LocalizedText:
    """How the absence of a phenomenon is named."""
    return LocalizedText(f"没有“{name.zh}”", f'no "{name.en}"')


@dataclass(frozen=True)
class ModelUsage:
    """What a step cost in calls and tokens of a language model."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    fallback_reason: str = ""
