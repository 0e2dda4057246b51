"""A diagnosis report in words."""

from __future__ import annotations

from typing import Any

from gateway.cli.diagnose.report_text import render_report


def row(phenomenon: str, name: dict[str, str] | None) -> dict[str, Any]:
    """A confirmed row of the evidence table."""
    return {
        "phenomenon_id": phenomenon,
        "name": name,
        "verdict": "confirmed",
        "words": "busy = 97 %",
        "evidence_ref": "1",
    }


def test_only_what_the_library_knows_is_named_among_the_grounds() -> None:
    """A phenomenon that the snapshot lacks moved no belief, so no bare id of it is shown as a ground."""
    report: dict[str, Any] = {
        "verdict": "healthy",
        "root_cause": None,
        "hypotheses": [],
        "evidence_table": [row("P-0008", {"zh": "CPU 很高", "en": "CPU is high"}), row("P-3001", None)],
        "not_seen": [],
        "next_actions": [],
        "to_be_decided": [],
        "checks": 1,
        "rounds": 1,
        "seconds": 1.0,
        "stop_reason": "nothing_found",
    }
    assert "CPU is high: busy = 97 %" in render_report(report, "report", "en")
    assert "CPU 很高" in render_report(report, "report", "zh")
    assert "P-3001" not in render_report(report, "report", "en")
