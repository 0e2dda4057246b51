"""Inside a room no modules import each other in a circle, not even inside functions or for type checkers only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.support.cases import for_each
from tests.support.house import ROOT, imports, sources

ROOMS = ("services/collector", "sql_admission", "faultlab")


def graph(room: str) -> dict[str, set[str]]:
    """The modules of a room, each with those of the room that it imports."""
    modules = {_name(path): path for path in sources(room)}
    return {
        name: {
            found
            for item in imports(path)
            if (found := item.name if item.name in modules else item.name.rpartition(".")[0]) in modules
        }
        for name, path in modules.items()
    }


def circle(edges: Mapping[str, set[str]]) -> list[str]:
    """The modules that are in a circle or lead into one; empty if there is none."""
    left = dict(edges)
    while leaves := [name for name, below in left.items() if not below & left.keys()]:
        for name in leaves:
            del left[name]
    return sorted(left)


def _name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@for_each("room", ROOMS)
def test_no_modules_of_a_room_import_each_other_in_a_circle(room: str) -> None:
    """Each module stands above those that it imports."""
    assert (ROOT / room).is_dir()
    assert circle(graph(room)) == []


def test_the_catalogue_and_the_targets_know_no_executor() -> None:
    """Executors import the catalogue and the targets, never the other way round."""
    offenders = [
        f"{path}:{item.line} {item.name}"
        for path in sources("services/collector/catalogue", "services/collector/targets")
        for item in imports(path)
        if item.within("services.collector.executors")
    ]
    assert offenders == []


def test_a_circle_is_found() -> None:
    """The search itself finds a circle, and only modules that are above or in it."""
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]
