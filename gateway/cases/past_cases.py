"""Past cases under two snapshots: the engine's verdict on their evidence with either one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from dbdiag.engine.v1.engine_types import DiagnoseRequest, DiagnoseResponse, Evidence
from dbdiag.vocabulary import BeliefChange, LocalizedText, Verdict

from gateway.contracts.engine_client import EngineClient

Progress = Callable[[int, int], None]
_ALL_CAUSES = 100
# Smaller changes are reported as unchanged.
_LEAST_MOVE = 0.0005


@dataclass(frozen=True)
class PastCase:
    """A closed case: its evidence and its true cause."""

    ticket_id: str
    root_cause_id: str
    phenomenon_ids: tuple[str, ...]


@dataclass(frozen=True)
class Contents:
    """The parts of a snapshot that a comparison needs."""

    snapshot_id: str
    phenomenon_ids: frozenset[str]
    cases: tuple[PastCase, ...]


@dataclass(frozen=True)
class Judgement:
    """The engine's judgement of a case: the leading cause, and whether it is a conclusion."""

    root_cause_id: str
    name: LocalizedText
    confidence: float
    concluded: bool


@dataclass(frozen=True)
class ChangedVerdict:
    """A past case that two snapshots judge differently. root_cause_id: the true cause."""

    ticket_id: str
    root_cause_id: str
    before: Judgement
    after: Judgement


@dataclass(frozen=True)
class Comparison:
    """The replayed cases whose verdict changes; `left_out` counts those beyond the limit."""

    changed: tuple[ChangedVerdict, ...]
    replayed: int
    left_out: int
    right_before: int
    right_after: int


def read_contents(snapshot_id: str, content: bytes) -> Contents:
    """The contents of a snapshot's canonical bytes."""
    value = json.loads(content)
    cases = (PastCase(item["id"], item["root_cause"], tuple(item["phenomena"])) for item in value["tickets"])
    return Contents(snapshot_id, frozenset(item["id"] for item in value["phenomena"]), tuple(cases))


async def compare(
    engine: EngineClient,
    before: Contents,
    after: Contents,
    limit: int,
    progress: Progress = lambda done, total: None,
    like: PastCase | None = None,
) -> Comparison:
    """Judges the past cases of two snapshots under both; at most `limit` cases, the most similar first."""
    known = {case.ticket_id: case for case in (*before.cases, *after.cases)}
    near = frozenset(like.phenomenon_ids) if like else frozenset()

    def order(case: PastCase) -> tuple[bool, int, str]:
        other = like is None or case.root_cause_id != like.root_cause_id
        return other, -len(near.intersection(case.phenomenon_ids)), case.ticket_id

    cases = sorted(known.values(), key=order)
    replayed = min(limit, len(cases))
    changed: list[ChangedVerdict] = []
    right_before = right_after = 0
    judgements = _judge_each(engine, (before, after), cases[:limit])
    for number, case in enumerate(cases[:limit], 1):
        first, second = await anext(judgements), await anext(judgements)
        right_before += first.root_cause_id == case.root_cause_id
        right_after += second.root_cause_id == case.root_cause_id
        if (first.root_cause_id, first.concluded) != (second.root_cause_id, second.concluded):
            changed.append(ChangedVerdict(case.ticket_id, case.root_cause_id, first, second))
        progress(number, replayed)
    changed.sort(key=lambda item: item.ticket_id)
    return Comparison(tuple(changed), replayed, len(cases) - replayed, right_before, right_after)


async def compare_beliefs(
    engine: EngineClient, before: Contents, after: Contents, evidence: Sequence[Evidence], always: str, most: int
) -> tuple[BeliefChange, ...]:
    """The changes of belief about one case's evidence, largest first; includes `always` even if unchanged."""
    one, two = [await engine.diagnose(_request(contents, evidence)) for contents in (before, after)]
    old = {item.root_cause_id: item for item in one.hypotheses}
    new = {item.root_cause_id: item for item in two.hypotheses}
    changes = [
        BeliefChange(
            identity,
            (new.get(identity) or old[identity]).name,
            old[identity].confidence if identity in old else 0.0,
            new[identity].confidence if identity in new else 0.0,
        )
        for identity in sorted(old.keys() | new.keys())
    ]
    moved = [item for item in changes if _move(item) >= _LEAST_MOVE or item.root_cause_id == always]
    moved.sort(key=lambda item: (item.root_cause_id != always, -_move(item), item.root_cause_id))
    return tuple(moved[:most])


def _move(change: BeliefChange) -> float:
    return abs(change.confidence_after - change.confidence_before)


async def judge(engine: EngineClient, contents: Contents, evidence: Sequence[Evidence]) -> Judgement:
    """The engine's judgement of evidence under a snapshot; phenomena unknown to the snapshot are ignored."""
    return _judgement(await engine.diagnose(_request(contents, evidence, most=1)))


async def _judge_each(
    engine: EngineClient, snapshots: Sequence[Contents], cases: Sequence[PastCase]
) -> AsyncIterator[Judgement]:
    """The judgements of each case in turn, one a snapshot."""
    requests = [
        _request(contents, [Evidence(identity, Verdict.CONFIRMED) for identity in case.phenomenon_ids], most=1)
        for case in cases
        for contents in snapshots
    ]
    async for diagnosis in engine.diagnose_each(requests):
        yield _judgement(diagnosis)


def _judgement(diagnosis: DiagnoseResponse) -> Judgement:
    if not diagnosis.hypotheses:
        return Judgement("", LocalizedText(), 0.0, False)
    leader = diagnosis.hypotheses[0]
    return Judgement(leader.root_cause_id, leader.name, leader.confidence, diagnosis.conclusion is not None)


def _request(contents: Contents, evidence: Sequence[Evidence], most: int = _ALL_CAUSES) -> DiagnoseRequest:
    known = tuple(item for item in evidence if item.phenomenon_id in contents.phenomenon_ids)
    return DiagnoseRequest(contents.snapshot_id, known, max_hypotheses=most, max_recommendations=1)
