"""Scenarios of faults as data: the steps that make a fault or remove it, and how a lab takes them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from faultlab import jvm
from faultlab.lab import Lab
from faultlab.sessions import Connection

Act = Callable[[Lab], None]


class Needs(StrEnum):
    """What a fault needs from its environment."""

    DATABASE = "database"
    EMBEDDED = "embedded"
    JAVA = "java"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Rest(_Part):
    """A pause, in seconds."""

    rest: float


class Parameterised(_Part):
    """SQL with one parameter: a random number between two, or one less each time."""

    sql: str
    between: tuple[int, int] = (0, 0)
    down_from: int | None = None


class Client(_Part):
    """Sessions of an application that run these statements."""

    by: str
    run: tuple[str | Rest | Parameterised, ...]
    count: int = 1

    @property
    def statements(self) -> list[str]:
        """Its plain statements."""
        return [item for item in self.run if isinstance(item, str)]


class Step(_Part):
    """One step of a scenario: one of these fields is set; see faults.yaml."""

    run: tuple[str, ...] = ()
    as_application: tuple[str, ...] = ()
    hold: Client | None = None
    background: Client | None = None
    loop: Client | None = None
    settings: dict[str, str] = Field(default_factory=dict, alias="set")
    reset: tuple[str, ...] = ()
    rest: float = 0
    host: str = ""
    java: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


class Scenario(_Part):
    """An entry of faults.yaml. visible_after: in seconds."""

    zh: str
    en: str
    root_cause: str
    exact: bool = True
    visible_after: int
    needs: Needs = Needs.DATABASE
    database: bool = True
    start: tuple[Step, ...] = ()
    restore: tuple[Step, ...] = ()


def act(steps: Sequence[Step]) -> Act:
    """What takes these steps in a lab."""

    def run(lab: Lab) -> None:
        for step in steps:
            _take(lab, step)

    return run


def _take(lab: Lab, step: Step) -> None:
    for statement in step.run:
        lab.run(statement)
    if step.as_application:
        lab.as_application(*step.as_application)
    _open_sessions(lab, step)
    if step.settings:
        lab.set(**step.settings)
    if step.reset:
        lab.reset(*step.reset)
    if step.rest:
        lab.sessions.rest(step.rest)
    if step.host:
        lab.burden_host(step.host)
    if step.java:
        lab.burden(jvm.command(*step.java))
    act(step.steps)(lab)


def _open_sessions(lab: Lab, step: Step) -> None:
    if (client := step.hold) is not None:
        for _ in range(client.count):
            lab.sessions.hold(client.by, *client.statements)
    if (client := step.background) is not None:
        lab.sessions.background(client.by, *client.statements, count=client.count)
    if (client := step.loop) is not None:
        actions = [_action(lab, item) for item in client.run]

        def repeated(connection: Connection) -> None:
            for action in actions:
                action(connection)

        lab.sessions.loop(client.by, repeated, client.count)


def _action(lab: Lab, item: str | Rest | Parameterised) -> Callable[[Connection], object]:
    if isinstance(item, Rest):
        return lambda _: lab.sessions.rest(item.rest)
    if isinstance(item, Parameterised):
        count = itertools.count(item.down_from or 0, -1)

        def number() -> int:
            return random.randint(*item.between) if item.down_from is None else next(count)

        return lambda connection: connection.execute(item.sql, [number()])
    return lambda connection: connection.execute(item)
