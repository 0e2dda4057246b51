"""GET /knowledge/proposals, GET /knowledge/proposals/{id}, POST /knowledge/proposals/{id}/accept and /reject."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic_core import to_jsonable_python

from gateway.clients import Services
from gateway.closing import Closings
from gateway.http.bodies import ReviewBody, read_body
from gateway.learning import ProposalState, ReviewDecision, ReviewProposalRequest
from gateway.preview import PAST_CASES

_BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": ReviewBody.model_json_schema()}}}}


def routes(closings: Closings, services: Services) -> APIRouter:
    """The proposal routes. A person decides; who that is stands in the body, for the gateway has no log-in."""
    router = APIRouter(prefix="/knowledge/proposals", tags=["knowledge"])

    @router.get("")
    async def proposals(state: ProposalState | None = None) -> dict[str, Any]:
        """The proposals of a state, or all, oldest first."""
        return {"proposals": to_jsonable_python(await services.knowledge.proposals(state))}

    @router.get("/{proposal_id}")
    async def proposal(
        proposal_id: str, past_cases: Annotated[int, Query(ge=1, le=100_000)] = PAST_CASES
    ) -> dict[str, Any]:
        """One proposal and what learning it would change: beliefs about the case, and verdicts on past cases."""
        found, preview = await closings.preview(proposal_id, past_cases)
        return {"proposal": to_jsonable_python(found), "preview": to_jsonable_python(preview)}

    @router.post("/{proposal_id}/accept", openapi_extra=_BODY)
    async def accept(proposal_id: str, request: Request) -> dict[str, Any]:
        """Makes the case a ticket of the site library; the next snapshot that is published holds it."""
        return await _decide(proposal_id, ReviewDecision.ACCEPT, await read_body(request, ReviewBody), services)

    @router.post("/{proposal_id}/reject", openapi_extra=_BODY)
    async def reject(proposal_id: str, request: Request) -> dict[str, Any]:
        """Leaves the case out, or takes it out again when it was accepted before."""
        return await _decide(proposal_id, ReviewDecision.REJECT, await read_body(request, ReviewBody), services)

    return router


async def _decide(proposal_id: str, decision: ReviewDecision, body: ReviewBody, services: Services) -> dict[str, Any]:
    cause = body.root_cause_id or ""
    request = ReviewProposalRequest(
        proposal_id, decision, body.reviewer, body.reason or "", body.from_quarantine, cause
    )
    decided: dict[str, Any] = to_jsonable_python(await services.knowledge.review(request))
    return decided
