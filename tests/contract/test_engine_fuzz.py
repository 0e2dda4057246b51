"""Random requests over real gRPC: each is answered or refused in time, and no number is not one."""

from __future__ import annotations

import asyncio
import math
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from dbdiag.engine.v1 import engine_pb2 as pb
from google.protobuf.message import Message

from tests.contract.test_engine_service import publish, serving
from tests.support.engine_graphs import three_causes

SECONDS = 10.0
IN_FLIGHT = 50
REFUSALS = {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND, grpc.StatusCode.FAILED_PRECONDITION}
NUMBERS = [0.0, 1.0, 0.5, 0.97, -0.0, -1.0, 2.0, 98.0, 5e-324, 1e308, math.inf, -math.inf, math.nan]
COUNTS = [0] * 6 + [1, 2, 3, 5, 10, 20, 50, 51, 101, 2**32 - 1]
ODD_IDS = ["", "P-9999", "RC-0001", "P-0001 ", "p-0001", "\x00", "多" * 300, "'; DROP TABLE x; --"]


def phenomenon(chance: random.Random) -> str:
    return chance.choice(ODD_IDS) if chance.random() < 0.02 else f"P-{chance.randint(1, 5):04d}"


def cause(chance: random.Random) -> str:
    return chance.choice(ODD_IDS) if chance.random() < 0.1 else f"RC-{chance.randint(1, 3):04d}"


def answers(chance: random.Random) -> list[pb.Evidence]:
    found = []
    for _ in range(chance.choice([0, 1, 1, 2, 2, 3, 4, 40])):
        verdict: Any = chance.choice([1, 1, 1, 2, 2, 2, 3, 3, 0, 99]) if chance.random() < 0.2 else chance.randint(1, 3)
        item = pb.Evidence(phenomenon_id=phenomenon(chance), verdict=verdict)
        if chance.random() < 0.5:
            item.score = chance.choice(NUMBERS) if chance.random() < 0.1 else chance.random()
        found.append(item)
    return found


def request(chance: random.Random) -> tuple[str, Message]:
    rule: Any = chance.choice([0, 1, 2, 2, 77]) if chance.random() < 0.2 else chance.randint(0, 2)
    method = chance.choice(["Diagnose", "Diagnose", "Explain", "WhatIf"])
    if method == "Explain":
        named: dict[str, Any] = {"root_cause_id": cause(chance), "phenomenon_id": phenomenon(chance)}
        kept = {name: value for name, value in named.items() if chance.random() < 0.5}
        return method, pb.ExplainRequest(evidence=answers(chance), rule=rule, **kept)
    if method == "WhatIf":
        taken = [phenomenon(chance) for _ in range(chance.randint(0, 3))]
        edit = answers(chance)
        return method, pb.WhatIfRequest(
            evidence=answers(chance), replace=edit, retract_phenomenon_ids=taken, rule=rule,
            max_changes=chance.choice(COUNTS),
        )  # fmt: skip
    hints = [pb.Hint(root_cause_id=cause(chance), boost=chance.choice([*NUMBERS, 0.1])) for _ in range(2)]
    made = pb.DiagnoseRequest(
        evidence=answers(chance), hints=hints if chance.random() < 0.1 else [], rule=rule,
        max_hypotheses=chance.choice(COUNTS), max_recommendations=chance.choice(COUNTS),
        excluded_phenomenon_ids=[phenomenon(chance) for _ in range(chance.randint(0, 2))],
    )  # fmt: skip
    if chance.random() < 0.2:
        made.threshold = chance.choice([*NUMBERS, 0.9])
    return method, made


def numbers(message: Message) -> Iterator[float]:
    """Every floating number in a message."""
    for field, value in message.ListFields():
        for item in value if field.is_repeated else [value]:
            if isinstance(item, Message):
                yield from numbers(item)
            elif isinstance(item, float):
                yield item


async def play(folder: Path, count: int) -> Counter[str]:
    """Sends `count` requests; how many were answered, refused, or ended as they must not, each under its name."""
    publish(folder, three_causes())
    chance, gate = random.Random(7), asyncio.Semaphore(IN_FLIGHT)
    ends = Counter[str]()

    async with serving(folder) as engine:

        async def send(method: str, message: Message) -> None:
            async with gate:
                try:
                    reply = await getattr(engine, method)(message, timeout=SECONDS)
                except grpc.aio.AioRpcError as error:
                    ends["refused" if error.code() in REFUSALS else f"{method} {message}: {error!r}"] += 1
                    return
                assert all(math.isfinite(number) for number in numbers(reply)), f"{method} {message}"
                ends["answered"] += 1

        await asyncio.gather(*(send(*request(chance)) for _ in range(count)))
    return ends


async def test_random_requests_are_answered_or_refused(tmp_path: Path) -> None:
    """No request crashes the engine, none is late, and no number in a reply is infinite or not a number."""
    ends = await play(tmp_path, 400)
    assert ends.keys() == {"answered", "refused"}
    assert ends.total() == 400


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_ten_thousand_random_requests(tmp_path: Path) -> None:
    """The same of ten thousand requests."""
    ends = await play(tmp_path, 10_000)
    assert ends.keys() == {"answered", "refused"}
    assert ends.total() == 10_000
