"""The room's settings: where snapshots lie and which libraries make them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from services.chassis.settings import ServerSettings, load
from services.knowledge.library import library_files
from services.knowledge.shelf import is_url
from services.knowledge.shipped import POSTGRESQL, locate


class KnowledgeSettings(ServerSettings):
    """knowledge_store: a folder, `postgresql://...` or `s3://bucket/prefix?endpoint=...`.

    knowledge_libraries: folders or shipped names, joined by the path separator; None: shipped PostgreSQL.
    knowledge_holdout_share: of the accepted cases, how many never teach. knowledge_auto_publish: accepting publishes.
    """

    knowledge_store: str = Field(default=".dbdiag/snapshots", repr=False)
    knowledge_libraries: str | None = None
    knowledge_site_library: Path = Path(".dbdiag/library")
    knowledge_holdout_share: float = Field(default=0.1, ge=0, lt=1)
    knowledge_auto_publish: bool = False

    def library_paths(self) -> tuple[Path, ...]:
        """The libraries a start-up compiles."""
        named = [part for part in (self.knowledge_libraries or "").split(os.pathsep) if part]
        return tuple(locate(part) for part in named) or (POSTGRESQL,)

    def publishing_paths(self) -> tuple[Path, ...]:
        """The libraries a person publishes: the same, and the site's own as soon as it holds something."""
        configured = self.library_paths()
        site = self.knowledge_site_library
        return configured if site in configured or not library_files(site) else (*configured, site)


def within(data_dir: Path | None, environ: Mapping[str, str]) -> KnowledgeSettings:
    """The settings of one that keeps its data in a folder; a store that is named by a URL stays there."""
    settings = load(KnowledgeSettings, environ)
    if data_dir is None:
        return settings
    places: dict[str, object] = {"knowledge_site_library": data_dir / "library"}
    if not is_url(settings.knowledge_store):
        places["knowledge_store"] = str(data_dir / "snapshots")
    return settings.model_copy(update=places)
