"""Compiles the kernel: on installation, and by hand with `python -m services.engine.kernel`.

Without a working compiler, Python's headers, or write access there is no kernel, and NumPy computes the same bytes.
Only the standard library is needed: `hatch_build.py` loads this file by its path before the project is installed.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

HOME = Path(__file__).parent
NAME = "_kernel"
# A fused multiply-add would round once where NumPy rounds twice.
FLAGS = ("-O2", "-std=c11", "-ffp-contract=off", "-fvisibility=hidden", "-fPIC")
_SECONDS = 300


def build(folder: Path, environment: Mapping[str, str]) -> Path | None:
    """Compiles the kernel into `folder` and returns its path; None if no compiler gives one that can be loaded.

    `environment` may name the compiler in CC, and says in PATH where compilers are.
    """
    if sys.platform == "win32" or sys.implementation.name != "cpython":
        return None
    target = folder / (NAME + str(sysconfig.get_config_var("EXT_SUFFIX")))
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch) / target.name
        if not any(_compile(compiler, fresh) and _is_loadable(fresh) for compiler in _compilers(environment)):
            return None
        return _install(fresh, target)


def sources_digest() -> str | None:
    """The digest of the C sources in this folder; None in an installed package, which has none."""
    sources = _sources("ch")
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest() if sources else None


def _install(fresh: Path, target: Path) -> Path | None:
    """Replaces the old kernel atomically: a process that has it open keeps the whole old file."""
    staged = target.with_name(target.name + ".new")
    try:
        shutil.copyfile(fresh, staged)
        staged.replace(target)
    except OSError as error:
        print(error, file=sys.stderr)
        return None
    return target


def _compilers(environment: Mapping[str, str]) -> Iterator[list[str]]:
    candidates = environment.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"
    for command in dict.fromkeys(filter(None, candidates)):
        parts = shlex.split(str(command))
        found = shutil.which(parts[0], path=environment.get("PATH")) if parts else None
        if found:
            yield [found, *parts[1:]]


def _compile(compiler: list[str], target: Path) -> bool:
    shared = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]
    sources = map(str, _sources("c"))
    defined = f'-DBUILT_FROM="{sources_digest()}"'
    include = f"-I{sysconfig.get_path('include')}"
    command = [*compiler, *FLAGS, defined, include, *shared, *sources, "-o", str(target), "-lm"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{compiler[0]}: {error}", file=sys.stderr)
        return False
    if done.returncode:
        print(done.stderr, file=sys.stderr)
    return done.returncode == 0


def _is_loadable(fresh: Path) -> bool:
    loader = importlib.machinery.ExtensionFileLoader(NAME, str(fresh))
    spec = importlib.util.spec_from_file_location(NAME, fresh, loader=loader)
    assert spec is not None
    try:
        module = importlib.util.module_from_spec(spec)
    except ImportError as error:
        print(error, file=sys.stderr)
        return False
    built_from: str = module.BUILT_FROM
    return built_from == sources_digest()


def _sources(endings: str) -> list[Path]:
    return sorted(HOME.glob(f"*.[{endings}]"))
