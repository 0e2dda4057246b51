"""`dbdiag ask`: one question about data, or many with --batch; and how an answer looks in a terminal."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import re
import time
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from gateway.cli import output
from gateway.cli.language import Texts
from gateway.cli.options import EXISTING_FILE, FOLDER, JSON
from lang.numbers.periods import period_label

if TYPE_CHECKING:
    from dbdiag.analyst.v1.analyst_types import Column

    from gateway.analysis.answer import Answer, Value
    from gateway.cli.language import LanguageCode


say = Texts("ask").say
_HAN = re.compile(r"[\u3400-\u9fff]")
_EXIT = {"answered": output.DONE, "clarify": output.FELL_SHORT, "refused": output.FELL_SHORT}
_MOST = 20
_MOST_ROWS = 30
_WIDEST_BAR = 40
_WIDEST_CELL = 40


class Conversation:
    """Raises BadUsage for a name that is no plain file name."""

    def __init__(self, data_dir: Path, name: str) -> None:
        if not re.fullmatch(r"[\w.-]{1,100}", name) or name.startswith("."):
            raise output.BadUsage("bad_usage.session_name", name=name)
        self._path = data_dir / "conversations" / f"{name}.jsonl"

    def read(self) -> tuple[str, ...]:
        """The last twenty questions, oldest first."""
        return tuple(str(line["question"]) for line in self._lines()[-_MOST:])

    def asked(self, question: str) -> str:
        """What was asked before a question that only chooses an option; else the question itself."""
        for line in reversed(self._lines()):
            if line.get("status") != "clarify":
                break
            question = str(line["question"])
        return question

    def add(self, question: str, status: str) -> None:
        """Keeps a question with what became of it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"question": question, "status": status}, ensure_ascii=False) + "\n")

    def _lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._path.read_text("utf-8").splitlines()] if self._path.exists() else []


@click.command()
@click.argument("question", required=False)
@click.option(
    "--dataset", "layer", type=EXISTING_FILE, metavar="YAML", help="The semantic layer. [default: dbdiag's own data]"
)
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
@click.option("--keep", is_flag=True, help="Keep the answer as verified: the same question is answered so again.")
@click.option("--batch", is_flag=True, help="Read JSON lines {id, question, previous?, now?}; write one answer a line.")
@JSON
@FOLDER
def ask(
    question: str | None,
    layer: Path | None,
    places: tuple[str, ...],
    session: str | None,
    now: dt.datetime | None,
    only_sql: bool,
    chart: Path | None,
    keep: bool,
    batch: bool,
    as_json: bool,
    data_dir: Path,
) -> int:
    """Ask about data in Chinese or English: a site's own by --dataset, else what dbdiag knows and did.

    The answer has the figure, the rows, the SQL and how the question was understood. Exits with 1 where a question
    comes back or the data cannot answer.
    """
    if batch == (question is not None):
        raise output.BadUsage("bad_usage.question_or_batch")
    if chart is not None and chart.suffix.lower() not in (".png", ".svg"):
        raise output.BadUsage("bad_usage.chart_ending", path=str(chart))
    if batch and keep:
        raise output.BadUsage("bad_usage.keep_batch")
    data = _Data(layer, places, data_dir, now.date().isoformat() if now else "")
    if batch:
        return asyncio.run(_batch(data))
    assert question is not None
    earlier = Conversation(data_dir, session) if session else None
    return asyncio.run(_one(question, data, earlier, _Shown(as_json, only_sql, chart, keep)))


class _Data(NamedTuple):
    """What is asked about. layer: None for dbdiag's own data; now: a day, or empty."""

    layer: Path | None
    places: Sequence[str]
    data_dir: Path
    now: str


async def _batch(data: _Data) -> int:
    from gateway.cli.ask.asking import open_analyst
    from gateway.cli.ask.batch import answer_lines, standard_input

    async with open_analyst(data.layer, data.places, data.data_dir) as ask:
        return await answer_lines(ask, standard_input(), data.now)


class _Shown(NamedTuple):
    """How one answer is shown, and whether it is kept."""

    as_json: bool
    only_sql: bool
    chart: Path | None
    keep: bool


