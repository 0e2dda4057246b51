"""`dbdiag knowledge proposals`: closed cases that await review, their effect, and the decision."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateway.cli import output
from gateway.cli.chat.conversation import strip_controls
from gateway.cli.knowledge.diff import case_lines
from gateway.cli.knowledge.files import author_name, count_things, say, settings_of, store_of
from gateway.cli.knowledge.progress import Bar
from gateway.cli.language import language
from gateway.cli.options import DATA_DIR, JSON, WholeNumber
from gateway.cli.output import show

if TYPE_CHECKING:
    from gateway.cases.closing import Preview
    from services.knowledge.files import Learning, Proposal, SnapshotStore

_ID = click.argument("proposal_id", metavar="PROPOSAL")
_REVIEWER = click.option("--reviewer", help="The reviewer. [default: you]")
_SHOWN_WORDS = 60


@click.group()
def proposals() -> None:
    """List, show, accept and reject closed cases as learning proposals."""


@proposals.command(name="list")
@click.option(
    "--state", type=click.Choice(["open", "accepted", "rejected"]), help="Only proposals in this state. [default: all]"
)
@DATA_DIR
@JSON
def list_proposals(state: str | None, data_dir: Path | None, as_json: bool) -> int:
    """List the proposals, oldest first. Exits with 1 if there are none."""
    found = [item for item in _learning(data_dir)[0].all() if state in (None, item.state)]
    lines = [_line(item) for item in found] or [say("no_proposals", id="{id}")]
    show(as_json, {"proposals": [_describe_briefly(item) for item in found]}, lines)
    return output.DONE if found else output.FELL_SHORT


@proposals.command(name="show")
@_ID
@click.option(
    "--limit", type=WholeNumber(min=1), default=200, show_default=True, help="The most past cases to compare."
)
@DATA_DIR
@JSON
def show_proposal(proposal_id: str, limit: int, data_dir: Path | None, as_json: bool) -> int:
    """Show a proposal and its effect on beliefs about the case and on verdicts on past cases."""
    learning, store = _learning(data_dir)
    proposal = learning.get(proposal_id)
    preview = asyncio.run(_preview(learning, store, proposal, limit))
    body = {"proposal": _body(proposal), "preview": asdict(preview)}
    show(as_json, body, [*_proposal_lines(proposal), *_preview_lines(proposal, preview)])
    return output.DONE


@proposals.command()
@_ID
@click.option("--from-quarantine", is_flag=True, help="Confirm that you have reviewed its evidence.")
@click.option(
    "--as", "root_cause_id", default="", metavar="RC-ID", help="Record this known cause. [default: as proposed]"
)
@click.option("--reason", default="", help="The reason.")
@_REVIEWER
@DATA_DIR
@JSON
def accept(
    proposal_id: str,
    from_quarantine: bool,
    root_cause_id: str,
    reason: str,
    reviewer: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> int:
    """Add the case to the site library as a ticket; the next published snapshot includes it."""
    learning, _ = _learning(data_dir)
    words = {"reviewer": reviewer or author_name(), "reason": reason, "root_cause_id": root_cause_id}
    return _decide(learning, proposal_id, "accept", as_json, release_quarantine=from_quarantine, **words)


@proposals.command()
@_ID
@click.option("--reason", default="", help="The reason.")
@_REVIEWER
@DATA_DIR
@JSON
def reject(proposal_id: str, reason: str, reviewer: str | None, data_dir: Path | None, as_json: bool) -> int:
    """Reject the case, or withdraw an earlier acceptance."""
    learning, _ = _learning(data_dir)
    return _decide(learning, proposal_id, "reject", as_json, reviewer=reviewer or author_name(), reason=reason)


def _decide(learning: Learning, proposal_id: str, decision: str, as_json: bool, **words: Any) -> int:
    from services.knowledge.files import Decision

    reviewed = learning.review(proposal_id, Decision(decision), **words)
    proposal = reviewed.proposal
    body = {"proposal": _body(proposal), "published_snapshot_id": reviewed.published_id or None}
    show(as_json, body, [_line(proposal), _next_step(proposal, reviewed.published_id)])
    return output.DONE


def _next_step(proposal: Proposal, published: str) -> str:
    if published:
        return say("published_as", snapshot=published)
    if proposal.teaches:
        return say("next_ticket", ticket=proposal.ticket_id)
    if proposal.state == "accepted":
        return say("held_out_case")
    return say("not_next")


def _learning(data_dir: Path | None) -> tuple[Learning, SnapshotStore]:
    from services.knowledge.files import Learning

    settings = settings_of(data_dir)
    store = store_of(settings)
    return Learning(settings, store, time.time), store


async def _preview(learning: Learning, store: SnapshotStore, proposal: Proposal, limit: int) -> Preview:
    from gateway.cases.closing import make_preview
    from gateway.cases.past_cases import PastCase, read_contents
    from gateway.cli.services import start_engine

    snapshots = learning.preview(proposal)
    one, two = (read_contents(identity, store.read(identity)) for identity in (snapshots.without_id, snapshots.with_id))
    evidence = _evidence(proposal)
    seen = tuple(item.phenomenon_id for item in evidence if item.verdict == "confirmed")
    case = PastCase(proposal.ticket_id, proposal.case.root_cause_id, seen)
    with Bar() as bar:
        progress: Callable[[int, int], None] = lambda done, total: bar.tell("past cases", done, total)  # noqa: E731
        async with start_engine(store.read, snapshots.without_id) as services:
            return await make_preview(services.engine, case, evidence, (one, two), limit, progress)


def _evidence(proposal: Proposal) -> list[Any]:
    from dbdiag.engine.v1.engine_types import Evidence
    from dbdiag.vocabulary import Verdict

    return [Evidence(item.phenomenon_id, Verdict(item.verdict), item.score) for item in proposal.case.evidence]


def _body(proposal: Proposal) -> dict[str, Any]:
    value = proposal.model_dump(mode="json")
    case: dict[str, Any] = value.pop("case")
    return case | {"ticket_id": proposal.ticket_id} | value


def _describe_briefly(proposal: Proposal) -> dict[str, Any]:
    """A proposal in a list, without the id that opens its session."""
    return {key: value for key, value in _body(proposal).items() if key != "session_id"}


def _line(proposal: Proposal) -> str:
    marks = [say(key) for key in ("quarantined", "held_out") if getattr(proposal, key)]
    said = " ".join(strip_controls(proposal.case.complaint).split())
    said = said if len(said) <= _SHOWN_WORDS else said[: _SHOWN_WORDS - 1] + "…"
    state = ", ".join([say(f"state_{proposal.state.value}"), *marks])
    return f"{proposal.proposal_id}  {proposal.case.root_cause_id}  {state}: {said}"


def _proposal_lines(proposal: Proposal) -> list[str]:
    case = proposal.case
    lines = [
        _line(proposal),
        say("of_session", session=case.session_id, case=case.case, snapshot=case.snapshot_id[:19]),
    ]
    if case.new_root_cause_description:
        lines.append(say("new_cause", cause=case.root_cause_id, words=strip_controls(case.new_root_cause_description)))
    if case.solution:
        lines.append(say("helped", words=strip_controls(case.solution)))
    lines += [
        f"  {item.verdict:<9} {item.phenomenon_id} ({item.origin}) {strip_controls(item.words)}"
        for item in case.evidence
    ]
    if proposal.redacted_count:
        lines.append(say("redacted", secrets=count_things(proposal.redacted_count, "secret")))
    if proposal.reviewer:
        who = {"reviewer": strip_controls(proposal.reviewer), "reason": strip_controls(proposal.review_reason)}
        lines.append(say("reviewed_by", state=say(f"state_{proposal.state.value}"), **who))
    return lines


def _preview_lines(proposal: Proposal, preview: Preview) -> list[str]:
    if proposal.held_out:
        return [say("held_out_changes")]
    lines = [say("beliefs")]
    lines += [
        f"  {item.root_cause_id} {getattr(item.name, language())}: "
        f"{item.confidence_before:.1%} -> {item.confidence_after:.1%}"
        for item in preview.beliefs
    ]
    return [*lines, *case_lines(preview.past_cases)]
