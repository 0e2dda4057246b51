from __future__ import annotations

import pytest

from services.matcher.index import embedding, search_index
from services.matcher.model import Verdict
from services.matcher.ranking import features
from services.matcher.reading import glossary, polarity

CONFIRMS = [
    ("P-0002", "一堆会话在等锁"),
    ("P-0002", "不是没有锁等待"),
    ("P-0002", "it's not true that there are no lock waits"),
    ("P-0002", "锁等待一直不断"),
    ("P-0002", "not only locks, sessions are blocked too"),
    ("P-0004", "那个字段没有索引"),
    ("P-0004", "the column has no index"),
    ("P-0004", "压根没建索引"),
    ("P-0005", "autovacuum 没开"),
    ("P-0005", "autovacuum is not enabled"),
    ("P-0008", "备库延迟追不上"),
    ("P-0010", "归档一直不成功"),
    ("P-0009", "特别多死锁"),
    ("P-0001", "磁盘已经95%了"),
    ("P-0001", "disk at 0.5 TB of space, 97 % used"),
    ("P-0003", "命中率只有72%"),
    ("P-0003", "hit ratio went from 99% to 60%"),
    ("P-0006", "idle in transaction 挂了两个小时"),
    ("P-0007", "连接数490/500"),
    ("P-0007", "we are at 195 of 200 connections"),
    ("P-0011", "cpu 98 percent"),
    ("P-0011", "CPU超过95%"),
]
DENIES = [
    ("P-0002", "没有锁等待"),
    ("P-0002", "锁等待倒是没有"),
    ("P-0002", "no lock waits"),
    ("P-0002", "there isn't a single blocked session"),
    ("P-0002", "没看到谁在等锁"),
    ("P-0002", "lock waits: none"),
    ("P-0002", "锁这块正常"),
    ("P-0005", "autovacuum 是开着的"),
    ("P-0005", "autovacuum is enabled"),
    ("P-0008", "主从没有延迟"),
    ("P-0008", "replication is fine"),
    ("P-0009", "日志里并没有死锁"),
    ("P-0009", "never saw any deadlocks"),
    ("P-0009", "死锁数是0"),
    ("P-0010", "归档没问题"),
    ("P-0010", "archiving is healthy"),
    ("P-0011", "CPU不高"),
    ("P-0011", "cpu is not high"),
    ("P-0011", "CPU已经恢复正常了"),
    ("P-0001", "磁盘才用了40%"),
    ("P-0001", "disk is at 35%"),
    ("P-0001", "磁盘没到90%"),
    ("P-0001", "disk usage is below 80 percent"),
    ("P-0003", "缓存命中率99.6%"),
    ("P-0006", "idle in transaction 最长才3秒"),
    ("P-0007", "连接数才120,上限是1000"),
    ("P-0011", "CPU使用率百分之三十"),
]
UNKNOWN = [("P-0002", "锁等待查不了,没权限"), ("P-0009", "not sure if there are deadlocks")]
CASES = [
    *((Verdict.CONFIRMED, *case) for case in CONFIRMS),
    *((Verdict.DENIED, *case) for case in DENIES),
    *((Verdict.UNKNOWN, *case) for case in UNKNOWN),
]


@pytest.mark.parametrize(("verdict", "phenomenon_id", "text"), CASES)
def test_words_decide_presence(entries: search_index.Index, verdict: Verdict, phenomenon_id: str, text: str) -> None:
    """Negation in its scope, double negation, "normal", opposite states and stated numbers decide the verdict."""
    query = features.prepare(text, entries, glossary.load(), embedding.static_embedder())
    assert polarity.judge(query, entries.by_id[phenomenon_id], entries, glossary.load()).verdict == verdict


@pytest.mark.parametrize(
    ("text", "value"),
    [("磁盘已经95%了", "95%"), ("连接数490/500", "490/500"), ("挂了四十分钟", "四十分钟"), ("有死锁", "")],
)
def test_the_stated_number_is_kept_as_said(entries: search_index.Index, text: str, value: str) -> None:
    """The stated number is returned in the user's own words."""
    query = features.prepare(text, entries, glossary.load(), embedding.static_embedder())
    assert polarity.judge(query, entries.by_id["P-0001"], entries, glossary.load()).extracted_value == value


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_an_entrys_own_wording_confirms_it(curated: search_index.Index, every: int) -> None:
    """Every name, description and alias of the shipped library confirms its own phenomenon."""
    words, embedder = glossary.load(), embedding.static_embedder()
    said = [(surface, profile) for profile in curated.profiles for surface in profile.surfaces]
    denied = [
        surface.text
        for surface, profile in said[::every]
        if surface.kind in ("statement", "alias")
        and polarity.judge(features.prepare(surface.text, curated, words, embedder), profile, curated, words).verdict
        != Verdict.CONFIRMED
    ]
    assert denied == []


@pytest.mark.parametrize("text", ["磁盘正常", "磁盘没问题", "硬盘挺好", "the disks are healthy", "disk is fine"])
def test_a_healthy_resource_denies_an_entry_worded_as_a_lack(curated: search_index.Index, text: str) -> None:
    """A fine disk denies a full one, although the entry's own wording has a negation ("no space left")."""
    query = features.prepare(text, curated, glossary.load(), embedding.static_embedder())
    assert polarity.judge(query, curated.by_id["P-0016"], curated, glossary.load()).verdict == Verdict.DENIED
