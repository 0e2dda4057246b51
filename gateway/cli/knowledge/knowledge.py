"""`dbdiag knowledge`: libraries and tickets in, published snapshots out. It works on files, without a server."""

from __future__ import annotations

import importlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli import output
from gateway.cli.knowledge.files import author_name, count_things, paths_of, say, settings_of, store_of
from gateway.cli.language import add_option, language
from gateway.cli.options import DATA_DIR, JSON, LIBRARIES
from gateway.cli.output import show

if TYPE_CHECKING:
    from services.knowledge.files import Manifest


# Verbs that stand in files of their own, imported when they are asked for.
_ELSEWHERE = {
    "diff": "gateway.cli.knowledge.diff:show_diff",
    "eval": "gateway.cli.knowledge.evaluation:evaluate",
    "import": "gateway.cli.knowledge.import_tickets:import_export",
    "review": "gateway.cli.knowledge.review:review",
    "graph": "gateway.cli.knowledge.graph:graph",
    "lint": "gateway.cli.knowledge.lint:lint",
    "proposals": "gateway.cli.knowledge.proposals:proposals",
    "prune": "gateway.cli.knowledge.snapshots:prune",
    "rollback": "gateway.cli.knowledge.snapshots:rollback",
    "snapshots": "gateway.cli.knowledge.snapshots:snapshots",
}


class _Verbs(click.Group):
    """The verbs of this module and of the modules in `_ELSEWHERE`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs by name."""
        return sorted([*self.commands, *_ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb's command; None when there is no such verb."""
        if cmd_name not in _ELSEWHERE:
            known = super().get_command(ctx, cmd_name)
            return add_option(known) if known is not None else None
        module, _, name = _ELSEWHERE[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return add_option(command)


@click.group(cls=_Verbs)
def knowledge() -> None:
    """Validate, build, import, publish and evaluate libraries."""


@knowledge.command()
@LIBRARIES
@JSON
def validate(libraries: tuple[str, ...], as_json: bool) -> int:
    """Validate libraries and report every problem with its file and line. Exits with 1 if there are any.

    SQL that is not read-only and bounded (see `dbdiag check-sql`) is a problem.
    """
    from services.knowledge.files import InvalidLibrary, load_admitted

    paths = paths_of(libraries, settings_of(None))
    try:
        library = load_admitted(paths)
    except InvalidLibrary as error:
        problems = [{"file": item.file, "place": item.place, "what": item.what} for item in error.problems]
        lines = [problem.as_message.text(language()) for problem in error.problems]
        show(as_json, {"valid": False, "problems": problems}, [*lines, count_things(len(lines), "problem")])
        return output.FELL_SHORT
    counts = {
        "phenomena": len(library.phenomena),
        "root_causes": len(library.root_causes),
        "tickets": len(library.tickets),
    }
    show(as_json, {"valid": True, "problems": [], **counts}, [say("valid", **counts)])
    return output.DONE


@knowledge.command()
@LIBRARIES
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the snapshot to this file instead.")
@DATA_DIR
@JSON
def build(libraries: tuple[str, ...], out: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Compile libraries into a snapshot, without publishing it."""
    from services.knowledge.files import build as build_snapshot
    from services.knowledge.files import compile_admitted, count_entries, snapshot_id, write_atomically

    settings = settings_of(data_dir)
    paths = paths_of(libraries, settings)
    if out is not None:
        content = compile_admitted(paths)
        write_atomically(out, content)
        identity = snapshot_id(content)
        body = {"snapshot_id": identity, "file": str(out), "counts": asdict(count_entries(content))}
        show(as_json, body, [identity, say("written", file=out)])
        return output.DONE
    manifest = build_snapshot(store_of(settings), paths, author=author_name(), reason="built by hand")
    hint = say("publish_hint", command=f"dbdiag knowledge publish {manifest.snapshot_id[:19]}")
    show(as_json, asdict(manifest), [*_manifest_lines(manifest), hint])
    return output.DONE


@knowledge.command()
@click.argument("snapshot", metavar="[SNAPSHOT_ID]", required=False)
@click.option("--reason", default="", help="The reason, for the manifest.")
@DATA_DIR
@JSON
def publish(snapshot: str | None, reason: str, data_dir: Path | None, as_json: bool) -> int:
    """Make a snapshot the current one; without an id, compile the libraries first.

    `dbdiag knowledge rollback` goes back.
    """
    from services.knowledge.files import build

    settings = settings_of(data_dir)
    store = store_of(settings)
    author = author_name()
    if snapshot is None:
        built = build(store, settings.publishing_paths(), author=author, reason=reason)
        snapshot = built.snapshot_id
    previous = store.current_id()
    manifest = store.publish(store.resolve(snapshot), author=author, reason=reason)
    is_new = previous != manifest.snapshot_id
    changed = say("published", previous=previous or say("none")) if is_new else say("already_current")
    show(as_json, asdict(manifest) | {"previous_snapshot_id": previous}, [*_manifest_lines(manifest), changed])
    return output.DONE


def _manifest_lines(manifest: Manifest) -> list[str]:
    return [manifest.snapshot_id, say("counts", **asdict(manifest.counts))]
