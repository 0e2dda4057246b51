from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from services.chassis.errors import DependencyDown, InvalidInput, NotFound
from services.collector.catalogue.reader import shipped
from services.collector.collector import Collector
from services.collector.evidence.chain import read_chain
from services.collector.evidence.evidence_store import Recorder
from services.collector.executors.host.proc import SOURCES
from services.collector.gate import Gate, Limits
from services.collector.model import CheckCall, CheckOutcome, CollectRequest, CollectResponse, Risk, Verdict, value_of
from services.collector.targets.registry import Targets, read_targets
from services.collector.targets.schema import PostgresEntry, SshEntry, parse_entry
from tests.support.cases import for_each
from tests.support.recording import MemoryRecorder

SECRET = "hunter2"


def redact(text: str) -> str:
    """A redaction that knows one secret."""
    return text.replace(SECRET, "***")


class Clock:
    """A clock that goes on by a step each time it is looked at."""

    def __init__(self, step: float = 0.001) -> None:
        self._now = 0.0
        self._step = step

    def __call__(self) -> float:
        self._now += self._step
        return self._now


def collector(
    limits: Limits | None = None,
    clock: Callable[[], float] = time.monotonic,
    recorder: Recorder | None = None,
    environ: Mapping[str, str] | None = None,
) -> Collector:
    """A collector of this host and of a database that is not there."""
    here = parse_entry({"id": "here", "kind": "host"})
    gone = parse_entry(
        {"id": "gone", "kind": "postgres", "conninfo": "host=127.0.0.1 port=1 dbname=hunter2", "host_here": True}
        | {"standby_conninfo": "host=127.0.0.1 port=2 dbname=y"}
        | ({"password_env": "DB_SECRET"} if environ is not None else {})
    )
    walled = parse_entry({"id": "walled", "kind": "postgres", "conninfo": f"host=/nowhere/{SECRET} dbname=x"})
    targets = Targets((here, gone, walled), environ or {})
    gate = Gate(shipped(), limits or Limits(), clock)
    return Collector(shipped(), targets, gate, recorder or MemoryRecorder(redact, lambda: 9.0), redact, clock)


def collected(built: Collector, *checks: str, target: str = "here", **fields: Any) -> list[CollectResponse]:
    """What comes of these checks."""

    async def run() -> list[CollectResponse]:
        calls = tuple(CheckCall(name) for name in checks)
        return [item async for item in built.collect(CollectRequest("s", target, checks=calls, **fields))]

    return asyncio.run(run())


def test_this_host_is_seen() -> None:
    """Host checks run on this machine, yield signals, and their output is kept under their reference."""
    built = collector()
    results = collected(built, "host.files", "host.filesystems", "host.pressure", "host.processes")
    files, *_, processes = results
    assert {result.outcome for result in (files, processes)} == {CheckOutcome.DONE}
    assert [signal.name for signal in files.signals] == ["used"]
    assert next(value_of(item) for item in processes.signals if item.name == "most_threads") >= 1  # type: ignore[operator]
    kept = built.recorder.read("s", files.evidence_ref)
    assert kept.check_id == "host.files"
    assert '"most"' in kept.redacted_output
    with pytest.raises(NotFound):
        built.recorder.read("another", files.evidence_ref)


@for_each(
    ("limits", "fields", "reason"),
    [
        (Limits(), {"target": "here", "check": "pg.locks"}, "wrong_platform"),
        (Limits(), {"category": "WAL", "check": "host.network"}, "outside_category"),
        (Limits(max_checks_per_round=1, repeat_after_seconds=0), {"times": 2}, "max_checks_per_round"),
        (Limits(max_total_checks=1, repeat_after_seconds=0), {"times": 2}, "max_total_checks"),
        (Limits(), {"times": 2}, "duplicate"),
        (Limits(max_risk=Risk.NONE), {"target": "gone", "check": "pg.index_density"}, "risk_too_high"),
        (Limits(time_budget_seconds=0.000001), {}, "time_budget"),
    ],
)
def test_the_gate_refuses_with_its_reason(limits: Limits, fields: dict[str, Any], reason: str) -> None:
    """A step that the gate does not let through is told with its reason, says nothing, and is on record."""
    check, times = fields.pop("check", "host.files"), fields.pop("times", 1)
    result = collected(collector(limits), *[check] * times, **fields)[-1]
    assert (result.outcome, result.reason.split(":")[0]) == (CheckOutcome.REFUSED, reason)
    assert result.signals == ()
    assert {finding.verdict for finding in result.findings} == {Verdict.UNKNOWN}
    assert result.evidence_ref.endswith(check)


