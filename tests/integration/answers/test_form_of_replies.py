"""The form of the replies of whole talks: each thing once, quoted whole, and short enough for a tired person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import median

import pytest

from lang import deferred_re as re
from tests.support.talks import House, Talk

DISK = (
    "pg14 vm in the cloud, after ten in the morning commits get slow, every day",
    " pid  | state  | wait_event_type | wait_event | age\n------+--------+-----------------+------------+------\n"
    " 4112 | active | LWLock          | WALWrite   | 00:00:01.9\n"
    " 4120 | active | IO              | WALSync    | 00:00:01.8\n"
    " 4133 | active | LWLock          | WALWrite   | 00:00:01.4\n(3 rows)",
    "no standby here. cpu is nearly idle",
    "why that one? how sure are you, and what do i do now",
    "does a checkpoint block writes",
    "w_await is 90 ms on that disk, pg_wal and data on the same",
    "ok what do i do",
    "so how sure are you",
)
CHECKPOINTS = (
    "pg15 每隔几分钟所有请求就卡十几秒，然后自己又好了",
    "卡的时候磁盘 util 直接 100%，cpu 倒是不高",
    "凭啥说是这个，有多大把握",
    "2026-03-11 14:02:11.408 CST [812] LOG:  checkpoints are occurring too frequently (118 seconds apart)\n"
    "2026-03-11 14:02:11.409 CST [812] LOG:  checkpoint starting: wal",
    "老板又在群里催",
    "那现在咋办？给我命令",
    "show max_wal_size;\n 1GB\nshow checkpoint_timeout;\n 15min",
    "那个盘只剩 20G，设 16G 会不会撑爆？",
    "你有多大把握",
)
MOST = {"en": 480, "zh": 240}
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_CUT = re.compile(r"…[\"”]")


@pytest.fixture(scope="module", params=["en", "zh"])
def talk(request: pytest.FixtureRequest, running: House) -> tuple[str, Talk]:
    """A language and a talk in it."""
    return request.param, running.told(*{"en": DISK, "zh": CHECKPOINTS}[request.param])


def shares(reply: str, talk: Talk) -> Iterator[tuple[str, str]]:
    """The causes that a reply names with their share; what an answer to a check would do is another one."""
    for cause in talk.house.catalog.root_causes.values():
        for name in {cause.name.zh, cause.name.en} - {""}:
            for line in _CODE.sub("", reply).split("\n"):
                found = (
                    re.findall(rf"{re.escape(name)}\**(?: is at| 目前)?[ (（]*([<>]?\d+ ?%)", line)
                    if "→" not in line
                    else []
                )
                yield from ((name, each) for each in found)


def test_a_share_stands_once_in_a_reply(talk: tuple[str, Talk]) -> None:
    """No reply ranks a cause twice."""
    for reply in talk[1].replies:
        assert [each for each, times in Counter(shares(reply, talk[1])).items() if times > 1] == []


def test_what_a_check_would_do_is_told_with_its_command(talk: tuple[str, Talk]) -> None:
    """The line of its outcomes stands in one reply, with the check in full."""
    lines = [line for reply in talk[1].replies for line in set(reply.split("\n")) if line.startswith(("Yes →", "有 →"))]
    assert [each for each, times in Counter(lines).items() if times > 1] == []


def test_nothing_is_quoted_in_part(talk: tuple[str, Talk]) -> None:
    """Words are quoted to their end, or not at all."""
    assert not any(_CUT.search(reply) for reply in talk[1].replies)


def test_replies_are_short(talk: tuple[str, Talk]) -> None:
    """Half of them are below what is read at a glance, commands aside."""
    language, told = talk
    assert median(len(_CODE.sub("", reply)) for reply in told.replies) <= MOST[language]
