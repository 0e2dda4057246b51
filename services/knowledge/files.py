"""What the command line may use of this room without a running service: libraries, snapshots, imports and proposals.

A name is loaded when it is first used, so that a verb waits only for its own part of the room.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from services.knowledge.blobs.backends import open_blobs as open_blobs
    from services.knowledge.blobs.directory import write_atomically as write_atomically
    from services.knowledge.cases.case_learning import Learning as Learning
    from services.knowledge.cases.proposal import Decision as Decision
    from services.knowledge.cases.proposal import Proposal as Proposal
    from services.knowledge.cases.proposal_store import held_out_files as held_out_files
    from services.knowledge.importing import review_actions as review_actions
    from services.knowledge.importing.deciding.review import Review as Review
    from services.knowledge.importing.deciding.review import Ruling as Ruling
    from services.knowledge.importing.importer import apply_review as apply_review
    from services.knowledge.importing.importer import run_import as run_import
    from services.knowledge.importing.reading.exports import form_of as form_of
    from services.knowledge.importing.reading.mapping import Mapping as Mapping
    from services.knowledge.importing.reading.mapping import read_mapping as read_mapping
    from services.knowledge.importing.settings import ImportSettings as ImportSettings
    from services.knowledge.importing.writing.import_report import Imported as Imported
    from services.knowledge.importing.writing.import_report import rejected_line as rejected_line
    from services.knowledge.importing.writing.import_report import report_text as report_text
    from services.knowledge.library.graph.page import render_page as render_page
    from services.knowledge.library.lint.findings import Finding as Finding
    from services.knowledge.library.lint.lint import lint as lint
    from services.knowledge.library.load import InvalidLibrary as InvalidLibrary
    from services.knowledge.library.load import Problem as Problem
    from services.knowledge.library.schema import TicketEntry as TicketEntry
    from services.knowledge.library.shipped_libraries import POSTGRESQL as POSTGRESQL
    from services.knowledge.library.shipped_libraries import locate as locate
    from services.knowledge.library.yaml_text import validation_problems as validation_problems
    from services.knowledge.model import Change as Change
    from services.knowledge.model import Manifest as Manifest
    from services.knowledge.settings import KnowledgeSettings as KnowledgeSettings
    from services.knowledge.snapshots import retention as retention
    from services.knowledge.snapshots.compile import compile_libraries as compile_libraries
    from services.knowledge.snapshots.compile import count_entries as count_entries
    from services.knowledge.snapshots.compile import snapshot_id as snapshot_id
    from services.knowledge.snapshots.diff import diff as diff
    from services.knowledge.snapshots.publish import build as build
    from services.knowledge.snapshots.publish import compile_admitted as compile_admitted
    from services.knowledge.snapshots.store import SnapshotStore as SnapshotStore
    from services.knowledge.sql_texts import load_admitted as load_admitted

_MODULES = {
    "blobs.directory": ("write_atomically",),
    "blobs.backends": ("open_blobs",),
    "cases.case_learning": ("Learning",),
    "cases.proposal": ("Decision", "Proposal"),
    "cases.proposal_store": ("held_out_files",),
    "importing": ("review_actions",),
    "importing.deciding.review": ("Review", "Ruling"),
    "importing.importer": ("apply_review", "run_import"),
    "importing.reading.exports": ("form_of",),
    "importing.reading.mapping": ("Mapping", "read_mapping"),
    "importing.settings": ("ImportSettings",),
    "importing.writing.import_report": ("Imported", "rejected_line", "report_text"),
    "library.graph.page": ("render_page",),
    "library.lint.findings": ("Finding",),
    "library.lint.lint": ("lint",),
    "library.load": ("InvalidLibrary", "Problem", "validation_problems"),
    "library.schema": ("TicketEntry",),
    "library.shipped_libraries": ("POSTGRESQL", "locate"),
    "model": ("Change", "Manifest"),
    "settings": ("KnowledgeSettings",),
    "snapshots": ("retention",),
    "snapshots.compile": ("compile_libraries", "count_entries", "snapshot_id"),
    "snapshots.diff": ("diff",),
    "snapshots.publish": ("build", "compile_admitted"),
    "snapshots.store": ("SnapshotStore",),
    "sql_texts": ("load_admitted",),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"services.knowledge.{_PLACES[name]}")
    return getattr(module, name, None) or import_module(f"{module.__name__}.{name}")
