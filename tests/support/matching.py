"""A matcher over a small library and over the shipped one."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lang import embedding
from lang.concepts import glossary
from services.knowledge.library.shipped_libraries import locate
from services.knowledge.snapshots.compile import compile_libraries
from services.matcher.index import search_index
from services.matcher.index.entries import FORMAT, Library, name_of, read_snapshot
from services.matcher.index.index_cache import load_or_build
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.matcher import Matcher
from services.matcher.message_reader import MessageReader
from services.matcher.model import Clarification, Interpretation, NoMatch, Standing, Verdict
from services.matcher.training.texts import load_shipped_library

# id, zh name, en name, zh aliases, en aliases
PHENOMENA: list[tuple[str, str, str, list[str], list[str]]] = [
    ("P-0001", "数据盘使用超过 90%", "Data disk more than 90 % full", ["磁盘空间不足"], ["low disk space"]),
    ("P-0002", "多个会话在等锁", "Sessions wait for locks", ["锁等待", "行锁"], ["lock waits", "blocked sessions"]),
    ("P-0003", "缓存命中率低于 90%", "Buffer cache hit ratio below 90 %", ["命中率低"], ["low hit ratio"]),
    ("P-0004", "过滤列没有索引", "No index on the filter column", ["没建索引"], ["missing index"]),
    ("P-0005", "自动清理被关闭", "Autovacuum is off", ["autovacuum 关了"], ["autovacuum disabled"]),
    ("P-0006", "空闲在事务中超过 5 分钟", "Idle in transaction for more than 5 minutes", [], ["idle in tx"]),
    ("P-0007", "连接数达到上限的 90% 以上", "Connections at 90 % or more of the limit", ["连接快满了"], []),
    ("P-0008", "备库回放延迟持续增大", "Replay lag of a standby keeps growing", ["主从延迟"], ["replica falls behind"]),
    ("P-0009", "日志中出现死锁", "Deadlocks in the log", ["deadlock detected"], ["deadlock errors"]),
    ("P-0010", "WAL 归档一直失败", "WAL archiving keeps failing", ["归档失败"], ["archive_command fails"]),
    ("P-0011", "数据库主机 CPU 超过 90%", "Database host CPU above 90 %", ["CPU 打满"], ["cpu pegged", "high cpu"]),
    ("P-0012", "语句普遍变慢", "Most statements are slow", ["整体变慢"], ["everything is slow"]),
]  # fmt: skip
ROOT_CAUSES = [("RC-0001", "索引膨胀", "Index bloat"), ("RC-0002", "连接泄漏", "Connection leak")]


def outcome_of(interpretation: Interpretation) -> Clarification | NoMatch | None:
    """What is asked about an observation, that it fits nothing, or None where it was read."""
    return interpretation.clarification or interpretation.no_match


def counted(interpretation: Interpretation) -> dict[str, Verdict]:
    """The verdicts that count at once, by phenomenon."""
    readings = (reading for reading in interpretation.readings if reading.standing is Standing.COUNTS)
    return {reading.phenomenon_id: reading.verdict for reading in readings if reading.verdict is not None}


def standings(interpretation: Interpretation) -> dict[str, Standing]:
    """What each reading is worth, by phenomenon."""
    return {reading.phenomenon_id: reading.standing for reading in interpretation.readings if reading.standing}


def asked_of(interpretation: Interpretation) -> list[str]:
    """The phenomena that are asked about for their likeness, the likeliest first."""
    asked = interpretation.clarification
    return [option.phenomenon_id for option in asked.options] if asked else []


def content() -> bytes:
    """A small snapshot's canonical bytes."""
    phenomena: list[dict[str, Any]] = [
        {
            "id": name,
            "name": {"zh": zh, "en": en},
            "description": {"zh": zh, "en": en},
            "aliases": {"zh": zh_aliases, "en": en_aliases},
            "observe": {"kind": "manual", "how": "look", "present_when": {"zh": zh, "en": en}, "versions": ">=14"},
            "cost": 1,
        }
        for name, zh, en, zh_aliases, en_aliases in PHENOMENA
    ]
    causes = [{"id": name, "name": {"zh": zh, "en": en}, "links": []} for name, zh, en in ROOT_CAUSES]
    value = {"format": FORMAT, "phenomena": phenomena, "root_causes": causes, "tickets": []}
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


@cache
def shipped_reader() -> MessageReader:
    """The reader of the shipped library, made once a process: it keeps nothing of what it reads."""
    return MessageReader(load_shipped_library())


@cache
def reader_of(library: str) -> MessageReader:
    """The reader of another shipped library, made once a process."""
    return MessageReader(library_of(library))


@cache
def library_of(name: str) -> Library:
    """A shipped library, compiled once a process."""
    content = compile_libraries([locate(name)])
    return read_snapshot(content, name_of(content))


@pytest.fixture(scope="session")
def snapshot_bytes() -> bytes:
    return content()


@pytest.fixture(scope="session")
def small_library(snapshot_bytes: bytes) -> Library:
    return read_snapshot(snapshot_bytes, name_of(snapshot_bytes))


@pytest.fixture(scope="session")
def entries(small_library: Library) -> search_index.Index:
    return search_index.build(small_library.phenomena, glossary.load(), embedding.load())


@pytest.fixture(scope="session")
def kept_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this run, shared by its workers: one of them reads the curated library for all."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "kept"


@pytest.fixture(scope="session")
def curated(kept_in: Path) -> search_index.Index:
    """The curated library, whatever it holds."""
    return load_or_build(load_shipped_library().phenomena, glossary.load(), embedding.load(), kept_in)


@pytest.fixture(scope="session")
def curated_matcher(kept_in: Path) -> Matcher:
    """A matcher over the curated library."""
    words, embedder = glossary.load(), embedding.load()
    snapshots = Snapshots(FixedSource(load_shipped_library()), Store(None, 5.0), words, embedder, kept_in=kept_in)
    return Matcher(snapshots, words, embedder)


@pytest.fixture
def snapshots(small_library: Library) -> Snapshots:
    return Snapshots(FixedSource(small_library), Store(None, 5.0), glossary.load(), embedding.load())


@pytest.fixture
def matcher(snapshots: Snapshots) -> Matcher:
    return Matcher(snapshots, glossary.load(), embedding.load())
