"""Closing a case: what a person says it was becomes a proposal to learn from, with a preview of what that changes."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.clients import Services
from gateway.conversation import Conversations
from gateway.language import Language
from gateway.learning import CaseEvidence, EvidenceOrigin, Proposal, ProposeCaseRequest
from gateway.past_cases import PastCase, contents_of
from gateway.preview import PAST_CASES, Preview, preview_of
from gateway.reasoning import Evidence
from gateway.session import COLLECTED, Closing, LedgerEntry, Session
from services.chassis import errors

_OPENING_MESSAGES = 3
# Ledger entries that no person gave.
_ORIGINS = {COLLECTED: EvidenceOrigin.CHECK, "import": EvidenceOrigin.IMPORT}
_WORDS = {
    "no_evidence": {
        Language.ZH: "这个案例还没有确认任何现象，没有可学的。先说出看到了什么，再关闭。",
        Language.EN: "Nothing is confirmed in this case yet, so there is nothing to learn. Say what is there first.",
    },
    "unknown_root_cause": {
        Language.ZH: "没有根因 {given}，编号最接近的是 {nearest}。若是新的根因，请用文字描述它。",
        Language.EN: "There is no root cause {given}; the nearest id is {nearest}. Describe it in words if it is new.",
    },
    "already_proposed": {
        Language.ZH: "这个案例已经关闭过，当时定为 {root_cause_id}（提案 {proposal_id}）。要改，请先驳回那个提案。",
        Language.EN: "This case was closed before, as {root_cause_id} (proposal {proposal_id}). Reject that one first.",
    },
    "": {
        Language.ZH: "知识服务现在联系不上，案例没有关闭；会话没受影响，稍后再试。",
        Language.EN: "The knowledge service cannot be reached; the case was not closed and the session is as it was.",
    },
}


@dataclass(frozen=True)
class Verdict:
    """What a person says the case was: a cause by its id, or in words when it is new."""

    root_cause_id: str = ""
    root_cause: str = ""
    solution: str = ""
    language: Language | None = None


@dataclass(frozen=True)
class Closed:
    """A closed case. No preview where the engine could not be asked; the proposal is kept all the same."""

    proposal: Proposal
    preview: Preview | None


class Closings:
    """Closes cases of this gateway's sessions."""

    def __init__(self, conversations: Conversations, services: Services) -> None:
        self._conversations = conversations
        self._services = services

    async def close(self, session_id: str, verdict: Verdict) -> Closed:
        """Closes the session's case. The same again is the same proposal; the session stays on its snapshot.

        Raises NotFound for an unknown session, InvalidInput for a cause that is none or a case without evidence,
        Precondition when the case was closed otherwise before.
        """
        async with self._conversations.alone_with(session_id) as stored:
            session = stored.session
            language = verdict.language or session.language or Language.EN
            try:
                proposal = await self._services.knowledge.propose(await self._request(session, verdict))
            except errors.DbdiagError as error:
                raise _in_words(error, language, verdict) from error
            if all(closing.proposal_id != proposal.proposal_id for closing in session.closings):
                cause = proposal.root_cause_id
                session.closings.append(
                    Closing(session.case, session.turn, cause, proposal.proposal_id, self._conversations.now())
                )
        return Closed(proposal, await self._previewed(proposal.proposal_id))

    async def preview(self, proposal_id: str, limit: int = PAST_CASES) -> tuple[Proposal, Preview]:
        """A proposal and what learning it would change. Raises NotFound, or DependencyDown without an engine."""
        knowledge = self._services.knowledge
        found = await knowledge.proposal(proposal_id)
        one, two = [
            contents_of(identity, await knowledge.content(identity))
            for identity in (found.without_snapshot_id, found.with_snapshot_id)
        ]
        case, evidence = case_of(found.proposal)
        preview = await preview_of(self._services.engine, case, evidence, (one, two), limit)
        return found.proposal, preview

    async def _previewed(self, proposal_id: str) -> Preview | None:
        try:
            return (await self.preview(proposal_id))[1]
        except errors.DbdiagError:
            return None

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
        """How the case began: the last messages up to the one in which the first of what counts was said."""
        first = min((entry.turn for entry in active), default=0)
        traces = await self._conversations.traces(session.session_id)
        said = [str(trace["message"]) for trace in traces if trace["case"] == session.case and trace["turn"] <= first]
        return "\n".join(said[-_OPENING_MESSAGES:])


def case_of(proposal: Proposal) -> tuple[PastCase, tuple[Evidence, ...]]:
    """A proposal as a case that was closed, and all that was answered in it."""
    evidence = tuple(Evidence(item.phenomenon_id, item.verdict, item.score) for item in proposal.evidence)
    seen = tuple(item.phenomenon_id for item in evidence if item.verdict == "confirmed")
    return PastCase(proposal.ticket_id, proposal.root_cause_id, seen), evidence


def _evidence(entry: LedgerEntry) -> CaseEvidence:
    words = "" if entry.origin == "answer" else entry.words
    origin = _ORIGINS.get(entry.origin, EvidenceOrigin.PERSON)
    return CaseEvidence(entry.phenomenon_id, entry.verdict, entry.score, origin, words)


def _in_words(error: errors.DbdiagError, language: Language, verdict: Verdict) -> errors.DbdiagError:
    """The same error in the person's language, where it is one that a person can meet here."""
    key = "" if isinstance(error, errors.DependencyDown | errors.DeadlinePassed) else error.reason
    words = _WORDS.get(key)
    if words is None:
        return error
    known = {"nearest": "", "proposal_id": "", "root_cause_id": "", **error.details, "given": verdict.root_cause_id}
    return type(error)(words[language].format(**known), reason=error.reason, details=error.details)
