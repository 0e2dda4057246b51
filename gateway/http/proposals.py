"""GET /knowledge/proposals, GET /knowledge/proposals/{id}, POST /knowledge/proposals/{id}/accept and /reject."""

from __future__ import annotations

from typing import Annotated, Any

from dbdiag.knowledge.v1.knowledge_types import Proposal, ProposalState, ReviewDecision, ReviewProposalRequest
from pydantic import Field
from pydantic_core import to_jsonable_python
from starlette.requests import Request

from gateway.cases.closing import PAST_CASES, Closings
from gateway.contracts.clients import Services
from gateway.http.openapi import describe_body
from gateway.http.routes import Routes
from gateway.http.schemas import ReviewBody, read_body

# Users' words and evidence: shown for a single proposal, never in a list.
_SAID = ("complaint", "evidence", "solution", "review_reason")
_BODY = describe_body(ReviewBody)


def make_routes(closings: Closings, services: Services) -> Routes:
    """The proposal routes. The body names the person who decides, because all users share one token."""
    router = Routes(prefix="/knowledge/proposals", tags=["knowledge"])

    @router.get("")
    async def proposals(state: ProposalState | None = None) -> dict[str, Any]:
        """The proposals in a state, or all, oldest first, without the words of the conversations."""
        return {"proposals": [_describe_briefly(item) for item in await services.knowledge.proposals(state)]}

    @router.get("/{proposal_id}")
    async def proposal(
        proposal_id: str, past_cases: Annotated[int, Field(ge=1, le=100_000)] = PAST_CASES
    ) -> dict[str, Any]:
        """One proposal and the effect of learning it: beliefs about the case, and verdicts on past cases."""
        found, preview = await closings.preview(proposal_id, past_cases)
        return {"proposal": present_proposal(found), "preview": to_jsonable_python(preview)}

    @router.post("/{proposal_id}/accept", openapi_extra=_BODY)
    async def accept(proposal_id: str, request: Request) -> dict[str, Any]:
        """Adds the case to the site library as a ticket; the next published snapshot includes it."""
        return await _decide(proposal_id, ReviewDecision.ACCEPT, await read_body(request, ReviewBody), services)

    @router.post("/{proposal_id}/reject", openapi_extra=_BODY)
    async def reject(proposal_id: str, request: Request) -> dict[str, Any]:
        """Rejects the case; removes its ticket if it was accepted before."""
        return await _decide(proposal_id, ReviewDecision.REJECT, await read_body(request, ReviewBody), services)

    return router


async def _decide(proposal_id: str, decision: ReviewDecision, body: ReviewBody, services: Services) -> dict[str, Any]:
    cause = body.root_cause_id or ""
    request = ReviewProposalRequest(
        proposal_id, decision, body.reviewer, body.reason or "", body.from_quarantine, cause
    )
    decided = await services.knowledge.review(request)
    return {**to_jsonable_python(decided), "proposal": present_proposal(decided.proposal)}


def present_proposal(proposal: Proposal) -> dict[str, Any]:
    """A proposal for a reviewer, without its session id, which would open the whole conversation."""
    fields: dict[str, Any] = to_jsonable_python(proposal)
    return {key: value for key, value in fields.items() if key != "session_id"}


def _describe_briefly(proposal: Proposal) -> dict[str, Any]:
    """A proposal in a list: the number of its answers in place of users' words."""
    fields = present_proposal(proposal)
    return {key: value for key, value in fields.items() if key not in _SAID} | {
        "evidence_count": len(proposal.evidence)
    }
