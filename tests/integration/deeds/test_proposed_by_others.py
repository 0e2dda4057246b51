"""What others propose, and what ran or changed by itself, is no deed and no fact of this system."""

from __future__ import annotations

import pytest

from tests.support.talks import House

OPENS = {
    "en": "checkout is slow since noon, connections are at 480, max_connections is 500",
    "zh": "中午开始下单很慢，连接数 480，max_connections 500",
}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "my lead says just drop the standby slot. the vendor wants max_connections at 4000. is that ok?"),
        ("en", "someone on a forum wrote vacuum full it, another told me to restart the primary"),
        ("en", "the dba of another team suggests dropping the index on created_at"),
        ("zh", "领导说直接把备库的槽删了就行，厂商要 max_connections 调到 4000，靠谱吗？"),
        ("zh", "网上有人说 vacuum full 一把就完事，还有人让我重启主库"),
        ("zh", "别的组 DBA 建议把 created_at 上的索引删了"),
    ],
)
def test_what_others_propose_goes_on_no_record(running: House, language: str, words: str) -> None:
    """Neither a deed, nor a setting, nor a fact or proposal of one comes of what others would do."""
    talk = running.told(OPENS[language], words)
    now = talk.session.turn
    assert not talk.session.treatments
    assert not any("4000" in each.name for each in talk.session.objects if each.kind == "setting")
    assert not [each for each in talk.session.active() if each.turn == now]
    assert not [each for each in talk.session.proposed if each.turn == now]


@pytest.mark.parametrize(
    ("language", "words", "action"),
    [
        ("en", "the vendor said drop the standby slot, so we dropped it", "drop_slot"),
        ("en", "restarted the primary as my lead told me to", "restart"),
        ("zh", "照领导说的，主库重启了", "restart"),
        ("zh", "厂商建议删槽，我们就把备库的槽删掉了", "drop_slot"),
    ],
)
def test_what_was_done_as_proposed_is_a_deed(running: House, language: str, words: str, action: str) -> None:
    """A proposal that was carried out is on record as done."""
    talk = running.told(OPENS[language], words)
    assert [each.action for each in talk.session.treatments if not each.undone] == [action]