def test_rounds_are_counted_for_each_session() -> None:
    """A session that has had its rounds gets no more, whatever it asks for."""
    built = collector(Limits(max_rounds=1))
    assert collected(built, "host.files")[0].outcome is CheckOutcome.DONE
    assert collected(built, "host.pressure")[0].reason.startswith("max_rounds")


def test_a_check_may_be_repeated_later() -> None:
    """After repeat_after_seconds the same check may run again in its session."""
    built = collector(Limits(repeat_after_seconds=5), Clock(step=1))
    assert [item.outcome for item in collected(built, "host.files")] == [CheckOutcome.DONE]
    assert [item.outcome for item in collected(built, "host.files")] == [CheckOutcome.DONE]


def test_what_is_no_check_ends_the_call_before_anything_runs() -> None:
    """An unknown id, a stray parameter, a target nobody configured: the caller's mistake, and nothing is looked at."""
    with pytest.raises(InvalidInput) as unknown:
        collected(collector(), "host.files", "SELECT 1")
    assert unknown.value.reason == "unknown_check"
    with pytest.raises(InvalidInput) as stray:
        Gate(shipped(), Limits(), Clock()).resolve(CheckCall("host.files", {"x": "1"}))
    assert stray.value.reason == "invalid_parameter"
    with pytest.raises(NotFound) as target:
        collected(collector(), "host.files", target="elsewhere")
    assert target.value.reason == "target_not_found"


def test_a_target_that_does_not_answer_leaves_the_rest_standing() -> None:
    """Its checks are unknown with the reason, others go on; only when nothing could be seen is the call an error."""
    results = collected(collector(), "pg.locks", "host.files", "pg.settings", target="gone")
    assert [item.outcome for item in results] == [CheckOutcome.FAILED, CheckOutcome.DONE, CheckOutcome.FAILED]
    assert results[0].reason.startswith("target_unreachable: connecting to gone")
    assert all(finding.words == results[0].reason for finding in results[0].findings)
    [standby] = collected(collector(), "pg.standby", "host.files", target="gone")[:1]
    assert standby.reason.startswith("standby_unreachable: its standby: connecting to gone")


def test_a_standby_of_this_machine_is_one_while_its_folder_is_there(tmp_path: Path) -> None:
    """A standby that is named by the folder of its socket counts as none until that folder is made."""
    folder = tmp_path / "standby"
    entry = PostgresEntry.model_validate(
        {"id": "demo", "kind": "postgres", "conninfo": "dbname=x", "standby_conninfo": f"host={folder} dbname=x"}
    )
    assert not entry.has_standby()
    folder.mkdir()
    assert entry.has_standby()
    with pytest.raises(DependencyDown) as nothing:
        collected(collector(), "pg.locks", "pg.settings", target="gone")
    assert nothing.value.reason == "target_unreachable"


