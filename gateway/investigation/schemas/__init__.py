"""JSON Schemas of the documents that a diagnosis leaves behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NAMES = ("evidence_pack", "diagnosis_report", "diagnosis_trace")


def read(name: str) -> dict[str, Any]:
    """The schema of a document."""
    text = (Path(__file__).parent / f"{name}.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
