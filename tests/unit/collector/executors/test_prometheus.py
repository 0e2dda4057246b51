from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from lang.expressions import Reads
from services.chassis.errors import DependencyDown, InvalidInput
from services.collector.catalogue.reader import shipped
from services.collector.catalogue.verdicts import judge
from services.collector.collector import Collector
from services.collector.executors.prometheus.executor import PrometheusExecutor
from services.collector.failures import CheckFailed, TargetUnreachable
from services.collector.gate import Gate, Limits
from services.collector.model import (
    CheckCall,
    CheckOutcome,
    CollectRequest,
    CollectResponse,
    Finding,
    Verdict,
    value_of,
)
from services.collector.targets.connections import PrometheusTarget
from services.collector.targets.registry import Targets, read_targets
from services.collector.targets.schema import parse_entry
from tests.support.cases import for_each
from tests.support.recording import MemoryRecorder
from tests.support.servers.postgres import postgres
from tests.support.servers.prometheus import Answering, prometheus, prometheus_of_postgres, said

pytestmark = pytest.mark.sampled

CHECKS = shipped().checks
ASKED_IN_PROMQL = [check for check in CHECKS.values() if check.queries]
SECRET = "hunter2-token"


def target(url: str, **fields: Any) -> PrometheusTarget:
    """A target with labels of both exporters."""
    labels = {"node_exporter": {"instance": "db1:9100"}, "postgres_exporter": {"instance": "db1:9187"}}
    return PrometheusTarget("m", url, **{"matchers": labels, "window": "10s", **fields})


async def looked(wanted: PrometheusTarget, check: str = "prom.pg_archiver", **change: Any) -> Reads:
    """One look."""
    async with PrometheusExecutor(wanted, time.monotonic) as look:
        return await look.read(CHECKS[check].model_copy(update=change), {})


def answer_of(*series: dict[str, Any]) -> bytes:
    """An answer as Prometheus gives it."""
    return json.dumps({"status": "success", "data": {"resultType": "vector", "result": series}}).encode()


def sample(value: str = "1", **labels: str) -> dict[str, Any]:
    """One series of an instant."""
    return {"metric": labels, "value": [1.5, value]}


@pytest.fixture(scope="module")
def real() -> Iterator[tuple[str, str]]:
    with prometheus() as running:
        yield running


async def test_a_real_prometheus_tells_of_this_host(real: tuple[str, str]) -> None:
    """Every query of the host's checks is one that Prometheus answers, and the signals of each come out."""
    url, instance = real
    asked = target(url, matchers={"node_exporter": {"instance": instance, "job": "node"}})
    for check in (check for check in ASKED_IN_PROMQL if check.engine == "node_exporter"):
        reads = await looked(asked, check.id)
        signals = {signal.name: value_of(signal) for signal in judge(check, reads)[0]}
        # A virtual card tells no speed, a kernel may have no connection tracking.
        assert set(check.signals) - set(signals) <= {"busiest", "connections_tracked"}, check.id
    memory = await looked(asked, "prom.memory")
    assert 0 < float(str(memory.last[0]["available"])) <= 100


async def test_a_range_is_read_as_many_reads(real: tuple[str, str]) -> None:
    """A check over a range gives one read for each step, the oldest first."""
    url, instance = real
    asked = target(url, matchers={"node_exporter": {"instance": instance}})
    reads = await looked(asked, "prom.memory", range_seconds=60, step_seconds=1)
    assert len(reads.reads) >= 2
    assert reads.elapsed == len(reads.reads) - 1


def test_every_query_is_one_that_prometheus_reads(real: tuple[str, str]) -> None:
    """Prometheus' own parser takes each query of the catalogue, also those whose exporter is not here."""
    look = PrometheusExecutor(target(real[0]), time.monotonic)
    texts = [line.partition(": ")[2] for check in ASKED_IN_PROMQL for line in look.statement(check).splitlines()]
    assert len(texts) >= 45
    with httpx.Client(trust_env=False) as client:
        answers = [client.get(f"{real[0]}/api/v1/format_query", params={"query": text}).json() for text in texts]
    assert [answer for answer in answers if answer["status"] != "success"] == []


