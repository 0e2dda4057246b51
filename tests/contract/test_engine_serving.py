"""The engine under load: a burst, snapshots that change all the time, conversations that stay open."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from dbdiag.engine.v1 import engine_pb2 as pb
from dbdiag.engine.v1 import engine_pb2_grpc
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from services.chassis.server import Host
from services.engine.app import EngineApp
from services.engine.serving.cache import DirectorySource
from services.engine.settings import EngineSettings
from services.engine.tables.snapshot import digest_in
from tests.contract.test_engine_service import NO, SECONDS, YES, publish, reason, said, serving
from tests.support.engine_graphs import document, three_causes

EVIDENCE = said(("P-0001", YES), ("P-0002", NO))
CHANGES = 15


def asked(**more: Any) -> pb.DiagnoseRequest:
    return pb.DiagnoseRequest(evidence=EVIDENCE, **more)


def turn(number: int, request: pb.DiagnoseRequest | None = None) -> pb.DiagnoseStreamRequest:
    return pb.DiagnoseStreamRequest(correlation_id=str(number), diagnose=request or asked())


def plain(reply: Message) -> bytes:
    return reply.SerializeToString(deterministic=True)


def heavy() -> dict[str, Any]:
    """A library whose Diagnose takes a while."""
    links = {
        f"RC-{cause:04d}": {f"P-{(cause * 7 + at) % 300:04d}": "usually" for at in range(20)} for cause in range(60)
    }
    return document(links | {"RC-0060": {"P-0001": "always", "P-0002": "rarely"}}, [], 300)


async def test_a_burst_is_answered_or_refused_with_a_reason(tmp_path: Path) -> None:
    """Of calls far above the limit each is answered or refused as too_many_calls, health answers on, and so does the
    engine afterwards."""
    publish(tmp_path, heavy())
    settings = EngineSettings(engine_snapshot_dir=tmp_path, drain_seconds=1.0, max_concurrent_rpcs=8)
    host = Host([EngineApp(settings)], settings)
    await host.start()
    ends: Counter[str] = Counter()
    try:
        channels = [
            grpc.aio.insecure_channel(host.address, options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(4)
        ]
        calls = [one.unary_unary(f"/{EngineApp.service_name}/Diagnose", _bytes, pb.DiagnoseResponse.FromString)
                 for one in channels]  # fmt: skip
        request = plain(asked(max_recommendations=20))

        async def send(number: int) -> None:
            try:
                reply: Any = await calls[number % len(calls)](request, timeout=SECONDS)
                ends["answered" if reply.root_cause_count == 61 else "wrong"] += 1
            except grpc.aio.AioRpcError as error:
                ends[f"{error.code().name} {dict(error.trailing_metadata() or ()).get('error-reason')}"] += 1

        burst = [asyncio.create_task(send(number)) for number in range(400)]
        health: Any = HealthStub(channels[0])
        probe = await health.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
        assert probe.status == health_pb2.HealthCheckResponse.SERVING
        await asyncio.gather(*burst)
        assert ends.keys() == {"answered", "RESOURCE_EXHAUSTED too_many_calls"}
        assert ends["answered"] >= 8
        ends.clear()
        for number in range(20):
            await send(number)
        assert ends == {"answered": 20}
    finally:
        await asyncio.gather(*(one.close() for one in channels))
        await host.stop()


def _bytes(content: bytes) -> bytes:
    return content


async def test_snapshots_that_change_all_the_time_are_never_mixed(tmp_path: Path) -> None:
    """While the current snapshot changes as soon as it is seen, every reply, alone or in a stream, is byte for byte the
    one that its snapshot gives; nothing fails, all come to be current, and no more are held than the settings allow."""
    identities = [publish(tmp_path, _library(extra)) for extra in range(6)]
    async with serving(tmp_path, engine_cache_snapshots=2) as engine:
        expected = {name: plain(await engine.Diagnose(asked(snapshot_id=name), timeout=SECONDS)) for name in identities}
        assert len(set(expected.values())) == len(identities)
        seen: set[str] = set()
        over = asyncio.Event()

        def check(reply: pb.DiagnoseResponse) -> None:
            assert plain(reply) == expected[reply.snapshot_id]
            seen.add(reply.snapshot_id)

        async def alone(pinned: str) -> None:
            while not over.is_set():
                reply = await engine.Diagnose(asked(snapshot_id=pinned), timeout=SECONDS)
                assert pinned in ("", reply.snapshot_id)
                check(reply)

        async def conversing() -> None:
            async def requests() -> AsyncIterator[pb.DiagnoseStreamRequest]:
                for number in itertools.count():
                    if over.is_set():
                        return
                    yield turn(number)
                    await asyncio.sleep(0)

            number = 0
            async for reply in engine.DiagnoseStream(requests(), timeout=60):
                assert reply.correlation_id == str(number)
                check(reply.diagnosis)
                number += 1

        callers = [asyncio.create_task(call) for call in (alone(""), alone(""), alone(identities[0]), conversing())]
        for change in range(CHANGES):
            wanted = identities[change % len(identities)]
            _point_at(tmp_path, wanted)
            async with asyncio.timeout(SECONDS):
                while (reply := await engine.Diagnose(asked(), timeout=SECONDS)).snapshot_id != wanted:
                    check(reply)
            check(reply)
            held = await engine.ListSnapshots(pb.ListSnapshotsRequest(), timeout=SECONDS)
            # One more while the next is loaded.
            assert len(held.snapshots) <= 3
        over.set()
        await asyncio.wait_for(asyncio.gather(*callers), SECONDS)
    assert seen == set(identities)


def _library(extra: int) -> dict[str, Any]:
    """The same phenomena and causes with other tickets, so that a reply of mixed parts would look like neither."""
    content = three_causes()
    content["tickets"] += [
        {"id": f"TK-9{at:03d}", "root_cause": "RC-0001", "phenomena": ["P-0001"], "description": "more"}
        for at in range(extra)
    ]
    return content


def _point_at(folder: Path, identity: str) -> None:
    assert (folder / f"{digest_in(identity)}.json").exists()
    (folder / "current.new").write_text(identity)
    (folder / "current.new").replace(folder / "current")


class Unsteady(DirectorySource):
    """A folder that, while it is `broken`, fails in a way that nobody foresaw."""

    broken = False
    failures = 0
    open_loads = 0
    most_loads = 0

    async def current_id(self) -> str:
        """See SnapshotSource."""
        if self.broken:
            self.failures += 1
            raise RuntimeError("a defect")
        return await super().current_id()

    async def load(self, snapshot_id: str) -> bytes:
        """See SnapshotSource; counts how many are under way."""
        self.open_loads += 1
        self.most_loads = max(self.most_loads, self.open_loads)
        await asyncio.sleep(0.01)
        self.open_loads -= 1
        return await super().load(snapshot_id)


@contextlib.asynccontextmanager
async def serving_from(source: Unsteady) -> AsyncIterator[Any]:
    settings = EngineSettings(engine_refresh_seconds=0.02, drain_seconds=1.0)
    host = Host([EngineApp(settings, source)], settings)
    await host.start()
    try:
        async with grpc.aio.insecure_channel(host.address) as channel:
            yield engine_pb2_grpc.EngineServiceStub(channel)
    finally:
        await host.stop()


async def test_a_defect_in_one_refresh_does_not_end_the_watch(tmp_path: Path) -> None:
    """After refreshes that fail in an unforeseen way the next snapshot is served as soon as it can be had."""
    publish(tmp_path, three_causes())
    source = Unsteady(tmp_path)
    async with serving_from(source) as engine:
        source.broken = True
        latest = publish(tmp_path, _library(1))
        async with asyncio.timeout(SECONDS):
            while source.failures < 3:
                await asyncio.sleep(0.01)
            source.broken = False
            while (served := (await engine.Diagnose(asked(), timeout=SECONDS)).snapshot_id) != latest:
                await asyncio.sleep(0.01)
        assert source.failures >= 3
        assert served == latest


async def test_many_old_snapshots_are_loaded_a_few_at_a_time(tmp_path: Path) -> None:
    """Callers pinned to many snapshots at once are all answered, while two at most are being loaded."""
    identities = [publish(tmp_path, _library(extra)) for extra in range(10)]
    source = Unsteady(tmp_path)
    async with serving_from(source) as engine:
        calls = [engine.Diagnose(asked(snapshot_id=name), timeout=SECONDS) for name in identities * 3]
        replies = await asyncio.gather(*calls)
    assert [reply.snapshot_id for reply in replies] == identities * 3
    assert source.most_loads == 2


async def test_every_wrong_message_of_a_stream_is_answered_in_its_place(tmp_path: Path) -> None:
    """Refusals of every kind come as replies, with the reason and message that the call alone would have, in order."""
    publish(tmp_path, three_causes())
    wrong = {
        "unknown_phenomenon": pb.DiagnoseRequest(evidence=said(("P-9", YES))),
        "unknown_root_cause": pb.DiagnoseRequest(hints=[pb.Hint(root_cause_id="RC-9")]),
        "contradictory_evidence": pb.DiagnoseRequest(evidence=said(("P-0001", YES), ("P-0001", NO))),
        "score_out_of_range": pb.DiagnoseRequest(evidence=[pb.Evidence(phenomenon_id="P-0001", verdict=YES, score=2)]),
        "threshold_out_of_range": pb.DiagnoseRequest(threshold=2),
        "boost_out_of_range": pb.DiagnoseRequest(hints=[pb.Hint(root_cause_id="RC-0001", boost=9)]),
        "invalid_request": pb.DiagnoseRequest(max_hypotheses=10_000),
        "snapshot_not_found": pb.DiagnoseRequest(snapshot_id="sha256:" + "0" * 64),
    }
    messages = [
        item
        for number, request in enumerate(wrong.values())
        for item in (turn(2 * number, request), turn(2 * number + 1))
    ]
    async with serving(tmp_path) as engine:
        alone = plain(await engine.Diagnose(asked(), timeout=SECONDS))
        replies = [reply async for reply in engine.DiagnoseStream(iter(messages), timeout=SECONDS)]
        reasons = [(await reason(engine.Diagnose(request, timeout=SECONDS)))[1] for request in wrong.values()]
    assert [reply.correlation_id for reply in replies] == [str(number) for number in range(len(messages))]
    assert [reply.refusal.reason for reply in replies[::2]] == reasons == list(wrong)
    assert all(reply.refusal.message for reply in replies[::2])
    assert {plain(reply.diagnosis) for reply in replies[1::2]} == {alone}


async def test_who_does_not_read_is_not_served_ahead(tmp_path: Path) -> None:
    """A caller that sends without reading is held up long before the end; once it reads, all answers come in order."""
    content = heavy()
    for cause in content["root_causes"]:
        cause["name"] = {"zh": "长" * 2000, "en": "long " * 1000}
    publish(tmp_path, content)
    most, sent, reading = 2_000, 0, asyncio.Event()
    async with serving(tmp_path) as engine:
        stream: Any = engine.DiagnoseStream(timeout=60)

        async def send() -> None:
            nonlocal sent
            while sent < most and not reading.is_set():
                await stream.write(turn(sent, _padded(asked(max_hypotheses=100, max_recommendations=1))))
                sent += 1
            await stream.done_writing()

        sending = asyncio.create_task(send())
        before = -1
        while sent != before:
            before = sent
            await asyncio.sleep(0.3)
        assert 0 < sent < most
        reading.set()
        read = [reply.correlation_id async for reply in stream]
        await asyncio.wait_for(sending, SECONDS)
    assert read == [str(number) for number in range(sent)]


def _padded(request: pb.DiagnoseRequest) -> pb.DiagnoseRequest:
    """The same request, so long that few of them fill the way."""
    request.excluded_phenomenon_ids.extend(["P-0299"] * 20_000)
    return request


@pytest.mark.parametrize("leaves", ["cancels", "lets its deadline pass"])
async def test_a_conversation_that_is_left_gives_its_place_back(tmp_path: Path, leaves: str) -> None:
    """Streams that are cancelled, or whose deadline passes, end on the server too: their places are free again."""
    publish(tmp_path, three_causes())
    async with serving(tmp_path, max_concurrent_rpcs=2) as engine:
        for _ in range(4):
            stream: Any = engine.DiagnoseStream(timeout=0.2 if leaves != "cancels" else SECONDS)
            await stream.write(turn(1))
            assert (await asyncio.wait_for(stream.read(), SECONDS)).correlation_id == "1"
            if leaves == "cancels":
                stream.cancel()
                await asyncio.sleep(0.05)
            else:
                code = await asyncio.wait_for(stream.code(), SECONDS)
                assert code is grpc.StatusCode.DEADLINE_EXCEEDED
        assert (await engine.Diagnose(asked(), timeout=SECONDS)).root_cause_count == 3
        # Two are still welcome at once.
        both = [engine.DiagnoseStream(_one(), timeout=SECONDS) for _ in range(2)]
        for stream in both:
            assert [reply.correlation_id async for reply in stream] == ["1"]


def _one() -> Iterator[pb.DiagnoseStreamRequest]:
    return iter([turn(1)])
