"""The data folder of the gateway and of the services in its process."""

from __future__ import annotations

import tempfile
from pathlib import Path

from services.chassis.errors import InvalidInput
from services.chassis.messages import Message
from services.chassis.problems import system_problem


def ensure_writable(folder: Path, advice: str) -> Path:
    """Creates `folder` if it is missing. Raises InvalidInput with the message of key `advice` if it is not writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        problem = system_problem(error)
        raise InvalidInput(
            "data_folder_not_writable", folder=str(folder), problem=problem, advice=Message(advice)
        ) from error
    return folder
