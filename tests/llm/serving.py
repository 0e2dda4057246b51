"""A model served on loopback by a process of its own: `python -m tests.llm.serving WEIGHTS THREADS`."""

from __future__ import annotations

import contextlib
import importlib
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_CONTEXT = 4096


@contextlib.contextmanager
def served(weights: Path, threads: int) -> Iterator[str]:
    """The base URL of a server that runs until the block ends."""
    command = [sys.executable, "-m", "tests.llm.serving", str(weights), str(threads)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            if not address.startswith("http://127.0.0.1:"):
                raise RuntimeError("the model's server did not start; is the extra `llm` installed?")
            yield f"{address}/v1"
        finally:
            process.terminate()


def main() -> None:
    """Serves until it is told to end."""
    library = importlib.import_module("xllamacpp")
    parameters = library.CommonParams()
    parameters.model.path = sys.argv[1]
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = int(sys.argv[2])
    parameters.n_ctx, parameters.n_parallel = _CONTEXT, 1
    parameters.hostnames, parameters.port = ["127.0.0.1"], 0
    parameters.warmup, parameters.verbosity = False, 0
    # The server runs as long as the object lives.
    server = library.Server(parameters)
    print(server.listening_address, flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
