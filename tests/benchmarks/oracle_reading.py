"""`python -m tests.benchmarks.oracle_reading FILE...`: messages read by rules, and with a model that reads perfectly.

Each case is a conversation with the whole program over HTTP; only the matcher has the model. A line of a file is
{"id", "message", "before": [...], "want": {"confirmed": [[ids]], "denied": [[ids]]}, "allowed": ["P-0001:denied"],
"ask_ok": bool}. Pasted outputs go the same way; what a known check printed is judged by its rows, model or not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from services.matcher.message_reader import MessageReader
from services.matcher.training.texts import load_shipped_library
from tests.support.conversations import Conversation
from tests.support.oracle import Labelled, Oracle, read_labelled
from tests.support.running.processes import embedded
from tests.support.servers.model_endpoint import Answer, completion, endpoint


def heard(url: str, labelled: Labelled) -> bool:
    """True if everything that the message's turn records is right, and nothing is missing."""
    conversation = Conversation(url)
    for message in (*labelled.before, labelled.message):
        conversation.say(message)
    session = httpx.get(f"{url}/sessions/{conversation.session_id}").json()
    turn = conversation.responses[-1]["turn"]
    recorded = {
        (entry["phenomenon_id"], entry["verdict"])
        for entry in session["evidence"]
        if entry["turn"] == turn and entry["retracted_turn"] is None and entry["verdict"] in ("confirmed", "denied")
    }
    details = conversation.details
    return labelled.is_whole_right(recorded, bool(details["clarification"] or details["proposed"]))


def share_right(cases: Sequence[Labelled], settings: Mapping[str, str]) -> tuple[float, list[str]]:
    """The share of cases that come out whole right, and the ids of the others."""
    with tempfile.TemporaryDirectory() as folder, embedded(Path(folder), **settings) as running:
        wrong = [each.id for each in cases if not heard(running.url, each)]
    return 1 - len(wrong) / max(len(cases), 1), wrong


async def compare(path: Path) -> None:
    """Prints the shares of one file, and the ids of the cases that a perfect reading does not get right."""
    cases = read_labelled(path)
    oracle = Oracle(cases, MessageReader(load_shipped_library()))

    def reply(asked: dict[str, Any]) -> Answer:
        return completion(json.dumps(oracle.answer(json.loads(asked["messages"][-1]["content"]))))

    alone, _ = await asyncio.to_thread(share_right, cases, {})
    async with endpoint(by=reply) as played:
        settings = {"llm_base_url": played.base_url, "rerank_model": "oracle"}
        helped, wrong = await asyncio.to_thread(share_right, cases, settings)
    print(f"{path.name}: {len(cases)} cases, whole right {alone:.3f} by rules alone, {helped:.3f} with the oracle")
    print(f"  not right with the oracle: {' '.join(wrong) or 'none'}", flush=True)


def main() -> None:
    """Compares each file of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.oracle_reading", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="labelled messages, JSON lines")
    for path in parser.parse_args().files:
        asyncio.run(compare(path))


if __name__ == "__main__":
    main()
