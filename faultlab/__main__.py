"""`python -m faultlab`: a lab with one fault in it, until standard input ends. `dbdiag up --demo` starts it.

Prints one JSON object when the fault is in: how to connect, by the reader's rights, and how long until it shows.
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
from faultlab.place import new_lab
from faultlab.shop import READER
from services.chassis.errors import DbdiagError


def chosen(seed: int) -> Fault:
    """The fault of a seed: always the same one, of the database, with a cause that the library names."""
    return random.Random(seed).choice([fault for fault in FAULTS.values() if fault.exact and fault.database])


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until standard input ends or SIGTERM comes; 0 then, 3 when it could not begin."""
    parser = argparse.ArgumentParser(prog="python -m faultlab", description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=Path(".dbdiag"))
    parser.add_argument("--seed", type=int, required=True)
    given = parser.parse_args(arguments)
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    threading.Thread(target=_end_with_standard_input, args=(stop,), daemon=True).start()
    try:
        _serve(given.data_dir, chosen(given.seed), stop)
    except DbdiagError as error:
        print(json.dumps({"error": error.message, "reason": error.reason}), flush=True)
        return 3
    return 0


def _serve(data_folder: Path, fault: Fault, stop: threading.Event) -> None:
    with new_lab(data_folder) as lab:
        injection.inject(lab, fault)
        ready = {"dsn": lab.own_server().dsn(READER), "visible_after": fault.visible_after}
        print(json.dumps(ready), flush=True)
        injection.attend(lab, lambda: not stop.is_set())
        injection.release(lab, fault)
        stop.wait()


def _end_with_standard_input(stop: threading.Event) -> None:
    # Not sys.stdin: its lock, held by this thread, would break the interpreter's end.
    while os.read(0, 1024):
        pass
    stop.set()


if __name__ == "__main__":
    sys.exit(main())
