"""Options, file locations and texts that the verbs of `dbdiag knowledge` share."""

from __future__ import annotations

import getpass
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli.language import Texts, language

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
TEXTS = Texts("knowledge")
say = TEXTS.say
_ON_SERVER = re.compile(r"(\d+) queries on PostgreSQL (\d+)")


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


def count_things(count: int, thing: str) -> str:
    """`1 problem`, `2 problems`, `2 个问题`; `thing` is part of a key."""
    one = say(f"one_{thing}", count=count)
    return one if count == 1 or language() == "zh" else one + "s"


def step(name: str) -> str:
    """The text for a step of the work; a step without one is shown as it is."""
    if on_server := _ON_SERVER.fullmatch(name):
        return say("step_queries_on_a_server", queries=on_server[1], version=on_server[2])
    return _find_name("step", name, name)


def figure(name: str) -> str:
    """The text for a figure of an evaluation."""
    return _find_name("figure", name, name.replace("_", " "))


def _find_name(kind: str, name: str, otherwise: str) -> str:
    key = f"{kind}_{name.replace(' ', '_')}"
    return say(key) if key in TEXTS.table else otherwise
