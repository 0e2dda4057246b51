"""`dbdiag ask`: one question about data, or many with --batch."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli import output
from gateway.cli.language import Texts
from gateway.cli.options import EXISTING_FILE, FOLDER, JSON

if TYPE_CHECKING:
    from gateway.analysis.answer import Answer
    from gateway.cli.language import LanguageCode

say = Texts("ask").say
_HAN = re.compile(r"[\u3400-\u9fff]")
_EXIT = {"answered": output.DONE, "clarify": output.FELL_SHORT, "refused": output.FELL_SHORT}


@click.command()
@click.argument("question", required=False)
@click.option("--dataset", "layer", type=EXISTING_FILE, required=True, metavar="YAML", help="The semantic layer.")
@click.option(
    "--database",
    "places",
    multiple=True,
    metavar="FILE",
    help="A data file, a folder of them, or a postgresql:// URL; repeatable. [default: what lies beside the YAML]",
)
@click.option(
    "--session", metavar="NAME", help="Continue the conversation of this name; it is kept in the data folder."
)
@click.option("--now", type=click.DateTime(["%Y-%m-%d"]), help="The day that counts as today. [default: as_of]")
@click.option("--sql", "only_sql", is_flag=True, help="Print the SQL alone.")
@click.option("--chart", "chart", type=click.Path(dir_okay=False, path_type=Path), help="Write a .png or .svg chart.")
@click.option("--batch", is_flag=True, help="Read JSON lines {id, question, previous?, now?}; write one answer a line.")
@JSON
@FOLDER
def ask(
    question: str | None,
    layer: Path,
    places: tuple[str, ...],
    session: str | None,
    now: dt.datetime | None,
    only_sql: bool,
    chart: Path | None,
    batch: bool,
    as_json: bool,
    data_dir: Path,
) -> int:
    """Ask about data in Chinese or English.

    The answer has the figure, the rows, the SQL and how the question was understood. Exits with 1 where a question
    comes back or the data cannot answer.
    """
    if batch == (question is not None):
        raise output.BadUsage("bad_usage.question_or_batch")
    if chart is not None and chart.suffix.lower() not in (".png", ".svg"):
        raise output.BadUsage("bad_usage.chart_ending", path=str(chart))
    day = now.date().isoformat() if now else ""
    if batch:
        return asyncio.run(_batch(layer, places, day))
    assert question is not None
    earlier = _Conversation(data_dir, session) if session else None
    return asyncio.run(_one(question, layer, places, day, earlier, _Shown(as_json, only_sql, chart)))


async def _batch(layer: Path, places: Sequence[str], now: str) -> int:
    from gateway.cli.ask.batch import answer_lines, standard_input
    from gateway.cli.services import start_analyst

    async with start_analyst(layer, places) as client:
        return await answer_lines(client, standard_input(), now)


class _Shown:
    """How one answer is shown."""

    def __init__(self, as_json: bool, only_sql: bool, chart: Path | None) -> None:
        self.as_json, self.only_sql, self.chart = as_json, only_sql, chart


async def _one(
    question: str, layer: Path, places: Sequence[str], now: str, earlier: _Conversation | None, shown: _Shown
) -> int:
    from dbdiag.analyst.v1.analyst_types import AskRequest

    from gateway.analysis.answer import fold
    from gateway.cli.services import start_analyst

    spoken: LanguageCode = "zh" if _HAN.search(question) else "en"
    questions = earlier.read() if earlier else ()
    started = time.perf_counter()
    async with start_analyst(layer, places) as client:
        answer = await fold(client.ask(AskRequest("", question, spoken, questions, now)))
    if earlier and answer.status in ("answered", "clarify"):
        earlier.add(question)
    _show(answer, shown, spoken, time.perf_counter() - started)
    return _EXIT.get(answer.status, output.DEPENDENCY_DOWN)


def _show(answer: Answer, shown: _Shown, spoken: LanguageCode, seconds: float) -> None:
    from gateway.cli.ask.batch import document
    from gateway.cli.ask.terminal import lines

    if shown.as_json:
        body = document(answer, None, seconds)
        body["vega_lite"] = answer.chart
        body["steps"] = [f"{each.step} {each.agent} {each.error_class or 'ok'}" for each in answer.steps]
        click.echo(json.dumps(body, ensure_ascii=False))
    elif shown.only_sql and answer.sql:
        click.echo(answer.sql)
    else:
        click.echo("\n".join(lines(answer, spoken)))
    if shown.chart is not None:
        _write_chart(answer, shown.chart, spoken)


def _write_chart(answer: Answer, path: Path, spoken: LanguageCode) -> None:
    if answer.chart is None:
        click.echo(say("no_chart", spoken), err=True)
        return
    from gateway.analysis.drawing import write_chart

    write_chart(answer.chart, path)
    click.echo(say("chart_written", spoken, path=path), err=True)


class _Conversation:
    """The questions of a named conversation, one a line of JSON."""

    def __init__(self, data_dir: Path, name: str) -> None:
        if not re.fullmatch(r"[\w.-]{1,100}", name) or name.startswith("."):
            raise output.BadUsage("bad_usage.session_name", name=name)
        self._path = data_dir / "conversations" / f"{name}.jsonl"

    def read(self) -> tuple[str, ...]:
        """The last twenty, oldest first."""
        if not self._path.exists():
            return ()
        lines = self._path.read_text("utf-8").splitlines()
        return tuple(str(json.loads(line)["question"]) for line in lines[-20:])

    def add(self, question: str) -> None:
        """Keeps a question."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"question": question}, ensure_ascii=False) + "\n")
