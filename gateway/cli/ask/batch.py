"""`dbdiag ask --batch`: a question a line of JSON in, an answer a line out, in order."""

from __future__ import annotations

import codecs
import json
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from gateway.analysis.answer import Answer
from gateway.cli import output
from gateway.cli.tools.library import read_line
from services.chassis.errors import DbdiagError

if TYPE_CHECKING:
    from gateway.cli.ask.asking import Ask


class Line(BaseModel):
    """previous: the question asked just before in the same conversation, or several, oldest first."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str | int | None = None
    question: str = ""
    previous: str | list[str] | None = None
    now: str | None = None


async def answer_lines(ask: Ask, lines: Iterable[bytes], now: str) -> int:
    """Answers every line; a line that is malformed is answered with an error too."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            print(json.dumps(await _answer_line(ask, line, number, now), ensure_ascii=False), flush=True)
    return output.DONE


async def _answer_line(ask: Ask, line: bytes, number: int, now: str) -> dict[str, Any]:
    started = time.perf_counter()
    read = Line(id=_identity(line))
    try:
        read = read_line(Line, line, number)
        previous = [read.previous] if isinstance(read.previous, str) else read.previous or []
        earlier = tuple(each for each in previous if each.strip())[-20:]
        answer = await ask(read.question, "", earlier, read.now or now)
    except DbdiagError as error:
        answer = Answer(
            "error", error.text("zh" if any("\u4e00" <= each <= "\u9fff" for each in read.question) else "en")
        )
    return document(answer, read.id, time.perf_counter() - started)


def _identity(line: bytes) -> str | int | None:
    """The id of a line, also of one with other faults; None where it has none that is a text or whole number."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    identity = found.get("id") if isinstance(found, dict) else None
    return identity if isinstance(identity, str | int) and not isinstance(identity, bool) else None


def document(answer: Answer, identity: str | int | None, seconds: float) -> dict[str, Any]:
    """The fields of a line. empty_filter: the first condition that empties the result; null where none does."""
    return {
        "id": identity,
        "status": answer.status,
        "sql": answer.sql or None,
        "columns": [column.name for column in answer.columns],
        "rows": answer.rows,
        "message": answer.message,
        "options": list(answer.options),
        "empty_filter": "; ".join(f"{part.kind}: {part.text}" for part in answer.emptied_by) or None,
        "intent": answer.intent,
        "understood": [{"kind": part.kind, "text": part.text} for part in answer.understood],
        "chart": answer.chart_kind,
        "seconds": round(seconds, 4),
    }


def standard_input() -> Iterable[bytes]:
    """The lines of standard input as they come, without the mark that some editors put before the first."""
    lines = iter(sys.stdin.buffer.readline, b"")
    for number, line in enumerate(lines):
        yield line.removeprefix(codecs.BOM_UTF8) if number == 0 else line