@pytest.mark.slow
async def test_a_real_exporter_tells_of_a_database() -> None:
    """Connections that are nearly used up, and rollbacks, are seen in what postgres_exporter measured."""
    with postgres() as dsn, prometheus_of_postgres(dsn.split()[0].removeprefix("host=")) as (url, instance):
        asked = target(url, matchers={"postgres_exporter": {"instance": instance}}, window="5s")
        before = judge(CHECKS["prom.pg_connections"], await looked(asked, "prom.pg_connections"))[1]
        with contextlib.ExitStack() as opened:
            sessions = [opened.enter_context(psycopg.connect(dsn)) for _ in range(92)]
            deadline, found, rates = time.monotonic() + 30, before, before
            while time.monotonic() < deadline and not {"P-0044", "P-0057"} <= _confirmed(*found, *rates):
                for session in sessions:
                    with contextlib.suppress(psycopg.Error):
                        session.execute("SELECT 1 / 0")
                    session.rollback()
                found = judge(CHECKS["prom.pg_connections"], await looked(asked, "prom.pg_connections"))[1]
                rates = judge(CHECKS["prom.pg_rates"], await looked(asked, "prom.pg_rates"))[1]
    assert _confirmed(*before) == set()
    # All of them have just been opened, which is a churn too.
    assert _confirmed(*found, *rates) - {"P-0047"} == {"P-0044", "P-0057"}


def _confirmed(*findings: Finding) -> set[str]:
    return {item.phenomenon_id for item in findings if item.verdict is Verdict.CONFIRMED}


async def test_labels_that_no_series_has_are_unknown(real: tuple[str, str]) -> None:
    """Where nothing was measured the check is unknown, with the labels that were looked for."""
    with pytest.raises(CheckFailed, match=r'no series has instance="nowhere:9100"; does its exporter run') as failed:
        await looked(target(real[0], matchers={"node_exporter": {"instance": "nowhere:9100"}}), "prom.cpu")
    assert failed.value.reason == "not_available_here"


def test_a_diagnosis_asks_prometheus_for_the_host_of_a_database(real: tuple[str, str], tmp_path: Path) -> None:
    """A database names a Prometheus as its host: the host's checks are asked there, by the labels of that host."""
    url, instance = real
    file = tmp_path / "targets.yaml"
    file.write_text(
        f"targets: [{{id: db, kind: postgres, conninfo: host=127.0.0.1 port=1, host: m}},"
        f' {{id: m, kind: prometheus, url: "{url}", node: {{instance: "{instance}"}}, window: 10s}}]'
    )
    targets = read_targets(file, {})
    results = collected(targets, "db", "pg.locks", "prom.memory", "host.memory")
    assert targets.engines("db") == ("postgres", "node_exporter")
    assert [result.outcome for result in results] == [CheckOutcome.FAILED, CheckOutcome.DONE, CheckOutcome.REFUSED]
    found = {item.phenomenon_id: item.verdict for item in results[1].findings}
    assert found["P-0146"] is not Verdict.UNKNOWN


def collected(targets: Targets, name: str, *checks: str) -> list[CollectResponse]:
    """What comes of these checks."""
    recorder = MemoryRecorder(lambda text: text, lambda: 9.0)
    built = Collector(
        shipped(), targets, Gate(shipped(), Limits(), time.monotonic), recorder, lambda text: text, time.monotonic
    )

    async def run() -> list[CollectResponse]:
        calls = tuple(CheckCall(check) for check in checks)
        return [item async for item in built.collect(CollectRequest("s", name, checks=calls))]

    return asyncio.run(run())


