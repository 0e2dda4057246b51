"""KnowledgeService over real gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any

import pytest
from dbdiag.knowledge.v1 import knowledge_pb2 as pb
from dbdiag.knowledge.v1 import knowledge_pb2_grpc

from services.chassis import channel, errors
from services.chassis.server import Host
from services.knowledge.app import KnowledgeApp
from services.knowledge.settings import KnowledgeSettings
from services.knowledge.snapshots.compile import compile_libraries, snapshot_id
from tests.support.sample_libraries import as_export, exported, phenomenon, root_cause, write_library

LIMIT = 20.0


class Service:
    """A started service over its own folders, and a stub for it."""

    def __init__(self, folder: Path, stub: knowledge_pb2_grpc.KnowledgeServiceAsyncStub) -> None:
        self.library, self.store, self.site = folder / "base", folder / "store", folder / "site"
        self.stub = stub

    async def refused(self, call: Awaitable[object]) -> errors.DbdiagError:
        """The member of the error tree that a call ends in."""
        with pytest.raises(errors.DbdiagError) as caught:
            await channel.answered(call, "knowledge")
        return caught.value

    async def send(self, *parts: pb.ImportTicketsRequest) -> pb.ImportTicketsResponse:
        """Imports a stream of parts."""
        return await channel.answered(self.stub.ImportTickets(iter(parts), timeout=LIMIT), "knowledge")

    async def take(self, content: bytes) -> pb.ImportTicketsResponse:
        """Imports one JSON export in two chunks."""
        header = pb.ImportTicketsRequest(header=pb.ImportHeader(format="json", source_name="test"))
        halves = content[:9], content[9:]
        return await self.send(header, *(pb.ImportTicketsRequest(chunk=half) for half in halves))

    async def fetch(self, identity: str = "") -> tuple[pb.SnapshotManifest, list[bytes]]:
        """A snapshot's manifest and chunks."""
        call: Any = self.stub.GetSnapshot(pb.GetSnapshotRequest(snapshot_id=identity), timeout=LIMIT)
        parts: list[pb.GetSnapshotResponse] = [part async for part in channel.streamed(call, "knowledge")]
        assert [part.WhichOneof("part") for part in parts] == ["manifest", *["chunk"] * (len(parts) - 1)]
        return parts[0].manifest, [part.chunk for part in parts[1:]]


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    """The service on a port of its own, over a library of two megabytes."""
    large = phenomenon("P-0002", "long words")
    large["observe"]["how"] = "词" * 700_000
    write_library(tmp_path / "base", phenomena=[phenomenon(), large])
    settings = KnowledgeSettings(
        knowledge_libraries=str(tmp_path / "base"),
        knowledge_store=str(tmp_path / "store"),
        knowledge_site_library=tmp_path / "site",
        knowledge_holdout_share=0.0,
    )
    host = Host([KnowledgeApp(settings, lambda: 1_700_000_000.0)], settings)
    await host.start()
    async with channel.connect(host.address) as connection:
        yield Service(tmp_path, knowledge_pb2_grpc.KnowledgeServiceStub(connection))
    await host.stop()


async def test_the_current_snapshot_comes_in_chunks(service: Service) -> None:
    """Manifest first, then chunks of at most 1 MiB that together are the bytes the id names."""
    manifest, chunks = await service.fetch()
    content = b"".join(chunks)
    assert content == compile_libraries([service.library])
    assert manifest.snapshot_id == snapshot_id(content)
    assert manifest.size_bytes == len(content)
    assert len(chunks) == 3
    assert max(map(len, chunks)) == 1024 * 1024


async def test_an_unknown_snapshot_is_not_found(service: Service) -> None:
    """NOT_FOUND with reason snapshot_not_found, inside the stream too."""
    with pytest.raises(errors.NotFound) as caught:
        await service.fetch("sha256:" + "0" * 64)
    assert caught.value.reason == "snapshot_not_found"


async def test_a_changed_file_is_refused(service: Service) -> None:
    """FAILED_PRECONDITION with reason snapshot_changed when a published snapshot's bytes were edited."""
    (file,) = [path for path in service.store.glob("*.json") if "manifest" not in path.name]
    file.write_bytes(file.read_bytes() + b" ")
    with pytest.raises(errors.Precondition) as caught:
        await service.fetch()
    assert caught.value.reason == "snapshot_changed"


