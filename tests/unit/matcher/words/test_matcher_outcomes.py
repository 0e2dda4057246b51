from __future__ import annotations

from dataclasses import replace

import pytest

from lang.concepts import glossary
from services.chassis.errors import InvalidInput, NotFound
from services.matcher.matcher import Matcher
from services.matcher.model import (
    Clarification,
    ClarificationKind,
    Interpretation,
    MatchPhenomenaRequest,
    NoMatch,
    Observation,
    SearchPhenomenaRequest,
    Standing,
    Verdict,
)
from services.matcher.request_checks import MAX_CHARACTERS, MAX_OBSERVATIONS
from tests.support.matching import asked_of, counted, outcome_of, standings

pytestmark = pytest.mark.sampled

GARBAGE = (
    "。。。", "?", "1234567890", "\u200b\u200b.", "🙂🙂🙂", "a" * MAX_CHARACTERS, "'; DROP TABLE users; --", "%s%n%d",
    "NaN", "../../etc/passwd", "<script>alert(1)</script>", "\u202ereversed", "{}[]()", "\x00\x01x", "\ud800",
    "ｆｕｌｌｗｉｄｔｈ", "不" * 200, "no " * 300, "/" * 500,
)  # fmt: skip


async def interpret(
    matcher: Matcher, *texts: str, context: MatchPhenomenaRequest | None = None
) -> tuple[Interpretation, ...]:
    request = replace(context or MatchPhenomenaRequest(), observations=tuple(map(Observation, texts)))
    return (await matcher.match(request)).interpretations


def named(interpretation: Interpretation) -> set[str]:
    read = {reading.phenomenon_id for reading in interpretation.readings}
    return read | {item.phenomenon_id for item in interpretation.candidates} | {*asked_of(interpretation)}


async def test_every_observation_gets_one_interpretation_in_order(matcher: Matcher) -> None:
    """There is exactly one interpretation per observation, in the request's order."""
    texts = ("锁等待很多", "mysql binlog 坏了", "归档失败", "db is slow", "cpu at 99%")
    found = await interpret(matcher, *texts)
    assert [item.observation_index for item in found] == list(range(len(texts)))


@pytest.mark.parametrize("text", ["磁盘快满了", "everything is slow", "printer out of paper", "连不上", "lock"])
async def test_only_known_ids_come_back(matcher: Matcher, text: str, small_library: object) -> None:
    """Only ids of the snapshot are returned, whatever the context lists."""
    known = {f"P-{number:04d}" for number in range(1, 13)}
    context = MatchPhenomenaRequest(
        pending_phenomenon_ids=("P-9999",), option_phenomenon_ids=("P-8888",), evidence_phenomenon_ids=("P-7777",)
    )
    assert named((await interpret(matcher, text, context=context))[0]) <= known


async def test_the_same_text_has_the_same_answer(matcher: Matcher) -> None:
    """Equal requests give equal answers, alone or among others."""
    alone = (await interpret(matcher, "归档失败"))[0]
    among = (await interpret(matcher, "cpu 99%", "归档失败"))[1]
    assert (outcome_of(alone), alone.candidates) == (outcome_of(among), among.candidates)


@pytest.mark.parametrize("text", GARBAGE)
async def test_garbage_is_answered_sanely(matcher: Matcher, text: str) -> None:
    """Meaningless text says nothing of any phenomenon."""
    found = (await interpret(matcher, text))[0]
    assert found.readings == ()
    assert isinstance(outcome_of(found), NoMatch | Clarification)


@pytest.mark.parametrize(
    "text",
    [
        "mysql replication broken, error 1062",
        "打印机卡纸",
        "redis 内存满了",
        "k8s pod CrashLoopBackOff",
        "今天好累",
        "order a pizza",
    ],
)
async def test_matters_outside_the_library_are_no_match(matcher: Matcher, text: str) -> None:
    """Texts about matters outside the library are no match."""
    assert isinstance(outcome_of((await interpret(matcher, text))[0]), NoMatch)


@pytest.mark.parametrize("text", ["数据库好慢", "db is slow", "系统有点卡", "the system has a problem"])
async def test_a_vague_complaint_is_clarified(matcher: Matcher, text: str) -> None:
    """An unspecific complaint leads to a clarification with at most four distinct options."""
    outcome = outcome_of((await interpret(matcher, text))[0])
    assert isinstance(outcome, Clarification)
    ids = [item.phenomenon_id for item in outcome.options]
    assert outcome.kind == ClarificationKind.VAGUE
    assert 1 <= len(ids) <= 4
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("text", "phenomenon_id"),
    [
        ("备库落后越来越多", "P-0008"),
        ("replica is 20 minutes behind", "P-0008"),
        ("客户端begin了不提交,晾了半小时", "P-0006"),
        ("archiver failed again", "P-0010"),
        ("資料庫死鎖了", "P-0009"),
        ("where 条件那列根本没索引", "P-0004"),
    ],
)
async def test_other_words_and_languages_find_the_same(matcher: Matcher, text: str, phenomenon_id: str) -> None:
    """Paraphrases in either language and in traditional characters find the phenomenon."""
    assert (await interpret(matcher, text))[0].candidates[0].phenomenon_id == phenomenon_id


