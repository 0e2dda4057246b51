"""Compiles the engine's kernel while the project is installed, if there is a C compiler; the kernel is optional."""

from __future__ import annotations

import importlib.util
import os
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNEL = "services/engine/kernel"


class KernelHook(BuildHookInterface[Any]):
    """Puts the kernel into the wheel, or beside its sources for an editable installation."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """See BuildHookInterface; `version` is `editable` or `standard`."""
        kernel = _load(Path(self.root, KERNEL, "build.py"))
        if version == "editable":
            built = kernel.build(kernel.HOME, os.environ)
        else:
            self._folder = tempfile.TemporaryDirectory()
            built = kernel.build(Path(self._folder.name), os.environ)
        if built is None:
            self.app.display_warning("dbdiag: no working C compiler, so the engine reasons with NumPy alone")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        if version != "editable":
            build_data["force_include"][str(built)] = f"{KERNEL}/{built.name}"


def _load(path: Path) -> ModuleType:
    """The module at a path: the project, which would have it, is not installed yet."""
    spec = importlib.util.spec_from_file_location("build_kernel", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
