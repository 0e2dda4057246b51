"""`dbdiag diagnose`, `collect` and `report`: automatic investigation of a live target."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from gateway.cli import output
from gateway.cli.language import language
from gateway.cli.options import FOLDER, JSON, Share, WholeNumber
from gateway.cli.output import show

if TYPE_CHECKING:
    from gateway.cli.diagnose.run import Instruments
    from gateway.investigation.model import Budget, Case

_Result = TypeVar("_Result")


_TARGET = click.option("--target", default="", help="A target from the targets file.")
_DSN = click.option(
    "--dsn", default="", help="Investigate this database instead: a libpq connection string without a password."
)
_STANDBY_DSN = click.option(
    "--standby-dsn", default="", help="With --dsn: its standby, for the checks that only a standby can answer."
)
_TARGETS = click.option(
    "--targets",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The targets file. [default: targets.yaml in the data folder]",
)
_COLLECTOR = click.option(
    "--collector",
    metavar="ADDRESS",
    default="",
    help="Use this running collector and the configured services. [default: as configured, else embedded services]",
)
_SECONDS = click.option("--time-budget-sec", type=WholeNumber(1, 120), default=120, show_default=True)


@click.command()
@_TARGET
@_DSN
@_STANDBY_DSN
@_TARGETS
@click.option("--max-rounds", type=WholeNumber(1, 20), default=3, show_default=True)
@click.option("--max-cmds-per-round", type=WholeNumber(1, 20), default=3, show_default=True)
@click.option("--max-total-cmds", type=WholeNumber(1, 60), default=12, show_default=True)
@_SECONDS
@click.option(
    "--confidence-threshold", type=Share(0.5, 1.0, min_open=True, max_open=True), default=0.85, show_default=True
)
@click.option("--question", default="", help="The problem in your own words; what they mean counts as evidence.")
@_COLLECTOR
@click.option(
    "--planner",
    type=click.Choice(["engine", "model"]),
    default="engine",
    show_default=True,
    help="What plans the rounds.",
)
@click.option("--resume", default="", metavar="SESSION", help="Resume an interrupted diagnosis.")
@FOLDER
@JSON
def diagnose(
    target: str,
    dsn: str,
    standby_dsn: str,
    targets: Path | None,
    max_rounds: int,
    max_cmds_per_round: int,
    max_total_cmds: int,
    time_budget_sec: int,
    confidence_threshold: float,
    question: str,
    collector: str,
    planner: str,
    resume: str,
    data_dir: Path,
    as_json: bool,
) -> int:
    """Investigate a live target with read-only checks, until the root cause is found or a limit is reached.

    Every step and output is recorded in <data folder>/report/<session>. Exit code 0: a root cause was found, or nothing
    is wrong; 1: only a suspicion; 3: no check succeeded.
    """
    from gateway.cli.diagnose.run import run_diagnosis
    from gateway.investigation.model import Budget

    budget = Budget(max_rounds, max_cmds_per_round, max_total_cmds, float(time_budget_sec), confidence_threshold)
    options = _Options(data_dir, target, dsn, standby_dsn, targets, collector, resume)
    done = options.run(run_diagnosis, budget, question=question, by_model=planner == "model")
    _show(as_json, done.report, str(done.folder))
    return {"found": output.DONE, "healthy": output.DONE, "unseen": output.DEPENDENCY_DOWN}.get(
        done.report["verdict"], output.FELL_SHORT
    )


@click.command()
@_TARGET
@_DSN
@_STANDBY_DSN
@_TARGETS
@_SECONDS
@_COLLECTOR
@click.option("--resume", default="", metavar="SESSION", help="Resume an interrupted collection.")
@FOLDER
@JSON
def collect(
    target: str,
    dsn: str,
    standby_dsn: str,
    targets: Path | None,
    time_budget_sec: int,
    collector: str,
    resume: str,
    data_dir: Path,
    as_json: bool,
) -> int:
    """Collect evidence from a live target with read-only checks; `dbdiag report` draws the conclusion later.

    Runs the baseline checks, then the minimum for each category that they point to.
    """
    from gateway.cli.diagnose.run import GATHERED, run_collection
    from gateway.investigation.model import Budget

    options = _Options(data_dir, target, dsn, standby_dsn, targets, collector, resume)
    folder = options.run(run_collection, Budget(time_budget_seconds=float(time_budget_sec)), journal=GATHERED)
    show(as_json, {"session_id": folder.name, "folder": str(folder)}, [folder.name])
    return output.DONE


class _Options(NamedTuple):
    """The options that `diagnose` and `collect` share."""

    data_dir: Path
    target: str
    dsn: str
    standby_dsn: str
    targets: Path | None
    collector: str
    resume: str

    def run(self, work: Callable[[Instruments, Case], Awaitable[_Result]], budget: Budget, **more: Any) -> _Result:
        """Runs an investigation with the services it needs. Raises BadUsage for options that exclude each other."""
        import asyncio

        from gateway.cli.diagnose.setup import DSN, Request, prepare

        self._check()
        target_id = self.target or DSN
        places = (self.dsn, self.standby_dsn, self.targets, self.collector)
        request = Request(self.data_dir, target_id, budget, *places, resume=self.resume, **more)

        async def investigate() -> _Result:
            async with prepare(request) as (instruments, case):
                return await work(instruments, case)

        return asyncio.run(investigate())

    def _check(self) -> None:
        if bool(self.target) == bool(self.dsn):
            raise output.BadUsage("bad_usage.no_target")
        if self.standby_dsn and not self.dsn:
            raise output.BadUsage("bad_usage.standby_alone")
        if self.collector and (self.dsn or self.targets):
            raise output.BadUsage("bad_usage.foreign_targets")


@click.command()
@click.argument("session_id", metavar="SESSION")
@FOLDER
@JSON
def report(session_id: str, data_dir: Path, as_json: bool) -> int:
    """Show the stored report of a diagnosis, or the conclusion that collected evidence leads to."""
    import asyncio

    from gateway.cli.diagnose.run import report_session

    root = data_dir / "report"
    _show(as_json, asyncio.run(report_session(root, session_id, data_dir)), str(root / session_id))
    return output.DONE


def _show(as_json: bool, body: dict[str, Any], folder: str) -> None:
    from gateway.cli.diagnose.report_text import render_report

    show(as_json, body | {"folder": folder}, [render_report(body, folder, language())])
