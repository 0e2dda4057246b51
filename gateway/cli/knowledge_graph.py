"""`dbdiag knowledge graph`: a library or snapshot as one page to look at."""

from __future__ import annotations

from pathlib import Path

import click

from gateway.cli import failures
from gateway.cli.knowledge_files import DATA_DIR, JSON, LIBRARIES, paths_of, settings_of, show, store_of
from gateway.cli.knowledge_words import say


@click.command(name="graph")
@LIBRARIES
@click.option("--snapshot", metavar="ID", help="A snapshot instead: its id, the first digits, `current` or `previous`.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The HTML file to write.")
@DATA_DIR
@JSON
def graph(libraries: tuple[str, ...], snapshot: str | None, out: Path, data_dir: Path | None, as_json: bool) -> int:
    """Draw causes, phenomena and tickets as one interactive HTML file that needs no network."""
    from services.chassis.errors import InvalidInput
    from services.knowledge.compile import compile_libraries, snapshot_id
    from services.knowledge.files import write_atomically
    from services.knowledge.graph.graph import page
    from services.knowledge.shipped import locate

    if snapshot is not None and libraries:
        raise InvalidInput("drawing a graph: --library and --snapshot were both given; name one of them")
    if snapshot is not None:
        store = store_of(settings_of(data_dir))
        content = store.read(store.resolve(snapshot))
    else:
        content = compile_libraries(paths_of(libraries, settings_of(data_dir)) if libraries else [locate("postgresql")])
    identity = snapshot_id(content)
    write_atomically(out, page(content, identity).encode())
    body = {"snapshot_id": identity, "file": str(out)}
    show(as_json, body, [identity, say("written_page", file=out)])
    return failures.DONE
