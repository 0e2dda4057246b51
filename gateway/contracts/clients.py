"""The gateway's clients of the services: dataclasses in and out, failures raised as members of the error tree."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, Self

import grpc.aio
from dbdiag.analyst.v1 import analyst_pb2 as analyst
from dbdiag.analyst.v1.analyst_pb2_grpc import AnalystServiceStub
from dbdiag.analyst.v1.analyst_types import AskRequest, AskResponse, DatasetSummary
from dbdiag.collector.v1 import collector_pb2 as collector
from dbdiag.collector.v1.collector_pb2_grpc import CollectorServiceStub
from dbdiag.collector.v1.collector_types import CollectRequest, CollectResponse, ListChecksResponse, Target
from dbdiag.knowledge.v1 import knowledge_pb2 as knowledge
from dbdiag.knowledge.v1.knowledge_pb2_grpc import KnowledgeServiceStub
from dbdiag.knowledge.v1.knowledge_types import (
    GetProposalResponse,
    Proposal,
    ProposalState,
    ProposeCaseRequest,
    ReviewProposalRequest,
    ReviewProposalResponse,
)
from dbdiag.matcher.v1 import matcher_pb2 as matcher
from dbdiag.matcher.v1.matcher_pb2_grpc import MatcherServiceStub
from dbdiag.matcher.v1.matcher_types import (
    CauseLikeness,
    LikenResponse,
    MatchPhenomenaRequest,
    MatchPhenomenaResponse,
    SearchPhenomenaResponse,
)
from dbdiag.planner.v1 import planner_pb2 as planner
from dbdiag.planner.v1.planner_pb2_grpc import PlannerServiceStub
from dbdiag.planner.v1.planner_types import (
    DecideRequest,
    DecideResponse,
    PlanEvidenceRequest,
    PlanEvidenceResponse,
    Reply,
    RespondRequest,
)
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from gateway.contracts.engine_client import EngineClient
from gateway.settings import GatewaySettings
from services.chassis import channel
from services.chassis.errors import Internal
from services.chassis.wire import from_wire, to_wire

# Seconds one call may take; a turn's own deadline cuts these short.
_MATCHER_SECONDS = 30.0
_PLANNER_SECONDS = 45.0
# Libraries are read and compiled.
_KNOWLEDGE_SECONDS = 60.0
_HEALTH_SECONDS = 2.0
_LISTING_SECONDS = 3.0
# A check that was begun within its budget may end after it.
_CHECK_SECONDS = 15.0
# Opening a large file takes its time.
_ASK_SECONDS = 600.0
_DATASETS_SECONDS = 5.0


class MatcherClient:
    """dbdiag.matcher.v1.MatcherService."""

    def __init__(self, opened: grpc.aio.Channel) -> None:
        self._stub: Any = MatcherServiceStub(opened)

    async def match(self, request: MatchPhenomenaRequest) -> MatchPhenomenaResponse:
        """One interpretation an observation; raises Internal when their number is wrong."""
        message = to_wire(request, matcher.MatchPhenomenaRequest)
        call = self._stub.MatchPhenomena(message, **channel.outgoing(_MATCHER_SECONDS))
        reply = from_wire(await channel.answered(call, "the matcher"), MatchPhenomenaResponse)
        indexes = [item.observation_index for item in reply.interpretations]
        if indexes != list(range(len(request.observations))):
            raise Internal("internal.interpretations", indexes=str(indexes), count=len(request.observations))
        return reply

    async def search(self, snapshot_id: str, text: str, limit: int) -> SearchPhenomenaResponse:
        """What a text is nearest to, phenomena and causes."""
        request = matcher.SearchPhenomenaRequest(
            snapshot_id=snapshot_id, text=text, limit=limit, include_root_causes=True
        )
        call = self._stub.SearchPhenomena(request, **channel.outgoing(_MATCHER_SECONDS))
        return from_wire(await channel.answered(call, "the matcher"), SearchPhenomenaResponse)

    async def liken(self, snapshot_id: str, messages: Sequence[str]) -> tuple[CauseLikeness, ...]:
        """What messages sound like as a whole, by falling bits."""
        request = matcher.LikenRequest(snapshot_id=snapshot_id, messages=messages)
        call = self._stub.Liken(request, **channel.outgoing(_MATCHER_SECONDS))
        return from_wire(await channel.answered(call, "the matcher"), LikenResponse).likeness


class PlannerClient:
    """dbdiag.planner.v1.PlannerService."""

    def __init__(self, opened: grpc.aio.Channel) -> None:
        self._stub: Any = PlannerServiceStub(opened)

    async def decide(self, request: DecideRequest) -> DecideResponse:
        """The turn plan and the next move."""
        message = to_wire(request, planner.DecideRequest)
        call = self._stub.Decide(message, **channel.outgoing(_PLANNER_SECONDS))
        return from_wire(await channel.answered(call, "the planner"), DecideResponse)

    async def plan_evidence(self, request: PlanEvidenceRequest) -> PlanEvidenceResponse:
        """A round's checks as the model proposes them. Raises Precondition, no_model, where there is none."""
        message = to_wire(request, planner.PlanEvidenceRequest)
        call = self._stub.PlanEvidence(message, **channel.outgoing(_PLANNER_SECONDS))
        return from_wire(await channel.answered(call, "the planner"), PlanEvidenceResponse)

    async def respond(self, request: RespondRequest) -> AsyncIterator[str | Reply]:
        """The pieces of the answer as they come, then the whole."""
        message = to_wire(request, planner.RespondRequest)
        call = self._stub.Respond(message, **channel.outgoing(_PLANNER_SECONDS))
        with channel.failures_of("the planner"):
            async for part in call:
                yield part.chunk if part.HasField("chunk") else from_wire(part.reply, Reply)