@for_each(
    ("body", "status", "reason", "said_of_it"),
    [
        (b"<html>login</html>", 200, "wrong_answer", "not as a Prometheus does"),
        (b"[1, 2]", 200, "wrong_answer", "not as a Prometheus does"),
        (b'{"status": "success", "data": {"result": [{"value": ["x"]}]}}', 200, "wrong_answer", "not as a Prometheus"),
        (b'{"status": "success", "data": {"result": [{"value": [1, "x"]}]}}', 200, "wrong_answer", "not a number"),
        (b"\x00\xff" * 9, 200, "wrong_answer", "not as a Prometheus does"),
        (b"", 200, "wrong_answer", "not as a Prometheus does"),
        (b"gone", 404, "wrong_answer", "status 404, not the API"),
        (b"oops", 500, "wrong_answer", "status 500"),
        (b'{"status": "error", "errorType": "bad_data", "error": "parse error"}', 400, "look_failed", "parse error"),
        (b'{"status": "error", "errorType": "timeout", "error": "too slow"}', 503, "timed_out", "too slow"),
        (answer_of(*(sample(n=str(n)) for n in range(300))), 200, "too_many_series", "300 series, more than 200"),
        (answer_of(sample(a="1"), sample(a="2")), 200, "too_many_series", "more than one series"),
        (b"x" * 300_000, 200, "too_large", "larger than 262144 bytes"),
        (answer_of(), 200, "not_available_here", "does its exporter run"),
    ],
)
async def test_a_wrong_answer_is_unknown_with_its_reason(
    body: bytes, status: int, reason: str, said_of_it: str
) -> None:
    """What is no answer of a Prometheus, is an error, too much or nothing, fails that check and says why."""
    with Answering(said(body, status)) as server, pytest.raises(CheckFailed, match=re.escape(said_of_it)) as failed:
        await looked(target(server.url))
    assert failed.value.reason == reason


async def test_a_redirect_is_never_followed() -> None:
    """The server it sends to, here even the same host, is not asked, and gets no secret."""
    with Answering(said(answer_of(sample()))) as other:
        sends = said(b"", 302, Location=f"{other.url}/api/v1/query?query=up")
        with Answering(sends) as server, pytest.raises(TargetUnreachable, match="not followed") as failed:
            await looked(target(server.url, secret=SECRET))
    assert failed.value.reason == "redirected"
    assert other.asked == []


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_login_is_told_as_such(status: int) -> None:
    """The secret is in no message, nor in what the look shows of itself."""
    with Answering(said(b"no", status)) as server, pytest.raises(TargetUnreachable) as failed:
        await looked(target(server.url, user="reader", secret=SECRET))
    assert failed.value.reason == "login_refused"
    assert SECRET not in str(failed.value) + repr(target(server.url, secret=SECRET))


@pytest.mark.parametrize(("user", "sent"), [("", f"Bearer {SECRET}"), ("reader", "Basic cmVhZGVyOmh1bnRlcjItdG9rZW4=")])
async def test_the_secret_is_sent_as_the_target_says(user: str, sent: str) -> None:
    """With a user by basic authentication, without one as a bearer token; queries carry the labels, never it."""
    with Answering(said(answer_of(sample()))) as server:
        await looked(target(server.url + "/metrics/", user=user, secret=SECRET))
    path, headers = server.asked[0]
    assert headers["Authorization"] == sent
    assert path.startswith("/metrics/api/v1/query?query=increase%28pg_stat_archiver_failed_count%7Binstance%3D%22db1")
    assert SECRET not in path


