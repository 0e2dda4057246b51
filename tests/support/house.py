"""The house read as source: its files and what each imports, for the tests of its rules."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SERVICES = ("engine", "matcher", "planner", "knowledge", "collector", "analyst")


@dataclass(frozen=True)
class Import:
    """One imported module or name, dotted. `lazy`: inside a function, or for type checkers only."""

    name: str
    line: int
    lazy: bool

    def within(self, *packages: str) -> bool:
        """Whether it is one of `packages` or below one."""
        return any(self.name == package or self.name.startswith(package + ".") for package in packages)


def sources(*folders: str) -> list[Path]:
    """The Python files below folders of the repository, or single files, relative to it, in path order."""
    trees = (ROOT / folder for folder in folders)
    found = (path.relative_to(ROOT) for root in trees for path in ([root] if root.is_file() else root.rglob("*.py")))
    return sorted(path for path in found if "__pycache__" not in path.parts)


@cache
def text(path: Path) -> str:
    """The text of a file of the repository."""
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    """A file of the repository, parsed."""
    return ast.parse(text(path))


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Everything a file imports, in order; `from a import b` is `a.b`."""
    return tuple(_imports(tree(path), lazy=False))


def _imports(node: ast.AST, lazy: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, lazy) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"line {child.lineno}: a relative import"
            yield from (Import(f"{child.module}.{alias.name}", child.lineno, lazy) for alias in child.names)
        elif not isinstance(child, ast.expr):
            yield from _imports(child, lazy or _defers(child))


def _defers(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.unparse(node.test)
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def mentions(path: Path, *dotted: str) -> list[str]:
    """Where a file says one of these dotted names, as `path:line name`."""
    ends = {name.rpartition(".")[2] for name in dotted}
    # Few files say any of them, and writing a name out of its tree costs much.
    if not any(end in text(path) for end in ends):
        return []
    nodes = (node for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute | ast.Name))
    said = ((node.lineno, ast.unparse(node)) for node in nodes if _last_of(node) in ends)
    return [f"{path}:{line} {name}" for line, name in said if name in dotted]


def _last_of(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


def tracked() -> list[Path]:
    """The files git tracks, relative to the repository; skips the test where there is no git."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout: nothing says which files are the project's own")
    return [Path(name) for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def circles(folder: str) -> list[tuple[str, ...]]:
    """The modules below a folder that import each other in a circle, each circle once, in name order.

    Lazy imports and those for type checkers count as well. A package stands for its `__init__`.
    """
    modules = {_module(path): path for path in sources(folder)}
    ahead = {
        name: {_within(item.name, modules) for item in imports(path)} - {name, ""} for name, path in modules.items()
    }
    reached = {name: _reachable(name, ahead) for name in modules}
    found = {tuple(sorted({name, *(other for other in reached[name] if name in reached[other])})) for name in modules}
    return sorted(circle for circle in found if len(circle) > 1)


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _within(name: str, modules: Mapping[str, Path]) -> str:
    """The module that an imported name is or belongs to; empty for one of another folder."""
    while name not in modules and name:
        name = name.rpartition(".")[0]
    return name


def _reachable(start: str, ahead: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    left = [start]
    while left:
        more = ahead[left.pop()] - found
        found |= more
        left += more
    return found
