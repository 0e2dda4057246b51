"""The library's entries as people write them: one YAML file a phenomenon or cause, one JSON line a ticket.

These are the only models that read library text from outside; every unknown key, bad id and missing
language is refused here with the field's path. `docs/knowledge.md` shows the format with examples.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from lang.pastes import RowRule, ViewRule
from lang.vocabulary import Predicate, SubjectId

PhenomenonId = Annotated[str, StringConstraints(pattern=r"^P-\d{4,}$")]
RootCauseId = Annotated[str, StringConstraints(pattern=r"^RC-\d{4,}$")]
TicketId = Annotated[str, StringConstraints(min_length=1, max_length=128)]
# The language whose texts only repeat the other one's words, as an import leaves them until somebody translates.
Untranslated = Literal["zh", "en"] | None
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Entry(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True)


class Text(_Entry):
    """The same statement in Chinese and in English; both are required."""

    zh: Words
    en: Words


class Aliases(_Entry):
    """Phrases that people use for this entry, in each language."""

    zh: tuple[Words, ...] = ()
    en: tuple[Words, ...] = ()


class Strength(StrEnum):
    """How often a phenomenon shows when its cause is at work, in an expert's judgement."""

    ALWAYS = "always"
    USUALLY = "usually"
    SOMETIMES = "sometimes"
    RARELY = "rarely"


class Observe(_Entry):
    """How a person looks for a phenomenon.

    kind: `sql` runs as it stands on every version named, as a role with pg_monitor; `shell` is a command on
    the host; `manual` needs a person's own statement, tool or knowledge. `how` is one text where both languages
    have the same words, as a query or command does. `versions` are those of `engine`, whose SQL it is. `rows` says what
    the output means, where that can be told from the output alone; `views` what people's own queries confirm.
    """

    kind: Literal["sql", "shell", "manual"]
    engine: Literal["postgresql", "mysql"] = "postgresql"
    how: Words | Text
    rows: RowRule | None = None
    views: tuple[ViewRule, ...] = ()
    present_when: Text
    versions: str = Field(default=">=14", pattern=r"^>=\d{1,2}(\.\d)?(,<\d{1,2}(\.\d)?)?$")

    @property
    def method(self) -> str:
        """How to look, in English where the languages differ."""
        return self.how if isinstance(self.how, str) else self.how.en

    @property
    def texts(self) -> dict[str, str]:
        """Every text of `how`, by its field's path: one, or one a language."""
        return {"how": self.how} if isinstance(self.how, str) else {"how.zh": self.how.zh, "how.en": self.how.en}


class PhenomenonEntry(_Entry):
    """One thing a person can see, true or false. cost: 1 a query, 2 a file on the host, 3 other people, 5 an outage.

    complaint: people open a case with it, so it is offered when somebody only says that something is wrong.
    same_as: ids by which other libraries know the same thing; where such a library is at hand, its entry counts.
    means: what a statement must say for it to be present, one of them is enough; empty where nobody can say it in a
    sentence, so that it is only asked for.
    needs: the facilities of the vocabulary without any of which it cannot be there.
    """

    id: PhenomenonId
    same_as: tuple[PhenomenonId, ...] = ()
    name: Text
    description: Text
    aliases: Aliases = Aliases()
    observe: Observe
    needs: tuple[SubjectId, ...] = ()
    means: tuple[Predicate, ...] = ()
    cost: Literal[1, 2, 3, 5] = 1
    complaint: bool = False
    untranslated: Untranslated = None


class SolutionStep(_Entry):
    """One step of a remedy, the least dangerous first. `how` is a statement or command; `undo` says how to go back."""

    do: Text
    how: Words | None = None
    risk: Literal["none", "low", "medium", "high"]
    undo: Text | None = None
    helps: Literal["at once", "within minutes", "within hours", "later"] | None = None
    prevents: bool = False


class Relief(_Entry):
    """What stops the bleeding before the cure. `costs` is its price, `not_when` tells when it must not be done."""

    do: Text
    how: Words | None = None
    risk: Literal["none", "low", "medium", "high"]
    costs: Text | None = None
    not_when: Text | None = None


class Wordings(_Entry):
    """How people ask something, each wording by itself; both languages are required."""

    zh: Annotated[tuple[Words, ...], Field(min_length=1)]
    en: Annotated[tuple[Words, ...], Field(min_length=1)]


class Question(_Entry):
    """What people ask about a cause once it is likely, and the answer to it, in one to three sentences."""

    asked: Wordings
    answer: Text


class Link(_Entry):
    """A phenomenon this cause produces, how often, and why."""

    phenomenon: PhenomenonId
    strength: Strength
    why: Text


class RootCauseEntry(_Entry):
    """Something a person can fix, distinguished from its neighbours by at least one phenomenon.

    same_as: ids by which other libraries know the same cause.
    plain: one sentence for somebody who knows no databases: what was wrong, and why that hurt.
    """

    id: RootCauseId
    same_as: tuple[RootCauseId, ...] = ()
    name: Text
    category: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z_]*$")]
    mechanism: Text
    plain: Text | None = None
    aliases: Aliases = Aliases()
    relief: tuple[Relief, ...] = ()
    solution: tuple[SolutionStep, ...] = ()
    verify: Text | None = None
    not_to_confuse_with: dict[RootCauseId, Text] = Field(default_factory=dict)
    questions: tuple[Question, ...] = ()
    references: tuple[Words, ...] = ()
    links: tuple[Link, ...] = ()
    untranslated: Untranslated = None


class TicketMetadata(_Entry):
    """Where and when; free text as exports have it."""

    model_config = ConfigDict(defer_build=True, extra="allow", frozen=True)

    db_type: str = ""
    version: str = ""
    module: str = ""
    severity: str = ""
    created_at: str = ""


class Anomaly(_Entry):
    """One thing that was seen in a ticket. `phenomenon_id` is ours; an upstream export has none."""

    description: Words
    observation_method: str = ""
    why_relevant: str = ""
    phenomenon_id: PhenomenonId | None = None


class TicketEntry(_Entry):
    """A closed case. Without ids it is an upstream export's row; the import gives it ids.

    analysis: how somebody looked for the cause, in free words; an import splits it into anomalies where it has none.
    """

    ticket_id: TicketId
    metadata: TicketMetadata = TicketMetadata()
    description: Words
    root_cause: Words
    root_cause_id: RootCauseId | None = None
    solution: str = ""
    analysis: str = ""
    anomalies: tuple[Anomaly, ...] = ()
