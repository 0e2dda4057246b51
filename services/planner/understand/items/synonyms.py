"""What things of the field are called besides their names, in both languages: "the door" of a connection, "撒手" of a session.

One concept a line. An English word stands for its forms ("write" for "writes" and "writing"), a Chinese one for itself wherever it stands.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise

from lang import deferred_re as re
from services.planner.understand.text.messages import CJK

_THINGS = """
write insert inserts commit commits save saving store storing persist put putting ingest 写 写入 落库 入库 插入 提交 塞数据 存数据 落盘 灌数据 往里塞
read select lookup fetch fetching 读取 读 查询 查数据
connecting connect login logon log-in logging-in sign-in handshake door greeting getting-in get-in prompt 建连 连上 登录 连库 握手 敲门 进门 新建
connection connections conn conns client clients max_connections 连接 连接数 坑位 池子
session sessions backend backends 会话
idle doing-nothing sitting parked loafing dangling uncommitted abandoned 空闲 闲置 闲着 晾着 挂着 发呆 撒手 忘了提交 没提交
transaction transactions xact txn tx trx 事务
lock locks locked locking waiters waiter queueing blocked stuck-behind 锁 等锁 堵 阻塞
deadlock deadlocks each-other gridlock standoff 死锁 互相等 你等我 互锁 对着等 互相锁
cpu processor processors cores core compute 处理器 算力 核
memory ram oom kill killed killer assassin shot murdered 内存 被杀 杀掉 干掉 杀进程 撂倒 砍 爆内存
space room capacity df storage-left free-space 空间 容量 装不下 塞满 写满 腾地方 地方
disk disks drive drives volume spindle spindles storage platter ssd 磁盘 硬盘 盘
utilisation utilization util iostat throughput bandwidth spinning 利用率 转不过来 转不动
io iops i/o iowait io-wait wait_io datafileread datafilewrite 读写
wal pg_wal write-ahead xlog redo 预写
checkpoint checkpoints checkpointer flush flushing 检查点 刷脏
replica replicas standby standbys follower followers secondary slave read-replica 备库 从库 副本 备机 从机
slot slots replication-slot subscriber consumer 复制槽 槽 插槽 订阅
index indexes indices idx 索引
dead-tuple dead-tuples dead-rows tuples tuple garbage leftovers n_dead_tup corpses 死元组 死行 垃圾 废行
vacuum autovacuum vacuuming janitor cleaning sweeper 扫地 打扫 清理
statistics stats stat analyze analyse analyzed analyzing 统计 统计信息
plan plans planner explain 执行计划 计划
sequential seq full-scan scan scans scanning table-scan whole-table 全表 扫描 顺序扫 扫全表
temp temporary spill spills spilling spilled tmp temp_bytes work-files 临时 溢出
cache cached caching buffer buffers hit hits hit-ratio shared_buffers 缓存 缓冲 命中
query queries statement statements sql 查询 语句
"""
# How things are: named beside a thing, or alone where something is chosen.
_STATES = """
long-running long-lived hours forever ages oldest ancient 跑了很久 最老 长时间
full fill filling filled fills 满 快满 满了 装
busy saturated speed utilisation utilization 忙 打满 繁忙 利用率
waiting wait waits queue 等待 排队 等
lag lags lagging behind delay delayed delays catching-up 延迟 落后 追不上 滞后 跟不上
inactive dead orphaned orphan unused nobody-using disconnected 不活跃 没人用 装死 失活 没人接 断开
grow grows growing grew swell swelling swollen bloat bloated balloon bigger larger fat fatter 膨胀 增长 增大 变大 变胖 越来越大 胖 涨
stale old outdated expired out-of-date 过期 陈旧 老旧 旧
slow slowness sluggish crawl crawling latency 慢 磨叽 拖 延迟
"""
_WORD = re.compile(r"[a-z][a-z0-9_/]*")
_ENDINGS = re.compile(r"(?:ing|ed|es|s)$")
_LEAST = 3
_CJK = re.compile(f"[{CJK}]")


def is_state(concept: int) -> bool:
    """Whether a concept is how something is and not what it is."""
    return concept >= len(_THINGS.strip().splitlines())


def concepts_at(text: str) -> tuple[tuple[int, int, int], ...]:
    """(concept, start, end) of each place in a normalised text that stands for one."""
    return _found(text)


@lru_cache(maxsize=4096)
def _found(text: str) -> tuple[tuple[int, int, int], ...]:
    english, chinese = _lexicon()
    found: list[tuple[int, int, int]] = []
    for start, end, word in _words(text):
        forms = (word, _stem(word), f"{_stem(word)}e")
        found += [(concept, start, end) for concept in next(filter(None, map(english.get, forms)), ())]
    for word, concepts in chinese.items():
        at = text.find(word)
        while at >= 0:
            found += [(concept, at, at + len(word)) for concept in concepts]
            at = text.find(word, at + 1)
    # A word within a longer one is none of its own: the lock of a deadlock.
    longest = [
        place
        for place in set(found)
        if not any(place[1] >= other[1] and place[2] <= other[2] and place[1:] != other[1:] for other in found)
    ]
    return tuple(sorted(longest, key=lambda place: place[1:]))


def _words(text: str) -> list[tuple[int, int, str]]:
    """Words, and pairs and triples of them joined with hyphens, each with where it stands."""
    singles = [(run.start(), run.end(), run.group()) for run in _WORD.finditer(text)]
    found = list(singles)
    for count in (2, 3):
        for at in range(len(singles) - count + 1):
            chosen = singles[at : at + count]
            gaps = [text[left[1] : right[0]] for left, right in pairwise(chosen)]
            if all(gap in (" ", "-") for gap in gaps):
                found.append((chosen[0][0], chosen[-1][1], "-".join(word for _, _, word in chosen)))
    return found


def _stem(word: str) -> str:
    stem = _ENDINGS.sub("", word)
    return stem if len(stem) >= _LEAST else word


@cache
def _lexicon() -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]:
    """The concepts that each word stands for: of English words and their stems, and of Chinese ones."""
    english: dict[str, tuple[int, ...]] = {}
    chinese: dict[str, tuple[int, ...]] = {}
    for concept, line in enumerate((_THINGS + _STATES.lstrip()).strip().splitlines()):
        for word in line.split():
            if _CJK.search(word):
                chinese[word] = (*chinese.get(word, ()), concept)
                continue
            for form in {word, _stem(word)}:
                english[form] = tuple(dict.fromkeys((*english.get(form, ()), concept)))
    return english, chinese
