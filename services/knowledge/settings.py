"""The room's settings: where snapshots lie and which libraries make them."""

from __future__ import annotations

import os
from pathlib import Path

from services.chassis.settings import ServerSettings
from services.knowledge.shipped import POSTGRESQL, locate


class KnowledgeSettings(ServerSettings):
    """knowledge_libraries: folders or shipped names, joined by the path separator; None: shipped PostgreSQL."""

    knowledge_store: Path = Path(".dbdiag/snapshots")
    knowledge_libraries: str | None = None
    knowledge_site_library: Path = Path(".dbdiag/library")

    def library_paths(self) -> tuple[Path, ...]:
        """The libraries a start-up compiles."""
        named = [part for part in (self.knowledge_libraries or "").split(os.pathsep) if part]
        return tuple(locate(part) for part in named) or (POSTGRESQL,)

    def publishing_paths(self) -> tuple[Path, ...]:
        """The libraries a person publishes: the same, and the site's own as soon as something was imported."""
        configured = self.library_paths()
        site = self.knowledge_site_library
        return configured if site in configured or not site.is_dir() else (*configured, site)
