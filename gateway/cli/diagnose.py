"""`dbdiag diagnose` and `dbdiag report`: a diagnosis of a live target without a person, and what one came to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateway.cli import failures
from gateway.cli.knowledge_files import JSON, show
from gateway.cli.numbers import Share, WholeNumber
from gateway.cli.speaking import language

if TYPE_CHECKING:
    from gateway.cli.looking_remote import Asked
    from gateway.cli.looking_session import Finished

_FOLDER = click.option(
    "--data-dir", type=click.Path(path_type=Path, file_okay=False), default=Path(".dbdiag"), show_default=True
)


_TARGET = click.option("--target", default="", help="A target of the targets file.")
_DSN = click.option("--dsn", default="", help="A database to look at instead, as libpq takes it, without a password.")
_STANDBY_DSN = click.option("--standby-dsn", default="", help="With --dsn: its standby, for what only that can tell.")
_TARGETS = click.option(
    "--targets",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The targets file. [default: targets.yaml in the data folder]",
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
@click.option("--question", default="", help="What is wrong, in your words: what they mean counts as told.")
@click.option(
    "--collector",
    metavar="ADDRESS",
    default="",
    help="Look through this running collector and the configured engine. [default: as configured, else in process]",
)
@click.option(
    "--planner",
    type=click.Choice(["engine", "model"]),
    default="engine",
    show_default=True,
    help="Who plans the rounds.",
)
@click.option("--resume", default="", metavar="SESSION", help="Go on with a diagnosis whose process was ended.")
@_FOLDER
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
    """Look at a live target with read-only checks, round by round, until the root cause is found or rules say stop.

    Every step and output is kept in <data folder>/report/<session>. Exit code 0: a root cause was found, or nothing is
    wrong; 1: only a suspicion; 3: nothing could be seen.
    """
    import asyncio

    from gateway.cli.looking_planner import planned_by
    from gateway.cli.looking_remote import Asked, diagnosed, settings_with
    from gateway.looking.model import Budget

    budget = Budget(max_rounds, max_cmds_per_round, max_total_cmds, float(time_budget_sec), confidence_threshold)
    asked = Asked(_named(target, dsn, standby_dsn), budget, question, resume)
    if collector and (dsn or targets):
        raise click.UsageError(
            "what a running collector may look at stands in its own targets file: give --target alone"
        )
    remote = None if dsn or targets else settings_with(collector)
    if remote is None:
        done = _here(asked, (dsn, standby_dsn), targets, data_dir, planner)
    else:
        done = asyncio.run(diagnosed(remote, asked, data_dir, planned_by(planner)))
    _show(as_json, done.report, str(done.folder))
    return {"found": failures.DONE, "healthy": failures.DONE, "unseen": failures.DEPENDENCY_DOWN}.get(
        done.report["verdict"], failures.FELL_SHORT
    )


def _here(asked: Asked, dsns: tuple[str, str], targets: Path | None, data_dir: Path, planner: str) -> Finished:
    """A diagnosis in this process. dsns: of a database named here and of its standby."""
    import asyncio

    from gateway.cli import looking_parts, looking_session
    from gateway.cli.looking_knowledge import knowledge_of
    from gateway.cli.looking_planner import planning_here

    collector, root = looking_parts.collector_of(data_dir, targets, *dsns)
    engines = collector.targets.engines(asked.target_id)
    if asked.resume:
        case = looking_session.interrupted(root, asked.resume)
        knowledge = knowledge_of(data_dir, case.snapshot_id)
    else:
        knowledge = knowledge_of(data_dir, engines=engines)
        session_id, snapshot_id = looking_session.new_session_id(), knowledge.snapshot_id
        case = looking_parts.case_of(collector, session_id, asked.target_id, snapshot_id, asked.budget)
        if asked.question.strip():
            from gateway.cli.looking_question import heard

            told = heard(collector, root, session_id, asked.target_id, asked.question, knowledge.content)
            case = replace(case, question=collector.redact(asked.question), told=told)
    sight = looking_session.sight_here(collector, root, knowledge)
    return asyncio.run(planning_here(planner, sight, case))


@click.command()
@_TARGET
@_DSN
@_STANDBY_DSN
@_TARGETS
@_SECONDS
@click.option("--resume", default="", metavar="SESSION", help="Go on with a collection whose process was ended.")
@_FOLDER
@JSON
def collect(
    target: str,
    dsn: str,
    standby_dsn: str,
    targets: Path | None,
    time_budget_sec: int,
    resume: str,
    data_dir: Path,
    as_json: bool,
) -> int:
    """Collect evidence from a live target with read-only checks, and conclude nothing: `dbdiag report` does, later.

    The baseline, then what the kind of trouble that stands out needs at least.
    """
    from gateway.cli import looking_parts, looking_session
    from gateway.cli.looking_knowledge import knowledge_of
    from gateway.looking.model import Budget

    name = _named(target, dsn, standby_dsn)
    collector, root = looking_parts.collector_of(data_dir, targets, dsn, standby_dsn)
    if resume:
        case = looking_session.interrupted(root, resume, looking_session.GATHERED)
        knowledge = knowledge_of(data_dir, case.snapshot_id)
    else:
        knowledge = knowledge_of(data_dir, engines=collector.targets.engines(name))
        budget = Budget(time_budget_seconds=float(time_budget_sec))
        session_id = looking_session.new_session_id()
        case = looking_parts.case_of(collector, session_id, name, knowledge.snapshot_id, budget)
    folder = looking_session.collect(collector, root, case, knowledge)
    show(as_json, {"session_id": case.session_id, "folder": str(folder)}, [case.session_id])
    return failures.DONE


def _named(target: str, dsn: str, standby_dsn: str) -> str:
    from gateway.cli.looking_parts import DSN

    if bool(target) == bool(dsn):
        raise click.UsageError("name what to look at: either --target or --dsn")
    if standby_dsn and not dsn:
        raise click.UsageError("--standby-dsn goes with --dsn; of a target its standby stands in the targets file")
    return target or DSN


@click.command()
@click.argument("session_id", metavar="SESSION")
@_FOLDER
@JSON
def report(session_id: str, data_dir: Path, as_json: bool) -> int:
    """Show what a diagnosis came to, or what collected evidence comes to, from what is stored."""
    from gateway.cli import looking_session

    root = data_dir / "report"
    _show(as_json, looking_session.reported(root, session_id, data_dir), str(root / session_id))
    return failures.DONE


def _show(as_json: bool, body: dict[str, Any], folder: str) -> None:
    from gateway.cli.looking_words import told

    show(as_json, body | {"folder": folder}, [told(body, folder, language())])
