"""`dbdiag replay`: a session as it was, and as another snapshot would have diagnosed it."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli import output
from gateway.cli.chat.conversation import strip_controls
from gateway.cli.knowledge.files import settings_of, store_of
from gateway.cli.language import Texts, language
from gateway.cli.options import DATA_DIR, JSON
from gateway.cli.output import show

if TYPE_CHECKING:
    from gateway.cases.past_cases import Judgement
    from gateway.turn.tools.belief_history import ReplayedTurn

say = Texts("tools").say
_SHORT = 19
_SHOWN_WORDS = 60


@click.command()
@click.argument("session_id", metavar="SESSION")
@click.option(
    "--snapshot", default="current", show_default=True, help="`current`, `previous`, or an id's first digits."
)
@DATA_DIR
@JSON
def replay(session_id: str, snapshot: str, data_dir: Path | None, as_json: bool) -> int:
    """Show what another snapshot would have concluded in a session, turn by turn.

    The session itself is unchanged. Exits with 1 if no turn had evidence.

    SESSION may also be a trace file, diagnosis_trace.json: the diagnosis is then repeated without target or model.
    Exits with 1 if its report differs from the stored one.
    """
    if Path(session_id).is_file():
        return _replay_trace(Path(session_id), data_dir, as_json)
    turns, other = asyncio.run(_replay_session(session_id, snapshot, data_dir))
    body = {
        "session_id": session_id,
        "snapshot_id": other,
        "turns": [asdict(turn) | {"differs": turn.differs} for turn in turns],
    }
    lines = [line for turn in turns for line in _lines(turn)]
    differ = sum(turn.differs for turn in turns)
    turned = "one_turn" if len(turns) == 1 else "turns"
    lines.append(say(turned, count=len(turns), snapshot=other[:_SHORT], differ=differ))
    show(as_json, body, lines)
    return output.DONE if turns else output.FELL_SHORT


def _replay_trace(trace: Path, data_dir: Path | None, as_json: bool) -> int:
    from gateway.cli.diagnose.run import replay_diagnosis

    report, same = asyncio.run(replay_diagnosis(trace, data_dir or Path(".dbdiag")))
    said = say({True: "same", False: "differs", None: "no_report"}[same])
    cause = (report["root_cause"] or {}).get("root_cause_id") or say("no_cause")
    told = say("replayed", verdict=say(report["verdict"]), cause=cause, same=said)
    show(as_json, {"same": same, "report": report}, [told])
    return output.FELL_SHORT if same is False else output.DONE


async def _replay_session(session_id: str, snapshot: str, data_dir: Path | None) -> tuple[list[ReplayedTurn], str]:
    from gateway.cases.past_cases import read_contents
    from gateway.cli.services import start_engine
    from gateway.cli.tools.session_files import open_sessions
    from gateway.turn.tools.belief_history import replay_session
    from services.chassis.errors import NotFound

    async with open_sessions(data_dir) as sessions:
        stored = await sessions.load(session_id) if sessions is not None else None
        if sessions is None or stored is None:
            raise NotFound("session_not_found.data_folder", session_id=session_id)
        traces = await sessions.traces(session_id)
    store = store_of(settings_of(data_dir))
    other = store.resolve(snapshot)
    used = {str(trace["snapshot_id"]) for trace in traces} | {other}
    contents = {identity: read_contents(identity, store.read(identity)) for identity in used}
    async with start_engine(store.read, other) as services:
        turns = await replay_session(services.engine, stored.session, traces, contents, contents[other])
    return turns, other


def _lines(turn: ReplayedTurn) -> list[str]:
    words = " ".join(strip_controls(turn.message).split())
    said = words if len(words) <= _SHOWN_WORDS else words[: _SHOWN_WORDS - 1] + "…"
    lines = [f"{turn.turn}. {said}", say("said", judged=_judgement(turn.said))]
    lines.append(say("would_differ" if turn.differs else "would_say", judged=_judgement(turn.would_say)))
    if turn.unknown:
        lines.append(say("unknown", names=", ".join(turn.unknown)))
    return lines


def _judgement(judged: Judgement) -> str:
    if not judged.root_cause_id:
        return say("nothing")
    name = getattr(judged.name, language())
    sure = say("concluded" if judged.concluded else "open")
    return f"{judged.root_cause_id} {name} {judged.confidence:.0%} ({sure})"