class KnowledgeClient:
    """dbdiag.knowledge.v1.KnowledgeService, as far as cases are closed."""

    def __init__(self, opened: grpc.aio.Channel) -> None:
        self._stub: Any = KnowledgeServiceStub(opened)

    async def _ask(self, method: str, request: Any) -> Any:
        call = getattr(self._stub, method)(request, **channel.outgoing(_KNOWLEDGE_SECONDS))
        return await channel.answered(call, "the knowledge service")

    async def propose(self, request: ProposeCaseRequest) -> Proposal:
        """Offers a closed case to learn from."""
        reply = await self._ask("ProposeCase", to_wire(request, knowledge.ProposeCaseRequest))
        return from_wire(reply.proposal, Proposal)

    async def proposals(self, state: ProposalState | None) -> tuple[Proposal, ...]:
        """The proposals of a state, or all, oldest first."""
        wanted = state.upper() if state else "UNSPECIFIED"
        request = knowledge.ListProposalsRequest(state=knowledge.ProposalState.Value(f"PROPOSAL_STATE_{wanted}"))
        reply = await self._ask("ListProposals", request)
        return tuple(from_wire(item, Proposal) for item in reply.proposals)

    async def proposal(self, proposal_id: str) -> GetProposalResponse:
        """One proposal and the snapshots that show what it changes."""
        reply = await self._ask("GetProposal", knowledge.GetProposalRequest(proposal_id=proposal_id))
        return from_wire(reply, GetProposalResponse)

    async def review(self, request: ReviewProposalRequest) -> ReviewProposalResponse:
        """Accepts or rejects a proposal."""
        reply = await self._ask("ReviewProposal", to_wire(request, knowledge.ReviewProposalRequest))
        return from_wire(reply, ReviewProposalResponse)

    async def prepare(self, engines: tuple[str, ...]) -> str:
        """The id of the snapshot for a target whose checks use these engines."""
        reply = await self._ask("PrepareSnapshot", knowledge.PrepareSnapshotRequest(engines=engines))
        return str(reply.snapshot_id)

    async def content(self, snapshot_id: str) -> bytes:
        """A snapshot's canonical bytes."""
        request = knowledge.GetSnapshotRequest(snapshot_id=snapshot_id)
        call = self._stub.GetSnapshot(request, **channel.outgoing(_KNOWLEDGE_SECONDS))
        return b"".join([part.chunk async for part in channel.streamed(aiter(call), "the knowledge service")])


