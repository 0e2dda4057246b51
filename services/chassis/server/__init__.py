"""A service from its command line to its drain: `host` serves, `process` starts and stops, `workers` multiplies."""

from services.chassis.server.host import Host, Servable
from services.chassis.server.process import exit_code, main, pause_garbage_collection, run_until_signal

__all__ = ["Host", "Servable", "exit_code", "main", "pause_garbage_collection", "run_until_signal"]
