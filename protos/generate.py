"""Regenerates the committed stubs and types under protos/gen (or a given folder) from the .proto files.

Run by `make proto`; the freshness test runs it into an empty folder and compares.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import contract_types
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

ROOT = Path(__file__).parent


def generate(target: Path) -> None:
    """Writes stubs, type stubs and types of every .proto here into `target`/dbdiag, replacing what is there."""
    shutil.rmtree(target / "dbdiag", ignore_errors=True)
    target.mkdir(parents=True, exist_ok=True)
    sources = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "dbdiag").rglob("*.proto"))
    outputs = ["--python_out", "--grpc_python_out", "--mypy_out", "--mypy_grpc_out"]
    beside = Path(sys.executable).parent
    plugins = [f"--plugin=protoc-gen-{name}={beside / f'protoc-gen-{name}'}" for name in ("mypy", "mypy_grpc")]
    wellknown = files("grpc_tools") / "_proto"
    with tempfile.TemporaryDirectory() as name:
        described = Path(name) / "contracts.binpb"
        read = [f"-I{ROOT}", f"-I{wellknown}", "--include_source_info", f"--descriptor_set_out={described}"]
        written = [f"{flag}={target}" for flag in outputs]
        if protoc.main(["protoc", *read, *plugins, *written, *sources]) != 0:
            raise SystemExit("protoc refused the files above")
        contracts = FileDescriptorSet.FromString(described.read_bytes())
    for folder in [target / "dbdiag", *(path for path in (target / "dbdiag").rglob("*") if path.is_dir())]:
        (folder / "__init__.py").write_text('"""Generated from protos/ by `make proto`; not to be edited."""\n')
    contract_types.write(contracts, target)


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "gen")
