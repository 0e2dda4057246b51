"""`dbdiag knowledge graph`: a library or snapshot as an interactive page."""

from __future__ import annotations

from pathlib import Path

import click

from gateway.cli import output
from gateway.cli.knowledge.files import paths_of, say, settings_of, store_of
from gateway.cli.options import DATA_DIR, JSON, LIBRARIES
from gateway.cli.output import show


@click.command(name="graph")
@LIBRARIES
@click.option(
    "--snapshot", metavar="ID", help="Draw a snapshot instead: its id, the first digits, `current` or `previous`."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The HTML file to write.")
@DATA_DIR
@JSON
def graph(libraries: tuple[str, ...], snapshot: str | None, out: Path, data_dir: Path | None, as_json: bool) -> int:
    """Draw causes, phenomena and tickets as one interactive HTML file that works offline."""
    from services.chassis.errors import InvalidInput
    from services.engine.tables.parameters import DEFAULT_PARAMETERS
    from services.knowledge.files import compile_libraries, locate, render_page, snapshot_id, write_atomically

    if snapshot is not None and libraries:
        raise InvalidInput("invalid_request.two_graphs")
    if snapshot is not None:
        store = store_of(settings_of(data_dir))
        content = store.read(store.resolve(snapshot))
    else:
        content = compile_libraries(paths_of(libraries, settings_of(data_dir)) if libraries else [locate("postgresql")])
    identity = snapshot_id(content)
    write_atomically(out, render_page(content, identity, DEFAULT_PARAMETERS.expert_rates).encode())
    body = {"snapshot_id": identity, "file": str(out)}
    show(as_json, body, [identity, say("written_page", file=out)])
    return output.DONE
