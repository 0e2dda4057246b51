"""What people told in Chinese talks and was not heard: their own messages, which nothing was learned from.

A line has the message, `told`, what it tells (`P-0001:confirmed`; with `|` either of several), and `also`, what may be
recorded beside. They are the hard ones: what had been heard from the beginning is not among them.
"""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lang import embedding
from lang.concepts import glossary
from lang.modality import is_out_of_reach
from services.knowledge.library.shipped_libraries import locate
from services.knowledge.snapshots.compile import compile_libraries
from services.matcher.index.entries import name_of, read_snapshot
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.matcher import Matcher
from services.matcher.model import Interpretation, MatchPhenomenaRequest, Observation, Standing, Verdict
from services.matcher.recognition.claimed_spans import spans_of
from services.matcher.training import recogniser_weights
from services.planner.understand.text.segments import polarity_of
from tests.support.cases import for_each
from tests.support.matching import counted, shipped_reader, standings

HELD = Path(__file__).parents[1] / "recognised" / "talks-zh.jsonl"
# Of the facts so many are recorded, and so many recorded or asked about; of the messages so many record a wrong one.
RECORDED, HEARD, WRONG = 0.2, 0.5, 0.06


@cache
def held() -> list[dict[str, Any]]:
    return [json.loads(line) for line in HELD.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def heard(kept_in: Path) -> list[tuple[dict[str, Any], Interpretation]]:
    """Each message with what is heard in it."""
    matchers = {library: matcher_of(library, kept_in) for library in {row["library"] for row in held()}}

    def hear(row: dict[str, Any]) -> Interpretation:
        request = MatchPhenomenaRequest("", (Observation(row["said"]),))
        return asyncio.run(matchers[row["library"]].match(request)).interpretations[0]

    return [(row, hear(row)) for row in held()]


def matcher_of(library: str, kept_in: Path) -> Matcher:
    content = compile_libraries([locate(library)])
    words, embedder = glossary.load(), embedding.load()
    source = FixedSource(read_snapshot(content, name_of(content)))
    return Matcher(Snapshots(source, Store(None, 5.0), words, embedder, kept_in=kept_in), words, embedder)


def recorded(meaning: Interpretation) -> set[str]:
    return {f"{name}:{verdict.name.lower()}" for name, verdict in counted(meaning).items()}


def test_none_of_the_messages_was_learned_from() -> None:
    """The messages that measure are none of those that teach."""
    assert not {sentence.text for sentence in recogniser_weights.load_sentences()} & {row["said"] for row in held()}


@pytest.mark.slow
def test_what_was_told_is_heard(heard: list[tuple[dict[str, Any], Interpretation]]) -> None:
    """Of the facts no fewer are recorded, and recorded or asked about, than was reached."""
    facts = [(set(told.split("|")), meaning) for row, meaning in heard for told in row["told"]]
    right = [bool(told & recorded(meaning)) for told, meaning in facts]
    near = [bool({each.split(":")[0] for each in told} & standings(meaning).keys()) for told, meaning in facts]
    assert sum(right) >= RECORDED * len(facts)
    assert sum(map(any, zip(right, near, strict=True))) >= HEARD * len(facts)


@pytest.mark.slow
def test_little_is_recorded_that_nobody_told(heard: list[tuple[dict[str, Any], Interpretation]]) -> None:
    """Few messages record what they do not tell."""
    wrong = [
        (row["said"], more)
        for row, meaning in heard
        if (more := recorded(meaning) - {*row["also"], *(each for told in row["told"] for each in told.split("|"))})
    ]
    assert len(wrong) <= WRONG * len(heard), wrong


@for_each(
    ("said", "clauses"),
    [
        ("没改表啊 也没发版 就是流量上来了", ["没改表啊 ", "也没发版 ", "就是流量上来了"]),
        ("没改表啊，也没发版", ["没改表啊，", "也没发版"]),
        ("df 才用了40% iostat 也没啥压力", []),
    ],
)
def test_a_space_between_chinese_words_stands_for_a_comma(said: str, clauses: list[str]) -> None:
    """A space beside a Latin word or a number only sets that apart."""
    assert [said[start:end] for sentence in spans_of(said) for start, end in sentence[1:]] == clauses


@for_each(
    ("said", "name", "verdict"),
    [
        ("等下我先说 大概2点左右开始的,cpu闲得很才5%", "P-0008", "DENIED"),
        ("再说一遍:写入正常", "P-0004", "DENIED"),
        ("最近数据量翻了大概10倍", "P-0109", "CONFIRMED"),
    ],
)
def test_how_a_sentence_is_opened_does_not_unsay_it(said: str, name: str, verdict: str) -> None:
    """ "Let me say first" plans nothing, "once more" supposes nothing, and "about" before a number doubts nothing."""
    readings = (item.reading for item in shipped_reader().read(said).readings)
    found = {each.phenomenon_id: each.verdict for each in readings if each.standing is Standing.COUNTS}
    assert found.get(name) is Verdict[verdict]


@pytest.mark.parametrize("said", ["那些跑批sql正常要七八分钟才出数", "每个小时都比上个小时慢一点"])
def test_what_is_normal_or_creeps_tells_of_nothing_else(said: str) -> None:
    """How long a report normally takes does not deny that it is slow; what grows slower by the hour is no spike."""
    readings = (item.reading for item in shipped_reader().read(said).readings)
    assert not {each.phenomenon_id for each in readings if each.standing is Standing.COUNTS} & {"P-0003", "P-0012"}


@for_each(
    "said", ["表从 40G 涨到 110G 了，可订单量跟上周差不多啊", "文件变大了，订单数没涨", "表越来越大，单量跟平时差不多"]
)
def test_a_table_that_grows_without_its_rows_is_bloated(said: str) -> None:
    """People tell of their orders, and not of rows."""
    readings = (item.reading for item in shipped_reader().read(said).readings)
    assert "P-0064" in {each.phenomenon_id for each in readings if each.standing is Standing.COUNTS}


@for_each(("said", "cannot"), [("我没说看不了", False), ("谁说我看不了的", False), ("这个我看不了", True)])
def test_who_never_said_so_can_look(said: str, cannot: bool) -> None:
    """Words that somebody did not say are not theirs."""
    assert is_out_of_reach(said) is cannot
    assert (polarity_of(said) is not None) is cannot
