"""What the verbs of `dbdiag knowledge` share: their options, where the files lie, and how a result is printed."""

from __future__ import annotations

import getpass
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from services.knowledge.settings import KnowledgeSettings
    from services.knowledge.store import SnapshotStore

LIBRARIES = click.option(
    "--library",
    "libraries",
    multiple=True,
    metavar="DIR",
    help="A library folder, or `postgresql` for the shipped one; may be given several times.",
)
DATA_DIR = click.option(
    "--data-dir", type=click.Path(path_type=Path), help="Where dbdiag keeps its data; .dbdiag by default."
)
SITE_LIBRARY = click.option(
    "--library", type=click.Path(file_okay=False, path_type=Path), required=True, help="The library to grow."
)
BASES = click.option(
    "--base",
    "bases",
    multiple=True,
    metavar="DIR|none",
    help="What the tickets are held against: `postgresql` (the default), another library, or `none`.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object.")


def settings_of(data_dir: Path | None) -> KnowledgeSettings:
    """The room's settings from the environment; `data_dir` wins for the places that are folders."""
    from services.chassis.settings import load
    from services.knowledge.settings import KnowledgeSettings

    return load(KnowledgeSettings, os.environ).within(data_dir)


def paths_of(libraries: tuple[str, ...], settings: KnowledgeSettings) -> tuple[Path, ...]:
    """The folders of the named libraries; without a name those that a person publishes."""
    from services.knowledge.shipped import locate

    return tuple(locate(name) for name in libraries) or settings.publishing_paths()


def base_of(names: tuple[str, ...]) -> list[Path]:
    """The folders of `--base`."""
    from services.knowledge.shipped import locate

    return [locate(name) for name in names or ("postgresql",) if name != "none"]


def store_of(settings: KnowledgeSettings) -> SnapshotStore:
    """The store of the settings."""
    from services.knowledge.shelf import open_shelf
    from services.knowledge.store import SnapshotStore

    return SnapshotStore(open_shelf(settings.knowledge_store), time.time)


def author_name() -> str:
    """Who runs the command."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "operator"


def show(as_json: bool, body: dict[str, Any], lines: list[str]) -> None:
    """Prints one JSON object, or the lines."""
    click.echo(json.dumps(body, ensure_ascii=False) if as_json else "\n".join(lines))
