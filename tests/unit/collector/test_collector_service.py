from __future__ import annotations

import math
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import grpc.aio
import pytest
from dbdiag.collector.v1 import collector_pb2 as pb
from dbdiag.collector.v1 import collector_pb2_grpc
from hypothesis import given
from hypothesis import strategies as st

from services.chassis.errors import InvalidInput
from services.chassis.server import Host
from services.chassis.wire import from_wire
from services.collector.app import CollectorApp
from services.collector.model import (
    Check,
    CheckCall,
    CheckOutcome,
    CheckParameter,
    CollectRequest,
    CollectResponse,
    Finding,
    GetEvidenceResponse,
    LocalizedText,
    Route,
    Target,
    Verdict,
    Weight,
    signal_of,
)
from services.collector.settings import CollectorSettings
from services.collector.wire import read_request, to_wire
from tests.support.cases import for_each

texts = st.text(max_size=20)
names = st.text(min_size=1, max_size=20)
seconds = st.floats(0, 1e6)
lists = st.lists
checks = st.builds(
    Check,
    texts,
    st.builds(LocalizedText, texts, texts),
    texts,
    texts,
    lists(texts).map(tuple),
    lists(st.builds(CheckParameter, texts, texts, st.booleans(), texts)).map(tuple),
    lists(texts).map(tuple),
    seconds,
    st.integers(0, 9),
    texts,
)
requests = st.builds(
    CollectRequest,
    names,
    names,
    texts,
    lists(st.builds(CheckCall, texts, st.dictionaries(texts, texts)), min_size=1, max_size=5).map(tuple),
    texts,
    seconds,
)
signals = st.builds(signal_of, texts, st.one_of(st.floats(allow_nan=False), st.booleans(), texts), texts)
results = st.builds(
    CollectResponse,
    texts,
    st.sampled_from(CheckOutcome),
    texts,
    lists(signals, max_size=4).map(tuple),
    lists(st.builds(Finding, texts, st.sampled_from(Verdict), texts), max_size=4).map(tuple),
    texts,
    seconds,
    texts,
)
weights = lists(st.builds(Weight, texts, seconds), max_size=3).map(tuple)
routes = st.builds(
    Route,
    texts,
    st.builds(LocalizedText, texts, texts),
    lists(texts).map(tuple),
    lists(texts).map(tuple),
    weights,
    weights,
)


@given(check=checks, request=requests, result=results, target=st.builds(Target, texts, texts, texts), route=routes)
def test_every_pair_survives_the_wire(
    check: Check, request: CollectRequest, result: CollectResponse, target: Target, route: Route
) -> None:
    """from_wire(to_wire(x)) == x for targets, checks, routes, requests and results."""
    assert from_wire(to_wire(route, pb.Route), Route) == route
    assert from_wire(to_wire(check, pb.Check), Check) == check
    assert read_request(to_wire(request, pb.CollectRequest)) == request
    assert from_wire(to_wire(result, pb.CollectResponse), CollectResponse) == result
    assert from_wire(to_wire(target, pb.Target), Target) == target


def test_a_stored_output_survives_the_wire() -> None:
    """from_wire(to_wire(x)) == x for evidence."""
    kept = GetEvidenceResponse("host.files", "输出", "ab", 7)
    assert from_wire(to_wire(kept, pb.GetEvidenceResponse), GetEvidenceResponse) == kept


@for_each(
    "message",
    [
        pb.CollectRequest(target_id="t", checks=[pb.CheckCall(check_id="c")]),
        pb.CollectRequest(session_id="s", checks=[pb.CheckCall(check_id="c")]),
        pb.CollectRequest(session_id="s", target_id="t"),
        pb.CollectRequest(session_id="s", target_id="t", checks=[pb.CheckCall()], time_budget_seconds=math.nan),
        pb.CollectRequest(session_id="s", target_id="t", checks=[pb.CheckCall()] * 101),
    ],
)
def test_a_request_that_says_too_little_or_too_much_is_refused(message: pb.CollectRequest) -> None:
    """Without session, target or checks, with a budget that is no number, or with very many checks."""
    with pytest.raises(InvalidInput):
        read_request(message)


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[collector_pb2_grpc.CollectorServiceAsyncStub]:
    """The collector as it is hosted, with this host as its only target."""
    with tempfile.TemporaryDirectory(prefix="dbdiag-") as folder:
        settings = CollectorSettings(bind=f"unix:{folder}/c.sock", drain_seconds=0).within(tmp_path)
        host = Host([CollectorApp(settings, {})], settings)
        await host.start()
        async with grpc.aio.insecure_channel(f"unix:{folder}/c.sock") as channel:
            yield collector_pb2_grpc.CollectorServiceStub(channel)
        await host.stop()


