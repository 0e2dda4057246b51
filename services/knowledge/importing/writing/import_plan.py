"""Plans everything that an import writes before it touches the first file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lang.embedding import Embedder
from services.knowledge.importing.deciding.assign_ids import Numbers, Question, Settled, settle
from services.knowledge.importing.deciding.decisions import CAUSE_LIMITS, PHENOMENON_LIMITS, Evidence, Mention
from services.knowledge.importing.deciding.mentions import (
    anomaly_mentions,
    anomaly_statement,
    cause_mentions,
    cause_statement,
    signs_of,
)
from services.knowledge.importing.deciding.review import Review
from services.knowledge.importing.matching.clustering import CAUSE_WEIGHTS, Item, pairs_of
from services.knowledge.importing.matching.recognition import CauseRecogniser, Known, PhenomenonRecogniser
from services.knowledge.importing.progress import Progress
from services.knowledge.importing.writing import new_entries
from services.knowledge.importing.writing.import_report import Decision, decisions_of
from services.knowledge.importing.writing.site import Site
from services.knowledge.library.schema import Anomaly, PhenomenonEntry, RootCauseEntry, TicketEntry


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
    written_phenomena = new_entries.make_phenomena(site, phenomena, seen_anomalies)
    written_causes = new_entries.make_root_causes(site, causes, seen_causes, tickets)
    vacated = new_entries.find_vacated(site, (*phenomena.moves, *causes.moves), settled)
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
