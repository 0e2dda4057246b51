"""Options that several verbs share, and number types with plain names for their error messages."""

from __future__ import annotations

from pathlib import Path

import click


class WholeNumber(click.IntRange):
    """A whole number within limits."""

    name = "whole number"


class Share(click.FloatRange):
    """A number within limits."""

    name = "number"


_FOLDER = click.Path(path_type=Path, file_okay=False)
FOLDER = click.option("--data-dir", type=_FOLDER, default=Path(".dbdiag"), show_default=True, help="The data folder.")
DATA_DIR = click.option("--data-dir", type=click.Path(path_type=Path), help="The data folder. [default: .dbdiag]")
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
JSON_LINES = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
_LIBRARY = "A library folder or the name of a shipped library; repeatable."
LIBRARIES = click.option("--library", "libraries", multiple=True, metavar="DIR", help=_LIBRARY)
LIBRARIES_OR_POSTGRESQL = click.option(
    "--library", "libraries", multiple=True, metavar="DIR", help=f"{_LIBRARY} [default: postgresql]"
)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
