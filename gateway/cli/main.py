"""The `dbdiag` command: a group that loads a verb's module only when the verb is used.

Exit codes: 0 done, 1 found nothing or fell short, 2 bad usage or input, 3 a dependency is down, 130 interrupted.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

import click

from gateway.cli import language, output


class Verb(NamedTuple):
    """The location of a verb's click command, and its line in the help."""

    target: str
    summary: str


VERBS = {
    "up": Verb("gateway.cli.up.up:up", "Serve the assistant: page, HTTP and every service in one process."),
    "chat": Verb("gateway.cli.chat.chat:chat", "Talk a fault through to its root cause."),
    "diagnose": Verb(
        "gateway.cli.diagnose.verbs:diagnose", "Investigate a live target and find the root cause automatically."
    ),
    "collect": Verb(
        "gateway.cli.diagnose.verbs:collect", "Collect evidence from a live target without drawing a conclusion."
    ),
    "report": Verb("gateway.cli.diagnose.verbs:report", "Show a diagnosis, or the conclusion from collected evidence."),
    "ask": Verb("gateway.cli.ask.ask:ask", "Ask a question about data; the answer is a figure from checked SQL."),
    "match": Verb("gateway.cli.tools.match:match", "Find the phenomena that free text describes."),
    "understand": Verb("gateway.cli.tools.understand:understand", "Say what messages ask for."),
    "check-sql": Verb(
        "gateway.cli.tools.check_sql:check_sql", "Check whether a statement is admitted into a catalogue or dataset."
    ),
    "replay": Verb("gateway.cli.tools.replay:replay", "Show what another snapshot would have concluded in a session."),
    "audit": Verb("gateway.cli.tools.audit:audit", "Verify that the evidence of a session is unchanged."),
    "faults": Verb("gateway.cli.faults.faults:faults", "Inject real faults into a disposable PostgreSQL."),
    "dataset": Verb("gateway.cli.dataset.dataset:dataset", "Draft, lint and check the semantic layer of data."),
    "knowledge": Verb(
        "gateway.cli.knowledge.knowledge:knowledge", "Validate, build, import, publish and evaluate libraries."
    ),
}

# The verbs that take `--lang`, besides those of `knowledge`; a chat answers in the language of the message.
_BILINGUAL = ("diagnose", "collect", "report", "check-sql", "replay", "audit", "faults", "dataset", "ask")


class LazyGroup(click.Group):
    """Imports a verb when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order of the help."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb's command; None when there is no such verb."""
        verb = VERBS.get(cmd_name)
        if verb is None:
            return None
        module, _, name = verb.target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return language.add_option(command) if cmd_name in _BILINGUAL else command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the verbs from the table, so that help imports none of them."""
        with formatter.section("Verbs"):
            formatter.write_dl([(name, verb.summary) for name, verb in VERBS.items()])


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import version

    click.echo(f"dbdiag {version('dbdiag')}")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the version."
)
def cli() -> None:
    """Find the root cause of a database fault by talking about it.

    Start with `dbdiag chat`, or serve the page with `dbdiag up`.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code; a known failure prints one line on stderr."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] != ["chat"]:
        # Where a chat finds its gateway is no setting of the services, which refuse what they do not know.
        os.environ.pop("DBDIAG_URL", None)
    as_json = "--json" in given
    with language.spoken_as(given) as spoken:
        # Programs get the same text in any language.
        output.set_language("en" if as_json else spoken)
        try:
            return _run(given, as_json=as_json)
        finally:
            output.set_language("en")


def _run(given: list[str], *, as_json: bool) -> int:
    try:
        outcome = cli.main(args=given, prog_name="dbdiag", standalone_mode=False)
    except click.ClickException as error:
        return output.report_usage(error, as_json=as_json)
    except (click.Abort, KeyboardInterrupt):
        return output.INTERRUPTED
    except BrokenPipeError:
        # The reader went away; give the interpreter's last flush somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return output.FELL_SHORT
    except Exception as error:
        code = output.report(error, as_json=as_json)
        if code is None:
            raise
        return code
    return outcome if isinstance(outcome, int) else output.DONE


if __name__ == "__main__":
    sys.exit(main())
