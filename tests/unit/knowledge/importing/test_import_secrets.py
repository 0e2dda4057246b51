"""What an import keeps of tickets in which somebody wrote down how to get in."""

from __future__ import annotations

import json
from pathlib import Path

from services.knowledge.importing.importer import import_tickets
from tests.support.texts.planted_secrets import PLANTED


def tickets() -> bytes:
    """A ticket for each kind of secret, planted in every text that a ticket has."""
    texts = [one.text for one in PLANTED]
    rows = [
        {
            "ticket_id": f"T-{number:04}",
            "metadata": {"db_type": "postgresql", "module": f"shop {text}"},
            "description": f"订单库连不上，{text} 是这样连的",
            "root_cause": f"事务没有提交。{text}",
            "solution": f"终止会话。{text}",
            "anomalies": [
                {
                    "description": f"会话空闲在事务中 {text}",
                    "observation_method": text,
                    "why_relevant": f"占着锁 {text}",
                }
            ],
        }
        for number, text in enumerate(texts)
    ]
    return json.dumps(rows, ensure_ascii=False).encode()


def test_a_library_keeps_no_secret_of_its_tickets(tmp_path: Path) -> None:
    """No planted secret is in any file of the library, and importing the same again changes nothing."""
    library = tmp_path / "site"
    report = import_tickets(tickets(), "json", library, [])
    assert (report.tickets, len(report.rejected)) == (len(PLANTED), 0)
    written = {path: path.read_text(encoding="utf-8") for path in library.rglob("*") if path.is_file()}
    left = {one.kind for one in PLANTED for text in written.values() if one.secret in text}
    assert left == set()
    again = import_tickets(tickets(), "json", library, [])
    assert (again.new_tickets, len(again.rejected)) == (0, 0)
    assert written == {path: path.read_text(encoding="utf-8") for path in written}