async def test_an_import_publishes_nothing_until_somebody_does(service: Service) -> None:
    """Imported tickets are in the next published snapshot, and the diff of the two names them."""
    report = await service.take(as_export([exported("T-1", "磁盘坏了", "硬盘灯是红的"), {"ticket_id": "T-2"}]))
    assert (report.ticket_count, report.new_phenomenon_count, report.new_root_cause_count) == (1, 1, 1)
    assert [(item.record, item.ticket_id, item.field) for item in report.rejected] == [(2, "T-2", "description")]
    before = await service.stub.ListSnapshots(pb.ListSnapshotsRequest(), timeout=LIMIT)
    assert len(before.snapshots) == 1
    request = pb.PublishSnapshotRequest(author="ada", reason="first tickets")
    published = await service.stub.PublishSnapshot(request, timeout=LIMIT)
    assert published.previous_snapshot_id == before.current_snapshot_id
    after = await service.stub.ListSnapshots(pb.ListSnapshotsRequest(), timeout=LIMIT)
    assert after.current_snapshot_id == published.manifest.snapshot_id == after.snapshots[0].snapshot_id
    differ = pb.DiffSnapshotsRequest(
        from_snapshot_id=before.current_snapshot_id, to_snapshot_id=after.current_snapshot_id
    )
    changes = (await service.stub.DiffSnapshots(differ, timeout=LIMIT)).changes
    assert [(item.kind, item.entity_type, item.entity_id) for item in changes] == [
        (pb.CHANGE_KIND_ADDED, "phenomenon", "P-5000"),
        (pb.CHANGE_KIND_ADDED, "root_cause", "RC-5000"),
        (pb.CHANGE_KIND_ADDED, "ticket", "T-1"),
    ]


async def test_publishing_needs_an_author(service: Service) -> None:
    """INVALID_ARGUMENT without an author; the snapshot stays the current one."""
    error = await service.refused(service.stub.PublishSnapshot(pb.PublishSnapshotRequest(), timeout=LIMIT))
    assert isinstance(error, errors.InvalidInput)


async def test_a_broken_library_is_refused_with_its_problems(service: Service) -> None:
    """INVALID_ARGUMENT with reason invalid_library naming file and field, and the old snapshot goes on."""
    write_library(service.library, root_causes=[root_cause(links=["P-0404"])])
    error = await service.refused(service.stub.PublishSnapshot(pb.PublishSnapshotRequest(author="ada"), timeout=LIMIT))
    assert error.reason == "invalid_library"
    assert "links.0.phenomenon" in error.message
    assert (await service.fetch())[0].author == "startup"


async def test_a_stream_out_of_order_is_refused(service: Service) -> None:
    """INVALID_ARGUMENT with reason invalid_tickets for no header, a late header, a second one, or not JSON."""
    header = pb.ImportTicketsRequest(header=pb.ImportHeader(format="json"))
    chunk = pb.ImportTicketsRequest(chunk=b"[")
    for parts in ((), (chunk, header), (header, header), (header, chunk)):
        with pytest.raises(errors.InvalidInput) as caught:
            await service.send(*parts)
        assert caught.value.reason == "invalid_tickets"
    assert not service.site.exists()


async def test_a_table_is_imported_by_its_mapping(service: Service) -> None:
    """CSV in chunks that cut characters, under the caller's column names; refusals know their line and column."""
    table = "No;What;Why;Found\r\n7;慢;锁;大量会话在等锁\r\n;慢;锁;\r\n8;慢;漏;重启后恢复\r\n".encode("gb18030")
    mapping = "{ticket_id: No, description: What, root_cause: Why, analysis: Found}"
    header = pb.ImportTicketsRequest(header=pb.ImportHeader(format="csv", mapping=mapping))
    chunks = (table[start : start + 7] for start in range(0, len(table), 7))
    report = await service.send(header, *(pb.ImportTicketsRequest(chunk=chunk) for chunk in chunks))
    assert (report.new_ticket_count, report.anomaly_count, report.ticket_without_anomalies_count) == (2, 1, 1)
    assert [(item.line, item.field) for item in report.rejected] == [(3, "No")]
    wrong = pb.ImportTicketsRequest(header=pb.ImportHeader(format="csv", mapping="{ticket_id: No, descr: What}"))
    with pytest.raises(errors.InvalidInput, match="unknown key"):
        await service.send(wrong)


CASE = pb.ProposeCaseRequest(
    session_id="s-1",
    case=1,
    complaint="慢，密码是Hunter2",
    evidence=[
        pb.CaseEvidence(
            phenomenon_id="P-0001",
            verdict=pb.VERDICT_CONFIRMED,
            score=0.9,
            origin=pb.EVIDENCE_ORIGIN_PERSON,
            words="慢",
        )
    ],
    root_cause_id="RC-0001",
)