@pytest.mark.parametrize("kind", [TypeError, UnicodeError, ZeroDivisionError])
def test_an_answer_that_nobody_foresaw_takes_one_check_alone(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a look stumbles over, that check is unknown with what it was, without a secret, and the rest go on."""

    def stumble(proc: Path) -> list[Any]:
        raise kind(f"unexpected {SECRET}")

    monkeypatch.setitem(SOURCES, "files", stumble)
    odd, fine = collected(collector(), "host.files", "host.pressure")
    assert (odd.outcome, odd.reason.split(":")[0]) == (
        CheckOutcome.FAILED,
        "look_failed" if kind is not UnicodeError else "not_available_here",
    )
    assert "unexpected ***" in odd.reason
    assert SECRET not in repr(odd)
    assert fine.outcome is not CheckOutcome.REFUSED
    assert fine.evidence_ref


def test_no_secret_leaves_the_collector(tmp_path: Path) -> None:
    """A secret in the environment, or in what a server says, is in no result and in no file."""
    built = collector(recorder=Recorder(tmp_path, redact, lambda: 9.0), environ={"DB_SECRET": SECRET})
    results = collected(built, "pg.locks", "host.files", target="gone")
    assert results[0].reason.startswith("target_unreachable")
    assert SECRET not in repr(results)
    kept = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) >= 7
    assert SECRET not in "".join(kept)


def test_what_ends_a_call_has_no_secret_either(log_lines: Callable[[], list[dict[str, Any]]]) -> None:
    """The error of a call in which nothing could be looked at is redacted like a result."""
    with pytest.raises(DependencyDown) as nothing:
        collected(collector(), "pg.locks", target="walled")
    assert "/nowhere/***" in nothing.value.message
    assert SECRET not in repr(nothing.value) + repr(log_lines())


def test_every_step_is_on_record_before_and_after(tmp_path: Path) -> None:
    """What ran has its begin and its end in the audit log, what was refused its reason; a later call goes on there."""
    built = collector(recorder=Recorder(tmp_path, redact, lambda: 9.0))
    first = collected(built, "host.files", "pg.locks")
    second = collected(built, "host.pressure")
    events = [(entry["event"], entry["evidence_ref"]) for entry in read_chain(tmp_path / "s/audit.jsonl").entries]
    ran, refused, later = first[0].evidence_ref, first[1].evidence_ref, second[0].evidence_ref
    assert events == [
        ("check_started", ran),
        ("check_refused", refused),
        ("check_finished", ran),
        ("check_started", later),
        ("check_finished", later),
    ]
    assert built.recorder.read("s", ran).collected_at_unix_seconds == 9


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("targets: [{id: a, kind: postgres}]", "has a conninfo"),
        ("targets: [{id: a, kind: postgres, conninfo: 'host=x password=hunter2'}]", "holds a password"),
        ("targets: [{id: a, kind: postgres, conninfo: 'postgresql://u:hunter2@h/d'}]", "holds a password"),
        ("targets: [{id: a, kind: oracle}]", "kind"),
        ("targets: [{id: a b, kind: host}]", "id"),
        ("targets: [{id: a, kind: host}, {id: a, kind: host}]", "twice"),
        ("targets: [{id: a, kind: ssh, address: h, user: u}]", "logs in by a key_file"),
        ("targets: [{id: a, kind: ssh, address: -oX=y, user: u, agent: true}]", "address"),
        ("targets: [{id: a, kind: ssh, address: h, user: u, password: hunter2}]", "password"),
        ("targets: [{id: a, kind: postgres, conninfo: host=x, host: b}]", "the host of a is 'b'"),
        ("targets: [{id: a, kind: host, host: b}]", "host"),
        ("targets: {}", "expected a list"),
        ("targets: [", "reading targets"),
    ],
)
def test_a_targets_file_with_an_error_is_told_without_its_secrets(tmp_path: Path, text: str, said: str) -> None:
    """The error names the file, the entry and the field, and never what stands there."""
    path = tmp_path / "targets.yaml"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=said) as failed:
        read_targets(path, {})
    assert "hunter2" not in failed.value.message


def test_secrets_come_from_the_environment_or_a_file(tmp_path: Path) -> None:
    """A password is read where its entry says; where it is not there, the name of that place is told."""
    (tmp_path / "secret").write_text("hunter2\n")
    path = tmp_path / "targets.yaml"
    path.write_text(
        "targets:\n"
        "  - {id: by-file, kind: postgres, conninfo: host=h dbname=d, password_file: " + f"{tmp_path}/secret" + "}\n"
        "  - {id: by-name, kind: postgres, conninfo: host=h, password_env: DB_SECRET, description: orders}\n"
    )
    targets = read_targets(path, {})
    by_file, by_name = targets.entry("by-file"), targets.entry("by-name")
    assert isinstance(by_file, PostgresEntry)
    assert isinstance(by_name, PostgresEntry)
    assert "password=hunter2" in targets.postgres(by_file).conninfo
    assert "hunter2" not in repr(targets.postgres(by_file)) + repr(targets.all())
    with pytest.raises(InvalidInput, match="DB_SECRET is not set"):
        targets.postgres(by_name)


def test_without_a_targets_file_there_is_this_host() -> None:
    """Nothing is configured, so only the host the collector runs on can be looked at."""
    assert [(target.target_id, target.kind) for target in read_targets(None, {}).all()] == [("this-host", "host")]


def test_a_login_by_an_agent_needs_one() -> None:
    """Keys of an agent are used only where the environment names one; else that is what is told."""
    fields = {"id": "db1", "kind": "ssh", "address": "h", "user": "u", "agent": True, "known_hosts": "/k"}
    entry = parse_entry(fields)
    assert isinstance(entry, SshEntry)
    assert Targets((entry,), {"SSH_AUTH_SOCK": "/agent"}).ssh(entry).agent_socket == "/agent"
    with pytest.raises(InvalidInput, match="SSH_AUTH_SOCK is not set"):
        Targets((entry,), {}).ssh(entry)


def test_the_fullest_mount_is_named() -> None:
    """Where a file system's room is told, so is which it is."""
    [result] = collected(collector(), "host.filesystems")
    told = {signal.name: value_of(signal) for signal in result.signals}
    assert not told.get("file_systems") or str(told["fullest_mount"]).startswith("/")
