"""Names that Oracle and openGauss use for the same phenomenon are matched."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from services.matcher.matcher import MAX_OBSERVATIONS, Matcher
from services.matcher.model import Interpretation, Match, MatchPhenomenaRequest, Observation, Verdict
from services.matcher.training.texts import load_shipped_library
from tests.support.matching import outcome_of

NAMES = [
    (line.partition(" ")[0], line.partition(" ")[2])
    for line in (Path(__file__).parent / "other_systems.txt").read_text(encoding="utf-8").splitlines()
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
def understood(curated_matcher: Matcher) -> dict[str, str]:
    """Text -> id of the confirmed phenomenon; empty without a confirming match."""
    texts = [*(text for _, text in [*NAMES, *PRINTED]), *UNKNOWN]

    async def ask() -> list[Interpretation]:
        found: list[Interpretation] = []
        for start in range(0, len(texts), MAX_OBSERVATIONS):
            asked = tuple(map(Observation, texts[start : start + MAX_OBSERVATIONS]))
            found += (await curated_matcher.match(MatchPhenomenaRequest("", asked))).interpretations
        return found

    return {text: confirmed(one) for text, one in zip(texts, asyncio.run(ask()), strict=True)}


def confirmed(interpretation: Interpretation) -> str:
    """The phenomenon of a confirming match, else an empty text."""
    outcome = outcome_of(interpretation)
    if isinstance(outcome, Match) and outcome.verdict == Verdict.CONFIRMED:
        return outcome.phenomenon_id
    return ""


def test_each_is_an_alias_of_its_phenomenon_alone() -> None:
    """Each name is an alias of its phenomenon alone, and at least 45 phenomena have one."""
    said = Counter(alias for entry in load_shipped_library().phenomena for alias in entry.aliases)
    at = {(entry.id, alias) for entry in load_shipped_library().phenomena for alias in entry.aliases}
    assert [name for name in NAMES if name not in at] == []
    assert [text for _, text in NAMES if said[text] > 1 and len({i for i, t in NAMES if t == text}) > 1] == []
    assert len({phenomenon for phenomenon, _ in NAMES}) >= 45


def test_each_is_understood(understood: dict[str, str]) -> None:
    """Each name confirms its phenomenon, alone and in a real message."""
    wrong = [(name, text, understood[text]) for name, text in [*NAMES, *PRINTED] if understood[text] != name]
    assert wrong == []


@pytest.mark.parametrize("text", UNKNOWN)
def test_an_unknown_code_is_no_known_one(text: str, understood: dict[str, str]) -> None:
    """An unknown error code is not matched to a similar one."""
    assert understood[text] == ""
