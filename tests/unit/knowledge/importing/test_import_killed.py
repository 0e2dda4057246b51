"""An import that is killed: a real process, a real SIGKILL, and what is left is a valid library."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from services.chassis.errors import Precondition
from services.knowledge.importing.importer import import_tickets
from services.knowledge.importing.writing.site import lock_library
from services.knowledge.library.load import library_files, load
from tests.support.running.forked import Forked, run
from tests.support.sample_libraries import as_export, exported, tree_hash

pytestmark = pytest.mark.slow

THINGS = ("电扇", "水泵", "风机", "阀门", "电梯", "锅炉", "冰箱", "路灯", "打印机", "扫描仪", "电话", "门铃")
TICKETS = [
    exported(f"T-{number:03d}", f"{word}坏了{number}号", f"{word}不转了", f"{word}冒烟", f"第{word}号{number}机柜报警")
    for number, word in enumerate(THINGS * 4)
]


def command(export: Path, library: Path) -> list[str]:
    """An import of these tickets without a base."""
    return ["gateway.cli", "knowledge", "import", str(export), "--library", str(library), "--base", "none"]


def whole(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """The export as a file, and what an undisturbed import of it makes."""
    export = tmp_path / "export.json"
    export.write_bytes(as_export(TICKETS))
    import_tickets(as_export(TICKETS), "json", tmp_path / "whole", ())
    return export, tree_hash(tmp_path / "whole")


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")
@pytest.mark.parametrize("files", [1, 5, 20])
def test_a_killed_import_is_completed_by_the_next(tmp_path: Path, files: int) -> None:
    """Killed after a few files, the library is valid; importing again gives the bytes of an undisturbed import."""
    export, expected = whole(tmp_path)
    library = tmp_path / "site"
    process = Forked(command(export, library), tmp_path, os.environ, tmp_path / "stderr.log")
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        if library.is_dir() and len(list(library.rglob("*.yaml"))) >= files:
            break
    process.close()
    if library_files(library):
        load([library])
    done = run(*command(export, library), folder=tmp_path)
    assert (done.returncode, f"{len(TICKETS)} read" in done.stdout) == (0, True)
    assert tree_hash(library) == expected


def test_half_written_files_are_no_part_of_a_library_and_go(tmp_path: Path) -> None:
    """What a killed writer left is passed over when the library is read, and removed by the next import."""
    _, expected = whole(tmp_path)
    library = tmp_path / "whole"
    for left in ("phenomena/.p-5001.yaml.ab12cd34", ".review.yaml.x_y2cd34", "tickets/.imported.jsonl.00000000"):
        (library / left).write_text("half", encoding="utf-8")
    assert load([library]).tickets.keys() == {ticket["ticket_id"] for ticket in TICKETS}
    import_tickets(as_export(TICKETS), "json", library, ())
    assert tree_hash(library) == expected


@pytest.mark.skipif(os.name != "posix", reason="folders are locked on POSIX only")
def test_two_imports_at_once_are_refused(tmp_path: Path) -> None:
    """While one import is at work in a library, another one is told to wait and writes nothing."""
    export, expected = whole(tmp_path)
    with lock_library(tmp_path / "whole"):
        done = run(*command(export, tmp_path / "whole"), folder=tmp_path)
        with pytest.raises(Precondition, match="another import"):
            import_tickets(as_export(TICKETS), "json", tmp_path / "whole", ())
    assert (done.returncode, "another import is running" in done.stderr) == (2, True)
    assert tree_hash(tmp_path / "whole") == expected
