"""A statement that an answer gives can be pasted into psql and runs."""

from __future__ import annotations

from services.planner.speak.steps.as_code import code
from tests.support.cases import for_each


@for_each(
    ("how", "ends"),
    [
        ("SELECT pid\nFROM pg_stat_activity\nORDER BY 1", "ORDER BY 1;\n```"),
        ("SELECT 1", "SELECT 1;`"),
        ("-- on the standby\nSELECT now()", "SELECT now();\n```"),
        ("WITH w AS (SELECT 1)\nSELECT * FROM w  -- twice", "FROM w;  -- twice\n```"),
        ("SELECT 1;", "SELECT 1;`"),
        ("SELECT 1; SELECT pg_reload_conf()", "pg_reload_conf();`"),
        ("COMMIT;  -- or ROLLBACK; in the owning session", "COMMIT;  -- or ROLLBACK; in the owning session`"),
        ("SHOW ENGINE INNODB STATUS\\G", "STATUS\\G`"),
        ("systemctl restart app", "restart app`"),
        ("df -h", "df -h`"),
    ],
)
def test_a_statement_ends_with_one_semicolon(how: str, ends: str) -> None:
    """SQL gets the semicolon that psql waits for, once; commands of a shell and of psql stay as they are."""
    assert code(how, "sql").endswith(ends)


def test_prose_stays_prose() -> None:
    """What is looked at by hand is told as it is."""
    assert code("Select the panel of the disk", "manual") == "Select the panel of the disk"
