"""The contracts: committed stubs and types are what the protos generate, and the protos are clean."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.house import ROOT, imports

PROTOS = ROOT / "protos"


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its path in it, byte code left out."""
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_committed_stubs_and_types_are_fresh(tmp_path: Path) -> None:
    """Generating into an empty folder gives protos/gen, file by file and byte by byte."""
    subprocess.run([sys.executable, PROTOS / "generate.py", tmp_path], check=True)
    generated, committed = contents(tmp_path), contents(PROTOS / "gen")
    assert sorted(generated) == sorted(committed)
    stale = [name for name, content in generated.items() if committed[name] != content]
    assert stale == [], "run `make proto`"


def test_the_types_import_no_wire() -> None:
    """Generated types are plain values: they import the standard library and each other."""
    files = [*PROTOS.glob("gen/dbdiag/*/v1/*_types.py"), PROTOS / "gen" / "dbdiag" / "vocabulary.py"]
    imported = {item.name.partition(".")[0] for path in files for item in imports(path.relative_to(ROOT))}
    assert len(files) > 6
    assert imported <= {"__future__", "collections", "dataclasses", "dbdiag", "enum", "typing"}


def test_every_contract_is_self_contained() -> None:
    """A caller vendors one file: no contract imports another."""
    importing = [path.name for path in PROTOS.glob("dbdiag/*/v1/*.proto") if "\nimport " in path.read_text("utf-8")]
    assert importing == []


def test_the_contracts_lint_clean() -> None:
    """`buf lint` with the rules of protos/buf.yaml finds nothing."""
    buf = Path(sys.executable).parent / "buf"
    run = subprocess.run([buf, "lint"], cwd=PROTOS, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
