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
    from dbdiag.matcher.v1.matcher_types import Candidate, Interpretation

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
    body: dict[str, Any] = {"decision": "no_match"}
    if (matched := interpretation.match) is not None:
        body = {
            "decision": "match",
            "phenomenon_id": matched.phenomenon_id,
            "verdict": str(matched.verdict),
            "score": matched.score,
            "extracted_value": matched.extracted_value or None,
            "also_possible_id": matched.also_possible_id or None,
        }
    elif (unclear := interpretation.clarification) is not None:
        options = [_candidate(item) for item in unclear.options]
        body = {"decision": "clarification", "kind": str(unclear.kind), "options": options}
    return {**body, "candidates": [_candidate(item) for item in interpretation.candidates]}


def _candidate(item: Candidate) -> dict[str, Any]:
    return {"phenomenon_id": item.phenomenon_id, "score": item.score, "name": {"zh": item.name.zh, "en": item.name.en}}


def _text(body: dict[str, Any]) -> str:
    side = "en" if body["language"] == "en" else "zh"
    names = {item["phenomenon_id"]: item["name"][side] for item in body["candidates"]}
    if body["decision"] == "match":
        name = names[body["phenomenon_id"]]
        return f"{body['phenomenon_id']} {body['verdict']} {body['score']:.2f} {name} <- {body['text']}"
    if body["decision"] == "clarification":
        options = "; ".join(f"{item['phenomenon_id']} {item['name'][side]}" for item in body["options"])
        return f"which? {options} <- {body['text']}"
    return f"not in the library <- {body['text']}"
