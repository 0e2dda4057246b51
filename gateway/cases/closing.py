"""Closes a case: the person's verdict becomes a proposal to learn from, with a preview of its effect."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from dbdiag.engine.v1.engine_types import Evidence
from dbdiag.knowledge.v1.knowledge_types import CaseEvidence, EvidenceOrigin, Proposal, ProposeCaseRequest
from dbdiag.vocabulary import BeliefChange

from gateway.cases.past_cases import Comparison, Contents, PastCase, Progress, compare, compare_beliefs, read_contents
from gateway.contracts.clients import Services
from gateway.contracts.engine_client import EngineClient
from gateway.session.ledger import COLLECTED, LedgerEntry, Session
from gateway.session.set_aside import Closing
from gateway.turn.conversations import Conversations
from services.chassis import channel, errors

_OPENING_MESSAGES = 3
# Within this time a closing is answered, without its preview if need be; the preview can be requested again.
PREVIEW_SECONDS = 20.0
# Origins of ledger entries that did not come from a person.
_ORIGINS = {COLLECTED: EvidenceOrigin.CHECK, "import": EvidenceOrigin.IMPORT}
# Refusals of the knowledge service that the person who closes a case can act on, and how they are worded here.
_KEYS = {
    "no_evidence": "no_evidence.closing",
    "unknown_root_cause": "unknown_root_cause.closing",
    "already_proposed": "already_proposed.closing",
}
# Past cases that a preview judges, the most similar first.
PAST_CASES = 200
_SHOWN_BELIEFS = 10


@dataclass(frozen=True)
class Preview:
    """The snapshots without and with the case; equal for a held-out case, which changes nothing."""

    without_snapshot_id: str
    with_snapshot_id: str
    beliefs: tuple[BeliefChange, ...]
    past_cases: Comparison


async def make_preview(
    engine: EngineClient,
    case: PastCase,
    evidence: Sequence[Evidence],
    contents: tuple[Contents, Contents],
    limit: int = PAST_CASES,
    progress: Progress = lambda done, total: None,
) -> Preview:
    """Asks the engine about the case and about past cases, without and with learning it."""
    without, with_case = contents
    ordered = sorted(evidence, key=lambda item: item.phenomenon_id)
    beliefs = await compare_beliefs(engine, without, with_case, ordered, case.root_cause_id, _SHOWN_BELIEFS)
    before, after = (_leave_out(item, case.ticket_id) for item in contents)
    past = await compare(engine, before, after, limit, progress, case)
    return Preview(without.snapshot_id, with_case.snapshot_id, beliefs, past)


def _leave_out(contents: Contents, ticket_id: str) -> Contents:
    """The past cases without this one."""
    cases = tuple(case for case in contents.cases if case.ticket_id != ticket_id)
    return Contents(contents.snapshot_id, contents.phenomenon_ids, cases)


@dataclass(frozen=True)
class Verdict:
    """The person's verdict: a cause by its id, or in words if it is new."""

    root_cause_id: str = ""
    root_cause: str = ""
    solution: str = ""


@dataclass(frozen=True)
class Closed:
    """A closed case. No preview if the engine was unavailable or slow; the proposal is kept."""

    proposal: Proposal
    preview: Preview | None


class Closings:
    """Closes cases of this gateway's sessions."""

    def __init__(
        self, conversations: Conversations, services: Services, preview_seconds: float = PREVIEW_SECONDS
    ) -> None:
        self._conversations = conversations
        self._services = services
        self._preview_seconds = preview_seconds

    async def close(self, session_id: str, verdict: Verdict) -> Closed:
        """Closes the session's case. Idempotent; the session keeps its snapshot.

        Raises NotFound for an unknown session, InvalidInput for an unknown cause or a case without evidence,
        Precondition if the case was closed with another verdict.
        """
        async with self._conversations.alone_with(session_id) as stored:
            session = stored.session
            try:
                proposal = await self._services.knowledge.propose(await self._request(session, verdict))
            except errors.DbdiagError as error:
                raise _reword(error, verdict) from error
            if all(closing.proposal_id != proposal.proposal_id for closing in session.closings):
                cause = proposal.root_cause_id
                session.closings.append(
                    Closing(session.case, session.turn, cause, proposal.proposal_id, self._conversations.now())
                )
        return Closed(proposal, await self._previewed(proposal.proposal_id))

    async def preview(self, proposal_id: str, limit: int = PAST_CASES) -> tuple[Proposal, Preview]:
        """A proposal and the effect of learning it. Raises NotFound, or DependencyDown without an engine."""
        knowledge = self._services.knowledge
        found = await knowledge.proposal(proposal_id)
        one, two = [
            read_contents(identity, await knowledge.content(identity))
            for identity in (found.without_snapshot_id, found.with_snapshot_id)
        ]
        case, evidence = to_past_case(found.proposal)
        preview = await make_preview(self._services.engine, case, evidence, (one, two), limit)
        return found.proposal, preview

    async def _previewed(self, proposal_id: str) -> Preview | None:
        outer = channel.deadline.set(min(channel.deadline.get(), time.monotonic() + self._preview_seconds))
        try:
            return (await self.preview(proposal_id))[1]
        except errors.DbdiagError:
            return None
        finally:
            channel.deadline.reset(outer)

    async def _request(self, session: Session, verdict: Verdict) -> ProposeCaseRequest:
        active = session.active()
        return ProposeCaseRequest(
            session_id=session.session_id,
            case=session.case,
            snapshot_id=session.snapshot_id,
            complaint=await self._complaint(session, active),
            evidence=tuple(_evidence(entry) for entry in active),
            root_cause_id=verdict.root_cause_id,
            new_root_cause_description=verdict.root_cause,
            solution=verdict.solution,
        )

    async def _complaint(self, session: Session, active: list[LedgerEntry]) -> str:
        """The complaint: the last messages up to the one with the first active evidence."""
        first = min((entry.turn for entry in active), default=0)
        traces = await self._conversations.traces(session.session_id)
        said = [str(trace["message"]) for trace in traces if trace["case"] == session.case and trace["turn"] <= first]
        return "\n".join(said[-_OPENING_MESSAGES:])


def to_past_case(proposal: Proposal) -> tuple[PastCase, tuple[Evidence, ...]]:
    """A proposal as a past case with all its answers."""
    evidence = tuple(Evidence(item.phenomenon_id, item.verdict, item.score) for item in proposal.evidence)
    seen = tuple(item.phenomenon_id for item in evidence if item.verdict == "confirmed")
    return PastCase(proposal.ticket_id, proposal.root_cause_id, seen), evidence


def _evidence(entry: LedgerEntry) -> CaseEvidence:
    words = "" if entry.origin == "answer" else entry.words
    origin = _ORIGINS.get(entry.origin, EvidenceOrigin.PERSON)
    return CaseEvidence(entry.phenomenon_id, entry.verdict, entry.score, origin, words)


def _reword(error: errors.DbdiagError, verdict: Verdict) -> errors.DbdiagError:
    """The same error, worded for the person who closes the case, if that person can act on it."""
    down = isinstance(error, errors.DependencyDown | errors.DeadlinePassed)
    key = "case_not_closed" if down else _KEYS.get(error.reason)
    if key is None:
        return error
    known = {"nearest": "", "proposal_id": "", "root_cause_id": "", **error.details, "given": verdict.root_cause_id}
    return type(error)(key, reason=error.reason, details=known)
