"""Tickets that were written from publicly known incidents: each names where it can be read, and is complete."""

from __future__ import annotations

from collections import Counter

import pytest

from services.knowledge.library.schema import TicketEntry
from services.knowledge.library.shipped_libraries import locate, names

FILES = sorted(file for name in names() for file in (locate(name) / "tickets").glob("public*.jsonl"))


def read() -> list[TicketEntry]:
    """Every ticket of these files."""
    lines = (line for file in FILES for line in file.read_text(encoding="utf-8").splitlines())
    return [TicketEntry.model_validate_json(line) for line in lines]


@pytest.fixture(scope="module")
def tickets() -> list[TicketEntry]:
    """The tickets, read once."""
    return read()


def address(ticket: TicketEntry) -> str:
    """Where the incident was told."""
    return str((ticket.metadata.model_extra or {}).get("source", ""))


def test_there_are_many(tickets: list[TicketEntry]) -> None:
    """Enough to be worth the name of a collection."""
    assert len(tickets) >= 300


def test_each_names_its_source(tickets: list[TicketEntry]) -> None:
    """An https address, so that anybody can read what happened."""
    assert [ticket.ticket_id for ticket in tickets if not address(ticket).startswith("https://")] == []


def test_no_incident_is_told_twice(tickets: list[TicketEntry]) -> None:
    """No two share an address, a number or their words."""
    for of in (address, lambda ticket: ticket.ticket_id, lambda ticket: ticket.description):
        assert [key for key, times in Counter(map(of, tickets)).items() if times > 1] == []


def test_each_tells_what_was_seen(tickets: list[TicketEntry]) -> None:
    """A cause, a remedy, two to seven anomalies, each phenomenon once."""
    assert [t.ticket_id for t in tickets if not (t.root_cause_id and t.solution and 2 <= len(t.anomalies) <= 7)] == []
    for ticket in tickets:
        seen = [anomaly.phenomenon_id for anomaly in ticket.anomalies if anomaly.phenomenon_id]
        assert 0 < len(seen) == len(set(seen)), ticket.ticket_id


def test_no_cause_takes_more_than_its_share(tickets: list[TicketEntry]) -> None:
    """At most five of one cause, so that what is often written about does not crowd out the rest."""
    assert [cause for cause, times in Counter(ticket.root_cause_id for ticket in tickets).items() if times > 5] == []


def test_both_languages_are_heard(tickets: list[TicketEntry]) -> None:
    """About half of the complaints are in each language."""
    chinese = sum(any("一" <= letter <= "鿿" for letter in ticket.description) for ticket in tickets)
    assert 0.4 < chinese / len(tickets) < 0.6
