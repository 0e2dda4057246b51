"""Builds the engine's kernel when the project is installed, where a C compiler is; without one nothing is missing."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelHook(BuildHookInterface[Any]):
    """Puts the kernel into the wheel, or beside its sources where the installation is editable."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """See BuildHookInterface; `version` is `editable` or `standard`."""
        sys.path.insert(0, self.root)
        import build_kernel

        if version == "editable":
            built = build_kernel.build(build_kernel.HOME)
        else:
            self._folder = tempfile.TemporaryDirectory()
            built = build_kernel.build(Path(self._folder.name))
        if built is None:
            self.app.display_warning("dbdiag: no C compiler that works, so the engine reasons with NumPy alone")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        if version != "editable":
            build_data["force_include"][str(built)] = f"services/engine/{built.name}"
