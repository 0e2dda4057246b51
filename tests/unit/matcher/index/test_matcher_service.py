from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from dbdiag.knowledge.v1 import knowledge_pb2, knowledge_pb2_grpc
from dbdiag.matcher.v1 import matcher_pb2 as pb
from dbdiag.matcher.v1.matcher_pb2_grpc import MatcherServiceStub
from google.protobuf.message import Message

from services.chassis import channel
from services.chassis.errors import DependencyDown, NotFound
from services.chassis.server import Host, Servable
from services.chassis.settings import ServerSettings
from services.matcher.app import MatcherApp
from services.matcher.index.entries import name_of
from services.matcher.index.search_index import Index
from services.matcher.index.vectors import Store
from services.matcher.model import (
    Candidate,
    Clarification,
    ClarificationKind,
    Interpretation,
    LocalizedText,
    Match,
    MatchPhenomenaRequest,
    MatchPhenomenaResponse,
    ModelUsage,
    NoMatch,
    Observation,
    RootCauseHit,
    SearchPhenomenaRequest,
    SearchPhenomenaResponse,
    Verdict,
)
from services.matcher.settings import MatcherSettings
from services.matcher.wire import from_wire, to_wire
from tests.support.cases import for_each

REASON = channel.REASON_KEY


# Its type stub makes every method abstract; at run time those that are left out answer UNIMPLEMENTED.
_Servicer: Any = knowledge_pb2_grpc.KnowledgeServiceServicer


class Published(_Servicer):  # type: ignore[misc]
    """A knowledge service with one snapshot, for a matcher to start from."""

    service_name = "dbdiag.knowledge.v1.KnowledgeService"

    def __init__(self, content: bytes) -> None:
        self._content = content

    def register(self, server: grpc.aio.Server) -> None:
        knowledge_pb2_grpc.add_KnowledgeServiceServicer_to_server(self, server)

    async def start(self) -> None:
        """Nothing to load."""

    async def close(self) -> None:
        """Nothing to close."""

    async def ListSnapshots(self, request: Any, context: Any) -> knowledge_pb2.ListSnapshotsResponse:
        return knowledge_pb2.ListSnapshotsResponse(current_snapshot_id=name_of(self._content))

    async def GetSnapshot(self, request: Any, context: Any) -> AsyncIterator[knowledge_pb2.GetSnapshotResponse]:
        if request.snapshot_id != name_of(self._content):
            raise NotFound(f"looking for snapshot {request.snapshot_id}: not here", reason="snapshot_not_found")
        yield knowledge_pb2.GetSnapshotResponse(manifest=knowledge_pb2.SnapshotManifest())
        for start in range(0, len(self._content), 1000):
            yield knowledge_pb2.GetSnapshotResponse(chunk=self._content[start : start + 1000])


@pytest.fixture
async def stub(snapshot_bytes: bytes, tmp_path: Path) -> AsyncIterator[Any]:
    address = f"unix:{tmp_path}/s"
    apps: list[Servable] = [Published(snapshot_bytes), MatcherApp(MatcherSettings(matcher_knowledge_address=address))]
    host = Host(apps, ServerSettings(bind=address, drain_seconds=0))
    await host.start()
    async with channel.connect(address) as opened:
        yield MatcherServiceStub(opened)
    await host.stop()


async def test_matching_over_grpc(stub: Any, snapshot_bytes: bytes) -> None:
    """Observations sent over gRPC are matched against the current snapshot."""
    texts = ("没有锁等待", "数据盘 95%了")
    request = pb.MatchPhenomenaRequest(observations=[pb.Observation(text=text) for text in texts], language="zh")
    answer = await stub.MatchPhenomena(request, timeout=10)
    [first], [second] = (interpretation.readings for interpretation in answer.interpretations)
    assert answer.snapshot_id == name_of(snapshot_bytes)
    assert (first.phenomenon_id, first.verdict) == ("P-0002", pb.VERDICT_DENIED)
    assert (second.phenomenon_id, second.verdict) == ("P-0001", pb.VERDICT_CONFIRMED)
    assert {first.standing, second.standing} == {pb.STANDING_COUNTS}
    assert 0.9 <= second.probability <= 1


