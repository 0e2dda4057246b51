"""The part of this room for the command line: a session's folder of evidence, its journal, documents and audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.chassis.settings import load
from services.collector.evidence.chain import ChainWriter
from services.collector.evidence.evidence_store import EvidenceStore
from services.collector.evidence.folders import INDEX, create_session_folder, index_place, session_folder
from services.collector.evidence.verify import Audit, verify
from services.collector.model import CheckOutcome

__all__ = [
    "INDEX",
    "Audit",
    "ChainWriter",
    "CheckOutcome",
    "EvidenceStore",
    "create_session_folder",
    "index_place",
    "redaction_of",
    "session_folder",
    "verify",
]


def redaction_of(variables: Mapping[str, str]) -> Callable[[str], str]:
    """The function that removes secrets from a text, and addresses if the settings say so."""
    from services.collector.settings import CollectorSettings

    return load(CollectorSettings, variables).redaction()
