"""A service from its command line to its drain: `host` serves, `process` begins and ends, `workers` multiplies."""

from services.chassis.server.host import Host, Servable
from services.chassis.server.process import exit_code, main, run_until_signal, unswept

__all__ = ["Host", "Servable", "exit_code", "main", "run_until_signal", "unswept"]
