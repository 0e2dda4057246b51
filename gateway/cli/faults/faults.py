"""`dbdiag faults`: inject real faults into a disposable PostgreSQL, and clear them."""

from __future__ import annotations

import contextlib
import json
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli import output
from gateway.cli.language import Texts, language
from gateway.cli.options import FOLDER, JSON_LINES

if TYPE_CHECKING:
    from faultlab.fault import Fault
    from faultlab.lab import Lab

say = Texts("faults").say
_DSN = click.option(
    "--dsn", help="A superuser connection to a database marked as disposable. [default: the embedded server]"
)


@click.group()
def faults() -> None:
    """Inject real faults into a disposable PostgreSQL, to try what finds them."""


@faults.command("list")
@JSON_LINES
def list_faults(as_json: bool) -> int:
    """List every fault with its true root cause."""
    with _require_extra():
        from faultlab.faults import FAULTS
    for fault in FAULTS.values():
        print(json.dumps(_body(fault), ensure_ascii=False) if as_json else _row(fault))
    return output.DONE


@faults.command()
@click.argument("name")
@_DSN
@FOLDER
@JSON_LINES
def inject(name: str, dsn: str | None, data_dir: Path, as_json: bool) -> int:
    """Inject the fault NAME and hold it until Ctrl-C or `dbdiag faults clear`.

    It goes into the server of `dbdiag up --demo` if one is running, else into a server of its own that ends with it.
    """
    with _require_extra():
        from faultlab import injection
    stop = threading.Event()
    fault = injection.find_fault(name)
    with _open_lab(dsn, data_dir) as lab:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        injection.inject(lab, fault)
        try:
            print(
                json.dumps(_body(fault), ensure_ascii=False) if as_json else _render_injected(fault, lab, data_dir),
                flush=True,
            )
            injection.attend(lab, lambda: not stop.is_set())
        finally:
            injection.release(lab, fault)
    return output.DONE


@faults.command()
@_DSN
@FOLDER
@JSON_LINES
def clear(dsn: str | None, data_dir: Path, as_json: bool) -> int:
    """End the active fault, whichever process holds it, and name it."""
    with _require_extra():
        from faultlab import injection
        from faultlab.place import sweep
    with contextlib.closing(_open_running(dsn, data_dir)) as lab:
        fault = injection.clear(lab)
    sweep(data_dir)
    if as_json:
        print(json.dumps({"cleared": _body(fault) if fault else None}, ensure_ascii=False))
    else:
        print(_render_cleared(fault))
    return output.DONE


@contextlib.contextmanager
def _require_extra() -> Iterator[None]:
    """Raises Precondition, with what to install, if the lab's packages are missing."""
    from services.chassis.errors import Precondition

    try:
        yield
    except ModuleNotFoundError as error:
        raise Precondition("extra_missing.package", package=str(error.name), extra="demo") from error


@contextlib.contextmanager
def _open_lab(dsn: str | None, data_dir: Path) -> Iterator[Lab]:
    """The lab at a DSN, with its load; the running demo's; or a new one."""
    from faultlab.lab import Lab
    from faultlab.place import attended, new_lab

    if not dsn and not attended(data_dir):
        with new_lab(data_dir) as lab:
            yield lab
        return
    with contextlib.closing(Lab(dsn) if dsn else _open_running(None, data_dir)) as lab:
        if dsn:
            lab.workload.start()
        yield lab


def _open_running(dsn: str | None, data_dir: Path) -> Lab:
    """The lab at a DSN or of the running demo. Raises NotFound."""
    from faultlab.lab import Lab
    from faultlab.place import running
    from services.chassis.errors import NotFound

    if dsn:
        return Lab(dsn)
    server = running(data_dir)
    if server is None:
        raise NotFound("no_lab", folder=str(data_dir))
    return Lab.embedded(server)


def _body(fault: Fault) -> dict[str, object]:
    truth = {"root_cause": fault.root_cause, "exact": fault.exact}
    return {
        "name": fault.name,
        "title": dict(fault.title),
        **truth,
        "visible_after": fault.visible_after,
        "needs": fault.needs,
    }


def _row(fault: Fault) -> str:
    cause = fault.root_cause if fault.exact else f"~{fault.root_cause}"
    return f"{fault.name:<26} {cause:<9} {_title(fault)}"


def _render_injected(fault: Fault, lab: Lab, data_dir: Path) -> str:
    lines = [say("injected", name=fault.name, seconds=fault.visible_after, cause=fault.root_cause)]
    if lab.server is not None:
        from faultlab.place import HOST_TARGET, TARGET, how_to_look
        from faultlab.shop import READER

        target = TARGET if fault.database else HOST_TARGET
        lines.append(say("look", command=how_to_look(data_dir, lab.server, target)))
        lines.append(say("connect", dsn=lab.server.dsn(READER)))
    return "\n".join([*lines, say("end")])


def _render_cleared(fault: Fault | None) -> str:
    if fault is None:
        return say("nothing")
    title = _title(fault)
    return say("cleared", name=fault.name, title=title, cause=fault.root_cause)


def _title(fault: Fault) -> str:
    return fault.title[language()]
