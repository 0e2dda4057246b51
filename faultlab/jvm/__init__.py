"""Burdens of a JVM: how `Burden.java`, which has them all, is started."""

from __future__ import annotations

import shutil
from pathlib import Path

from services.chassis.errors import Precondition

SOURCE = Path(__file__).parent / "Burden.java"


def java() -> str:
    """The program that runs it. Raises Precondition where there is none."""
    found = shutil.which("java")
    if found is None:
        raise Precondition("java_missing")
    return found


def command(kind: str, *flags: str) -> list[str]:
    """Runs one kind of burden until its standard input ends. Raises Precondition where there is no JVM."""
    return [java(), "-XX:+UseSerialGC", *flags, str(SOURCE), kind]
