"""`dbdiag knowledge`: libraries and tickets in, published snapshots out. Needs no server; it works on the files."""

from __future__ import annotations

import getpass
import importlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateway.cli import failures

if TYPE_CHECKING:
    from services.knowledge.model import Change, ImportReport, Manifest
    from services.knowledge.settings import KnowledgeSettings
    from services.knowledge.store import SnapshotStore

_LIBRARIES = click.option(
    "--library",
    "libraries",
    multiple=True,
    metavar="DIR",
    help="A library folder, or `postgresql` for the shipped one; may be given several times.",
)
_DATA_DIR = click.option(
    "--data-dir", type=click.Path(path_type=Path), help="Where dbdiag keeps its data; .dbdiag by default."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object.")
_SIGNS = {"added": "+", "removed": "-", "changed": "~"}


class _Verbs(click.Group):
    """The verbs below, and `eval`, which is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs by name."""
        return sorted([*self.commands, "eval"])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb's command; None when there is no such verb."""
        if cmd_name != "eval":
            return super().get_command(ctx, cmd_name)
        evaluate: click.Command = importlib.import_module("gateway.cli.evaluate").evaluate
        return evaluate


@click.group(cls=_Verbs)
def knowledge() -> None:
    """Validate, build, import, publish and evaluate libraries."""


@knowledge.command()
@_LIBRARIES
@_JSON
def validate(libraries: tuple[str, ...], as_json: bool) -> int:
    """Check libraries; every problem is named with its file and place. Exits with 1 when there is any."""
    from services.knowledge.library import InvalidLibrary, load

    paths = _paths(libraries, _settings(None))
    try:
        library = load(paths)
    except InvalidLibrary as error:
        problems = [asdict(problem) for problem in error.problems]
        lines = [str(problem) for problem in error.problems]
        _show(as_json, {"valid": False, "problems": problems}, [*lines, _counted(len(lines), "problem")])
        return failures.FELL_SHORT
    counts = {
        "phenomena": len(library.phenomena),
        "root_causes": len(library.root_causes),
        "tickets": len(library.tickets),
    }
    words = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items())
    _show(as_json, {"valid": True, "problems": [], **counts}, [f"valid: {words}"])
    return failures.DONE


