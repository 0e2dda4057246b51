"""`dbdiag knowledge eval`: how well the engine diagnoses cases that it has not learned from."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateway.cli import failures
from gateway.cli.knowledge_words import figure, say
from gateway.cli.numbers import Share, WholeNumber

if TYPE_CHECKING:
    from services.engine.evaluation import Case, Course
    from services.engine.evaluation_metrics import Played
    from services.engine.learning import Learned
    from services.engine.model import ScoringRule
    from services.engine.parameters import Parameters
    from services.engine.snapshot import Snapshot

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_SHARE = Share(0.0, 1.0)
# Work that is done within a second needs no progress.
_PATIENCE_SECONDS = 1.0
_DIGITS = 4


@click.command(name="eval")
@click.option("--tickets", type=_FILE, help="Learn from these tickets (JSON Lines) instead of a library.")
@click.option(
    "--cases", type=_FILE, help="Play these cases (JSON Lines); else each ticket, left out while it is played."
)
@click.option("--holdout", is_flag=True, help="Play the closed cases that never teach, on what the others taught.")
@click.option("--data-dir", type=click.Path(path_type=Path), help="Whose held-out cases; .dbdiag by default.")
@click.option(
    "--library",
    "libraries",
    multiple=True,
    metavar="DIR",
    help="A library folder, or `postgresql` for the shipped one (the default); may be given several times.",
)
@click.option("--max-questions", type=WholeNumber(min=0), default=20, show_default=True)
@click.option("--threshold", type=Share(0.5, 1.0, min_open=True, max_open=True), default=0.95, show_default=True)
@click.option("--flip", type=_SHARE, default=0.0, show_default=True, help="Share of answers that are wrong.")
@click.option("--unknown", type=_SHARE, default=0.0, show_default=True, help="Share of answers not to be had.")
@click.option("--seed", type=int, default=1, show_default=True, help="Which answers those are.")
@click.option("--rule", type=click.Choice(["default", "seed"]), default="default", show_default=True)
@click.option(
    "--set", "changes", multiple=True, metavar="NAME=NUMBER", help="A number of the model, such as answer_noise=0.03."
)
@click.option(
    "--plots",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder to draw into: reliability.svg and questions.svg.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
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
    """Play cases question by question and count how they end.

    A case starts from its complaint and is asked the engine's best question until a cause is concluded, no question is
    left, or the most were asked. What is not present is answered no.
    """
    from services.engine.evaluation import Course
    from services.engine.evaluation_metrics import measure
    from services.engine.model import ScoringRule

    if tickets is not None and libraries:
        raise click.UsageError("--tickets and --library both say what to learn from; give one of them")
    if holdout and (tickets is not None or cases is not None or libraries):
        raise click.UsageError("--holdout plays the site's own cases on its own libraries; leave the others out")
    scoring = ScoringRule.SEED if rule == "seed" else ScoringRule.BAYES
    course = Course(max_questions, threshold, flip, unknown, seed, scoring)
    started = time.perf_counter()
    snapshot = _tickets(tickets) if tickets is not None else _libraries(_paths(libraries, holdout, data_dir))
    learned = _learned(snapshot, scoring, _parameters(changes))
    played = _play(snapshot, _held_out(data_dir) if holdout else _listed(cases), course, learned.parameters)
    metrics = measure(played)
    if plots is not None:
        _draw(played, plots)
    _show({**asdict(metrics), **learned.figures()}, time.perf_counter() - started, as_json)
    return failures.DONE if metrics.cases else failures.FELL_SHORT


def _play(snapshot: Snapshot, listed: list[Case] | None, course: Course, parameters: Parameters) -> list[Played]:
    from services.engine.evaluation import play_cases, play_left_out
    from services.engine.reasoner import open_library

    if listed is None:
        return play_left_out(snapshot, course, parameters, _progress())
    return play_cases(open_library(snapshot, parameters), listed, course, _progress())


def _listed(cases: Path | None) -> list[Case] | None:
    from services.engine.evaluation import read_cases

    return None if cases is None else read_cases(_lines(cases), str(cases))


def _held_out(data_dir: Path | None) -> list[Case]:
    from gateway.cli.knowledge_holdout import held_out_lines
    from services.engine.evaluation import read_cases

    found = read_cases(held_out_lines(data_dir), "the held-out cases")
    if not found:
        click.echo(f"dbdiag: {say('no_hold_out')}", err=True)
    return found


def _learned(snapshot: Snapshot, rule: ScoringRule, parameters: Parameters) -> Learned:
    from services.engine.learning import Learned, choose
    from services.engine.model import ScoringRule

    # The seed's rule has none of these numbers.
    return Learned(parameters) if rule is ScoringRule.SEED else choose(snapshot, parameters)


def _draw(played: list[Played], folder: Path) -> None:
    from services.chassis.errors import InvalidInput
    from services.engine.evaluation_plots import questions_svg, reliability_svg

    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "reliability.svg").write_text(reliability_svg(played), encoding="utf-8")
        (folder / "questions.svg").write_text(questions_svg(played), encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"drawing into {folder}: {error}; name a folder that can be written") from error


def _tickets(path: Path) -> Snapshot:
    from services.engine.evaluation import read_tickets

    return read_tickets(_lines(path), str(path))


def _lines(path: Path) -> list[str]:
    from services.chassis.errors import InvalidInput

    try:
        # Not splitlines: JSON strings may hold other characters that it takes for the end of a line.
        return path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"reading {path}: {error}; JSON Lines in UTF-8 are read") from error


def _paths(names: tuple[str, ...], holdout: bool, data_dir: Path | None) -> Sequence[Path]:
    from gateway.cli.knowledge_holdout import taught_paths
    from services.knowledge.shipped import POSTGRESQL, locate

    return taught_paths(data_dir) if holdout else [locate(name) for name in names] or [POSTGRESQL]


def _libraries(paths: Sequence[Path]) -> Snapshot:
    from services.engine.snapshot import read_snapshot, snapshot_id_of
    from services.knowledge.compile import compile_libraries

    content = compile_libraries(paths)
    return read_snapshot(content, snapshot_id_of(content))


def _parameters(changes: tuple[str, ...]) -> Parameters:
    from services.engine.parameters import DEFAULT_PARAMETERS

    known = {field.name for field in fields(DEFAULT_PARAMETERS) if field.name != "expert_rates"}
    numbers: dict[str, Any] = {}
    for change in changes:
        name, _, value = change.partition("=")
        if name not in known:
            raise click.UsageError(f"--set {change}: there is {', '.join(sorted(known))}")
        try:
            numbers[name] = float(value)
        except ValueError as error:
            raise click.UsageError(f"--set {change}: {value!r} is no number") from error
    return replace(DEFAULT_PARAMETERS, **numbers)


def _progress() -> Callable[[int, int], None]:
    """Counts on stderr once a second, from the second second on, and only for a person."""
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
