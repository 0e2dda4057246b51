"""What an investigation is judged by, without a server: the engine's core behind the gateway's client, real targets."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from dbdiag.collector.v1 import collector_pb2
from dbdiag.collector.v1.collector_types import ListChecksResponse
from dbdiag.engine.v1 import engine_pb2
from dbdiag.engine.v1.engine_types import DiagnoseRequest, DiagnoseResponse

from gateway.contracts.engine_client import EngineClient
from gateway.investigation import ports
from gateway.investigation.model import Budget, Case
from gateway.investigation.ports import RemoteReasoner
from gateway.investigation.report import Words
from services.chassis.wire import from_wire, to_wire
from services.collector.app import CollectorApp
from services.collector.servicer import CollectorServicer
from services.collector.settings import CollectorSettings
from services.collector.targets.registry import Targets
from services.engine.diagnose import diagnose
from services.engine.inference.reasoner import ReasoningModel, open_model
from services.engine.tables.snapshot import read_snapshot
from services.engine.wire import read_diagnose
from services.knowledge.blobs.backends import open_blobs
from services.knowledge.settings import KnowledgeSettings
from services.knowledge.snapshots.compile import read_snapshot as read_document
from services.knowledge.snapshots.publish import prepare, publish_at_startup
from services.knowledge.snapshots.store import SnapshotStore


class CoreEngine(EngineClient):
    """A client whose engine is in this process; requests and replies go through both rooms' conversions."""

    def __init__(self, library: ReasoningModel) -> None:
        self._library = library

    async def diagnose(self, request: DiagnoseRequest) -> DiagnoseResponse:
        """See EngineClient."""
        asked = read_diagnose(to_wire(request, engine_pb2.DiagnoseRequest))
        answer = diagnose(self._library, asked)
        return from_wire(to_wire(answer, engine_pb2.DiagnoseResponse), DiagnoseResponse)


@dataclass(frozen=True)
class Knowledge:
    """A snapshot, the engine over it, and its words."""

    snapshot_id: str
    content: bytes
    reasoner: RemoteReasoner
    words: Words


def knowledge_of(data_dir: Path, snapshot_id: str = "", engines: Sequence[str] = ()) -> Knowledge:
    """A stored snapshot of a data folder; without an id, the one for a target whose checks use these engines."""
    settings = KnowledgeSettings(knowledge_libraries=os.environ.get("DBDIAG_KNOWLEDGE_LIBRARIES")).within(data_dir)
    store = SnapshotStore(open_blobs(settings.knowledge_store), time.time)
    paths = settings.library_paths()
    current = publish_at_startup(store, paths).snapshot_id
    identity = snapshot_id or prepare(store, current, paths, engines)
    content = store.read(identity)
    store.close()
    words = Words.of(read_document(content))
    client = CoreEngine(open_model(read_snapshot(content, identity)))
    return Knowledge(identity, content, RemoteReasoner(client, identity, words.phenomena.keys()), words)


def checks_of(data_dir: Path, target_id: str, targets: Targets | None = None) -> ListChecksResponse:
    """What the collector lists for a target of a data folder, or of the targets given."""
    app = CollectorApp(CollectorSettings().within(data_dir), {}, targets)
    request = collector_pb2.ListChecksRequest(target_id=target_id)
    reply = CollectorServicer(app._collector).ListChecks(request, None)  # type: ignore[arg-type]
    # A thread of its own: whoever asks may run a loop.
    with ThreadPoolExecutor(1) as thread:
        return from_wire(thread.submit(asyncio.run, reply).result(), ListChecksResponse)


def case_of(listed: ListChecksResponse, target_id: str, snapshot_id: str) -> Case:
    """A case with the usual budget."""
    return ports.make_case(listed, "s", target_id, snapshot_id, Budget())
