"""Keeps the current contracts as released: `python -m tests.contract.released`, once a release.

Writes dbdiag-<major>.<minor>.binpb beside this file, a FileDescriptorSet that protoc builds from the protos.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from grpc_tools import protoc  # type: ignore[import-untyped]

from tests.support.house import ROOT


def build(target: Path) -> None:
    """Writes the descriptors of every contract to `target`."""
    protos = ROOT / "protos"
    sources = sorted(str(path.relative_to(protos)) for path in (protos / "dbdiag").rglob("*.proto"))
    if protoc.main(["protoc", f"-I{protos}", f"--descriptor_set_out={target}", *sources]) != 0:
        raise SystemExit("protoc refused the files above")


if __name__ == "__main__":
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    release = Path(__file__).with_name(f"dbdiag-{'.'.join(version.split('.')[:2])}.binpb")
    build(release)
    print(f"wrote {release.relative_to(ROOT)}")
