"""Where Patroni runs the servers, a change of their settings goes by its tool."""

from __future__ import annotations

from services.planner.model import Language, SessionView
from services.planner.speak.settings_now import beside_told
from services.planner.speak.voice import Voice
from services.planner.treatment.bearing import BEARING, PATRONI, bearing_on_treatment
from tests.support.cases import for_each

MANAGED = Voice(Language.EN, choices={BEARING: (PATRONI,)})
ASYNC = "ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf();"


@for_each(
    ("said", "managed"),
    [
        ("等等 我们是patroni管的 这个alter system能直接跑吗", True),
        ("we run patroni here, two nodes", True),
        ("patronictl list shows node2 stopped", True),
        ("我们没用patroni", False),
        ("no patroni here", False),
        ("should we use patroni?", False),
    ],
)
def test_that_patroni_runs_the_servers_is_kept(said: str, managed: bool) -> None:
    """Who says so has it kept for the case; who denies it or asks for it has not."""
    kept = [each.name for each in bearing_on_treatment(said, SessionView()) if each.kind == BEARING]
    assert (PATRONI in kept) is managed


@for_each(
    ("how", "told"),
    [
        (ASYNC, "patronictl edit-config -s synchronous_mode=false -p synchronous_standby_names=null;"),
        (
            "ALTER SYSTEM SET synchronous_standby_names = 'node2'; SELECT pg_reload_conf();",
            "patronictl edit-config -s synchronous_mode=true;",
        ),
        (
            "ALTER SYSTEM SET work_mem = '32MB'; SELECT pg_reload_conf();",
            "patronictl edit-config -p work_mem='32MB';",
        ),
        ("ALTER SYSTEM RESET work_mem", "patronictl edit-config -p work_mem=null"),
        ("SET work_mem = '256MB';", "SET work_mem = '256MB';"),
    ],
)
def test_a_change_of_a_setting_goes_by_patroni(how: str, told: str) -> None:
    """What the server's own statement would set is set in Patroni's configuration; other statements stay."""
    assert beside_told(how, MANAGED)[0] == told


def test_without_patroni_the_statement_stays() -> None:
    """Where nobody named it, the server is asked itself."""
    assert beside_told(ASYNC, Voice(Language.EN))[0] == ASYNC
