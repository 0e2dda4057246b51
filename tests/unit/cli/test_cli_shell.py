from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gateway.cli import main, output
from services.chassis import errors
from tests.support.cases import for_each

LATE: tuple[str, ...] = (
    "asyncssh",
    "boto3",
    "duckdb",
    "httpx",
    "openpyxl",
    "psycopg",
    "pymysql",
)
LATE += ("qdrant_client", "rich", "sqlglot", "services.collector.executors.router")
HEAVY = ("grpc", "numpy", "pydantic", "rich", "fastapi", "httpx", "uvicorn", "services.chassis.settings")


def _dbdiag(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gateway.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=30)


def test_help_imports_nothing_heavy() -> None:
    """Help is written from a table: none of the heavy packages is loaded for it."""
    program = (
        "import sys; from gateway.cli.main import main; main(['--help']);"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert done.stderr.strip() == "[]"
    assert all(verb in done.stdout for verb in main.VERBS)


@pytest.mark.slow
def test_a_start_imports_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    """A start that has no target and no language model loads no driver, no client of a model and no drawing library."""
    program = (
        "import asyncio, os, sys; from gateway.embedded import serve; from gateway.settings import GatewaySettings;"
        f"ready = lambda url: (print([name for name in {LATE!r} if name in sys.modules], flush=True), os._exit(0));"
        "asyncio.run(serve(GatewaySettings(port=0, data_dir=sys.argv[1]), ready))"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stdout + done.stderr


def test_help_imports_few_modules() -> None:
    """Help is quick since it imports little: at most 30 modules of the program's own, and 300 in all."""
    program = (
        "import sys; from gateway.cli.main import main; main(['--help']);"
        "own = [name for name in sys.modules if name.split('.')[0] in ('gateway', 'services', 'lang', 'dbdiag')];"
        "print(len(own), len(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    own, every = map(int, done.stderr.split())
    assert own <= 30
    assert every <= 300


@for_each("verb", sorted(main.VERBS))
def test_every_verb_can_be_loaded(verb: str) -> None:
    """Each verb of the table names a command that exists."""
    command = main.LazyGroup("dbdiag").get_command(click.Context(main.cli), verb)
    assert isinstance(command, click.Command)


def test_version_is_the_packages() -> None:
    """The version shown is the installed package's."""
    from importlib.metadata import version

    assert _dbdiag("--version").stdout == f"dbdiag {version('dbdiag')}\n"


def test_bad_usage_is_one_line_and_code_2() -> None:
    """A wrong option is told in one line that points at the verb's help."""
    done = _dbdiag("chat", "--colour")
    assert done.returncode == output.BAD_INPUT
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("dbdiag: ")
    assert "dbdiag chat --help" in done.stderr


def test_no_arguments_show_the_help_and_code_2() -> None:
    """Without a verb the help is shown, as a mistake."""
    done = _dbdiag()
    assert done.returncode == output.BAD_INPUT
    assert "Verbs:" in done.stderr + done.stdout


CODES = [
    (errors.InvalidInput, 2),
    (errors.NotFound, 2),
    (errors.Precondition, 2),
    (errors.TooBusy, 3),
    (errors.DeadlinePassed, 3),
    (errors.DependencyDown, 3),
    (errors.NotOffered, 1),
    (errors.Internal, 1),
]


@pytest.mark.parametrize(("kind", "code"), CODES)
def test_every_known_error_has_its_exit_code(
    kind: type[errors.DbdiagError], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """A member of the error tree ends as its exit code and one line on stderr."""
    assert output.report(kind("looking for x:\n not there"), as_json=False) == code
    assert capsys.readouterr().err == "dbdiag: looking for x: not there\n"


def test_every_known_error_is_an_object_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json the error is one JSON object with message, reason and details."""
    output.report(errors.NotFound("no such thing", reason="thing_not_found", details={"id": "现象"}), as_json=True)
    body = {"error": "no such thing", "reason": "thing_not_found", "details": {"id": "现象"}}
    assert json.loads(capsys.readouterr().err) == body


def test_defects_are_not_tidied_away() -> None:
    """An error outside the tree is left to be seen with its traceback."""
    assert output.report(ValueError("defect"), as_json=False) is None
