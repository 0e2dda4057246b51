"""The engine as other systems see it: over real gRPC, from the contract alone."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from dbdiag.engine.v1 import engine_pb2 as pb
from dbdiag.engine.v1 import engine_pb2_grpc

from services.chassis.errors import DependencyDown, InvalidInput
from services.chassis.server import Host
from services.engine.app import EngineApp
from services.engine.settings import EngineSettings
from services.engine.tables.snapshot import digest_in, snapshot_id_of
from tests.support.engine_graphs import document, encoded, three_causes

SECONDS = 10.0
YES, NO = pb.VERDICT_CONFIRMED, pb.VERDICT_DENIED


def publish(folder: Path, content: dict[str, Any]) -> str:
    data = encoded(content)
    identity = snapshot_id_of(data)
    (folder / f"{digest_in(identity)}.json").write_bytes(data)
    (folder / "current.new").write_text(identity)
    (folder / "current.new").replace(folder / "current")
    return identity


@contextlib.asynccontextmanager
async def serving(folder: Path, **changes: Any) -> AsyncIterator[engine_pb2_grpc.EngineServiceAsyncStub]:
    settings = EngineSettings(
        **{"engine_snapshot_dir": folder, "engine_refresh_seconds": 0.02, "drain_seconds": 1.0, **changes}
    )
    host = Host([EngineApp(settings)], settings)
    await host.start()
    try:
        async with grpc.aio.insecure_channel(host.address) as channel:
            yield engine_pb2_grpc.EngineServiceStub(channel)
    finally:
        await host.stop()


def said(*answers: tuple[str, pb.Verdict.ValueType]) -> list[pb.Evidence]:
    return [pb.Evidence(phenomenon_id=name, verdict=verdict) for name, verdict in answers]


async def reason(call: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    metadata = dict(caught.value.trailing_metadata() or ())
    return caught.value.code(), str(metadata.get("error-reason"))


async def test_every_method_answers(tmp_path: Path) -> None:
    """Each rpc of the contract gives a real answer about the snapshot it names."""
    identity = publish(tmp_path, three_causes())
    evidence = said(("P-0001", YES), ("P-0002", YES))
    async with serving(tmp_path) as engine:
        found = await engine.Diagnose(pb.DiagnoseRequest(evidence=evidence), timeout=SECONDS)
        assert (found.snapshot_id, found.root_cause_count) == (identity, 3)
        assert found.hypotheses[0].root_cause_id == "RC-0001"
        told = await engine.Explain(pb.ExplainRequest(evidence=evidence, phenomenon_id="P-0003"), timeout=SECONDS)
        assert told.question.phenomenon_id == "P-0003"
        changed = await engine.WhatIf(
            pb.WhatIfRequest(evidence=evidence, retract_phenomenon_ids=["P-0002"]), timeout=SECONDS
        )
        assert changed.leader_confidence_after < changed.leader_confidence_before
        phenomena = await engine.ListPhenomena(pb.ListPhenomenaRequest(), timeout=SECONDS)
        assert [item.phenomenon_id for item in phenomena.phenomena] == [f"P-000{at}" for at in range(1, 6)]
        causes = await engine.ListRootCauses(pb.ListRootCausesRequest(root_cause_ids=["RC-0002"]), timeout=SECONDS)
        assert [item.ticket_id for item in causes.root_causes[0].tickets] == ["TK-0002", "TK-0003"]
        relations = await engine.ListRelations(pb.ListRelationsRequest(phenomenon_id="P-0001"), timeout=SECONDS)
        likelihoods = [item.likelihood for item in relations.relations]
        assert likelihoods == sorted(likelihoods, reverse=True)
        snapshots = await engine.ListSnapshots(pb.ListSnapshotsRequest(), timeout=SECONDS)
        assert [(item.snapshot_id, item.current, item.ticket_count) for item in snapshots.snapshots] == [
            (identity, True, 5)
        ]


async def test_wrong_calls_have_a_status_and_a_reason(tmp_path: Path) -> None:
    """Errors carry what the contract lists."""
    publish(tmp_path, three_causes())
    async with serving(tmp_path) as engine:
        missing = pb.DiagnoseRequest(snapshot_id="sha256:" + "0" * 64)
        assert await reason(engine.Diagnose(missing, timeout=SECONDS)) == (
            grpc.StatusCode.NOT_FOUND,
            "snapshot_not_found",
        )
        odd = pb.DiagnoseRequest(snapshot_id="../current")
        assert (await reason(engine.Diagnose(odd, timeout=SECONDS)))[1] == "snapshot_not_found"
        unknown = pb.DiagnoseRequest(evidence=said(("P-9", YES)))
        assert await reason(engine.Diagnose(unknown, timeout=SECONDS)) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "unknown_phenomenon",
        )
        assert (await reason(engine.Diagnose(pb.DiagnoseRequest())))[1] == "deadline_required"


async def test_a_stream_outlives_a_refusal(tmp_path: Path) -> None:
    """Answers come in order with their ids, also empty ones; a refused request is answered and the next one served."""
    publish(tmp_path, three_causes())
    requests = [
        pb.DiagnoseStreamRequest(correlation_id="a", diagnose=pb.DiagnoseRequest(evidence=said(("P-0001", YES)))),
        pb.DiagnoseStreamRequest(correlation_id="b", diagnose=pb.DiagnoseRequest(evidence=said(("P-9", YES)))),
        pb.DiagnoseStreamRequest(correlation_id="c", diagnose=pb.DiagnoseRequest()),
        pb.DiagnoseStreamRequest(correlation_id="d"),
        pb.DiagnoseStreamRequest(diagnose=pb.DiagnoseRequest(evidence=said(("P-0001", YES)))),
    ]
    async with serving(tmp_path) as engine:
        replies = [reply async for reply in engine.DiagnoseStream(iter(requests), timeout=SECONDS)]
        alone = await engine.Diagnose(requests[0].diagnose, timeout=SECONDS)
    assert [reply.correlation_id for reply in replies] == ["a", "b", "c", "d", ""]
    outcomes = ["diagnosis", "refusal", "diagnosis", "refusal", "diagnosis"]
    assert [reply.WhichOneof("outcome") for reply in replies] == outcomes
    assert replies[0].diagnosis == replies[4].diagnosis == alone
    assert replies[1].refusal.reason == "unknown_phenomenon"
    assert replies[3].refusal.reason == "invalid_request"


async def test_publishing_switches_without_a_mixed_reply(tmp_path: Path) -> None:
    """While snapshots change under load, each reply is wholly of one of them, and pinned calls keep theirs."""
    small, large = three_causes(), document({f"RC-{at:04d}": {"P-0001": "always"} for at in range(7)}, [])
    counts = {publish(tmp_path, large): 7, publish(tmp_path, small): 3}
    first = publish(tmp_path, small)
    seen = set()
    async with serving(tmp_path) as engine:
        for turn in range(60):
            if turn % 10 == 5:
                publish(tmp_path, large if turn % 20 == 5 else small)
            calls = [engine.Diagnose(pb.DiagnoseRequest(), timeout=SECONDS) for _ in range(4)]
            for reply in await asyncio.gather(*calls):
                assert counts[reply.snapshot_id] == reply.root_cause_count
                seen.add(reply.snapshot_id)
            pinned = await engine.Diagnose(pb.DiagnoseRequest(snapshot_id=first), timeout=SECONDS)
            assert pinned.snapshot_id == first
            await asyncio.sleep(0.005)
    assert seen == set(counts)


async def test_old_snapshots_are_let_go_and_come_back(tmp_path: Path) -> None:
    """No more are held than the settings allow, and one that was let go is loaded again when it is asked for."""
    pinned = [publish(tmp_path, document({f"RC-000{at}": {"P-0001": "always"}}, [])) for at in range(4)]
    async with serving(tmp_path, engine_cache_snapshots=2) as engine:
        for identity in [*pinned, *pinned]:
            reply = await engine.Diagnose(pb.DiagnoseRequest(snapshot_id=identity), timeout=SECONDS)
            assert reply.snapshot_id == identity
        held = await engine.ListSnapshots(pb.ListSnapshotsRequest(), timeout=SECONDS)
    assert len(held.snapshots) <= 2
    assert pinned[-1] in [item.snapshot_id for item in held.snapshots if item.current]


async def test_changed_bytes_are_refused(tmp_path: Path) -> None:
    """A snapshot whose bytes do not fit its name is never served."""
    identity = publish(tmp_path, three_causes())
    other = publish(tmp_path, document({"RC-0001": {}}, []))
    (tmp_path / f"{digest_in(identity)}.json").write_bytes(b"{}")
    async with serving(tmp_path) as engine:
        call = engine.Diagnose(pb.DiagnoseRequest(snapshot_id=identity), timeout=SECONDS)
        assert await reason(call) == (grpc.StatusCode.FAILED_PRECONDITION, "snapshot_changed")
        assert (await engine.Diagnose(pb.DiagnoseRequest(), timeout=SECONDS)).snapshot_id == other


async def test_an_engine_without_snapshots_does_not_start(tmp_path: Path) -> None:
    """Without a current snapshot the start gives up after its time; without a source it is refused at once."""
    settings = EngineSettings(engine_snapshot_dir=tmp_path, engine_start_seconds=0.0, drain_seconds=0.1)
    host = Host([EngineApp(settings)], settings)
    with pytest.raises(DependencyDown):
        await host.start()
    await host.stop()
    with pytest.raises(InvalidInput, match="engine_snapshot_dir"):
        await Host([EngineApp(EngineSettings())], settings).start()


async def test_random_requests_never_break_the_engine(tmp_path: Path) -> None:
    """Three hundred random messages are each answered or refused as wrong input, never with INTERNAL."""
    publish(tmp_path, three_causes())
    chance = random.Random(7)
    names = ["P-0001", "P-0002", "P-0003", "P-0004", "P-0005", "P-9", "", "\u0000"]
    numbers = [0.0, 0.5, 1.0, -1.0, 2.0, 1e308, float("nan"), float("inf"), -0.0, 5e-324]
    causes = ["RC-0001", "RC-0002", "RC-9", ""]
    rules = [pb.SCORING_RULE_UNSPECIFIED, pb.SCORING_RULE_BAYES, pb.SCORING_RULE_SEED]

    def evidence() -> list[pb.Evidence]:
        rows = []
        for _ in range(chance.randrange(4)):
            row = pb.Evidence(phenomenon_id=chance.choice(names[: chance.choice([5, 8])]))
            row.MergeFromString(bytes([0x10, chance.choice([1, 1, 2, 2, 3, 0, 9])]))
            if chance.random() < 0.5:
                row.score = chance.choice(numbers)
            rows.append(row)
        return rows

    def message() -> Any:
        if chance.random() < 0.4:
            return pb.ExplainRequest(
                evidence=evidence(), root_cause_id=chance.choice(causes), rule=chance.choice(rules)
            )
        if chance.random() < 0.4:
            return pb.WhatIfRequest(
                evidence=evidence(), replace=evidence(), max_changes=chance.choice([0, 3, 2**32 - 1])
            )
        hints = [pb.Hint(root_cause_id=chance.choice(causes), boost=chance.choice(numbers))] * chance.randrange(2)
        return pb.DiagnoseRequest(
            evidence=evidence(), hints=hints, max_hypotheses=chance.choice([0, 1, 100, 101, 2**32 - 1]),
            max_recommendations=chance.choice([0, 50, 51]), rule=chance.choice(rules),
            threshold=chance.choice([None, None, 0.9, *numbers]),
        )  # fmt: skip

    statuses: list[grpc.StatusCode] = []
    async with serving(tmp_path) as engine:
        methods: dict[type, Any] = {
            pb.DiagnoseRequest: engine.Diagnose,
            pb.ExplainRequest: engine.Explain,
            pb.WhatIfRequest: engine.WhatIf,
        }
        for _ in range(300):
            request = message()
            try:
                reply = await methods[type(request)](request, timeout=SECONDS)
            except grpc.aio.AioRpcError as error:
                statuses.append(error.code())
            else:
                assert "nan" not in str(reply)
                statuses.append(grpc.StatusCode.OK)
    assert set(statuses) == {grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT}
    assert statuses.count(grpc.StatusCode.OK) > 30
