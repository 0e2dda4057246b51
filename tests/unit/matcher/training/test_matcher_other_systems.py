"""Names that Oracle and openGauss use for the same phenomenon lead to it."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from services.matcher.matcher import Matcher
from services.matcher.model import Interpretation, MatchPhenomenaRequest, Observation, Verdict
from services.matcher.request_checks import MAX_OBSERVATIONS
from services.matcher.training.texts import load_shipped_library
from tests.support.matching import asked_of, counted

NAMES = [
    (line.partition(" ")[0], line.partition(" ")[2])
    for line in (Path(__file__).parents[1] / "other_systems.txt").read_text(encoding="utf-8").splitlines()
]


# Names in real messages: with numbers, other letter case and surrounding words.
PRINTED = [
    ("P-0027", "ORA-00060: deadlock detected while waiting for resource"),
    ("P-0027", "应用日志里报 ora-60 死锁"),
    ("P-0130", "we get ORA-00257: archiver error. Connect AS SYSDBA only until resolved."),
    ("P-0043", "FATAL: Already too many clients, active/non-active/reserved: 5/508/3."),
    ("P-0021", "top wait is enq: TX - row lock contention, 74 % of DB time"),
    ("P-0127", "sessions all wait on log file sync"),
    ("P-0035", "大量线程 acquire lwlock 卡在 LockMgrLock"),
]
UNKNOWN = ["ORA-12154: TNS:could not resolve the connect identifier", "报 ORA-01017777", "ORA-24247"]


@pytest.fixture(scope="module")
def understood(curated_matcher: Matcher) -> dict[str, Interpretation]:
    """Each text as it is understood."""
    texts = [*(text for _, text in [*NAMES, *PRINTED]), *UNKNOWN]

    async def ask() -> list[Interpretation]:
        found: list[Interpretation] = []
        for start in range(0, len(texts), MAX_OBSERVATIONS):
            asked = tuple(map(Observation, texts[start : start + MAX_OBSERVATIONS]))
            found += (await curated_matcher.match(MatchPhenomenaRequest("", asked))).interpretations
        return found

    return dict(zip(texts, asyncio.run(ask()), strict=True))


def test_each_is_an_alias_of_its_phenomenon_alone() -> None:
    """Each name is an alias of its phenomenon alone, and at least 45 phenomena have one."""
    said = Counter(alias for entry in load_shipped_library().phenomena for alias in entry.aliases)
    at = {(entry.id, alias) for entry in load_shipped_library().phenomena for alias in entry.aliases}
    assert [name for name in NAMES if name not in at] == []
    assert [text for _, text in NAMES if said[text] > 1 and len({i for i, t in NAMES if t == text}) > 1] == []
    assert len({phenomenon for phenomenon, _ in NAMES}) >= 45


def test_most_lead_to_their_phenomenon(understood: dict[str, Interpretation]) -> None:
    """At least 95 % of the names are read as their phenomenon or asked about as it, in real messages too."""
    led = [
        name in {reading.phenomenon_id for reading in understood[text].readings} | {*asked_of(understood[text])}
        for name, text in [*NAMES, *PRINTED]
    ]
    assert sum(led) >= 0.95 * len(led)


def test_none_denies_its_phenomenon(understood: dict[str, Interpretation]) -> None:
    """No name of a phenomenon counts against it: "does not exist" is what the error says."""
    against = [text for name, text in NAMES if counted(understood[text]).get(name) is Verdict.DENIED]
    assert against == []


@pytest.mark.parametrize("text", UNKNOWN)
def test_an_unknown_code_is_no_known_one(text: str, understood: dict[str, Interpretation]) -> None:
    """An unknown error code is evidence of nothing."""
    assert counted(understood[text]) == {}