class CollectorClient:
    """dbdiag.collector.v1.CollectorService."""

    def __init__(self, opened: grpc.aio.Channel) -> None:
        self._stub: Any = CollectorServiceStub(opened)

    async def targets(self) -> tuple[Target, ...]:
        """The configured targets, in id order."""
        call = self._stub.ListTargets(collector.ListTargetsRequest(), **channel.outgoing(_LISTING_SECONDS))
        reply = await channel.answered(call, "the collector")
        return tuple(from_wire(item, Target) for item in reply.targets)

    async def checks(self, target_id: str) -> ListChecksResponse:
        """The checks that apply to a target, and their routing."""
        call = self._stub.ListChecks(
            collector.ListChecksRequest(target_id=target_id), **channel.outgoing(_LISTING_SECONDS)
        )
        return from_wire(await channel.answered(call, "the collector"), ListChecksResponse)

    async def collect(self, request: CollectRequest) -> AsyncIterator[CollectResponse]:
        """Each result as it comes. Raises DependencyDown, target_unreachable, after those of a target that is away."""
        limit = request.time_budget_seconds + _CHECK_SECONDS
        call = self._stub.Collect(to_wire(request, collector.CollectRequest), **channel.outgoing(limit))
        async for message in channel.streamed(call, "the collector"):
            yield from_wire(message, CollectResponse)


class Services:
    """All clients, one channel a service; a context that closes them."""

    def __init__(
        self,
        engine_address: str,
        matcher_address: str,
        planner_address: str,
        knowledge_address: str,
        collector_address: str | None = None,
        analyst_address: str | None = None,
    ) -> None:
        # Turns need these. The others may be away: knowledge closes cases, the collector looks, the analyst counts.
        self._needed = {engine_address, matcher_address, planner_address}
        others = {knowledge_address, collector_address, analyst_address} - {None}
        self._channels = {address: channel.connect(address) for address in {*self._needed, *others} if address}
        self.collector = CollectorClient(self._channels[collector_address]) if collector_address else None
        self.analyst = AnalystClient(self._channels[analyst_address]) if analyst_address else None
        self.knowledge = KnowledgeClient(self._channels[knowledge_address])
        self.engine = EngineClient(self._channels[engine_address])
        self.matcher = MatcherClient(self._channels[matcher_address])
        self.planner = PlannerClient(self._channels[planner_address])

    @classmethod
    def of(cls, settings: GatewaySettings) -> Self:
        """Clients of the services at the addresses of the settings."""
        return cls(
            settings.gateway_engine_address,
            settings.gateway_matcher_address,
            settings.gateway_planner_address,
            settings.gateway_knowledge_address,
            settings.gateway_collector_address,
            settings.gateway_analyst_address,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def unready(self) -> list[str]:
        """The addresses whose services do not say they are serving."""
        missing = []
        for address in sorted(self._needed):
            stub: Any = HealthStub(self._channels[address])
            try:
                reply = await stub.Check(health_pb2.HealthCheckRequest(), timeout=_HEALTH_SECONDS)
            except grpc.aio.AioRpcError:
                missing.append(address)
                continue
            if reply.status != health_pb2.HealthCheckResponse.SERVING:
                missing.append(address)
        return missing

    async def close(self) -> None:
        """Closes the channels."""
        for opened in self._channels.values():
            await opened.close()


class AnalystClient:
    """dbdiag.analyst.v1.AnalystService."""

    def __init__(self, opened: grpc.aio.Channel) -> None:
        self._stub: Any = AnalystServiceStub(opened)

    async def ask(self, request: AskRequest, seconds: float = _ASK_SECONDS) -> AsyncIterator[AskResponse]:
        """The parts of an answer as they come."""
        message = to_wire(request, analyst.AskRequest)
        call = self._stub.Ask(message, **channel.outgoing(seconds))
        async for part in channel.streamed(aiter(call), "the analyst"):
            yield from_wire(part, AskResponse)

    async def datasets(self) -> tuple[DatasetSummary, ...]:
        """What can be asked about, in id order."""
        call = self._stub.ListDatasets(analyst.ListDatasetsRequest(), **channel.outgoing(_DATASETS_SECONDS))
        reply = await channel.answered(call, "the analyst")
        return tuple(from_wire(item, DatasetSummary) for item in reply.datasets)
