"""Runs checks: admit, execute, judge, record. A failed check does not stop the others.

The checks of a call are admitted and recorded in order; the intervals between their reads overlap.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from lang.expressions import Reads
from services.chassis.errors import DependencyDown
from services.chassis.messages import Message, map_texts, to_plain
from services.collector.catalogue.reader import Catalogue
from services.collector.catalogue.schema import CatalogueCheck
from services.collector.catalogue.verdicts import judge, unknown
from services.collector.evidence.evidence_store import Recorder
from services.collector.executors.postgres.pool import PostgresPool
from services.collector.failures import CheckFailed, TargetUnreachable, spell_out
from services.collector.gate import Gate, Round
from services.collector.model import (
    CheckOutcome,
    CollectRequest,
    CollectResponse,
    Finding,
    Verdict,
    signal_of,
    value_of,
)
from services.collector.targets.registry import Targets
from services.collector.targets.schema import TargetEntry

if TYPE_CHECKING:
    from services.collector.executors.router import Router

# Errors that a driver may raise for an unforeseen answer; a wrong setting ends the call instead.
_DEFECTS = (ArithmeticError, LookupError, OSError, RuntimeError, TypeError, ValueError)
Value = TypeVar("Value")
Planned = tuple[CatalogueCheck, Mapping[str, str]]


@dataclass(frozen=True)
class Collector:
    """Everything that running checks needs. `clock` is monotonic; `redact` removes secrets from a text."""

    catalogue: Catalogue
    targets: Targets
    gate: Gate
    recorder: Recorder
    redact: Callable[[str], str]
    clock: Callable[[], float]
    # One call at a time for each target; its connection stays open for the next call.
    _turns: defaultdict[str, asyncio.Lock] = field(init=False, default_factory=lambda: defaultdict(asyncio.Lock))
    _pool: PostgresPool = field(init=False, default_factory=PostgresPool)

    async def close(self) -> None:
        """Closes the idle connections."""
        await self._pool.close()

    async def collect(self, request: CollectRequest) -> AsyncIterator[CollectResponse]:
        """Each result as it arrives. Raises InvalidInput or NotFound before anything runs; DependencyDown if no check
        could run because the target does not answer."""
        entry = self.targets.entry(request.target_id)
        planned = [self.gate.resolve(call) for call in request.checks]
        if not self.gate.knows(request.session_id):
            checks = await asyncio.to_thread(self.recorder.count_checks, request.session_id)
            self.gate.resume(request.session_id, checks)
        engines, seconds = self.targets.engines(entry.id), request.time_budget_seconds
        round_ = self.gate.round(request.session_id, entry.id, request.category, engines, seconds, request.look_id)
        unreached: TargetUnreachable | None = None
        reached = False
        router = self._open_router(entry)
        async with self._turns[entry.id], router, _cancelled_at_end() as running:
            order = asyncio.Lock()
            for number, step in enumerate(planned):
                running.append(
                    asyncio.ensure_future(self._run_step(request.session_id, round_, router, step, number, order))
                )
            for task in running:
                result = await task
                reached = reached or result.outcome is not CheckOutcome.FAILED
                unreached = router.unreached
                yield result
        if unreached is not None and not reached and not unreached.refused_slots:
            raise DependencyDown(map_texts(unreached.as_message, self.redact), reason="target_unreachable")

    def _open_router(self, entry: TargetEntry) -> Router:
        # Imported with the first check, because drivers take long to import.
        from services.collector.executors.router import Router

        return Router(self.targets, entry, self.clock, self._pool)

    async def _run_step(
        self, session_id: str, round_: Round, router: Router, step: Planned, number: int, order: asyncio.Lock
    ) -> CollectResponse:
        check, parameters = step
        async with order:
            if cached := self.gate.cached_result(round_, check, parameters):
                step_ids = session_id, check.id, round_.target_id, cached.evidence_ref
                await _run_to_end(self.recorder.repeat, *step_ids)
                return cached
            if refusal := self.gate.refusal(round_, check, parameters, number):
                refused = self._redacted(self._not_run(check, CheckOutcome.REFUSED, refusal.reason, refusal))
                about = session_id, check.id, round_.target_id, refused.reason
                return replace(refused, evidence_ref=await _run_to_end(self.recorder.refuse, *about))
            self.gate.count(round_, check, parameters)
            ref = await _run_to_end(self.recorder.begin, session_id, check.id, round_.target_id, parameters)
        started = self.clock()
        result, reads = await self._run_check(router, round_, check, parameters)
        seconds = round(self.clock() - started, 4)
        result = replace(self._redacted(result), evidence_ref=ref, elapsed_seconds=seconds)
        output = _output(router.statement(check), reads)
        end = (ref, result.outcome, result.reason, output, _parsed(result), seconds)
        async with order:
            digest = await _run_to_end(self.recorder.finish, session_id, *end)
            result = replace(result, sha256=digest)
            self.gate.keep_result(round_, check, parameters, result)
        return result

    async def _run_check(
        self, router: Router, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]
    ) -> tuple[CollectResponse, Reads | None]:
        try:
            reads = await router.read(check, parameters)
        except CheckFailed as error:
            failed = self._not_run(check, CheckOutcome.FAILED, error.reason, error.as_message)
            if isinstance(error, TargetUnreachable):
                self.gate.allow_retry(round_, check, parameters)
                if error.refused_slots:
                    failed = replace(failed, findings=_without_slot(check, failed, error.message))
            return failed, None
        except _DEFECTS as error:
            words = " ".join(str(error).split())
            message = Message("look_failed.defect", {"kind": type(error).__name__, "words": words})
            return self._not_run(check, CheckOutcome.FAILED, message.reason, message), None
        signals, findings = judge(check, reads)
        if reads.truncated:
            signals = (*signals, signal_of("output_cut_at_cap", True))
        return CollectResponse(check.id, CheckOutcome.DONE, signals=signals, findings=findings), reads

    def _redacted(self, result: CollectResponse) -> CollectResponse:
        signals = tuple(
            signal if signal.text is None else replace(signal, text=self.redact(signal.text))
            for signal in result.signals
        )
        findings = tuple(replace(finding, words=self.redact(finding.words)) for finding in result.findings)
        return replace(result, reason=self.redact(result.reason), signals=signals, findings=findings)

    def _not_run(self, check: CatalogueCheck, outcome: CheckOutcome, reason: str, message: Message) -> CollectResponse:
        words = spell_out(reason, message)
        details = json.dumps(to_plain(map_texts(message, self.redact)), ensure_ascii=False)
        return CollectResponse(check.id, outcome, words, findings=unknown(check, words), reason_json=details)


async def _run_to_end(work: Callable[..., Value], *arguments: Any) -> Value:
    """Runs work in a thread and waits for it even if cancelled, so that the next write comes after it."""
    task = asyncio.ensure_future(asyncio.to_thread(work, *arguments))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


@contextlib.asynccontextmanager
async def _cancelled_at_end() -> AsyncIterator[list[asyncio.Future[CollectResponse]]]:
    """A list for running steps; those that are not finished at the end of the block are cancelled."""
    steps: list[asyncio.Future[CollectResponse]] = []
    try:
        yield steps
    finally:
        for step in steps:
            step.cancel()
        await asyncio.gather(*steps, return_exceptions=True)


def _without_slot(check: CatalogueCheck, failed: CollectResponse, words: str) -> tuple[Finding, ...]:
    """The findings of a check whose connection was refused for lack of a free slot."""
    return tuple(
        Finding(item.phenomenon_id, Verdict.CONFIRMED, words)
        if check.findings[item.phenomenon_id].confirmed_without_slot
        else item
        for item in failed.findings
    )


def _output(statement: str, reads: Reads | None) -> str:
    if reads is None:
        return ""
    seconds = round(reads.elapsed, 4)
    document = {"look": statement, "reads": reads.reads, "seconds": seconds, "truncated": reads.truncated}
    return json.dumps(document, ensure_ascii=False, indent=1)


def _parsed(result: CollectResponse) -> dict[str, Any]:
    return {
        "signals": [{"name": item.name, "value": value_of(item), "unit": item.unit} for item in result.signals],
        "findings": [
            {"phenomenon_id": item.phenomenon_id, "verdict": item.verdict, "words": item.words}
            for item in result.findings
        ],
    }
