"""`python -m faultlab`: a lab, until standard input ends, with one fault in it from the first line that comes there.

`dbdiag up --demo` starts it. Prints one JSON object when the healthy lab is there: how to connect, by the reader's
rights, and how long after that line the fault shows.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from faultlab import injection
from faultlab.fault import Fault
from faultlab.faults import FAULTS
from faultlab.place import DATA_FOLDER, how_to_look, new_lab
from faultlab.shop import READER
from services.chassis.errors import DbdiagError
from services.chassis.messages import to_plain

# For injecting the fault itself.
_MOST_START_SECONDS = 5


def choose_fault(seed: int) -> Fault:
    """The fault of a seed: always the same one, of the database, with a cause that the library names."""
    return random.Random(seed).choice([fault for fault in FAULTS.values() if fault.exact and fault.database])


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until standard input ends or SIGTERM comes; 0 then, 3 when it could not begin."""
    parser = argparse.ArgumentParser(prog="python -m faultlab", description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=DATA_FOLDER)
    parser.add_argument("--seed", type=int, required=True)
    given = parser.parse_args(arguments)
    wishes = _Wishes()
    signal.signal(signal.SIGTERM, lambda *_: wishes.end())
    threading.Thread(target=wishes.listen, daemon=True).start()
    try:
        _serve(given.data_dir, choose_fault(given.seed), wishes)
    except DbdiagError as error:
        failure = {"error": error.message, "reason": error.reason, "message": to_plain(error.as_message)}
        print(json.dumps(failure), flush=True)
        return 3
    return 0


class _Wishes:
    """The requests of the process that started this one."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.ended = threading.Event()

    def listen(self) -> None:
        """Reads standard input to its end."""
        # Not sys.stdin: its lock, held by this thread, would break the interpreter's end.
        while os.read(0, 1024):
            self.begun.set()
        self.end()

    def end(self) -> None:
        """Requests the end."""
        self.ended.set()
        self.begun.set()


def _serve(data_folder: Path, fault: Fault, wishes: _Wishes) -> None:
    with new_lab(data_folder) as lab:
        server = lab.own_server()
        ready = {
            "dsn": server.dsn(READER),
            "look": how_to_look(data_folder, server),
            "visible_after": fault.visible_after + _MOST_START_SECONDS,
        }
        print(json.dumps(ready), flush=True)
        wishes.begun.wait()
        if not wishes.ended.is_set():
            injection.inject(lab, fault)
            injection.attend(lab, lambda: not wishes.ended.is_set())
            injection.release(lab, fault)
        wishes.ended.wait()


if __name__ == "__main__":
    sys.exit(main())