async def test_a_closed_case_is_learned_when_a_person_accepts_it(service: Service) -> None:
    """Proposed without its secret, listed, previewed by two snapshots, accepted, and in the next published one."""
    proposed = (await service.stub.ProposeCase(CASE, timeout=LIMIT)).proposal
    assert (proposed.state, proposed.complaint) == (pb.PROPOSAL_STATE_OPEN, "慢，密码是[password]")
    listed = await service.stub.ListProposals(pb.ListProposalsRequest(state=pb.PROPOSAL_STATE_OPEN), timeout=LIMIT)
    assert list(listed.proposals) == [proposed]
    named = pb.GetProposalRequest(proposal_id=proposed.proposal_id)
    shown = await service.stub.GetProposal(named, timeout=LIMIT)
    assert shown.proposal == proposed
    assert (await service.fetch())[0].snapshot_id == shown.without_snapshot_id
    decision = pb.ReviewProposalRequest(
        proposal_id=proposed.proposal_id, decision=pb.REVIEW_DECISION_ACCEPT, reviewer="ada", reason="right"
    )
    reviewed = await service.stub.ReviewProposal(decision, timeout=LIMIT)
    assert (reviewed.ticket_id, reviewed.proposal.state) == (proposed.ticket_id, pb.PROPOSAL_STATE_ACCEPTED)
    assert (reviewed.published_snapshot_id, (await service.fetch())[0].author) == ("", "startup")
    published = await service.stub.PublishSnapshot(pb.PublishSnapshotRequest(author="ada"), timeout=LIMIT)
    assert published.manifest.snapshot_id == shown.with_snapshot_id


async def test_tickets_come_with_what_snapshots_leave_out(service: Service) -> None:
    """Imported tickets come in id order, with severity, database and date as recorded."""
    said = {"metadata": {"severity": "high", "db_type": "PostgreSQL", "created_at": "2025-03-01"}}
    await service.take(as_export([exported("T-1", "磁盘坏了", "硬盘灯是红的") | said]))
    parts = [part async for part in service.stub.ListTickets(pb.ListTicketsRequest(), timeout=LIMIT)]
    tickets = [ticket for part in parts for ticket in part.tickets]
    assert [one.ticket_id for one in tickets] == sorted(one.ticket_id for one in tickets)
    assert all(one.description for one in tickets)
    assert ("high", "PostgreSQL", "2025-03-01") in {(one.severity, one.engine, one.created_at) for one in tickets}


async def test_a_decision_that_is_none_is_refused(service: Service) -> None:
    """INVALID_ARGUMENT without a decision or a case, NOT_FOUND for an unknown proposal; nothing is kept of either."""
    undecided = pb.ReviewProposalRequest(proposal_id="PR-000000000000", reviewer="ada")
    unknown = pb.ReviewProposalRequest(
        proposal_id="PR-000000000000", decision=pb.REVIEW_DECISION_REJECT, reviewer="ada"
    )
    assert isinstance(await service.refused(service.stub.ReviewProposal(undecided, timeout=LIMIT)), errors.InvalidInput)
    assert (await service.refused(service.stub.ReviewProposal(unknown, timeout=LIMIT))).reason == "proposal_not_found"
    empty = await service.refused(service.stub.ProposeCase(pb.ProposeCaseRequest(), timeout=LIMIT))
    assert isinstance(empty, errors.InvalidInput)
    assert not service.site.exists()


async def test_rolling_back_is_a_publication_with_its_reason(service: Service) -> None:
    """A rollback goes to what was current before and stays on record; without a reason it is refused."""
    first = (await service.fetch())[0].snapshot_id
    await service.take(as_export([exported("T-1", "磁盘坏了", "硬盘灯是红的")]))
    await service.stub.PublishSnapshot(pb.PublishSnapshotRequest(author="ada"), timeout=LIMIT)
    back = pb.PublishSnapshotRequest(author="ada", rollback=True)
    assert isinstance(await service.refused(service.stub.PublishSnapshot(back, timeout=LIMIT)), errors.InvalidInput)
    back.reason = "worse"
    done = await service.stub.PublishSnapshot(back, timeout=LIMIT)
    assert done.manifest.snapshot_id == first
    record = (await service.stub.ListSnapshots(pb.ListSnapshotsRequest(), timeout=LIMIT)).publications
    assert [(item.number, item.rollback, item.reason) for item in record][1:] == [(2, False, ""), (3, True, "worse")]
    again = await service.refused(service.stub.PublishSnapshot(back, timeout=LIMIT))
    assert again.reason == "nothing_before"
