"""The state of a diagnosis, as pure functions of the looks so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dbdiag.vocabulary import Verdict

from gateway.investigation.model import Belief, Case, CheckRun, Ending, Finding, Judgement, Reasoner, Standing

# The id under which the findings of the question are recorded.
QUESTION = "question"
_RANK = {Verdict.CONFIRMED: 0, Verdict.DENIED: 1, Verdict.UNKNOWN: 2}


@dataclass(frozen=True)
class Shown:
    """A finding with the look it came from."""

    finding: Finding
    check_id: str
    evidence_ref: str


@dataclass(frozen=True)
class State:
    """The looks so far and the judgement on them. spent: planned checks; still: consecutive rounds without news;
    also: at the end, the causes of evidence that the leader does not explain."""

    looks: tuple[CheckRun, ...]
    shown: tuple[Shown, ...]
    standings: tuple[Standing, ...]
    judgement: Judgement
    rounds: int = 0
    spent: int = 0
    seconds: float = 0.0
    still: int = 0
    countered: tuple[str, ...] = ()
    also: tuple[Belief, ...] = ()

    @property
    def confirmed(self) -> frozenset[str]:
        """The confirmed phenomena."""
        return frozenset(item.finding.phenomenon_id for item in self.shown if item.finding.verdict is Verdict.CONFIRMED)

    @property
    def made(self) -> frozenset[str]:
        """The checks that were tried, whatever their result."""
        return frozenset(look.check_id for look in self.looks)

    @property
    def leader(self) -> str:
        """The most probable cause; empty if there is none."""
        return self.judgement.beliefs[0].root_cause_id if self.judgement.beliefs else ""

    @property
    def confidence(self) -> float:
        """The belief in the leader."""
        return self.judgement.beliefs[0].confidence if self.judgement.beliefs else 0.0


async def start_state(case: Case, reasoner: Reasoner) -> State:
    """The state before the first check."""
    return await _judge(case, reasoner, ())


async def restore_state(case: Case, reasoner: Reasoner, looks: tuple[CheckRun, ...], seconds: float) -> State:
    """The state that stored looks lead to."""
    return replace(await _judge(case, reasoner, looks), seconds=seconds)


async def add_results(
    case: Case, reasoner: Reasoner, state: State, looks: tuple[CheckRun, ...], seconds: float, planned: bool
) -> State:
    """The state after more looks: those of a planned round, or of the baseline or sweep."""
    known = await _judge(case, reasoner, (*state.looks, *looks))
    moved = known.confirmed != state.confirmed or known.leader != state.leader
    quiet = not moved and abs(known.confidence - state.confidence) < _MOVED
    return replace(
        known,
        rounds=state.rounds + planned,
        spent=state.spent + planned * sum(1 for look in looks if has_run(look)),
        seconds=seconds,
        still=state.still + 1 if planned and quiet else 0,
        countered=state.countered,
    )


# Checks for another kind of server did not run, and cost nothing.
_NOT_FOR_IT = ("role_not_supported", "version_not_supported")


def has_run(look: CheckRun) -> bool:
    """Whether the check ran: neither refused nor for another kind of server."""
    return look.ending is not Ending.REFUSED and not look.reason.startswith(_NOT_FOR_IT)


_MOVED = 0.02


async def _judge(case: Case, reasoner: Reasoner, looks: tuple[CheckRun, ...]) -> State:
    shown = _add_question(case, collect_findings(looks))
    evidence = {item.finding.phenomenon_id: item.finding.verdict for item in shown}
    judgement = await reasoner.judge(evidence, _list_open(case, looks, evidence))
    return State(looks, shown, rank_routes(case, shown), judgement)


def collect_findings(looks: Iterable[CheckRun]) -> tuple[Shown, ...]:
    """One finding a phenomenon, in id order; a look that saw it outranks one that did not."""
    best: dict[str, Shown] = {}
    for look in looks:
        for finding in look.findings:
            known = best.get(finding.phenomenon_id)
            if known is None or _RANK[finding.verdict] < _RANK[known.finding.verdict]:
                best[finding.phenomenon_id] = Shown(finding, look.check_id, look.evidence_ref)
    return tuple(best[name] for name in sorted(best))


def _add_question(case: Case, shown: tuple[Shown, ...]) -> tuple[Shown, ...]:
    """Adds the findings of the question where no look has decided."""
    if case.told is None:
        return shown
    decided = {item.finding.phenomenon_id for item in shown if item.finding.verdict is not Verdict.UNKNOWN}
    told = [item for item in collect_findings((case.told,)) if item.finding.phenomenon_id not in decided]
    names = {item.finding.phenomenon_id for item in told}
    kept = [item for item in shown if item.finding.phenomenon_id not in names]
    return tuple(sorted([*kept, *told], key=lambda item: item.finding.phenomenon_id))


def _list_open(case: Case, looks: tuple[CheckRun, ...], evidence: Iterable[str]) -> frozenset[str]:
    """The phenomena that a remaining check can decide."""
    made = {look.check_id for look in looks}
    left = {phenomenon for check in case.checks if check.check_id not in made for phenomenon in check.phenomenon_ids}
    return frozenset(left - set(evidence))


def rank_routes(case: Case, shown: Iterable[Shown]) -> tuple[Standing, ...]:
    """The supported routes, the best first; evidence against a route lowers its score."""
    confirmed = {item.finding.phenomenon_id for item in shown if item.finding.verdict is Verdict.CONFIRMED}
    found = []
    for route in case.routes:
        for_it = tuple(sorted(confirmed & route.speaks_for.keys()))
        against = tuple(sorted(confirmed & route.speaks_against.keys()))
        score = sum(route.speaks_for[name] for name in for_it) - sum(route.speaks_against[name] for name in against)
        if for_it:
            found.append(Standing(route.category, score, for_it, against))
    return tuple(sorted(found, key=lambda standing: (-standing.score, standing.category)))


def has_succeeded(state: State) -> bool:
    """Whether any check succeeded."""
    return any(look.ending is Ending.DONE for look in state.looks)
