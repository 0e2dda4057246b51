"""`dbdiag match`: one observation a line on standard input, what it means on standard output. Needs no server."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateway.cli import failures

if TYPE_CHECKING:
    from services.matcher.library import Library
    from services.matcher.match import Matcher
    from services.matcher.model import Candidate, Interpretation


@click.command()
@click.option(
    "--library",
    "path",
    type=click.Path(exists=True, path_type=Path),
    help="A library folder, or one JSON file with phenomena and root causes; the shipped library by default.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def match(path: Path | None, as_json: bool) -> int:
    """Find the phenomena that free text speaks of.

    Reads one observation a line; an empty line gives no answer. Exits with 1 when nothing was found for any line.
    """
    lines = (line.decode("utf-8", errors="replace").strip() for line in sys.stdin.buffer)
    return asyncio.run(_run(path, lines, as_json))


async def _run(path: Path | None, lines: Iterable[str], as_json: bool) -> int:
    from services.matcher.match import MAX_CHARACTERS
    from services.matcher.model import MatchContext, MatchRequest, NoMatch, Observation
    from services.matcher.text import language_of

    matcher = await _matcher(library_at(path))
    found = failures.FELL_SHORT
    for text in lines:
        if not text:
            continue
        language = language_of(text)
        context = MatchContext(language="en" if language == "en" else "zh")
        answer = await matcher.match(MatchRequest("", (Observation(text[:MAX_CHARACTERS]),), context))
        interpretation = answer.interpretations[0]
        if not isinstance(interpretation.outcome, NoMatch):
            found = failures.DONE
        body = {"text": text, "language": language, **_body(interpretation)}
        print(json.dumps(body, ensure_ascii=False) if as_json else _text(body), flush=True)
    return found


def library_at(path: Path | None) -> Library:
    """The library at a path, a folder or one JSON file; the shipped one without a path."""
    from services.matcher.library import name_of, read_snapshot, read_world

    if path is not None and path.is_file():
        return read_world(path.read_bytes())
    from services.knowledge.compile import compile_libraries
    from services.knowledge.shipped import POSTGRESQL

    content = compile_libraries([path or POSTGRESQL])
    return read_snapshot(content, name_of(content))


async def _matcher(library: Library) -> Matcher:
    from services.matcher import embedding, glossary
    from services.matcher.match import Matcher
    from services.matcher.settings import MatcherSettings
    from services.matcher.snapshots import FixedSource, Snapshots
    from services.matcher.store import Store

    words, embedder = glossary.load(), embedding.static_embedder()
    folder = MatcherSettings().matcher_cache_dir.expanduser()
    snapshots = Snapshots(FixedSource(library), Store(None, 5.0), words, embedder, kept_in=folder)
    return Matcher(snapshots, words, embedder)


def _body(interpretation: Interpretation) -> dict[str, Any]:
    from services.matcher.model import Clarification, Match

    outcome = interpretation.outcome
    body: dict[str, Any] = {"decision": "no_match"}
    if isinstance(outcome, Match):
        body = {
            "decision": "match",
            "phenomenon_id": outcome.phenomenon_id,
            "verdict": outcome.verdict.value,
            "score": outcome.score,
            "extracted_value": outcome.extracted_value or None,
            "also_possible_id": outcome.also_possible_id or None,
        }
    elif isinstance(outcome, Clarification):
        options = [_candidate(item) for item in outcome.options]
        body = {"decision": "clarification", "kind": outcome.kind.value, "options": options}
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
