"""Compiles services/engine/kernel: `python build_kernel.py` does so in place; installing the project does it too.

No compiler, one that does not know the flags, a kernel that cannot be loaded or put where it belongs: then there is
none, and the engine answers with NumPy, the same bytes. Only the standard library is needed.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

HOME = Path(__file__).parent / "services" / "engine"
NAME = "_kernel"
# Contracting a product and a sum into one operation would round once where NumPy rounds twice.
FLAGS = ("-O2", "-std=c11", "-ffp-contract=off", "-fvisibility=hidden", "-fPIC")
_SECONDS = 300


def build(folder: Path, environment: Mapping[str, str] = os.environ) -> Path | None:
    """The kernel, compiled into `folder`; None where no compiler makes one that can be loaded."""
    if sys.platform == "win32" or sys.implementation.name != "cpython":
        return None
    target = folder / (NAME + str(sysconfig.get_config_var("EXT_SUFFIX")))
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / target.name
        if not any(_compiled(compiler, made) and _loads(made) for compiler in _compilers(environment)):
            return None
        return _placed(made, target)


def _placed(made: Path, target: Path) -> Path | None:
    """Moved at once: a process that has the old one open keeps it whole."""
    staged = target.with_name(target.name + ".new")
    try:
        shutil.copyfile(made, staged)
        staged.replace(target)
    except OSError as error:
        print(error, file=sys.stderr)
        return None
    return target


def _compilers(environment: Mapping[str, str]) -> Iterator[list[str]]:
    named = environment.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"
    for command in dict.fromkeys(filter(None, named)):
        parts = shlex.split(str(command))
        found = shutil.which(parts[0], path=environment.get("PATH")) if parts else None
        if found:
            yield [found, *parts[1:]]


def _compiled(compiler: list[str], made: Path) -> bool:
    shared = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]
    sources = map(str, _sources("c"))
    defined = f'-DBUILT_FROM="{digest()}"'
    include = f"-I{sysconfig.get_path('include')}"
    command = [*compiler, *FLAGS, defined, include, *shared, *sources, "-o", str(made), "-lm"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{compiler[0]}: {error}", file=sys.stderr)
        return False
    if done.returncode:
        print(done.stderr, file=sys.stderr)
    return done.returncode == 0


def _loads(made: Path) -> bool:
    loader = importlib.machinery.ExtensionFileLoader(NAME, str(made))
    spec = importlib.util.spec_from_file_location(NAME, made, loader=loader)
    assert spec is not None
    try:
        found = importlib.util.module_from_spec(spec)
    except ImportError as error:
        print(error, file=sys.stderr)
        return False
    built_from: str = found.BUILT_FROM
    return built_from == digest()


def _sources(endings: str) -> list[Path]:
    return sorted((HOME / "kernel").glob(f"*.[{endings}]"))


def digest() -> str:
    """What the kernel is compiled from, as compiled.py works it out."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in _sources("ch"))).hexdigest()


if __name__ == "__main__":
    sys.exit(0 if build(HOME) else "no kernel: no C compiler that works, or none with Python's headers")
