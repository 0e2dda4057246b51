"""Options and file locations that the verbs of `dbdiag knowledge` share."""

from __future__ import annotations

import getpass
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from services.knowledge.files import KnowledgeSettings, SnapshotStore

SITE_LIBRARY = click.option(
    "--library", type=click.Path(file_okay=False, path_type=Path), required=True, help="The library to extend."
)
BASES = click.option(
    "--base",
    "bases",
    multiple=True,
    metavar="DIR|none",
    help="The known phenomena and causes: a library, or `none`. [default: postgresql]",
)


def settings_of(data_dir: Path | None) -> KnowledgeSettings:
    """The knowledge settings from the environment; `data_dir` overrides those that are folders."""
    from services.chassis.settings import load
    from services.knowledge.files import KnowledgeSettings

    return load(KnowledgeSettings, os.environ).within(data_dir)


def paths_of(libraries: tuple[str, ...], settings: KnowledgeSettings) -> tuple[Path, ...]:
    """The folders of the named libraries; without names, those that `publish` compiles."""
    from services.knowledge.files import locate

    return tuple(locate(name) for name in libraries) or settings.publishing_paths()


def base_of(names: tuple[str, ...]) -> list[Path]:
    """The folders of `--base`."""
    from services.knowledge.files import locate

    return [locate(name) for name in names or ("postgresql",) if name != "none"]


def store_of(settings: KnowledgeSettings) -> SnapshotStore:
    """The store of the settings."""
    from services.knowledge.files import SnapshotStore, open_blobs

    return SnapshotStore(open_blobs(settings.knowledge_store), time.time)


def author_name() -> str:
    """Who runs the command."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "operator"
