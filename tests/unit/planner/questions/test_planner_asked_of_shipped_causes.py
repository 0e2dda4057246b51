"""What people ask of a shipped cause once it is likely is found in words that its library does not have."""

from __future__ import annotations

from pathlib import Path

import yaml

from services.knowledge.library.shipped_libraries import FOLDER
from services.planner.model import CauseQuestion, Text
from services.planner.questions_asked.cause_reader import find_cause_question
from services.planner.questions_asked.of_causes import LIKELY
from tests.support.cases import for_each

PG, MY = FOLDER / "postgresql/root_causes", FOLDER / "mysql/root_causes"


@for_each(
    ("path", "words", "answer"),
    [
        (PG / "sync-standby-lost.yaml", "机房还有台异步备库，让它顶上可以吗", "ANY 1"),
        (
            PG / "sync-standby-lost.yaml",
            "the replica needs 40 minutes, wait or change it",
            "within minutes",
        ),
        (PG / "app-on-old-primary-after-failover.yaml", "为啥重启过的那几个实例好了，别的还报错", "连接池"),
        (PG / "app-on-old-primary-after-failover.yaml", "那返回 t 的这台就是备库，对不对", "返回 t 是备库"),
        (PG / "inconsistent-lock-order.yaml", "改好以后看哪个数才能确认没死锁", "pg_stat_database"),
        (PG / "missing-index.yaml", "这么说这个 indisvalid=f 的索引是坏的？", "没建成"),
        (PG / "standby-query-conflicts.yaml", "三十秒是从哪来的", "max_standby_streaming_delay"),
        (PG / "stale-statistics.yaml", "上周还好好的，为啥偏偏今天这么慢", "数据变了"),
        (PG / "archiving-fails.yaml", "到底是盘满了还是凭证过期，哪一个", "403"),
        (PG / "orphaned-prepared-transaction.yaml", "这玩意现在能直接干掉不", "撤不回"),
        (PG / "checkpoints-too-frequent.yaml", "那 sync 用了 12 秒正常吗", "不正常"),
        (MY / "ddl-metadata-lock.yaml", "还有个睡着的连接两个小时了，跟它有关系吗", "Sleep 但事务没提交"),
        (
            MY / "buffer-pool-too-small.yaml",
            "raised it and the disk still reads, is that ok",
            "the pool is larger",
        ),
    ],
    every=3,
)
def test_a_cause_answers_what_is_asked_of_it(path: Path, words: str, answer: str) -> None:
    """The question is found, and its answer says the thing that was asked for."""
    entries = yaml.load(path.read_bytes(), yaml.CSafeLoader)["questions"]
    known = [CauseQuestion(tuple(e["asked"]["zh"]), tuple(e["asked"]["en"]), Text(**e["answer"])) for e in entries]
    found = find_cause_question(words, known)
    assert found is not None
    assert found.probability >= LIKELY
    assert answer in known[found.at].answer.zh + known[found.at].answer.en
