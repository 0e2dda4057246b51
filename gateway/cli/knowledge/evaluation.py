"""`dbdiag knowledge eval`: measures how well the engine diagnoses cases it has not learned from."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from gateway.cli import output
from gateway.cli.knowledge.files import figure, say, settings_of
from gateway.cli.options import EXISTING_FILE, JSON, LIBRARIES_OR_POSTGRESQL, Share, WholeNumber

_SHARE = Share(0.0, 1.0)
# Shorter work shows no progress.
_PATIENCE_SECONDS = 1.0
_DIGITS = 4
# What the engine starts with where it learns from tickets alone.
_NOTHING = b'{"format":"dbdiag.snapshot.v1","phenomena":[],"root_causes":[],"tickets":[]}'


@click.command(name="eval")
@click.option("--tickets", type=EXISTING_FILE, help="Learn from these tickets (JSON Lines) instead of a library.")
@click.option(
    "--cases",
    type=EXISTING_FILE,
    help="Play these cases (JSON Lines). [default: each ticket, left out while it is played]",
)
@click.option("--holdout", is_flag=True, help="Play the held-out cases of the site, with the libraries it has learned.")
@click.option(
    "--data-dir", type=click.Path(path_type=Path), help="The data folder of the held-out cases. [default: .dbdiag]"
)
@LIBRARIES_OR_POSTGRESQL
@click.option("--max-questions", type=WholeNumber(min=0), default=20, show_default=True)
@click.option("--threshold", type=Share(0.5, 1.0, min_open=True, max_open=True), default=0.95, show_default=True)
@click.option("--flip", type=_SHARE, default=0.0, show_default=True, help="The share of wrong answers.")
@click.option("--unknown", type=_SHARE, default=0.0, show_default=True, help="The share of answers that are unknown.")
@click.option("--seed", type=int, default=1, show_default=True, help="Chooses these answers.")
@click.option("--rule", type=click.Choice(["default", "seed"]), default="default", show_default=True)
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Override a parameter of the model, such as answer_noise=0.03.",
)
@click.option(
    "--plots",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder for the plots reliability.svg and questions.svg.",
)
@JSON
def evaluate(
    tickets: Path | None,
    cases: Path | None,
    holdout: bool,
    data_dir: Path | None,
    libraries: tuple[str, ...],
    max_questions: int,
    threshold: float,
    flip: float,
    unknown: float,
    seed: int,
    rule: str,
    changes: tuple[str, ...],
    plots: Path | None,
    as_json: bool,
) -> int:
    """Play cases question by question and measure how they end.

    A case starts from its complaint and is asked the engine's best question until a cause is concluded, no question is
    left, or the most were asked. What is not present is answered no.
    """
    if tickets is not None and libraries:
        raise output.BadUsage("bad_usage.two_sources")
    if holdout and (tickets is not None or cases is not None or libraries):
        raise output.BadUsage("bad_usage.holdout_alone")
    from gateway.cli.services import evaluate as evaluate_by_engine

    request = {
        "max_questions": max_questions,
        "threshold": threshold,
        "flip": flip,
        "unknown": unknown,
        "seed": seed,
        "rule": f"SCORING_RULE_{'SEED' if rule == 'seed' else 'BAYES'}",
        "parameters": _read_parameters(changes),
        "plots": plots is not None,
        **_read_sources(tickets, cases, holdout, data_dir),
    }
    started = time.perf_counter()
    snapshot = _NOTHING if tickets is not None else _compile_snapshot(libraries, holdout, data_dir)
    found = asyncio.run(evaluate_by_engine(snapshot, request, _progress()))
    if plots is not None:
        _save_plots(plots, found.reliability_plot, found.questions_plot)
    _show({figure.name: figure.value for figure in found.figures}, time.perf_counter() - started, as_json)
    return output.DONE if found.case_count else output.FELL_SHORT


def _read_sources(tickets: Path | None, cases: Path | None, holdout: bool, data_dir: Path | None) -> dict[str, Any]:
    """The part of a request that says what to learn from and what to play."""
    sources: dict[str, Any] = {"plays_cases": cases is not None or holdout}
    if tickets is not None:
        sources |= {"tickets": _read_content(tickets), "tickets_name": str(tickets)}
    if cases is not None:
        sources |= {"cases": _read_content(cases), "cases_name": str(cases)}
    if holdout:
        sources |= {"cases": _read_held_out(data_dir), "cases_name": "the held-out cases"}
    return sources


def _read_held_out(data_dir: Path | None) -> bytes:
    lines = _list_held_out(data_dir)
    if not lines:
        click.echo(f"dbdiag: {say('no_hold_out')}", err=True)
    return "\n".join(lines).encode()


def _list_held_out(data_dir: Path | None) -> list[str]:
    """The cases of the site library that are held out, as `eval --cases` reads them.

    Each starts from what was said first. Raises InvalidLibrary for a file that was edited into something else.
    """
    from pydantic import ValidationError

    from services.knowledge.files import InvalidLibrary, Problem, TicketEntry, held_out_files, validation_problems

    site = settings_of(data_dir).knowledge_site_library
    lines = []
    for file in held_out_files(site):
        try:
            ticket = TicketEntry.model_validate_json(file.read_bytes())
        except ValidationError as error:
            problems = [Problem(str(file), place, what) for place, what in validation_problems(error)]
            raise InvalidLibrary([site], problems) from None
        seen = [anomaly.phenomenon_id for anomaly in ticket.anomalies if anomaly.phenomenon_id]
        case = {"case_id": ticket.ticket_id, "root_cause_id": ticket.root_cause_id, "present": seen}
        lines.append(json.dumps(case | {"initial": seen[:1]}, ensure_ascii=False))
    return lines


def _save_plots(folder: Path, reliability: str, questions: str) -> None:
    from services.chassis.errors import InvalidInput

    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "reliability.svg").write_text(reliability, encoding="utf-8")
        (folder / "questions.svg").write_text(questions, encoding="utf-8")
    except OSError as error:
        raise InvalidInput("invalid_request.plots_folder", folder=str(folder), problem=str(error)) from error


def _read_content(path: Path) -> bytes:
    from services.chassis.errors import InvalidInput

    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput("invalid_request.json_lines", path=str(path), problem=str(error)) from error


def _compile_snapshot(names: tuple[str, ...], holdout: bool, data_dir: Path | None) -> bytes:
    from services.knowledge.files import POSTGRESQL, compile_libraries, locate

    return compile_libraries(
        settings_of(data_dir).publishing_paths() if holdout else [locate(name) for name in names] or [POSTGRESQL]
    )


def _read_parameters(changes: tuple[str, ...]) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for change in changes:
        name, _, value = change.partition("=")
        try:
            numbers[name] = float(value)
        except ValueError as error:
            raise output.BadUsage("bad_usage.not_a_number", change=change, value=repr(value)) from error
    return numbers


def _progress() -> Callable[[int, int], None]:
    """Prints a count on stderr once a second, at a terminal only."""
    shown = time.perf_counter()

    def report(done: int, total: int) -> None:
        nonlocal shown
        if time.perf_counter() - shown >= _PATIENCE_SECONDS and sys.stderr.isatty():
            shown = time.perf_counter()
            end = "\n" if done == total else ""
            print("\r" + say("played", done=done, total=total), end=end, file=sys.stderr, flush=True)

    return report


def _show(figures: Mapping[str, float], seconds: float, as_json: bool) -> None:
    values = {name: round(value, _DIGITS) for name, value in figures.items()} | {"seconds": round(seconds, 2)}
    if as_json:
        print(json.dumps(values))
        return
    for name, value in values.items():
        print(f"{figure(name):<22} {value:g}")
