"""Evidence, checked against a snapshot and put in one order, so that the order it came in cannot matter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, NoReturn

from services.chassis.errors import InvalidInput
from services.engine.model import Evidence, Verdict
from services.engine.snapshot import Snapshot

MAX_EVIDENCE = 200_000
_NAMED = 20


class Answer(NamedTuple):
    """One answer by position of its phenomenon; score in [0, 1]."""

    phenomenon: int
    verdict: Verdict
    score: float

    @property
    def counts(self) -> bool:
        """Whether it can move a belief."""
        return self.verdict is not Verdict.UNKNOWN and self.score > 0.0


def read_answers(snapshot: Snapshot, evidence: Sequence[Evidence]) -> tuple[Answer, ...]:
    """The distinct answers by phenomenon. Raises InvalidInput for what is unknown, contradictory or out of range."""
    if len(evidence) > MAX_EVIDENCE:
        raise InvalidInput(f"reading evidence: {len(evidence)} answers, at most {MAX_EVIDENCE} are taken")
    index = snapshot.phenomenon_index
    if not all([item.phenomenon_id in index for item in evidence]):
        known_phenomena(snapshot, [item.phenomenon_id for item in evidence])
    found: dict[int, Answer] = {}
    contradicting: set[str] = set()
    for item in evidence:
        answer = Answer(index[item.phenomenon_id], _verdict(item), _score(item))
        if found.setdefault(answer.phenomenon, answer) != answer:
            contradicting.add(item.phenomenon_id)
    if contradicting:
        _refuse("contradictory_evidence", "reading evidence: answered twice, differently", contradicting)
    return tuple(found[phenomenon] for phenomenon in sorted(found))


def known_phenomena(snapshot: Snapshot, ids: Iterable[str]) -> tuple[int, ...]:
    """Positions of the ids, in their order. Raises InvalidInput (unknown_phenomenon) naming those that are unknown."""
    names = tuple(ids)
    unknown = {name for name in names if name not in snapshot.phenomenon_index}
    if unknown:
        _refuse("unknown_phenomenon", f"looking up phenomena in {snapshot.snapshot_id}: not there", unknown)
    return tuple(snapshot.phenomenon_index[name] for name in names)


def known_causes(snapshot: Snapshot, ids: Iterable[str]) -> tuple[int, ...]:
    """Positions of the ids, in their order. Raises InvalidInput (unknown_root_cause) naming those that are unknown."""
    names = tuple(ids)
    unknown = {name for name in names if name not in snapshot.cause_index}
    if unknown:
        _refuse("unknown_root_cause", f"looking up root causes in {snapshot.snapshot_id}: not there", unknown)
    return tuple(snapshot.cause_index[name] for name in names)


def _verdict(item: Evidence) -> Verdict:
    if item.verdict is Verdict.UNSPECIFIED:
        raise InvalidInput(
            f"reading evidence about {item.phenomenon_id}: it has no verdict; say confirmed, denied or unknown",
            details={"ids": item.phenomenon_id},
        )
    return item.verdict


def _score(item: Evidence) -> float:
    if not 0.0 <= item.score <= 1.0:
        raise InvalidInput(
            f"reading evidence about {item.phenomenon_id}: its score is {item.score}, scores are in [0, 1]",
            reason="score_out_of_range",
            details={"ids": item.phenomenon_id},
        )
    # Adding zero turns -0.0 into 0.0, which would else show as a difference in the reply's bytes.
    return item.score + 0.0


def _refuse(reason: str, message: str, ids: set[str]) -> NoReturn:
    named = ",".join(sorted(ids)[:_NAMED])
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    raise InvalidInput(f"{message}: {named[:1000]}{more}", reason=reason, details={"ids": named[:2000]})
