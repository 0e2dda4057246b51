"""A games company: departments and their monthly flow, small enough to add up by hand."""

from __future__ import annotations

from pathlib import Path

import duckdb

LAYER = Path(__file__).parent / "layer.yaml"
MONTHS = tuple((year, month) for year in (2024, 2025) for month in range(1, 13) if (year, month) <= (2025, 5))
DEPARTMENTS = tuple((at, f"部门{at:02}", "IEG本部" if at <= 6 else "海外本部") for at in range(1, 13))


def rows() -> list[tuple[int, int, int, str, int, int, int, str, bool]]:
    """dept_id, year, month, region, flow, cost, deferral, source, one_off; every third row is overseas."""
    found = []
    for at, (dept, _, _) in enumerate(DEPARTMENTS):
        for place, (year, month) in enumerate(MONTHS):
            region = "overseas" if (at + place) % 3 == 0 else "domestic"
            source = "测试" if (at + place) % 7 == 0 else "正式"
            flow = 100 + 10 * dept + month + (20 if year == 2025 else 0)
            found.append((dept, year, month, region, flow, 40 + month, 5, source, (at + place) % 5 == 0))
    return found


def write(path: Path) -> Path:
    """The data as a DuckDB file."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE dept (dept_id BIGINT, name VARCHAR, division VARCHAR)")
        connection.executemany("INSERT INTO dept VALUES (?, ?, ?)", [list(each) for each in DEPARTMENTS])
        connection.execute(
            'CREATE TABLE "流水表" (dept_id BIGINT, "年份" BIGINT, "月份" BIGINT, "地区" VARCHAR, "流水" BIGINT,'
            ' "成本" BIGINT, "递延" BIGINT, "数据来源" VARCHAR, one_off BOOLEAN)'
        )
        connection.executemany(
            'INSERT INTO "流水表" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', [list(each) for each in rows()]
        )
    return path
