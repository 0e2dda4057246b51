"""`dbdiag match`: one observation a line on standard input, its meaning on standard output."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateway.cli import output
from gateway.cli.options import JSON_LINES
from gateway.cli.tools.library import OPTION, library_content

if TYPE_CHECKING:
    from dbdiag.matcher.v1.matcher_types import Candidate, Interpretation, Reading

# The matcher reads no more of one observation.
_MOST_CHARACTERS = 20_000
_HAN, _LATIN_WORD = re.compile(r"[\u3400-\u9fff]"), re.compile(r"[A-Za-z]{2,}")


@click.command()
@OPTION
@JSON_LINES
def match(path: Path | None, as_json: bool) -> int:
    """Find the phenomena that free text describes.

    Reads one observation a line and skips empty lines. Exits with 1 if no line matched.
    """
    lines = (line.decode("utf-8", errors="replace").strip() for line in sys.stdin.buffer)
    return asyncio.run(_run(library_content(path), lines, as_json))


async def _run(content: bytes, lines: Iterable[str], as_json: bool) -> int:
    from dbdiag.matcher.v1.matcher_types import MatchPhenomenaRequest, Observation

    from gateway.cli.services import start_matcher

    found = output.FELL_SHORT
    async with start_matcher(content) as services:
        for text in filter(None, lines):
            language = _language_of(text)
            observed = (Observation(text[:_MOST_CHARACTERS]),)
            request = MatchPhenomenaRequest("", observed, language="en" if language == "en" else "zh")
            (interpretation,) = (await services.matcher.match(request)).interpretations
            if interpretation.no_match is None:
                found = output.DONE
            body = {"text": text, "language": language, **_body(interpretation)}
            print(json.dumps(body, ensure_ascii=False) if as_json else _text(body), flush=True)
    return found


def _language_of(text: str) -> str:
    """zh, en, or mixed when Latin words stand among Chinese ones."""
    han, words = len(_HAN.findall(text)), len(_LATIN_WORD.findall(text))
    if not han:
        return "en"
    return "mixed" if words >= 2 and words * 2 >= han / 2 else "zh"


def _body(interpretation: Interpretation) -> dict[str, Any]:
    readings = [_reading(item) for item in interpretation.readings]
    body: dict[str, Any] = {"decision": "no_match"}
    if readings:
        first = next((item for item in readings if item["standing"] == "counts"), readings[0])
        decision = "match" if first["standing"] == "counts" else first["standing"]
        body = {"decision": decision} | {name: first[name] for name in ("phenomenon_id", "verdict", "score")}
    elif (unclear := interpretation.clarification) is not None:
        options = [_candidate(item) for item in unclear.options]
        body = {"decision": "clarification", "kind": str(unclear.kind), "options": options}
    candidates = [_candidate(item) for item in interpretation.candidates]
    return {**body, "readings": readings, "notes": list(interpretation.notes), "candidates": candidates}


def _reading(item: Reading) -> dict[str, Any]:
    return {
        "phenomenon_id": item.phenomenon_id,
        "name": {"zh": item.name.zh, "en": item.name.en},
        "verdict": str(item.verdict) if item.verdict else None,
        "standing": str(item.standing),
        "score": item.probability,
        "words": item.words,
        "value": item.value or None,
        "kind": item.kind,
    }


def _candidate(item: Candidate) -> dict[str, Any]:
    return {"phenomenon_id": item.phenomenon_id, "score": item.score, "name": {"zh": item.name.zh, "en": item.name.en}}


def _text(body: dict[str, Any]) -> str:
    side = "en" if body["language"] == "en" else "zh"
    if body["readings"]:
        return "\n".join(_reading_line(item, side) for item in body["readings"])
    if body["decision"] == "clarification":
        options = "; ".join(f"{item['phenomenon_id']} {item['name'][side]}" for item in body["options"])
        return f"which? {options} <- {body['text']}"
    return f"not in the library <- {body['text']}"


def _reading_line(item: dict[str, Any], side: str) -> str:
    said = item["verdict"] or "?"
    return (
        f"{item['phenomenon_id']} {said} {item['standing']} {item['score']:.2f} {item['name'][side]} <- {item['words']}"
    )
