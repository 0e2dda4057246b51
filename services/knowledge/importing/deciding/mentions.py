"""Collects the statements of tickets: each general statement once, with all places that mention it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from services.knowledge.importing.deciding.decisions import Mention
from services.knowledge.importing.matching.statement import Statement, generalise
from services.knowledge.library.schema import Anomaly, TicketEntry


def anomaly_statement(anomaly: Anomaly) -> Statement:
    """The general statement of an anomaly."""
    return generalise(anomaly.description, anomaly.why_relevant)


def cause_statement(ticket: TicketEntry) -> Statement:
    """The general statement of a ticket's cause."""
    return generalise(ticket.root_cause)


def anomaly_mentions(tickets: Iterable[TicketEntry]) -> dict[str, Mention]:
    """Mentions of all anomalies by statement key; places are `ticket/anomaly`, anomalies counted from 0."""
    gathered: dict[str, _Gathered] = {}
    for ticket in tickets:
        for index, anomaly in enumerate(ticket.anomalies):
            statement = anomaly_statement(anomaly)
            place = f"{ticket.ticket_id}/{index}"
            gathered.setdefault(statement.key, _Gathered()).add(
                statement.text, anomaly.observation_method, anomaly.why_relevant, place
            )
    return {key: found.mention(key) for key, found in gathered.items()}


def cause_mentions(tickets: Iterable[TicketEntry]) -> dict[str, Mention]:
    """Mentions of all causes by statement key; places are ticket ids."""
    gathered: dict[str, _Gathered] = {}
    for ticket in tickets:
        statement = cause_statement(ticket)
        gathered.setdefault(statement.key, _Gathered()).add(statement.text, "", "", ticket.ticket_id)
    return {key: found.mention(key) for key, found in gathered.items()}


def signs_of(tickets: Iterable[TicketEntry], phenomena: Mapping[str, str]) -> dict[str, list[str]]:
    """Cause key to the ids of the phenomena its tickets recorded, in order; `phenomena` maps statement keys to ids."""
    signs: dict[str, set[str]] = {}
    for ticket in tickets:
        found = signs.setdefault(cause_statement(ticket).key, set())
        for anomaly in ticket.anomalies:
            found.add(anomaly.phenomenon_id or phenomena[anomaly_statement(anomaly).key])
    return {key: sorted(found) for key, found in signs.items()}


@dataclass
class _Gathered:
    texts: set[str] = field(default_factory=set)
    methods: set[str] = field(default_factory=set)
    whys: set[str] = field(default_factory=set)
    places: set[str] = field(default_factory=set)

    def add(self, text: str, method: str, why: str, place: str) -> None:
        self.texts.add(text)
        self.methods.add(method)
        self.whys.add(why)
        self.places.add(place)

    def mention(self, key: str) -> Mention:
        # The least of equals, not the first seen: the order of the tickets may not matter.
        method = min((item for item in self.methods if item.strip()), default="")
        why = min((item for item in self.whys if item.strip()), default="")
        return Mention(Statement(min(self.texts), key), method, why, tuple(sorted(self.places)))