async def test_a_server_that_hangs_is_not_waited_for() -> None:
    """Whether it never answers or never ends its answer, the look ends with its own time."""
    ended = threading.Event()

    def hang(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        request.wfile.write(b'{"status": ')
        request.wfile.flush()
        ended.wait(20)

    with Answering(hang) as server, closing(_Set(ended)), pytest.raises(CheckFailed, match="no whole answer") as failed:
        await looked(target(server.url), timeout_seconds=0.1)
    assert failed.value.reason == "timed_out"


class _Set:
    """Sets an event when it is closed."""

    def __init__(self, event: threading.Event) -> None:
        self.close = event.set


async def test_a_packed_answer_is_not_unpacked() -> None:
    """A small answer may be a huge one packed: it was not asked for and is not read."""
    with (
        Answering(said(b"\x1f\x8b\x08", Content_Encoding="gzip")) as server,
        pytest.raises(CheckFailed, match="compressed"),
    ):
        await looked(target(server.url))


def test_nobody_there_leaves_the_rest_unknown_with_one_reason() -> None:
    """A Prometheus that is not there is asked once; every check of the call says why, and the call is an error."""
    entry = parse_entry({"id": "m", "kind": "prometheus", "url": "http://127.0.0.1:1", "node": {"instance": "a"}})
    with pytest.raises(DependencyDown, match=r"asking m at http://127\.0\.0\.1:1") as failed:
        collected(Targets((entry,), {}), "m", "prom.cpu", "prom.memory")
    assert failed.value.reason == "target_unreachable"


async def test_values_that_are_no_number_are_not_known() -> None:
    """NaN and infinity, as rates of nothing are, confirm and deny nothing."""
    with Answering(said(answer_of(sample("NaN")))) as server:
        reads = await looked(target(server.url))
    assert judge(CHECKS["prom.pg_archiver"], reads)[0] == ()
    assert {item.verdict for item in judge(CHECKS["prom.pg_archiver"], reads)[1]} == {Verdict.UNKNOWN}


@for_each(
    ("lags", "verdict"),
    [("10 40 70 100", "confirmed"), ("100 70 40", "unknown"), ("0 1 0", "denied"), ("90", "unknown")],
)
async def test_a_lag_grows_only_if_it_always_does(lags: str, verdict: str) -> None:
    """Over a range each step counts: a lag that goes back is not growing, one sample tells nothing of it."""
    values = [[30.0 * step, lag] for step, lag in enumerate(lags.split())]
    body = json.dumps({"status": "success", "data": {"result": [{"metric": {}, "values": values}]}}).encode()
    with Answering(said(body)) as server:
        reads = await looked(target(server.url), "prom.pg_lag")
    assert [item.verdict for item in judge(CHECKS["prom.pg_lag"], reads)[1]] == [verdict]
    assert "%5B120s%3A30s%5D" in server.asked[0][0]


async def test_series_of_one_thing_are_joined_by_its_label() -> None:
    """Each query of a check gives a column; rows are the devices, and what one query lacks is not known."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        devices = ("sda", "sdb") if "io_time_seconds" in request.path else ("sda",)
        said(answer_of(*(sample("97", device=name) for name in devices)))(request)

    with Answering(answer) as server:
        reads = await looked(target(server.url), "prom.disks")
    assert [(row["device"], row["busy"], row["queue"]) for row in reads.last] == [("sda", 97, 97), ("sdb", 97, None)]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, "names the labels"),
        ({"node": {"instance": 'a"} or up{b="'}}, "String should match"),
        ({"node": {"in-stance": "a"}}, "String should match"),
        ({"node": {"a": "b"}, "url": "file:///etc/passwd"}, "String should match"),
        ({"node": {"a": "b"}, "url": "http://me:pw@m:9090"}, "String should match"),
        ({"node": {"a": "b"}, "url": "https://m:9090/?x=1"}, "String should match"),
        ({"node": {"a": "b"}, "window": "2m]) or up["}, "String should match"),
        ({"node": {"a": "b"}, "password_env": "T", "url": "http://m:9090"}, "https"),
        ({"node": {"a": "b"}, "password_env": "T", "url": "http://127.0.0.1.example.com"}, "https"),
        ({"node": {"a": "b"}, "user": "u"}, "a user needs"),
        ({"node": {"a": "b"}, "verify": False}, "there is no such field"),
    ],
)
def test_a_target_that_is_not_sound_is_refused(tmp_path: Path, fields: dict[str, Any], error: str) -> None:
    """Labels, window and address have their forms, a secret goes in no clear text, and TLS is always verified."""
    entry = {"id": "m", "kind": "prometheus", "url": "https://m:9090", **fields}
    (tmp_path / "targets.yaml").write_text(json.dumps({"targets": [entry]}))
    with pytest.raises(InvalidInput, match=error):
        read_targets(tmp_path / "targets.yaml", {})


async def test_an_authority_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A ca_file that is not there fails before anything is sent."""
    with pytest.raises(TargetUnreachable, match="cannot be read") as failed:
        await looked(target("https://127.0.0.1:1", ca_file=tmp_path / "none.pem"))
    assert failed.value.reason == "bad_ca_file"
