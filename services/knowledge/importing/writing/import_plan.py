"""Plans everything that an import writes before it touches the first file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from lang.embedding import Embedder
from services.knowledge.importing.deciding.assign_ids import Move, Numbers, Question, Settled, settle
from services.knowledge.importing.deciding.decisions import CAUSE_LIMITS, PHENOMENON_LIMITS, Evidence, Mention
from services.knowledge.importing.deciding.mentions import (
    anomaly_mentions,
    anomaly_statement,
    cause_mentions,
    cause_statement,
    signs_of,
)
from services.knowledge.importing.deciding.review import Review, Ruling
from services.knowledge.importing.matching.clustering import CAUSE_WEIGHTS, Item, pairs_of
from services.knowledge.importing.matching.recognition import CauseRecogniser, Known, PhenomenonRecogniser
from services.knowledge.importing.matching.statement import Statement
from services.knowledge.importing.progress import Progress
from services.knowledge.importing.writing import compose
from services.knowledge.importing.writing.import_report import Decision, decisions_of
from services.knowledge.importing.writing.site import Site
from services.knowledge.library.schema import Aliases, Anomaly, PhenomenonEntry, RootCauseEntry, TicketEntry

Entry = TypeVar("Entry", PhenomenonEntry, RootCauseEntry)


@dataclass(frozen=True)
class Plan:
    """The review, all imported tickets, the entries to write, and the ids that are no longer used (`vacated`).

    decisions: the decisions of this import.
    """

    review: Review
    tickets: Mapping[str, TicketEntry]
    phenomena: Mapping[str, PhenomenonEntry]
    root_causes: Mapping[str, RootCauseEntry]
    phenomena_made: frozenset[str]
    root_causes_made: frozenset[str]
    vacated: frozenset[str]
    decisions: tuple[Decision, ...]

    def unclear_count(self) -> int:
        """Decisions that wait for a person."""
        return sum(ruling.unclear for ruling in (*self.review.phenomena, *self.review.root_causes))


def make_plan(site: Site, new: Sequence[TicketEntry], embedder: Embedder, progress: Progress) -> Plan:
    """The plan for adding `new` tickets to a library. Raises InvalidLibrary for an edit that cannot be applied."""
    tickets = {ticket.ticket_id: ticket for ticket in (*site.tickets.values(), *new)}
    seen_anomalies, seen_causes = anomaly_mentions(tickets.values()), cause_mentions(tickets.values())
    phenomena = _settle_phenomena(site, new, seen_anomalies, embedder, progress)
    causes = _settle_causes(site, new, seen_causes, phenomena.ids, embedder, progress)
    settled = {identity: _with_ids(tickets[identity], phenomena, causes) for identity in sorted(tickets)}
    written_phenomena = make_phenomena(site, phenomena, seen_anomalies)
    written_causes = make_root_causes(site, causes, seen_causes, tickets)
    vacated = find_vacated(site, (*phenomena.moves, *causes.moves), settled)
    went = {move.before: move.after for move in reversed((*phenomena.moves, *causes.moves)) if move.before in vacated}
    return Plan(
        review=Review(
            next_phenomenon=phenomena.next_number,
            next_root_cause=causes.next_number,
            names=site.review.names,
            retired=site.review.retired | went,
            phenomena=phenomena.rulings,
            root_causes=causes.rulings,
        ),
        tickets=settled,
        phenomena=written_phenomena,
        root_causes=written_causes,
        phenomena_made=frozenset(written_phenomena) - site.library.phenomena.keys(),
        root_causes_made=frozenset(written_causes) - site.library.root_causes.keys(),
        vacated=vacated,
        decisions=_decisions(site, phenomena, causes),
    )


def _decisions(site: Site, phenomena: Settled, causes: Settled) -> tuple[Decision, ...]:
    seen = {entry.id: entry.name for entry in site.library.phenomena.values()}
    because = {entry.id: entry.name for entry in site.library.root_causes.values()}
    known = {identity: " | ".join(dict.fromkeys((name.zh, name.en))) for identity, name in (seen | because).items()}
    return (*decisions_of("phenomenon", phenomena, known), *decisions_of("root_cause", causes, known))


def changed_fields(known: TicketEntry, incoming: TicketEntry) -> list[str]:
    """The fields in which a ticket differs from the one in the library; ids that the import gave are no difference."""
    fields = ("metadata", "description", "root_cause", "solution", "analysis")
    changed = [name for name in fields if getattr(known, name) != getattr(incoming, name)]
    if incoming.root_cause_id not in (None, known.root_cause_id):
        changed.append("root_cause_id")
    if incoming.analysis and not incoming.anomalies:
        # Its anomalies were split from that text when it came first.
        return changed
    same_length = len(known.anomalies) == len(incoming.anomalies)
    if not same_length or any(not _same(*pair) for pair in zip(known.anomalies, incoming.anomalies, strict=True)):
        changed.append("anomalies")
    return changed


def _same(known: Anomaly, incoming: Anomaly) -> bool:
    words = ("description", "observation_method", "why_relevant")
    ids_fit = incoming.phenomenon_id in (None, known.phenomenon_id)
    return ids_fit and all(getattr(known, name) == getattr(incoming, name) for name in words)


def _settle_phenomena(
    site: Site, new: Sequence[TicketEntry], mentions: Mapping[str, Mention], embedder: Embedder, progress: Progress
) -> Settled:
    without_id = [item for ticket in new for item in ticket.anomalies if item.phenomenon_id is None]

    def evidence(undecided: Sequence[Mention]) -> Evidence:
        known = site.known_phenomena()
        texts, methods = [mention.statement.text for mention in undecided], [mention.method for mention in undecided]
        found = PhenomenonRecogniser(known, embedder).candidates(texts, methods, progress)
        candidates = {mention.digest: best for mention, best in zip(undecided, found, strict=True)}
        items = [
            Item(
                mention.digest,
                mention.statement.text,
                mention.method,
                {near.id: near.score for near in best},
                mention.tickets,
            )
            for mention, best in zip(undecided, found, strict=True)
        ]
        return Evidence(candidates, pairs_of(items, embedder, progress=progress), _names(known))

    question = Question(
        rulings=site.review.phenomena,
        mentions=mentions,
        wanted={anomaly_statement(anomaly).key for anomaly in without_id},
        exact=site.exact(),
        known_ids=site.library.phenomena.keys(),
        limits=PHENOMENON_LIMITS,
        evidence=evidence,
        retired=site.review.retired,
    )
    return settle(question, Numbers("P-", site.review.next_phenomenon, _taken(site)), site.folder)


def _settle_causes(
    site: Site,
    new: Sequence[TicketEntry],
    mentions: Mapping[str, Mention],
    phenomena: Mapping[str, str],
    embedder: Embedder,
    progress: Progress,
) -> Settled:
    without_id = [ticket for ticket in new if ticket.root_cause_id is None]
    signs = signs_of(without_id, phenomena)

    def evidence(undecided: Sequence[Mention]) -> Evidence:
        known = site.known_causes()
        texts = [mention.statement.text for mention in undecided]
        found = CauseRecogniser(known, embedder).candidates(
            texts, [signs[mention.statement.key] for mention in undecided], progress
        )
        candidates = {mention.digest: best for mention, best in zip(undecided, found, strict=True)}
        items = [Item(mention.digest, mention.statement.text) for mention in undecided]
        return Evidence(candidates, pairs_of(items, embedder, CAUSE_WEIGHTS, progress), _names(known))

    question = Question(
        rulings=site.review.root_causes,
        mentions=mentions,
        wanted={cause_statement(ticket).key for ticket in without_id},
        exact={},
        known_ids=site.library.root_causes.keys(),
        limits=CAUSE_LIMITS,
        evidence=evidence,
        retired=site.review.retired,
    )
    return settle(question, Numbers("RC-", site.review.next_root_cause, _taken(site)), site.folder)


def _taken(site: Site) -> frozenset[str]:
    """Ids that may not be given out: those in use, and those that were."""
    return frozenset((*site.library.phenomena, *site.library.root_causes, *site.review.retired))


def _names(known: Sequence[Known]) -> dict[str, str]:
    return {item.id: " | ".join(dict.fromkeys(item.names)) for item in known}


def _with_ids(ticket: TicketEntry, phenomena: Settled, causes: Settled) -> TicketEntry:
    anomalies = []
    for anomaly in ticket.anomalies:
        identity = _settled_id(anomaly.phenomenon_id, anomaly_statement(anomaly).key, phenomena)
        anomalies.append(anomaly.model_copy(update={"phenomenon_id": identity}))
    cause = _settled_id(ticket.root_cause_id, cause_statement(ticket).key, causes)
    return ticket.model_copy(update={"anomalies": tuple(anomalies), "root_cause_id": cause})


def _settled_id(current: str | None, key: str, settled: Settled) -> str:
    if current is None:
        return settled.ids[key]
    move = settled.moved.get(key)
    return move.after if move is not None and move.before == current else current


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
