"""The investigation's adapters: checks run in the collector, verdicts are judged by the engine, both over gRPC."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from dbdiag.collector.v1.collector_types import CheckCall, CollectRequest, CollectResponse, ListChecksResponse, Signal
from dbdiag.engine.v1.engine_types import Contribution, DiagnoseRequest, DiagnoseResponse, Evidence
from dbdiag.vocabulary import Verdict

from gateway.contracts.clients import CollectorClient
from gateway.contracts.engine_client import EngineClient
from gateway.investigation import model
from gateway.investigation.model import Batch, BatchResult, Budget, Case, CheckRun, Judgement
from services.chassis.errors import DependencyDown

_QUESTIONS, _BELIEFS = 50, 20
_LEAST_SECONDS = 0.1


def _ignore(_: CollectResponse) -> None:
    """Ignores single results."""


@dataclass
class RemoteCollector:
    """See Collector. before: the seconds an earlier process had used; on_result: gets each result.

    look_id: stays the same when an interrupted investigation resumes, so that no check runs twice.
    hashes: of every output so far, by its reference; looks: everything so far, also where a call broke off.
    """

    client: CollectorClient
    session_id: str
    target_id: str
    snapshot_id: str
    budget_seconds: float
    clock: Callable[[], float]
    began: float
    before: float = 0.0
    on_result: Callable[[CollectResponse], None] = _ignore
    look_id: str = ""
    hashes: dict[str, str] = field(default_factory=dict)
    looks: list[CheckRun] = field(default_factory=list)

    async def collect(self, batch: Batch) -> BatchResult:
        """See Collector. An unreachable target is not an error: its looks report it."""
        first = len(self.looks)
        calls = tuple(CheckCall(name) for name in batch.checks)
        left = max(_LEAST_SECONDS, self.budget_seconds - self.seconds())
        request = CollectRequest(
            self.session_id, self.target_id, self.snapshot_id, calls, batch.category, left, self.look_id
        )
        try:
            async for result in self.client.collect(request):
                self.looks.append(read_result(result))
                self.hashes[result.evidence_ref] = result.sha256
                self.on_result(result)
        except DependencyDown as error:
            if error.reason != "target_unreachable":
                raise
        return BatchResult(tuple(self.looks[first:]), round(self.seconds(), 4))

    def seconds(self) -> float:
        """Since the diagnosis began."""
        return self.before + self.clock() - self.began


@dataclass(frozen=True)
class RemoteReasoner:
    """See Reasoner. known: the phenomena of the snapshot; said: a person's answers, which take precedence."""

    engine: EngineClient
    snapshot_id: str
    known: Collection[str]
    said: tuple[Evidence, ...] = ()

    async def judge(self, evidence: Mapping[str, Verdict], open_phenomena: Collection[str]) -> Judgement:
        """See Reasoner. Phenomena that the snapshot does not know are ignored."""
        answers = {name: Evidence(name, verdict) for name, verdict in evidence.items() if name in self.known}
        answers |= {item.phenomenon_id: item for item in self.said}
        closed = sorted(name for name in self.known if name not in open_phenomena and name not in answers)
        request = DiagnoseRequest(
            snapshot_id=self.snapshot_id,
            evidence=tuple(answers[name] for name in sorted(answers)),
            max_hypotheses=_BELIEFS,
            max_recommendations=_QUESTIONS,
            excluded_phenomenon_ids=tuple(closed),
        )
        return _read_judgement(await self.engine.diagnose(request))


def _read_judgement(answer: DiagnoseResponse) -> Judgement:
    beliefs = tuple(
        model.Belief(
            item.root_cause_id,
            item.name,
            item.confidence,
            tuple(part.phenomenon_id for part in item.contributions if part.bits > 0 and _is_there(part)),
            tuple(part.phenomenon_id for part in item.contributions if part.bits < 0),
        )
        for item in answer.hypotheses
    )
    questions = tuple(
        model.Question(item.phenomenon_id, item.information_gain_bits, item.confidence_if_yes, item.confidence_if_no)
        for item in answer.recommendations
    )
    return Judgement(beliefs, questions, answer.other_confidence)


def _is_there(part: Contribution) -> bool:
    return part.verdict is Verdict.CONFIRMED


def read_result(result: CollectResponse) -> CheckRun:
    """A result as a look."""
    return CheckRun(
        check_id=result.check_id,
        ending=model.Ending(result.outcome or model.Ending.FAILED),
        reason=result.reason,
        message=json.loads(result.reason_json) if result.reason_json else None,
        signals=tuple(model.Signal(item.name, _value(item), item.unit) for item in result.signals),
        findings=tuple(
            model.Finding(item.phenomenon_id, item.verdict or Verdict.UNKNOWN, item.words) for item in result.findings
        ),
        evidence_ref=result.evidence_ref,
        elapsed_seconds=result.elapsed_seconds,
    )


def _value(signal: Signal) -> float | bool | str:
    given: Sequence[float | bool | str | None] = (signal.number, signal.boolean, signal.text)
    return next((value for value in given if value is not None), "")


def make_case(
    listed: ListChecksResponse,
    session_id: str,
    target_id: str,
    snapshot_id: str,
    budget: Budget,
    told: CheckRun | None = None,
) -> Case:
    """The case for a target, from the checks that the collector lists for it."""
    checks = tuple(
        model.Check(item.check_id, item.name, item.phenomenon_ids, item.cost)
        for item in sorted(listed.checks, key=lambda item: item.check_id)
    )
    routes = tuple(
        model.Route(
            item.category,
            item.name,
            item.check_ids,
            item.minimum_check_ids,
            {weight.phenomenon_id: weight.weight for weight in item.speaks_for},
            {weight.phenomenon_id: weight.weight for weight in item.speaks_against},
        )
        for item in listed.routes
    )
    return Case(session_id, target_id, snapshot_id, "", budget, listed.baseline_check_ids, checks, routes, told)