async def test_asked_items_are_preferred(matcher: Matcher) -> None:
    """A pending item scores higher for the same words."""
    plain = (await interpret(matcher, "延迟很大"))[0]
    asked = (await interpret(matcher, "延迟很大", context=MatchPhenomenaRequest(pending_phenomenon_ids=("P-0008",))))[0]
    score = {item.phenomenon_id: item.score for item in plain.candidates}.get("P-0008", 0.0)
    assert asked.candidates[0].phenomenon_id == "P-0008"
    assert asked.candidates[0].score > score


async def test_an_open_option_is_chosen_by_words(matcher: Matcher) -> None:
    """Words that fit one option of the open clarification lead to that option."""
    context = MatchPhenomenaRequest(option_phenomenon_ids=("P-0007", "P-0011"))
    for text in ("连接那个", "the connections one"):
        assert named((await interpret(matcher, text, context=context))[0]) == {"P-0007"}


@pytest.mark.parametrize(
    ("sure", "hedged"), [("有死锁", "好像有死锁"), ("we have deadlocks", "seems we have deadlocks")]
)
async def test_hedges_weigh_less(curated_matcher: Matcher, sure: str, hedged: str) -> None:
    """What is said with a hedge is proposed where the plain words count."""
    first, second = await interpret(curated_matcher, sure, hedged)
    assert counted(first).keys() == {"P-0027"}
    assert counted(second) == {}
    assert standings(second) == {"P-0027": Standing.PROPOSED}


async def test_scores_are_ordered_probabilities(matcher: Matcher) -> None:
    """Scores lie in [0, 1] in descending order; ties are in id order."""
    for found in await interpret(matcher, "磁盘", "lock", "cpu", "慢", "连接"):
        keys = [(-item.score, item.phenomenon_id) for item in found.candidates]
        assert keys == sorted(keys)
        assert all(0 <= item.score <= 1 and 0 <= item.dense_score <= 1 for item in found.candidates)


@pytest.mark.parametrize(
    ("observations", "reason"),
    [
        ((Observation(""),), "empty_text"),
        ((Observation(" \n"),), "empty_text"),
        ((Observation("x" * (MAX_CHARACTERS + 1)),), "text_too_long"),
        ((Observation("x"),) * (MAX_OBSERVATIONS + 1), "invalid_request"),
        ((Observation("x", 0.0),), "invalid_request"),
        ((Observation("x", float("nan")),), "invalid_request"),
    ],
)
async def test_bad_input_is_refused(matcher: Matcher, observations: tuple[Observation, ...], reason: str) -> None:
    """Empty or long texts, too many observations and invalid certainties are rejected with their reason."""
    with pytest.raises(InvalidInput) as refused:
        await matcher.match(MatchPhenomenaRequest("", observations))
    assert refused.value.reason == reason


async def test_an_unknown_snapshot_is_refused(matcher: Matcher) -> None:
    """An unknown snapshot raises snapshot_not_found; no other one is used instead."""
    with pytest.raises(NotFound) as refused:
        await matcher.match(MatchPhenomenaRequest("sha256:" + "0" * 64, (Observation("死锁"),)))
    assert refused.value.reason == "snapshot_not_found"


async def test_search_finds_phenomena_and_causes(matcher: Matcher) -> None:
    """A search returns at most its limit, by descending score, and root causes only on request."""
    with_causes = await matcher.search(SearchPhenomenaRequest("", "索引膨胀", 2, include_root_causes=True))
    without = await matcher.search(SearchPhenomenaRequest("", "索引膨胀", 2))
    assert with_causes.root_causes[0].root_cause_id == "RC-0001"
    assert without.root_causes == ()
    assert len(without.candidates) == 2


@pytest.mark.parametrize(
    ("slip", "meant"),
    [("replicaton is lagging", "replication is lagging"), ("deadlok again", "deadlock again")],
)
async def test_a_typo_is_corrected(matcher: Matcher, slip: str, meant: str) -> None:
    """A misspelt word finds the same phenomenon as the correct one."""
    found, wanted = await interpret(matcher, slip, meant)
    assert found.candidates[0].phenomenon_id == wanted.candidates[0].phenomenon_id


@pytest.mark.parametrize("text", ["only 2% disk space left", "磁盘剩余空间不足 5%", "12 GB free on a 1 TB disk"])
async def test_remaining_space_implies_used_space(curated_matcher: Matcher, text: str) -> None:
    """Little remaining space confirms a full disk."""
    assert counted((await interpret(curated_matcher, text))[0]) == {"P-0016": Verdict.CONFIRMED}


@pytest.mark.parametrize(("text", "verdict"), [("还剩 5% 的磁盘空间", "confirmed"), ("磁盘空间 60%", "denied")])
async def test_a_library_without_predicates_decides_by_its_limits(matcher: Matcher, text: str, verdict: str) -> None:
    """A limit in the name of an entry decides what a stated value says of it."""
    assert counted((await interpret(matcher, text))[0]) == {"P-0001": Verdict(verdict)}


def test_common_words_are_no_typos() -> None:
    """Common words are not corrected to similar ones."""
    words = glossary.load()
    assert not any(words.respelt(word) for word in ("faster", "remain", "collection", "translation", "general", "shop"))
