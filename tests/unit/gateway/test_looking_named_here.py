"""A database that is named on the command line in place of a targets file."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from gateway.cli.diagnose.verbs import diagnose
from services.collector.targets.registry import read_connection
from services.collector.targets.schema import PostgresEntry


def test_what_only_a_standby_can_tell_is_asked_of_the_one_named_beside_it() -> None:
    """--standby-dsn leads to the standby of the database that --dsn names."""
    entry = read_connection("dsn", "host=primary dbname=x", "host=standby dbname=x").entry("dsn")
    assert isinstance(entry, PostgresEntry)
    assert (entry.conninfo, entry.standby_conninfo) == ("host=primary dbname=x", "host=standby dbname=x")


def test_a_standby_alone_names_nothing(tmp_path: Path) -> None:
    """Beside a target of a targets file, or alone, it is refused as a wrong use of the command."""
    for given in (["--target", "orders"], []):
        command = [*given, "--standby-dsn", "host=standby", "--data-dir", str(tmp_path)]
        assert CliRunner().invoke(diagnose, command).exit_code == 2