async def test_searching_over_grpc(stub: Any) -> None:
    """A search returns candidates, and root causes on request."""
    request = pb.SearchPhenomenaRequest(text="connection leak", limit=3, include_root_causes=True)
    answer = await stub.SearchPhenomena(request, timeout=10)
    assert answer.root_causes[0].root_cause_id == "RC-0002"
    assert len(answer.candidates) <= 3


@pytest.mark.parametrize(
    ("request_", "status", "reason"),
    [
        (pb.MatchPhenomenaRequest(), grpc.StatusCode.INVALID_ARGUMENT, "empty_text"),
        (pb.MatchPhenomenaRequest(observations=[pb.Observation()]), grpc.StatusCode.INVALID_ARGUMENT, "empty_text"),
        (
            pb.MatchPhenomenaRequest(observations=[pb.Observation(text="x")], language="fr"),
            grpc.StatusCode.INVALID_ARGUMENT,
            "invalid_request",
        ),
        (
            pb.MatchPhenomenaRequest(observations=[pb.Observation(text="x" * 20_001)]),
            grpc.StatusCode.INVALID_ARGUMENT,
            "text_too_long",
        ),
        (
            pb.MatchPhenomenaRequest(observations=[pb.Observation(text="x")], snapshot_id="sha256:" + "0" * 64),
            grpc.StatusCode.NOT_FOUND,
            "snapshot_not_found",
        ),
    ],
)
async def test_errors_carry_their_reason(
    stub: Any, request_: pb.MatchPhenomenaRequest, status: grpc.StatusCode, reason: str
) -> None:
    """Each rejected request has the status and reason of the contract."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stub.MatchPhenomena(request_, timeout=10)
    assert refused.value.code() == status
    assert dict(refused.value.trailing_metadata() or ())[REASON] == reason


async def test_a_missing_knowledge_service_is_named(tmp_path: Path) -> None:
    """An unreachable knowledge service raises knowledge_unreachable."""
    app = MatcherApp(MatcherSettings(matcher_knowledge_address=f"unix:{tmp_path}/nobody"))
    app.register(grpc.aio.server())
    with pytest.raises(DependencyDown) as refused:
        await app.start()
    await app.close()
    assert refused.value.reason == "knowledge_unreachable"


@pytest.mark.slow
async def test_a_missing_qdrant_is_named(entries: Index) -> None:
    """An unreachable Qdrant server raises index_unreachable."""
    store = Store("http://127.0.0.1:9", 1.0)
    with pytest.raises(DependencyDown) as refused:
        await store.add("x", entries)
    await store.close()
    assert refused.value.reason == "index_unreachable"


NAME = LocalizedText("锁等待", "lock waits")
CANDIDATE = Candidate("P-0002", NAME, 0.5, 0.25, 0.125)


@for_each(
    ("message", "value"),
    [
        (
            pb.MatchPhenomenaResponse,
            MatchPhenomenaResponse(
                "sha256:1",
                (
                    Interpretation(0, Match("P-0002", Verdict.UNKNOWN, 0.5, "65%", "P-0001"), candidates=(CANDIDATE,)),
                    Interpretation(1, clarification=Clarification(ClarificationKind.MULTIPLE_MATCHES, (CANDIDATE,))),
                    Interpretation(2, no_match=NoMatch()),
                ),
                ModelUsage(1, 2, 3, "model_malformed"),
            ),
        ),
        (pb.MatchPhenomenaResponse, MatchPhenomenaResponse("", ())),
        (
            pb.MatchPhenomenaRequest,
            MatchPhenomenaRequest(
                "sha256:1", (Observation("x", 0.5), Observation("y")), ("P-0001",), ("P-0002",), "zh", ("P-0003",), 7
            ),
        ),
        (pb.SearchPhenomenaRequest, SearchPhenomenaRequest("sha256:1", "x", 9, True)),
        (
            pb.SearchPhenomenaResponse,
            SearchPhenomenaResponse("sha256:1", (CANDIDATE,), (RootCauseHit("RC-0001", NAME, 0.5),)),
        ),
    ],
)
def test_requests_and_answers_survive_the_wire(message: type[Message], value: object) -> None:
    """Encoding and decoding requests and answers returns equal ones."""
    assert from_wire(to_wire(value, message), type(value)) == value
