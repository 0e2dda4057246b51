"""Validates evidence against a snapshot and sorts it, so that its order cannot matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, NoReturn

from services.chassis.errors import InvalidInput
from services.engine.model import Evidence, Verdict
from services.engine.tables.snapshot import Snapshot

MAX_EVIDENCE = 200_000
_NAMED = 20


class Answer(NamedTuple):
    """One answer, with the position of its phenomenon; score in [0, 1]."""

    phenomenon: int
    verdict: Verdict
    score: float

    @property
    def counts(self) -> bool:
        """True if it can change a belief."""
        return self.verdict is not Verdict.UNKNOWN and self.score > 0.0


def those_that_count(answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """The answers that can change a belief."""
    return tuple([answer for answer in answers if answer.counts])


def read_answers(snapshot: Snapshot, evidence: Sequence[Evidence]) -> tuple[Answer, ...]:
    """The distinct answers by phenomenon. Raises InvalidInput for unknown, contradictory or out-of-range evidence."""
    if len(evidence) > MAX_EVIDENCE:
        raise InvalidInput("invalid_request.too_many_answers", count=len(evidence), most=MAX_EVIDENCE)
    index = snapshot.phenomenon_index
    if not all([item.phenomenon_id in index for item in evidence]):
        find_phenomena(snapshot, [item.phenomenon_id for item in evidence])
    found: dict[int, Answer] = {}
    contradicting: set[str] = set()
    for item in evidence:
        answer = Answer(index[item.phenomenon_id], _verdict(item), _score(item))
        if found.setdefault(answer.phenomenon, answer) != answer:
            contradicting.add(item.phenomenon_id)
    if contradicting:
        _refuse("contradictory_evidence", "contradictory_evidence.many", contradicting, snapshot)
    return tuple(found[phenomenon] for phenomenon in sorted(found))


def find_phenomena(snapshot: Snapshot, ids: Iterable[str]) -> tuple[int, ...]:
    """Positions of the ids, in their order. Raises InvalidInput (unknown_phenomenon) naming the unknown ids."""
    return _find(snapshot, snapshot.phenomenon_index, ids, "unknown_phenomenon", "unknown_phenomenon.many")


def find_causes(snapshot: Snapshot, ids: Iterable[str]) -> tuple[int, ...]:
    """Positions of the ids, in their order. Raises InvalidInput (unknown_root_cause) naming the unknown ids."""
    return _find(snapshot, snapshot.cause_index, ids, "unknown_root_cause", "unknown_root_cause.many")


def _find(snapshot: Snapshot, index: Mapping[str, int], ids: Iterable[str], few: str, many: str) -> tuple[int, ...]:
    names = tuple(ids)
    unknown = {name for name in names if name not in index}
    if unknown:
        _refuse(few, many, unknown, snapshot)
    return tuple(index[name] for name in names)


def _verdict(item: Evidence) -> Verdict:
    if item.verdict is Verdict.UNSPECIFIED:
        raise InvalidInput("invalid_request.no_verdict", ids=item.phenomenon_id)
    return item.verdict


def _score(item: Evidence) -> float:
    if not 0.0 <= item.score <= 1.0:
        raise InvalidInput("score_out_of_range", ids=item.phenomenon_id, score=item.score)
    # Adding zero turns -0.0 into 0.0, which would otherwise change the bytes of the reply.
    return item.score + 0.0


def _refuse(few: str, many: str, ids: set[str], snapshot: Snapshot) -> NoReturn:
    """Raises InvalidInput with the first ids; `many` is the key of its message if there are more."""
    named, known = ",".join(sorted(ids)[:_NAMED])[:1000], snapshot.snapshot_id
    if len(ids) <= _NAMED:
        raise InvalidInput(few, ids=named, snapshot=known)
    raise InvalidInput(many, ids=named, snapshot=known, more=len(ids) - _NAMED)
