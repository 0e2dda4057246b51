"""Own rights, a silent cron table, a denied error and a question of what would be: none is a finding."""

from __future__ import annotations

import pytest

from tests.support.talks import House, Talk

SLOT = (
    "   slot_name    | slot_type | database | active | wal_status | restart_lsn  | retained | inactive_since_pg17\n"
    "----------------+-----------+----------+--------+------------+--------------+----------+---------------------\n"
    " old_dwh_sub    | logical   | appdb    | f      | extended   | 2A1/7C0031F8 | 409 GB   |\n(1 row)"
)
RIGHTS = {
    "en": (
        "disk alarm on our main pg box, 96% and its going up",
        "cant alter system, im just a normal user w pg_monitor",
    ),
    "zh": ("数据盘用了 96%，还在涨", "我改不了参数，我只是普通用户，有 pg_monitor"),
}
CRON = {
    "en": (
        "every night from 1 till 4 the db is slow, its the disk thats pegged",
        "nothing in the cron about checkpoints lol",
    ),
    "zh": ("每天半夜 1 点到 4 点库很慢，磁盘打满", "cron 里没有检查点相关的东西"),
}
ERROR = {
    "en": ("app cant write, inserts all throw errors", "no error, it just hangs"),
    "zh": ("应用写不进数据，insert全报错", "没报错啊，就是卡着不动，不返回"),
}
CANCELLED = "P-0017"


def recorded(talk: Talk) -> list[str]:
    """What the last message put on record."""
    return [each.phenomenon_id for each in talk.session.active() if each.turn == talk.session.turn]


@pytest.mark.parametrize("language", sorted(RIGHTS))
def test_own_rights_deny_nothing(running: House, language: str) -> None:
    """What people say of their own rights answers nothing, also where only one thing is asked."""
    first, rights = RIGHTS[language]
    assert recorded(running.told(first, SLOT, rights)) == []


@pytest.mark.parametrize("language", sorted(CRON))
def test_a_cron_table_without_a_word_of_it_denies_nothing(running: House, language: str) -> None:
    """What is not written down somewhere may happen all the same."""
    assert recorded(running.told(*CRON[language])) == []


@pytest.mark.parametrize("language", sorted(ERROR))
def test_a_denied_error_is_about_no_error(running: House, language: str) -> None:
    """That there is no error proposes none."""
    talk = running.told(*ERROR[language])
    asked = talk.session.clarification
    assert CANCELLED not in {each.phenomenon_id for each in asked.options} if asked else True
    assert CANCELLED not in recorded(talk)


@pytest.mark.parametrize("asked", ["主库会膨胀吗?跑俩小时死元组都清不掉?多严重", "死元组会清不掉？多严重？"])
def test_a_question_of_what_would_be_states_nothing(running: House, asked: str) -> None:
    """What a question asks is no finding, whatever question follows right behind it."""
    cancelled = "报表跑一会儿就断，ERROR: canceling statement due to conflict with recovery"
    assert recorded(running.told(cancelled, asked)) == []
