"""Runs checks: gate, look, what it says, record. One check that fails stops no other.

The checks of a call are let through the gate and put on record in their order; then they wait for their second reads
together.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from services.chassis.errors import DependencyDown
from services.collector.catalogue.entries import CatalogueCheck
from services.collector.catalogue.judging import judge, unknown
from services.collector.catalogue.reader import Catalogue
from services.collector.catalogue.reads import Reads
from services.collector.executors.kept import KeptLooks
from services.collector.failures import LookFailed, TargetUnreachable
from services.collector.gate import Gate, Round
from services.collector.looks import Looks
from services.collector.model import CheckOutcome, CheckResult, CollectRequest, Finding, Signal, Verdict
from services.collector.recording import Recorder
from services.collector.targets import Targets

# What the refusal of a connection itself tells.
_NO_SLOT = ("P-0043", "P-0044", "P-2036", "P-2037")

# What a driver may raise over an answer that nobody foresaw; a wrong setting ends the call instead.
_DEFECTS = (ArithmeticError, LookupError, OSError, RuntimeError, TypeError, ValueError)
Value = TypeVar("Value")
Planned = tuple[CatalogueCheck, Mapping[str, str]]


@dataclass(frozen=True)
class Collector:
    """Everything that collecting takes. `clock` is monotonic; `redact` takes secrets out of a text."""

    catalogue: Catalogue
    targets: Targets
    gate: Gate
    recorder: Recorder
    redact: Callable[[str], str]
    clock: Callable[[], float]
    # One connection at a time to each target, whoever asks; it is kept for the next call.
    _turns: defaultdict[str, asyncio.Lock] = field(init=False, default_factory=lambda: defaultdict(asyncio.Lock))
    _kept: KeptLooks = field(init=False, default_factory=KeptLooks)

    async def close(self) -> None:
        """Ends the connections that are kept for the next call."""
        await self._kept.close()

    async def collect(self, request: CollectRequest) -> AsyncIterator[CheckResult]:
        """Each result as it comes. Raises InvalidInput or NotFound before anything ran; DependencyDown when nothing
        of what was asked could be looked at because the target does not answer."""
        entry = self.targets.entry(request.target_id)
        planned = [self.gate.checked(call) for call in request.checks]
        if not self.gate.knows(request.session_id):
            made = await asyncio.to_thread(self.recorder.made, request.session_id)
            self.gate.go_on(request.session_id, made)
        engines, seconds = self.targets.engines(entry.id), request.time_budget_seconds
        round_ = self.gate.round(request.session_id, entry.id, request.category, engines, seconds, request.look_id)
        unreached: TargetUnreachable | None = None
        looked = False
        looking = Looks(self.targets, entry, self.clock, self._kept)
        async with self._turns[entry.id], looking as looks, _running() as running:
            begun = asyncio.Lock()
            for number, step in enumerate(planned):
                running.append(
                    asyncio.ensure_future(self._step(request.session_id, round_, looks, step, number, begun))
                )
            for task in running:
                result = await task
                looked = looked or result.outcome is not CheckOutcome.FAILED
                unreached = looks.unreached
                yield result
        if unreached is not None and not looked and not unreached.refused_slots:
            raise DependencyDown(self.redact(unreached.message), reason="target_unreachable")

    async def _step(
        self, session_id: str, round_: Round, looks: Looks, step: Planned, number: int, begun: asyncio.Lock
    ) -> CheckResult:
        check, parameters = step
        async with begun:
            if kept := self.gate.kept(round_, check, parameters):
                given = session_id, check.id, round_.target_id, kept.evidence_ref
                await _whole(self.recorder.give_again, *given)
                return kept
            if refused := self.redact(self.gate.refusal(round_, check, parameters, number)):
                ref = await _whole(self.recorder.refuse, session_id, check.id, round_.target_id, refused)
                return CheckResult(check.id, CheckOutcome.REFUSED, refused, (), unknown(check, refused), ref)
            self.gate.made(round_, check, parameters)
            ref = await _whole(self.recorder.begin, session_id, check.id, round_.target_id, parameters)
        started = self.clock()
        result, reads = await self._looked(looks, round_, check, parameters)
        seconds = round(self.clock() - started, 4)
        result = replace(self._redacted(result), evidence_ref=ref, elapsed_seconds=seconds)
        brought = (ref, result.outcome, result.reason, _output(looks.statement(check), reads), _parsed(result), seconds)
        async with begun:
            digest = await _whole(self.recorder.finish, session_id, *brought)
            result = replace(result, sha256=digest)
            self.gate.brought(round_, check, parameters, result)
        return result

    async def _looked(
        self, looks: Looks, round_: Round, check: CatalogueCheck, parameters: Mapping[str, str]
    ) -> tuple[CheckResult, Reads | None]:
        try:
            reads = await looks.read(check, parameters)
        except LookFailed as error:
            findings = unknown(check, str(error))
            if isinstance(error, TargetUnreachable):
                self.gate.unmade(round_, check, parameters)
                findings = tuple(_refused_slot(finding, error) for finding in findings)
            return CheckResult(check.id, CheckOutcome.FAILED, str(error), findings=findings), None
        except _DEFECTS as error:
            said = f"look_failed: {type(error).__name__}: {' '.join(str(error).split())}"
            return CheckResult(check.id, CheckOutcome.FAILED, said, findings=unknown(check, said)), None
        signals, findings = judge(check, reads)
        if reads.truncated:
            signals = (*signals, Signal("output_cut_at_cap", True))
        return CheckResult(check.id, CheckOutcome.DONE, signals=signals, findings=findings), reads

    def _redacted(self, result: CheckResult) -> CheckResult:
        signals = tuple(
            replace(signal, value=self.redact(signal.value)) if isinstance(signal.value, str) else signal
            for signal in result.signals
        )
        findings = tuple(replace(finding, words=self.redact(finding.words)) for finding in result.findings)
        return replace(result, reason=self.redact(result.reason), signals=signals, findings=findings)


async def _whole(work: Callable[..., Value], *given: Any) -> Value:
    """Work off the event loop that is waited for to its end, also by who is cancelled: the next writes after it."""
    task = asyncio.ensure_future(asyncio.to_thread(work, *given))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


@contextlib.asynccontextmanager
async def _running() -> AsyncIterator[list[asyncio.Future[CheckResult]]]:
    """Steps under way; those that nobody waits for any longer are ended."""
    steps: list[asyncio.Future[CheckResult]] = []
    try:
        yield steps
    finally:
        for step in steps:
            step.cancel()
        await asyncio.gather(*steps, return_exceptions=True)


def _refused_slot(finding: Finding, error: TargetUnreachable) -> Finding:
    if not error.refused_slots or finding.phenomenon_id not in _NO_SLOT:
        return finding
    return Finding(finding.phenomenon_id, Verdict.CONFIRMED, error.message)


def _output(look: str, reads: Reads | None) -> str:
    if reads is None:
        return ""
    seconds = round(reads.elapsed, 4)
    document = {"look": look, "reads": reads.reads, "seconds": seconds, "truncated": reads.truncated}
    return json.dumps(document, ensure_ascii=False, indent=1)


def _parsed(result: CheckResult) -> dict[str, Any]:
    return {
        "signals": [{"name": item.name, "value": item.value, "unit": item.unit} for item in result.signals],
        "findings": [
            {"phenomenon_id": item.phenomenon_id, "verdict": item.verdict.name.lower(), "words": item.words}
            for item in result.findings
        ],
    }
