"""The entries an import makes or extends, and the ones that a person's edits left without use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeVar

from services.knowledge.importing.deciding.assign_ids import Settled
from services.knowledge.importing.deciding.decisions import Mention
from services.knowledge.importing.deciding.edits import Move
from services.knowledge.importing.deciding.review import Ruling
from services.knowledge.importing.matching.statement import Statement
from services.knowledge.importing.writing import compose
from services.knowledge.importing.writing.site import Site
from services.knowledge.library.schema import Aliases, PhenomenonEntry, RootCauseEntry, TicketEntry

Entry = TypeVar("Entry", PhenomenonEntry, RootCauseEntry)


def make_phenomena(site: Site, settled: Settled, mentions: Mapping[str, Mention]) -> dict[str, PhenomenonEntry]:
    """By id: phenomena for new rulings without one, and own phenomena whose aliases changed."""
    written = _realiased(site, site.library.phenomena, settled, mentions)
    members = _members(settled, mentions)
    for ruling in _founders(settled, site.library.phenomena):
        identity = str(ruling.into)
        entry = compose.make_phenomenon(identity, mentions[ruling.key], members[identity])
        written[identity] = compose.rename_entry(entry, site.review.names.get(identity))
    return dict(sorted(written.items()))


def make_root_causes(
    site: Site, settled: Settled, mentions: Mapping[str, Mention], tickets: Mapping[str, TicketEntry]
) -> dict[str, RootCauseEntry]:
    """By id: causes for new rulings without one, and own causes whose aliases changed."""
    written = _realiased(site, site.library.root_causes, settled, mentions)
    members = _members(settled, mentions)
    for ruling in _founders(settled, site.library.root_causes):
        identity, mention = str(ruling.into), mentions[ruling.key]
        entry = compose.make_root_cause(identity, mention, members[identity], tickets[mention.places[0]])
        written[identity] = compose.rename_entry(entry, site.review.names.get(identity))
    return dict(sorted(written.items()))


def find_vacated(site: Site, moves: Iterable[Move], tickets: Mapping[str, TicketEntry]) -> frozenset[str]:
    """The site's own ids that a person moved everything away from: no ticket and no link uses them any more."""
    left = {move.before for move in moves if site.owns(move.before)}
    every = {**site.library.tickets, **tickets}.values()
    used = {anomaly.phenomenon_id for ticket in every for anomaly in ticket.anomalies}
    used |= {ticket.root_cause_id for ticket in every}
    used |= {link.phenomenon for cause in site.library.root_causes.values() for link in cause.links}
    used |= {other for cause in site.library.root_causes.values() for other in cause.not_to_confuse_with}
    return frozenset(left - used)


def _founders(settled: Settled, known: Mapping[str, object]) -> list[Ruling]:
    new = (ruling for ruling in settled.rulings if ruling.decision == "new" and ruling.seen)
    return [ruling for ruling in new if ruling.into not in known]


def _members(settled: Settled, mentions: Mapping[str, Mention]) -> dict[str, list[Statement]]:
    members: dict[str, list[Statement]] = defaultdict(list)
    for ruling in settled.rulings:
        if ruling.key in mentions:
            members[str(ruling.into)].append(mentions[ruling.key].statement)
    return members


def _realiased(
    site: Site, known: Mapping[str, Entry], settled: Settled, mentions: Mapping[str, Mention]
) -> dict[str, Entry]:
    """Own entries with the statements that joined them now, and without those that a person moved away."""
    written: dict[str, Entry] = {}
    joined = (settled.fresh | settled.moved.keys()) & mentions.keys()
    for ruling in settled.rulings:
        identity = str(ruling.into)
        if ruling.key in joined and identity in known and site.owns(identity):
            entry = written.get(identity, known[identity])
            statement = mentions[ruling.key].statement
            if statement.text not in (entry.name.zh, entry.name.en):
                new = compose.add_aliases(entry.aliases, [statement])
                written[identity] = entry.model_copy(update={"aliases": new})
    for move in settled.moves:
        if move.before in known and site.owns(move.before) and move.key in mentions:
            entry = written.get(move.before, known[move.before])
            gone = mentions[move.key].statement.text
            written[move.before] = entry.model_copy(update={"aliases": _without(entry.aliases, gone)})
    return written


def _without(aliases: Aliases, text: str) -> Aliases:
    return Aliases(
        zh=tuple(alias for alias in aliases.zh if alias != text),
        en=tuple(alias for alias in aliases.en if alias != text),
    )