async def _one(question: str, data: _Data, earlier: Conversation | None, shown: _Shown) -> int:
    from gateway.cli.ask.asking import keep, open_analyst, own_file

    spoken: LanguageCode = "zh" if _HAN.search(question) else "en"
    before = earlier.read() if earlier else ()
    started = time.perf_counter()
    async with open_analyst(data.layer, data.places, data.data_dir) as ask:
        answer = await ask(question, spoken, before, data.now)
        seconds = time.perf_counter() - started
        note = ""
        if shown.keep:
            asked = earlier.asked(question) if earlier else question
            note = await keep(ask, answer, asked, before, question, data.layer or own_file(data.data_dir))
    if earlier and answer.status in ("answered", "clarify"):
        earlier.add(question, answer.status)
    _show(answer, shown, spoken, seconds)
    if note:
        click.echo(note, err=True)
    return _EXIT.get(answer.status, output.DEPENDENCY_DOWN)


def _show(answer: Answer, shown: _Shown, spoken: LanguageCode, seconds: float) -> None:
    from gateway.cli.ask.batch import document

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
    from gateway.analysis.scene import write_chart

    write_chart(answer.chart, path)
    click.echo(say("chart_written", spoken, path=path), err=True)


def lines(answer: Answer, spoken: LanguageCode) -> Iterator[str]:
    """Everything that is shown."""
    yield answer.message
    for number, option in enumerate(answer.options, 1):
        yield f"  {number}. {option}"
    if len(answer.rows) > 1 or len(answer.columns) > 3:
        yield ""
        yield from _table(answer, spoken)
    yield from answer.hints
    if answer.sql:
        yield ""
        yield say("sql_heading", spoken)
        yield answer.sql
    if answer.understood:
        yield ""
        sign = "：" if spoken == "zh" else ": "
        yield say("understood", spoken)
        for part in answer.understood:
            yield f"  {say(f'kind_{part.kind}', spoken)}{sign}{part.text}"


def _table(answer: Answer, spoken: LanguageCode) -> Iterator[str]:
    rows = answer.rows[:_MOST_ROWS]
    heads = [column.description or column.name for column in answer.columns]
    cells = [[_cell(value, each, spoken) for value, each in zip(row, answer.columns, strict=True)] for row in rows]
    widths = [max(map(_width, column)) for column in zip(heads, *cells, strict=True)]
    numbers = [column.role not in ("dimension", "cell") for column in answer.columns]
    bars = _bars(answer, rows)
    yield "  ".join(_padded(head, width, right) for head, width, right in zip(heads, widths, numbers, strict=True))
    yield "  ".join("-" * width for width in widths)
    for row, bar in zip(cells, bars, strict=True):
        text = "  ".join(_padded(cell, width, right) for cell, width, right in zip(row, widths, numbers, strict=True))
        yield f"{text}  {bar}".rstrip()
    if len(answer.rows) > len(rows):
        yield say("more_rows", spoken, count=len(answer.rows) - len(rows))


def _bars(answer: Answer, rows: Sequence[Sequence[Value]]) -> list[str]:
    """A bar beside each row of a chart, for its first figure."""
    if answer.chart is None:
        return [""] * len(rows)
    wanted = "share" if answer.chart_kind == "pie" else "measure"
    at = next((place for place, column in enumerate(answer.columns) if column.role == wanted), None)
    if at is None:
        return [""] * len(rows)
    figures = [value if isinstance(value := row[at], int | float) else 0.0 for row in rows]
    most = max((abs(figure) for figure in figures), default=0.0)
    return [_bar(figure / most if most else 0.0) for figure in figures]


def _bar(part: float) -> str:
    eighths = round(abs(part) * _WIDEST_BAR * 8)
    bar = "█" * (eighths // 8) + ("", *"▏▎▍▌▋▊▉")[eighths % 8]
    return f"-{bar}" if part < 0 else bar


def _cell(value: Value, column: Column, spoken: LanguageCode) -> str:
    role = column.role
    if value is None:
        return say("null", spoken)
    if role == "time":
        return period_label(str(value), column.name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        if role in ("share", "growth"):
            return f"{value:.1%}"
        if role in ("part", "cell", "dimension"):
            return f"{value:g}" if isinstance(value, float) else str(value)
        return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}" if abs(value) >= 1 else f"{value:.4g}"
    text = str(value).replace("\n", " ")
    return text if len(text) <= _WIDEST_CELL else f"{text[: _WIDEST_CELL - 1]}…"


def _padded(text: str, width: int, right: bool) -> str:
    blanks = " " * (width - _width(text))
    return blanks + text if right else text + blanks


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)
