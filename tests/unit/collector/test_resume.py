"""A look whose caller was ended: what it was brought is given again, what was cut may run, budgets hold."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from redaction import redact
from services.chassis.errors import DependencyDown
from services.collector.catalogue.reader import shipped
from services.collector.collector import Collector
from services.collector.evidence.chain import read_chain
from services.collector.evidence.evidence_store import Recorder
from services.collector.evidence.session_evidence import verify
from services.collector.gate import Gate, Limits
from services.collector.model import CheckCall, CheckOutcome, CollectRequest, CollectResponse
from services.collector.targets.registry import Targets
from services.collector.targets.schema import parse_entry

CHECKS = ("host.files", "host.pressure", "host.filesystems", "host.network")


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def collector(root: Path, limits: Limits | None = None, clock: Callable[[], float] | None = None) -> Collector:
    """A collector of this host and of a database that is not there."""
    gone = {"id": "gone", "kind": "postgres", "conninfo": "host=127.0.0.1 port=1 dbname=x"}
    targets = Targets((parse_entry({"id": "here", "kind": "host"}), parse_entry(gone)), {})
    now = clock or Clock()
    gate = Gate(shipped(), limits or Limits(), now)
    return Collector(shipped(), targets, gate, Recorder(root, redact, lambda: 9.0), redact, now)


def asked(*checks: str, look: str = "turn-1", target: str = "here") -> CollectRequest:
    """A call for these checks as part of a look."""
    return CollectRequest("s", target, checks=tuple(map(CheckCall, checks)), look_id=look)


def collected(built: Collector, request: CollectRequest) -> list[CollectResponse]:
    """All that comes of a call."""

    async def run() -> list[CollectResponse]:
        return [item async for item in built.collect(request)]

    return asyncio.run(run())


def events(root: Path) -> list[tuple[str, str]]:
    """What stands in the audit log of the session, and of which output."""
    return [(entry["event"], entry["evidence_ref"]) for entry in read_chain(root / "s/audit.jsonl").entries]


def test_the_same_look_is_answered_from_what_was_kept(tmp_path: Path) -> None:
    """Asked again in the same look a check gives the same result with the same output; it does not run, and it is on
    record that it was given again."""
    built = collector(tmp_path)
    first = collected(built, asked(*CHECKS))
    done = [result for result in first if result.outcome is CheckOutcome.DONE]
    before = events(tmp_path)
    assert collected(built, asked(*(result.check_id for result in done))) == done
    assert events(tmp_path)[len(before) :] == [("check_given_again", result.evidence_ref) for result in done]
    assert verify(tmp_path / "s").faults == ()


@pytest.mark.parametrize("look", ["turn-2", ""])
def test_another_look_is_not_answered_from_it(tmp_path: Path, look: str) -> None:
    """What is asked in another look, or in none, wants the present: just after the first it is refused as such."""
    built = collector(tmp_path)
    collected(built, asked("host.files", look=look and "turn-1"))
    [again] = collected(built, asked("host.files", look=look))
    assert (again.outcome, again.reason.split(":")[0]) == (CheckOutcome.REFUSED, "duplicate")


def test_what_is_given_again_costs_nothing_of_the_budgets(tmp_path: Path) -> None:
    """With one round and one check allowed it is given as often as it is asked for, and nothing else runs."""
    built = collector(tmp_path, Limits(max_rounds=1, max_total_checks=1))
    first = collected(built, asked("host.files"))
    for _ in range(3):
        again = collected(built, asked("host.files", "host.pressure"))
        assert again[0] == first[0]
        assert again[1].outcome is CheckOutcome.REFUSED
    assert [event for event, _ in events(tmp_path)].count("check_started") == 1


def test_a_call_that_was_cut_is_gone_on_with(tmp_path: Path) -> None:
    """Left after its first result, the same look gets that one again, the others run, and none is refused; what was
    begun and not ended counts against the budgets, and the record is whole."""
    built = collector(tmp_path)

    async def first_of(request: CollectRequest) -> CollectResponse:
        results = built.collect(request)
        async for result in results:
            await results.aclose()  # type: ignore[attr-defined]
            return result
        raise AssertionError("nothing came")

    async def cut_and_again() -> tuple[CollectResponse, list[CollectResponse]]:
        first = await first_of(asked(*CHECKS))
        return first, [item async for item in built.collect(asked(*CHECKS))]

    first, again = asyncio.run(cut_and_again())
    assert again[0] == first
    assert [result.check_id for result in again] == list(CHECKS)
    assert CheckOutcome.REFUSED not in {result.outcome for result in again}
    assert verify(tmp_path / "s").faults == ()
    assert ("check_given_again", first.evidence_ref) in events(tmp_path)


def test_a_check_that_is_named_twice_in_a_call_runs_once(tmp_path: Path) -> None:
    """Within one call a check that is under way is refused and one that ended is given again, never made anew."""
    collected(collector(tmp_path), asked("host.pressure", "host.pressure", "host.pressure"))
    assert [event for event, _ in events(tmp_path)].count("check_started") == 1


def test_what_was_kept_is_no_longer_given_once_the_check_may_run_again(tmp_path: Path) -> None:
    """After the time in which a check is not repeated the same look runs it anew, and nothing old is held."""
    clock = Clock()
    built = collector(tmp_path, Limits(repeat_after_seconds=20), clock)
    [first] = collected(built, asked("host.files"))
    clock.now += 20
    [second] = collected(built, asked("host.files"))
    assert (second.outcome, second.evidence_ref != first.evidence_ref) == (CheckOutcome.DONE, True)


def test_a_target_that_was_not_reached_may_be_tried_at_once(tmp_path: Path) -> None:
    """Whoever mends a connection and asks again is not told that the checks ran just now, in whichever look."""
    built = collector(tmp_path)
    for look in ("turn-1", "turn-1", "turn-2", ""):
        with pytest.raises(DependencyDown):
            collected(built, asked("pg.locks", look=look, target="gone"))


def test_a_collector_that_was_killed_does_not_forget_what_was_spent(tmp_path: Path) -> None:
    """A new process counts the checks on a session's record against its budget; another session has its own."""
    limits = Limits(max_total_checks=2)
    collected(collector(tmp_path, limits), asked("host.files", "host.pressure"))
    [refused] = collected(collector(tmp_path, limits), asked("host.network"))
    assert refused.reason.split(":")[0] == "max_total_checks"
    other = CollectRequest("other", "here", checks=(CheckCall("host.files"),))
    assert collected(collector(tmp_path, limits), other)[0].outcome is CheckOutcome.DONE
