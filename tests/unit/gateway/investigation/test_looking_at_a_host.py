from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from dbdiag.vocabulary import Verdict

from gateway.investigation.loop import diagnose
from gateway.investigation.model import Batch, BatchResult, Case, CheckRun, Ending, Finding, Stop, Verdicts
from gateway.investigation.planning import find_verdict
from tests.support.investigations import Knowledge, case_of, checks_of, knowledge_of

pytestmark = pytest.mark.sampled

HOST = "targets: [{id: h, kind: host, java: {main: Orders.jar}}]"


@cache
def known() -> tuple[Knowledge, Case]:
    """The host's library, and a host with a JVM as a case."""
    folder = Path(mkdtemp(prefix="dbdiag-looking-"))
    (folder / "targets.yaml").write_text(HOST)
    knowledge = knowledge_of(folder, engines=["host"])
    return knowledge, case_of(checks_of(folder, "h"), "h", knowledge.snapshot_id)


class World:
    """The collector of a made-up host: what is present is seen by each check that can see it; some checks are blind."""

    def __init__(self, case: Case, present: set[str], blind: str = "-") -> None:
        self._case = case
        self._present = present
        self._blind = blind
        self._made = 0

    async def collect(self, batch: Batch) -> BatchResult:
        """See Collector."""
        can_see = {check.check_id: check.phenomenon_ids for check in self._case.checks}
        self._made += len(batch.checks)
        return BatchResult(tuple(self._look(name, can_see[name]) for name in batch.checks), self._made * 0.5)

    def _look(self, name: str, phenomena: tuple[str, ...]) -> CheckRun:
        if name.startswith(self._blind):
            return CheckRun(name, Ending.FAILED, "not_available_here: no JVM", evidence_ref=f"0001-{name}")
        verdicts = {item: Verdict.CONFIRMED if item in self._present else Verdict.DENIED for item in phenomena}
        findings = tuple(Finding(item, found, "n = 1") for item, found in verdicts.items())
        return CheckRun(name, Ending.DONE, findings=findings, evidence_ref=f"0001-{name}")


OF_THE_HOST = [
    ({"P-3001", "P-3002", "P-3003"}, "CPU", "RC-3001"),
    ({"P-3001", "P-3004", "P-3010", "P-3015"}, "RUN_QUEUE", "RC-3009"),
    ({"P-3013", "P-3014"}, "RUN_QUEUE", "RC-3010"),
    ({"P-3016", "P-3017", "P-3019"}, "IO_WAIT", "RC-3011"),
    ({"P-3029", "P-3030"}, "MEMORY", "RC-3018"),
    ({"P-3029", "P-3033"}, "MEMORY", "RC-3021"),
    ({"P-3049", "P-3050"}, "NET", "RC-3032"),
    ({"P-3050", "P-3057"}, "NET", "RC-3032"),
    ({"P-3054"}, "NET", "RC-3035"),
    ({"P-3064", "P-3065"}, "EXTERNAL_DEP", "RC-3041"),
]
OF_A_JVM = [
    ({"P-3045", "P-3048", "P-3062", "P-3063"}, "EXTERNAL_DEP", "RC-3040"),
    ({"P-3044", "P-3045", "P-3048"}, "LOCK_CONTEND", "RC-3030"),
    ({"P-3043", "P-3045"}, "LOCK_CONTEND", "RC-3029"),
    ({"P-3045", "P-3048"}, "LOCK_CONTEND", "RC-3031"),
    ({"P-3036", "P-3038", "P-3039"}, "GC", "RC-3025"),
    ({"P-3042"}, "GC", "RC-3027"),
]


@pytest.mark.parametrize(
    ("present", "category", "cause", "blind"),
    [*((*case, "java.") for case in OF_THE_HOST), *((*case, "-") for case in OF_A_JVM)],
)
async def test_a_kind_of_trouble_and_its_cause_come_first(
    present: set[str], category: str, cause: str, blind: str
) -> None:
    """What the faults of the lab show on an otherwise calm host leads to their kind of trouble and their cause."""
    knowledge, case = known()
    state, _ = await diagnose(case, World(case, present, blind), knowledge.reasoner, lambda event: None)
    assert (state.standings[0].category, state.leader) == (category, cause)
    assert find_verdict(case, state) in (Verdicts.FOUND, Verdicts.SUSPECTED)


async def test_a_calm_host_is_healthy() -> None:
    """Where nothing is there no kind of trouble stands, and all that could make one stand was looked at."""
    knowledge, case = known()
    state, _ = await diagnose(case, World(case, set()), knowledge.reasoner, lambda event: None)
    assert find_verdict(case, state) is Verdicts.HEALTHY
    telling = {name for route in case.routes for name in route.speaks_for}
    assert {check.check_id for check in case.checks if telling & set(check.phenomenon_ids)} <= state.made


async def test_a_host_whose_jvm_is_gone_is_looked_at_all_the_same() -> None:
    """That the JVM which the target names does not run makes its checks unknown, and the target not unreachable."""
    knowledge, case = known()
    collector = World(case, {"P-3001", "P-3002", "P-3003"}, blind="java.")
    state, stop = await diagnose(case, collector, knowledge.reasoner, lambda event: None)
    assert stop is not Stop.UNREACHABLE
    assert state.leader == "RC-3001"
