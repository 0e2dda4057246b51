"""The vocabulary of a library and the predicates of its phenomena, as the library's YAML and its snapshot hold them.

A vocabulary names what can be said: quantities, events, states and actions. A predicate says which statement about
one of them makes a phenomenon present. `docs/hearing.md` shows both with examples.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

SubjectId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Terms(_Entry):
    """Terms in each language; both are searched in every message.

    A term is words in a row ("disk usage"), or several such in one clause in any order ("重启 + 应用").
    """

    zh: tuple[Words, ...] = ()
    en: tuple[Words, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """The terms of both languages."""
        return self.zh + self.en


class Name(_Entry):
    """A short name in both languages, for questions and explanations."""

    zh: Words
    en: Words


class Unit(StrEnum):
    """The unit a quantity's limits and values are compared in. A value in another dimension is another quantity's."""

    PERCENT = "%"
    BYTES = "B"
    SECONDS = "s"
    COUNT = "count"
    PER_SECOND = "/s"
    BYTES_PER_SECOND = "B/s"
    PER_CORE = "per core"


class Subject(_Entry):
    """Something that statements are about. say: the terms that name it; beside: terms that make it something else."""

    id: SubjectId
    name: Name
    say: Terms
    beside: Terms = Terms()


class Quantity(Subject):
    """Something with a value.

    bad: the direction that is trouble. whole: the quantity a value is a part of ("490 of 500", "16 cores"): a value
    in the unit of the whole becomes a percentage of it, or a ratio to it. whole_most: the most that anybody sets the
    whole to, which a value is compared with where the whole is not told. complement: terms that turn a value into the
    rest of the whole ("20 % free" is 80 % used, "3 % misses" are 97 % hits). values: terms that stand for a value, by
    that value in the base unit ("100": full). since: it is the time since something, so that "3 days ago" is a value.
    factors: the two counts whose product it is, where people say these ("60 pods with 20 connections each").
    reckoned: the expression over settings and `memory` that it is, in its unit, where people tell these.
    """

    unit: Unit
    bad: Literal["up", "down"] | None = "up"
    whole: SubjectId | None = None
    whole_most: float | None = None
    complement: Terms = Terms()
    values: dict[str, Terms] = Field(default_factory=dict)
    since: bool = False
    factors: tuple[()] | tuple[SubjectId, SubjectId] = ()
    reckoned: str = ""


class Event(Subject):
    """Something that happens and can be counted: a deadlock, a process killed for memory, a message in the log."""


class State(Subject):
    """Something that is one way or the other. say: the subject; bad and good: the terms that tell which."""

    bad: Terms
    good: Terms = Terms()


class Action(Subject):
    """Something people do to a system, and then see what becomes of it: a restart, a release, an ANALYZE."""


class Facility(Subject):
    """Something that a site may do without, and that phenomena may need: a standby, a pooler, partitions.

    lacking: terms that say that there is none ("standalone"). within: the facility that it cannot be without.
    """

    lacking: Terms = Terms()
    within: SubjectId | None = None


class Vocabulary(_Entry):
    """All subjects of a library, and the facilities that its phenomena need. Ids are unique over the five kinds."""

    quantities: tuple[Quantity, ...] = ()
    events: tuple[Event, ...] = ()
    states: tuple[State, ...] = ()
    actions: tuple[Action, ...] = ()
    facilities: tuple[Facility, ...] = ()

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """Every subject: quantities, events, states, actions, each in the order of the library."""
        return (*self.quantities, *self.events, *self.states, *self.actions)

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        seen: set[str] = set()
        for subject in (*self.subjects, *self.facilities):
            if subject.id in seen:
                raise ValueError(f"the id {subject.id} stands twice in the vocabulary")
            seen.add(subject.id)
        return self


class Outcome(StrEnum):
    """What became of an action, or began with it."""

    HELPED = "helped"
    HELPED_FOR_A_WHILE = "helped_for_a_while"
    NO_HELP = "no_help"
    TROUBLE_BEGAN = "trouble_began"
    DONE = "done"


_TEST = re.compile(
    r"^(?P<sign>>=|<=|>|<)\s*(?P<limit>\d+(?:\.\d+)?)\s*(?P<unit>[^\s\d]+(?:/s)?)?"
    r"(?:\s+per\s+(?P<per>second|minute|hour|day))?(?:\s+(?:times\s+the\s+usual(?P<usual>)|of\s+(?P<whole>[a-z][a-z0-9_]*)))?$"
)
_SCALES: dict[str, tuple[Unit, float]] = {
    "": (Unit.COUNT, 1.0),
    "%": (Unit.PERCENT, 1.0),
    "B": (Unit.BYTES, 1.0),
    "kB": (Unit.BYTES, 1024.0),
    "MB": (Unit.BYTES, 1024.0**2),
    "GB": (Unit.BYTES, 1024.0**3),
    "TB": (Unit.BYTES, 1024.0**4),
    "ms": (Unit.SECONDS, 0.001),
    "s": (Unit.SECONDS, 1.0),
    "min": (Unit.SECONDS, 60.0),
    "h": (Unit.SECONDS, 3600.0),
    "d": (Unit.SECONDS, 86400.0),
    "MB/s": (Unit.BYTES_PER_SECOND, 1024.0**2),
    "/s": (Unit.PER_SECOND, 1.0),
}
_PERIODS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0}


@dataclass(frozen=True)
class Limit:
    """A parsed test of a value: `sign` (>, >=, <, <=) and `limit` in the base of `unit` (bytes, seconds, per second).

    usual: the value is a multiple of its usual one. whole: the value is a multiple of that other quantity.
    """

    sign: Literal[">", ">=", "<", "<="]
    limit: float
    unit: Unit
    usual: bool = False
    whole: str | None = None

    def holds(self, value: float) -> bool:
        """True if a value, in the same base, passes the test."""
        if self.sign == ">":
            return value > self.limit
        if self.sign == ">=":
            return value >= self.limit
        return value < self.limit if self.sign == "<" else value <= self.limit


def parse_test(test: str) -> Limit:
    """A test such as `> 90 %`, `>= 100 MB per minute`, `> 4 of cores` or `>= 3 times the usual`. Raises ValueError."""
    found = _TEST.match(test.strip())
    if found is None or (found["unit"] or "") not in _SCALES:
        raise ValueError(f"no test of a value: {test!r}")
    unit, scale = _SCALES[found["unit"] or ""]
    limit = float(found["limit"]) * scale
    if found["per"]:
        limit /= _PERIODS[found["per"]]
        unit = Unit.BYTES_PER_SECOND if unit is Unit.BYTES else Unit.PER_SECOND
    sign: Literal[">", ">=", "<", "<="] = found["sign"]  # type: ignore[assignment]
    return Limit(sign, limit, unit, found["usual"] is not None, found["whole"])


class Predicate(_Entry):
    """What a statement must say for a phenomenon to be present; of several predicates one is enough.

    Exactly one of quantity, event, state and action names the subject.
    quantity: `test` compares its value (see parse_test), or `trend` asks for its direction.
    event: present when it happened; `test` asks for a number of times, default "> 0", or for its share of all
    ("> 20 %"); `trend: up` for a growing number.
    state: present when it `is` bad (default) or good.
    action: present when it had this `outcome`; `absent_if` are outcomes that deny.
    bare: what the mere mention of the subject as trouble is worth ("disk full alert", "deadlocks again"): it counts,
    is proposed, or says nothing. fine: whether "fine", "normal" and "none" said of the subject deny.
    past: the phenomenon is that it happened lately, so what happened before counts like what happens now ("failed over
    last night"); terms in `beside` name the times that are too long ago.
    sign: what is said is only a sign of the phenomenon ("everything hangs" of waits for locks): it is asked about, and
    never counts.
    rules_out: the event is that the phenomenon's ground is missing, so it denies ("there is no PgBouncer").
    clear: a value denies only if it passes this test, too; between the two tests it is asked about.
    asked: the words mean this only where the phenomenon was asked about, and then nothing else that they may mean.
    with: predicates that the same message has to confirm, too ("slow, but the CPU is idle"); such a predicate denies
    nothing, since its parts are no evidence against each other.
    """

    quantity: SubjectId | None = None
    event: SubjectId | None = None
    state: SubjectId | None = None
    action: SubjectId | None = None
    test: Words | None = None
    trend: Literal["up", "down"] | None = None
    is_: Literal["bad", "good"] = Field(default="bad", alias="is")
    outcome: Outcome | None = None
    absent_if: tuple[Outcome, ...] = ()
    bare: Literal["counts", "proposed", "nothing"] = "proposed"
    fine: bool = True
    past: bool = False
    sign: bool = False
    rules_out: bool = False
    clear: Words | None = None
    asked: bool = False
    with_: tuple[Predicate, ...] = Field(default=(), alias="with")

    @property
    def subject(self) -> str:
        """The id of the subject."""
        return self.quantity or self.event or self.state or self.action or ""

    @property
    def limit(self) -> Limit | None:
        """The parsed test of a quantity or event; None where a trend, a state or an outcome decides."""
        if self.test is not None:
            return parse_test(self.test)
        return Limit(">", 0.0, Unit.COUNT) if self.event and self.trend is None else None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        named = [self.quantity, self.event, self.state, self.action]
        if sum(name is not None for name in named) != 1:
            raise ValueError("exactly one of quantity, event, state and action names the subject")
        if self.quantity and (self.test is None) == (self.trend is None):
            raise ValueError("a quantity needs a test or a trend")
        if self.action and self.outcome is None:
            raise ValueError("an action needs an outcome")
        for test in (self.test, self.clear):
            if test is not None:
                parse_test(test)
        return self
