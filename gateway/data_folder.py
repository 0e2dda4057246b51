"""The folder in which the gateway and the services of one process keep their data."""

from __future__ import annotations

import tempfile
from pathlib import Path

from services.chassis.errors import InvalidInput


def made(folder: Path, instead: str) -> Path:
    """`folder`, made where it is missing.

    Raises InvalidInput, with what to do `instead`, when nothing can be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise InvalidInput(
            f"keeping data in {folder}: {error.strerror or error}; {instead}", reason="data_folder_not_writable"
        ) from error
    return folder