@knowledge.command()
@_LIBRARIES
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the snapshot to this file instead.")
@_DATA_DIR
@_JSON
def build(libraries: tuple[str, ...], out: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Compile libraries into a snapshot, without publishing it."""
    from services.knowledge import publishing
    from services.knowledge.compile import compile_libraries, count, snapshot_id
    from services.knowledge.files import write_atomically

    settings = _settings(data_dir)
    paths = _paths(libraries, settings)
    if out is not None:
        content = compile_libraries(paths)
        write_atomically(out, content)
        identity = snapshot_id(content)
        body = {"snapshot_id": identity, "file": str(out), "counts": asdict(count(content))}
        _show(as_json, body, [identity, f"written to {out}"])
        return failures.DONE
    manifest = publishing.build(_store(settings), paths, author=_author(), reason="built by hand")
    hint = f"publish it with: dbdiag knowledge publish {manifest.snapshot_id[:19]}"
    _show(as_json, asdict(manifest), [*_manifest_lines(manifest), hint])
    return failures.DONE


@knowledge.command(name="import")
@click.argument("export", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--library", type=click.Path(file_okay=False, path_type=Path), required=True, help="The library to grow.")
@click.option(
    "--base",
    "bases",
    multiple=True,
    metavar="DIR|none",
    help="What the tickets are held against: `postgresql` (the default), another library, or `none`.",
)
@_JSON
def import_export(export: Path, library: Path, bases: tuple[str, ...], as_json: bool) -> int:
    """Read closed tickets (.json: one list, .jsonl: one a line) into a library.

    Applies edits of the library's review.yaml. Exits with 1 when a record was refused.
    """
    from services.knowledge.importing.importer import import_tickets
    from services.knowledge.shipped import locate

    base = [locate(name) for name in bases or ("postgresql",) if name != "none"]
    form = "jsonl" if export.suffix in (".jsonl", ".ndjson") else "json"
    report = import_tickets(export.read_bytes(), form, library, base, progress=_progress())
    _show(as_json, asdict(report), _report_lines(report, library))
    return failures.FELL_SHORT if report.rejected else failures.DONE


@knowledge.command()
@click.argument("snapshot", metavar="[SNAPSHOT_ID]", required=False)
@click.option("--reason", default="", help="Why, for the manifest.")
@_DATA_DIR
@_JSON
def publish(snapshot: str | None, reason: str, data_dir: Path | None, as_json: bool) -> int:
    """Make a snapshot the current one; without an id, one of the libraries as they are now.

    `previous` goes back to what was current before.
    """
    from services.knowledge import publishing

    settings = _settings(data_dir)
    store = _store(settings)
    author = _author()
    if snapshot is None:
        built = publishing.build(store, settings.publishing_paths(), author=author, reason=reason)
        snapshot = built.snapshot_id
    previous = store.current_id()
    manifest = store.publish(store.resolve(snapshot), author=author, reason=reason)
    changed = f"published; before it: {previous or 'none'}" if previous != manifest.snapshot_id else "it is current"
    _show(as_json, asdict(manifest) | {"previous_snapshot_id": previous}, [*_manifest_lines(manifest), changed])
    return failures.DONE


@knowledge.command(name="diff")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@_DATA_DIR
@_JSON
def show_diff(before: str, after: str, data_dir: Path | None, as_json: bool) -> int:
    """Show what snapshot B has different from A. `current`, `previous` and the first digits of an id will do."""
    from services.knowledge.diff import diff

    store = _store(_settings(data_dir))
    changes = diff(store.read(store.resolve(before)), store.read(store.resolve(after)))
    lines = [_change_line(change) for change in changes] or ["no difference"]
    _show(as_json, {"changes": [asdict(change) for change in changes]}, lines)
    return failures.DONE


def _settings(data_dir: Path | None) -> KnowledgeSettings:
    import os

    from services.chassis.settings import load
    from services.knowledge.settings import KnowledgeSettings

    places: dict[str, object] = {}
    if data_dir is not None:
        places = {"knowledge_store": data_dir / "snapshots", "knowledge_site_library": data_dir / "library"}
    return load(KnowledgeSettings, os.environ, **places)


def _paths(libraries: tuple[str, ...], settings: KnowledgeSettings) -> tuple[Path, ...]:
    from services.knowledge.shipped import locate

    return tuple(locate(name) for name in libraries) or settings.publishing_paths()


def _store(settings: KnowledgeSettings) -> SnapshotStore:
    from services.knowledge.store import SnapshotStore

    return SnapshotStore(settings.knowledge_store, time.time)


def _author() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "operator"


def _progress() -> Callable[[str], None]:
    """Tells the step on stderr once the work has taken a second."""
    started = time.monotonic()

    def tell(step: str) -> None:
        if time.monotonic() - started > 1.0:
            click.echo(f"{step} ...", err=True)

    return tell


def _manifest_lines(manifest: Manifest) -> list[str]:
    counts = manifest.counts
    return [
        manifest.snapshot_id,
        f"{counts.phenomena} phenomena, {counts.root_causes} root causes, "
        f"{counts.links} links, {counts.tickets} tickets",
    ]


def _report_lines(report: ImportReport, library: Path) -> list[str]:
    lines = [
        f"tickets: {report.tickets} read, {report.new_tickets} of them new",
        f"anomalies: {report.anomalies} read, {report.merged_anomalies} of the new tickets joined a phenomenon",
        f"made: phenomena {report.new_phenomena}, root causes {report.new_root_causes}",
    ]
    if report.unclear:
        lines.append(f"to look at: {_counted(report.unclear, 'decision')} in {library / 'review.yaml'}")
    rejected = [
        f"record {item.record} ({item.ticket_id or 'no id'}) refused: {item.field or 'record'}: {item.reason}"
        for item in report.rejected
    ]
    return [*lines, *rejected]


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _change_line(change: Change) -> str:
    fields = f" ({', '.join(change.fields)})" if change.fields else ""
    return f"{_SIGNS[change.kind]} {change.entity_type} {change.entity_id}{fields}"


def _show(as_json: bool, body: dict[str, Any], lines: list[str]) -> None:
    text = json.dumps(body, ensure_ascii=False) if as_json else "\n".join(lines)
    click.echo(text, file=sys.stdout)