async def test_a_call_streams_results_and_keeps_their_output(
    service: collector_pb2_grpc.CollectorServiceAsyncStub, tmp_path: Path
) -> None:
    """Targets and checks are listed, each result comes as a message, and its output can be had by its reference."""
    targets = await service.ListTargets(pb.ListTargetsRequest(), timeout=5)
    assert [target.target_id for target in targets.targets] == ["this-host"]
    listed = await service.ListChecks(pb.ListChecksRequest(target_id="this-host", category="CPU"), timeout=5)
    ids = [check.check_id for check in listed.checks]
    assert ids == sorted(ids)
    assert {check.engine for check in listed.checks} == {"host"}
    calls = [pb.CheckCall(check_id="host.files"), pb.CheckCall(check_id="pg.locks")]
    request = pb.CollectRequest(session_id="s", target_id="this-host", checks=calls)
    done, refused = [result async for result in service.Collect(request, timeout=20)]
    assert (done.outcome, refused.outcome) == (pb.CHECK_OUTCOME_DONE, pb.CHECK_OUTCOME_REFUSED)
    asked = pb.GetEvidenceRequest(session_id="s", evidence_ref=done.evidence_ref)
    kept = await service.GetEvidence(asked, timeout=5)
    assert (kept.check_id, kept.sha256) == ("host.files", done.sha256)
    assert (len(done.sha256), refused.sha256) == (64, "")
    assert (tmp_path / "report/s/audit.jsonl").is_file()


async def test_the_routing_of_a_target_names_its_checks_alone(
    service: collector_pb2_grpc.CollectorServiceAsyncStub,
) -> None:
    """Baseline and routes name checks that apply to the target; for no target they are the whole routing."""
    listed = await service.ListChecks(pb.ListChecksRequest(target_id="this-host"), timeout=5)
    everything = await service.ListChecks(pb.ListChecksRequest(), timeout=5)
    ids = {check.check_id for check in listed.checks}
    named = {name for route in listed.routes for name in (*route.check_ids, *route.minimum_check_ids)}
    assert named | set(listed.baseline_check_ids) <= ids
    assert [route.category for route in listed.routes] == [route.category for route in everything.routes]
    assert len(everything.baseline_check_ids) > len(listed.baseline_check_ids)
    assert all(route.speaks_for for route in everything.routes)
    (only,) = (await service.ListChecks(pb.ListChecksRequest(category="LOCK"), timeout=5)).routes
    assert only.category == "LOCK"


async def first_answer(
    service: collector_pb2_grpc.CollectorServiceAsyncStub,
    request: pb.ListChecksRequest | pb.CollectRequest | pb.GetEvidenceRequest,
) -> None:
    """Makes the call that a request is for, and waits for its first answer."""
    if isinstance(request, pb.CollectRequest):
        await anext(aiter(service.Collect(request, timeout=5)))
    elif isinstance(request, pb.ListChecksRequest):
        await service.ListChecks(request, timeout=5)
    else:
        await service.GetEvidence(request, timeout=5)


@pytest.mark.parametrize(
    ("request_", "status", "reason"),
    [
        (pb.ListChecksRequest(target_id="gone"), grpc.StatusCode.NOT_FOUND, "target_not_found"),
        (pb.ListChecksRequest(category="GONE"), grpc.StatusCode.INVALID_ARGUMENT, "invalid_request"),
        (
            pb.CollectRequest(session_id="s", target_id="this-host", checks=[pb.CheckCall(check_id="SELECT 1")]),
            grpc.StatusCode.INVALID_ARGUMENT,
            "unknown_check",
        ),
        (pb.GetEvidenceRequest(session_id="s", evidence_ref="0001-x"), grpc.StatusCode.NOT_FOUND, "evidence_not_found"),
    ],
)
async def test_errors_have_the_contract_s_status_and_reason(
    service: collector_pb2_grpc.CollectorServiceAsyncStub,
    request_: pb.ListChecksRequest | pb.CollectRequest | pb.GetEvidenceRequest,
    status: grpc.StatusCode,
    reason: str,
) -> None:
    """What the contract names as errors comes with that status and a stable reason."""
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await first_answer(service, request_)
    assert failed.value.code() is status
    assert dict(failed.value.trailing_metadata() or ())["error-reason"] == reason


def test_addresses_are_hidden_where_the_site_asks_for_it() -> None:
    """By default an address stays, for it often is what a diagnosis is about; by the setting it goes like a secret."""
    text = "connection from 10.31.4.7 refused, password=opensesame"
    for hides, kept in ((False, True), (True, False)):
        told = CollectorSettings(collector_hide_addresses=hides).redaction()(text)
        assert ("10.31.4.7" in told, "opensesame" in told) == (kept, False)
