"""A database whose host is looked at as well: causes of either are named, and told apart."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from gateway.investigation.loop import diagnose
from gateway.investigation.model import Case, Verdicts
from gateway.investigation.planning import find_verdict
from gateway.investigation.state import State
from services.collector.catalogue.reader import shipped
from tests.support.investigations import Knowledge, case_of, checks_of, knowledge_of
from tests.support.shipped_libraries import shipped_library
from tests.unit.gateway.investigation.test_looking_at_a_host import World

pytestmark = pytest.mark.sampled

DATABASES = {"postgres": "conninfo: 'host=x dbname=y'", "mysql": "address: x, user: u"}
# What the host's checks show, with what they tell the database's own library of the same.
HOG = {"P-3001", "P-3002", "P-3003", "P-0008", "P-0156"}
LEAK = {"P-3029", "P-3030"}
THROTTLED = {"P-3006", "P-3010", "P-0381"}
DESCRIPTORS = {"P-3049", "P-3050"}
# What the database's checks show of a forgotten transaction and of connections taken.
LOCKED = {"postgres": {"P-0021", "P-0025", "P-0050", "P-0023"}, "mysql": {"P-2024", "P-2025", "P-2026"}}
TAKEN = {"postgres": {"P-0043", "P-0044", "P-0045"}, "mysql": {"P-2036", "P-2037", "P-2038"}}
# A runaway, a miner, masses of system calls, a script that starts processes, a backup.
BESIDE = {"RC-3001", "RC-3005", "RC-3007", "RC-3009", "RC-3011", "RC-0056"}
OF_THE_HOST = [(HOG, "RC-3001"), (LEAK, "RC-3018"), (THROTTLED, "RC-3003"), (DESCRIPTORS, "RC-3032")]


@cache
def known(kind: str) -> tuple[Knowledge, Case]:
    """A database of the kind on this machine, as a case with the knowledge it is judged by."""
    folder = Path(mkdtemp(prefix="dbdiag-looking-"))
    (folder / "targets.yaml").write_text(f"targets: [{{id: d, kind: {kind}, host_here: true, {DATABASES[kind]}}}]")
    listed = checks_of(folder, "d")
    knowledge = knowledge_of(folder, engines=listed.engines)
    return knowledge, case_of(listed, "d", knowledge.snapshot_id)


async def seen(kind: str, present: set[str]) -> tuple[Verdicts, State]:
    """What a diagnosis says where this is there and nothing else."""
    knowledge, case = known(kind)
    state, _ = await diagnose(case, World(case, present), knowledge.reasoner, lambda event: None)
    return find_verdict(case, state), state


def named(state: State) -> set[str]:
    """The leading cause, and those of what it does not explain."""
    return {state.leader, *(belief.root_cause_id for belief in state.also)}


def of_the_host(cause: str) -> bool:
    """Whether a cause is of the host's library."""
    return cause.startswith("RC-3")


@pytest.mark.parametrize("kind", DATABASES)
@pytest.mark.parametrize(("present", "cause"), OF_THE_HOST)
async def test_a_cause_of_the_host_is_named(kind: str, present: set[str], cause: str) -> None:
    """Where the database is well and its host is not, the host's cause leads and no cause of the database is named."""
    said, state = await seen(kind, present)
    assert said in (Verdicts.FOUND, Verdicts.SUSPECTED)
    assert named(state) == {cause}


@pytest.mark.parametrize("kind", DATABASES)
@pytest.mark.parametrize("present", [LOCKED, TAKEN])
async def test_a_cause_of_the_database_is_not_the_hosts(kind: str, present: dict[str, set[str]]) -> None:
    """Where the host is well, no cause of the host is named."""
    _, state = await seen(kind, present[kind])
    assert not any(map(of_the_host, named(state)))


@pytest.mark.parametrize("kind", DATABASES)
async def test_a_hog_beside_a_locked_database_hides_nothing(kind: str) -> None:
    """Both at once: one cause of each is named, and the database's is the one that it has alone."""
    _, alone = await seen(kind, LOCKED[kind])
    _, both = await seen(kind, HOG | LOCKED[kind])
    assert {"RC-3001", alone.leader} <= named(both)


@pytest.mark.parametrize("kind", DATABASES)
async def test_a_database_that_uses_the_cpu_itself_is_no_runaway(kind: str) -> None:
    """On a busy host where no other process is busy, no cause is named that is a process beside the database."""
    _, state = await seen(kind, {"P-3001", "P-0008", "P-3010", "P-0381"})
    assert named(state).isdisjoint(BESIDE)


@pytest.mark.parametrize("kind", DATABASES)
async def test_where_all_is_well_nothing_is_named(kind: str) -> None:
    """A calm database on a calm host is healthy."""
    assert (await seen(kind, set()))[0] is Verdicts.HEALTHY


def test_what_is_the_same_is_seen_under_both_names() -> None:
    """Whichever check sees what the host's library calls so, sees it under the databases' names as well: in a joint
    snapshot only these are left."""
    checks, host = shipped().checks.values(), shipped_library("host")
    others_of = {entry.id: entry.same_as for entry in host.phenomena.values()}
    others_of |= {entry.id: entry.same_as for entry in host.root_causes.values()}
    seen_by_half = {
        (check.id, name, other)
        for check in checks
        for name, others in others_of.items()
        for other in others
        if name in check.findings and other not in check.findings
    }
    assert seen_by_half == set()
