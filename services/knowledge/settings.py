"""The room's settings: the snapshot store and the libraries."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Self

from pydantic import Field

from services.chassis.settings import ServerSettings
from services.knowledge.blobs.backends import is_url
from services.knowledge.library.load import library_files
from services.knowledge.library.shipped_libraries import POSTGRESQL, locate


class KnowledgeSettings(ServerSettings):
    """knowledge_store: a folder, `postgresql://...` or `s3://bucket/prefix?endpoint=...`.

    knowledge_libraries: folders or shipped names, joined by the path separator; None: shipped PostgreSQL.
    knowledge_holdout_share: the share of accepted cases held out. knowledge_auto_publish: publish once accepted.
    """

    knowledge_store: str = Field(default=".dbdiag/snapshots", repr=False)
    knowledge_libraries: str | None = None
    knowledge_site_library: Path = Path(".dbdiag/library")
    knowledge_holdout_share: float = Field(default=0.1, ge=0, lt=1)
    knowledge_auto_publish: bool = False

    def library_paths(self) -> tuple[Path, ...]:
        """The libraries compiled at start-up."""
        named = [part for part in (self.knowledge_libraries or "").split(os.pathsep) if part]
        return tuple(locate(part) for part in named) or (POSTGRESQL,)

    def publishing_paths(self) -> tuple[Path, ...]:
        """The libraries that a person publishes: the same, plus the site library unless it is empty."""
        configured = self.library_paths()
        site = self.knowledge_site_library
        return configured if site in configured or not library_files(site) else (*configured, site)

    def within(self, data_dir: Path | None) -> Self:
        """These settings with stores in `data_dir`; a store named by a URL stays where it is."""
        if data_dir is None:
            return self
        places: dict[str, object] = {"knowledge_site_library": data_dir / "library"}
        if not is_url(self.knowledge_store):
            places["knowledge_store"] = str(data_dir / "snapshots")
        return self.model_copy(update=places)
