"""What others propose, another system has, a file says or is planned is no setting of this system."""

from __future__ import annotations

from lang.judging.proposed_acts import proposed_in
from lang.judging.unclaimed import unclaimed_in
from lang.objects.named_objects import objects_named
from lang.objects.settings_said import SETTING
from tests.support.cases import for_each

_FILE = """db=# select name, setting, unit from pg_settings where name in ('work_mem', 'shared_buffers');
      name      | setting | unit
----------------+---------+------
 shared_buffers | {shown} | 8kB
 work_mem       | 4096    | kB
(2 rows)

$ grep -E 'shared|mem|conn' /etc/pg/tuned.conf
shared_buffers = 8GB
max_connections = 700
"""


def _settings(message: str) -> list[str]:
    return [each.name for each in objects_named(message) if each.kind == SETTING]


@for_each(
    "message",
    [
        "our vendor says raise max_wal_size to 64GB, i'm not sure",
        "some blog recommends random_page_cost 1.1",
        "the consultant wants shared_buffers at 90GB",
        "Nina thinks we should put checkpoint_timeout at 30min",
        "they keep telling me to scale to 90 pods",
        "someone in the channel said just set wal_compression = on",
        "two tips: one says bump work_mem to 1GB, another wants max_connections 3000",
        "i told them not to set statement_timeout to 5s",
        "厂商建议 max_wal_size 调到 64GB",
        "组长说把 checkpoint_timeout 改成 30min 就行了",
        "网上说 random_page_cost 设成 1.1 就好",
        "同事让我把 work_mem 加到 1GB，我没动",
        "有人提议：1. max_connections 调到 3000；2. 再扩到 90 个 pod",
        "老板喊着要我把 pod 加到 90 个 pod",
        "下次活动要扩到 90 个 pod",
        "next time we need 90 pods",
        "the old box had work_mem = 512MB",
        "旧服务器上 work_mem = 512MB",
    ],
)
def test_a_value_that_others_propose_is_no_setting(message: str) -> None:
    """A proposal, a plan and another system's value put no setting on record."""
    assert not _settings(message)


@for_each(
    ("message", "setting"),
    [
        ("our dba says max_wal_size is 64GB", "max_wal_size=64GB"),
        ("hosting told us max_connections is 900", "max_connections=900"),
        ("the vendor said raise it, so we set max_connections to 900 and restarted", "max_connections=900"),
        ("a colleague wants more, but work_mem is 64MB", "work_mem=64MB"),
        ("as the vendor suggested, max_wal_size is now 64GB", "max_wal_size=64GB"),
        ("we have 20 pods, the devs want 90 pods", "instances=20"),
        ("the old box had work_mem = 512MB, this one 4MB", "work_mem=4MB"),
        ("我们 DBA 说 max_wal_size 是 64GB", "max_wal_size=64GB"),
        ("同事说他把 work_mem 改成 64MB 了", "work_mem=64MB"),
        ("领导让加，但是 max_connections 现在是 900", "max_connections=900"),
        ("现在 20 个 pod，研发想加到 90 个 pod", "instances=20"),
        ("upgraded pg 12 -> 16 on friday", "server_version=16"),
        ("从 pg12 升级到 pg16 以后", "server_version=16"),
    ],
)
def test_a_value_that_somebody_tells_is_a_setting(message: str, setting: str) -> None:
    """What somebody reports, or did as advised, is a setting, also beside a proposal."""
    assert _settings(message) == [setting]


@for_each(
    "message",
    [
        "writes stop at two, reads go on",
        "insurance claims take a minute to save",
        "the log says could not extend file",
        "recommendations are slow, the shop is fine",
        "requests time out after 30 s",
        "推荐接口很慢",
        "客户都说页面打不开",
        "研发说每次下单开 30 个连接",
    ],
)
def test_a_symptom_proposes_nothing(message: str) -> None:
    """Words for proposals that name a symptom, or what somebody sees, leave what is told a claim."""
    assert not proposed_in(message)
    assert not unclaimed_in(message)


@for_each(("shown", "running"), [("16384", False), ("1048576", True)])
def test_a_file_that_the_server_does_not_run_with_tells_no_setting(shown: str, running: bool) -> None:
    """Of a printed file the settings count unless the server shows another value of one of them."""
    found = _settings(_FILE.format(shown=shown))
    assert ("max_connections=700" in found) is running
    assert ("shared_buffers=128MB" in found) is not running
