"""`dbdiag knowledge diff`: the differences between two snapshots, and the past cases they diagnose differently."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateway.cli import output
from gateway.cli.knowledge.files import count_things, say, settings_of, store_of
from gateway.cli.knowledge.progress import Bar
from gateway.cli.options import DATA_DIR, JSON, WholeNumber
from gateway.cli.output import show

if TYPE_CHECKING:
    from gateway.cases.past_cases import Comparison, Judgement
    from services.knowledge.files import Change, SnapshotStore

_SIGNS: dict[str | None, str] = {"added": "+", "removed": "-", "changed": "~"}


@click.command(name="diff")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--cases", is_flag=True, help="Also diagnose every past case with A and with B.")
@click.option(
    "--limit", type=WholeNumber(min=1), default=1000, show_default=True, help="The most past cases to compare."
)
@DATA_DIR
@JSON
def show_diff(before: str, after: str, cases: bool, limit: int, data_dir: Path | None, as_json: bool) -> int:
    """Show how snapshot B differs from A; each is an id, its first digits, `current` or `previous`."""
    from services.knowledge.files import diff

    store = store_of(settings_of(data_dir))
    one, two = store.resolve(before), store.resolve(after)
    changes = diff(store.read(one), store.read(two))
    lines = [_change_line(change) for change in changes] or [say("no_difference")]
    body: dict[str, Any] = {"changes": [_change_body(change) for change in changes]}
    if cases:
        found = asyncio.run(compare_cases(store, one, two, limit))
        body["cases"] = asdict(found)
        lines += case_lines(found)
    show(as_json, body, lines)
    return output.DONE


async def compare_cases(store: SnapshotStore, before: str, after: str, limit: int) -> Comparison:
    """The engine's verdicts on past cases with each of two stored snapshots."""
    from gateway.cases.past_cases import compare, read_contents
    from gateway.cli.services import start_engine

    one, two = (read_contents(identity, store.read(identity)) for identity in (before, after))
    with Bar() as bar:
        async with start_engine(store.read, before) as services:

            def progress(done: int, total: int) -> None:
                bar.tell("past cases", done, total)

            return await compare(services.engine, one, two, limit, progress)


def case_lines(found: Comparison) -> list[str]:
    """The cases whose verdict changes, and the number of correct ones before and after."""
    lines = [
        say(
            "changed_case",
            ticket=item.ticket_id,
            cause=item.root_cause_id,
            before=_judgement(item.before),
            after=_judgement(item.after),
        )
        for item in found.changed
    ]
    verdicts, cases = count_things(len(found.changed), "verdict"), count_things(found.replayed, "case")
    right = {"before": found.right_before, "after": found.right_after}
    lines.append(say("changed_verdicts", verdicts=verdicts, cases=cases, **right))
    if found.left_out:
        lines.append(say("beyond_limit", cases=count_things(found.left_out, "case")))
    return lines


def _judgement(judged: Judgement) -> str:
    if not judged.root_cause_id:
        return say("judged_nothing")
    sure = say("concluded" if judged.concluded else "open")
    return say("judged", cause=judged.root_cause_id, confidence=judged.confidence, sure=sure)


def _change_body(change: Change) -> dict[str, Any]:
    return {key: value for key, value in asdict(change).items() if value or not key.startswith("strength")}


def _change_line(change: Change) -> str:
    fields = f" ({', '.join(change.fields)})" if change.fields else ""
    if change.strength_before != change.strength_after:
        fields += f" {change.strength_before or 'none'} -> {change.strength_after or 'none'}"
    return f"{_SIGNS[change.kind]} {change.entity_type} {change.entity_id}{fields}"
