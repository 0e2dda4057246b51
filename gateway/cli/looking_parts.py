"""What a diagnosis that looks for itself is made of in this process: the collector's core, the engine, the library."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.language import LocalizedText, Verdict
from gateway.looking.model import (
    Batch,
    Belief,
    Budget,
    Case,
    Check,
    Collected,
    Ending,
    Finding,
    Judgement,
    Looked,
    Question,
    Route,
    Signal,
)

if TYPE_CHECKING:
    from services.collector.collecting import Collector
    from services.collector.model import CheckResult
    from services.collector.targets import Targets
    from services.engine.model import Contribution, Diagnosis
    from services.engine.reasoner import Library

# The id of the target that stands on the command line.
DSN = "dsn"
_QUESTIONS = 50
_BELIEFS = 20


@dataclass(frozen=True)
class EngineMind:
    """See Mind: the engine over one library."""

    library: Library

    async def judge(self, evidence: Mapping[str, Verdict], open_phenomena: Collection[str]) -> Judgement:
        """See Mind. What the library does not know counts for nothing."""
        from services.engine import model
        from services.engine.diagnose import diagnose

        known = self.library.snapshot.phenomenon_index
        answers = tuple(
            model.Evidence(name, model.Verdict[verdict.name])
            for name, verdict in sorted(evidence.items())
            if name in known
        )
        given = {answer.phenomenon_id for answer in answers}
        closed = tuple(name for name in known if name not in open_phenomena and name not in given)
        return _judgement(
            diagnose(
                self.library,
                model.DiagnoseRequest(
                    evidence=answers,
                    max_hypotheses=_BELIEFS,
                    max_recommendations=_QUESTIONS,
                    excluded_phenomenon_ids=closed,
                ),
            )
        )


def _is_there(part: Contribution) -> bool:
    return part.verdict.name == "CONFIRMED"


def _judgement(answer: Diagnosis) -> Judgement:
    beliefs = tuple(
        Belief(
            item.root_cause_id,
            LocalizedText(item.name.zh, item.name.en),
            item.confidence,
            tuple(part.phenomenon_id for part in item.contributions if part.bits > 0 and _is_there(part)),
            tuple(part.phenomenon_id for part in item.contributions if part.bits < 0),
        )
        for item in answer.hypotheses
    )
    questions = tuple(
        Question(item.phenomenon_id, item.information_gain_bits, item.confidence_if_yes, item.confidence_if_no)
        for item in answer.recommendations
    )
    return Judgement(beliefs, questions, answer.other_confidence)


@dataclass(frozen=True)
class LiveEyes:
    """See Eyes: the collector of this process. before: seconds that an earlier process had used."""

    collector: Collector
    session_id: str
    target_id: str
    budget_seconds: float
    clock: Callable[[], float]
    began: float
    before: float = 0.0

    async def collect(self, batch: Batch) -> Collected:
        """See Eyes. A target that does not answer is no failure of the diagnosis: its looks say so."""
        from services.chassis.errors import DependencyDown
        from services.collector.model import CheckCall, CollectRequest

        left = max(0.1, self.budget_seconds - self._seconds())
        calls = tuple(CheckCall(name) for name in batch.checks)
        request = CollectRequest(
            self.session_id, self.target_id, checks=calls, category=batch.category, time_budget_seconds=left
        )
        looks = []
        try:
            async for result in self.collector.collect(request):
                looks.append(_looked(result))
        except DependencyDown:
            pass
        return Collected(tuple(looks), round(self._seconds(), 4))

    def _seconds(self) -> float:
        return self.before + self.clock() - self.began


def _plain(value: float | bool | str) -> float | bool | str:
    """A number as a trace gives it back and the wire carries it: 0 and 0.0 are one value and must be one text."""
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _looked(result: CheckResult) -> Looked:
    return Looked(
        check_id=result.check_id,
        ending=Ending(result.outcome.name.lower()),
        reason=result.reason,
        signals=tuple(Signal(item.name, _plain(item.value), item.unit) for item in result.signals),
        findings=tuple(
            Finding(item.phenomenon_id, Verdict(item.verdict.name.lower()), item.words) for item in result.findings
        ),
        evidence_ref=result.evidence_ref,
        elapsed_seconds=result.elapsed_seconds,
    )


def case_of(collector: Collector, session_id: str, target_id: str, snapshot_id: str, budget: Budget) -> Case:
    """The case before it begins: the checks that apply to the target, and the routing."""
    catalogue = collector.catalogue
    engines = collector.targets.engines(target_id)
    described = [check for check in catalogue.described() if check.engine in engines]
    known = {check.check_id for check in described}
    routes = tuple(
        Route(
            name,
            LocalizedText(item.name.zh, item.name.en),
            tuple(check for check in item.checks if check in known),
            tuple(check for check in item.minimum if check in known),
            dict(item.speaks_for),
            dict(item.speaks_against),
        )
        for name, item in sorted(catalogue.routing.categories.items())
    )
    checks = tuple(
        Check(item.check_id, LocalizedText(item.name.zh, item.name.en), item.phenomenon_ids, item.cost)
        for item in described
    )
    baseline = tuple(check for check in catalogue.routing.baseline if check in known)
    return Case(session_id, target_id, snapshot_id, "", budget, baseline, checks, routes)


def collector_of(
    data_dir: Path, targets: Path | None, conninfo: str, standby_conninfo: str = ""
) -> tuple[Collector, Path]:
    """The collector over a targets file, or over one database named on the command line and its standby; and where
    evidence goes."""
    from services.chassis.errors import Precondition
    from services.chassis.settings import load

    try:
        from services.collector.collecting import Collector
    except ModuleNotFoundError as error:
        message = f"the package {error.name} is not installed; the extra `postgresql` brings it"
        raise Precondition(message, reason="extra_missing") from error
    from services.collector.catalogue.reader import shipped
    from services.collector.gate import Gate
    from services.collector.recording import StoredRecorder
    from services.collector.settings import CollectorSettings
    from services.collector.targets import read_targets

    settings = load(CollectorSettings, os.environ).within(data_dir)
    if conninfo:
        configured = _one_target(conninfo, standby_conninfo)
    else:
        configured = read_targets(targets or settings.collector_targets, os.environ)
    catalogue, redact = shipped(), settings.redaction()
    collector = Collector(
        catalogue=catalogue,
        targets=configured,
        gate=Gate(catalogue, settings.limits(), time.monotonic),
        recorder=StoredRecorder(settings.collector_evidence, redact, time.time),
        redact=redact,
        clock=time.monotonic,
    )
    return collector, settings.collector_evidence


def _one_target(conninfo: str, standby_conninfo: str) -> Targets:
    from pydantic import ValidationError

    from services.chassis.errors import InvalidInput
    from services.collector.entries import PostgresEntry, what_is_wrong
    from services.collector.model import TargetKind
    from services.collector.targets import Targets

    try:
        entry = PostgresEntry(id=DSN, kind=TargetKind.POSTGRES, conninfo=conninfo, standby_conninfo=standby_conninfo)
    except ValidationError as error:
        said = what_is_wrong(error).removeprefix("as a whole: ")
        raise InvalidInput(f"reading --dsn: {said}", reason="bad_targets") from None
    return Targets((entry,), os.environ)
