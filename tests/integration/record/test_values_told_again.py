"""What a number means that answers the question for a value, or only says a value again."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House

MAX = "shop=# show max_connections;\n max_connections\n-----------------\n 300\n(1 row)"
FULL, WAL = "P-0044", "P-0129"


@pytest.mark.parametrize("words", ["281+16", "297", "281+16 自己不会加吗 297 99%了", "297 99%", "99%"])
def test_a_bare_number_answers_the_question_for_it(running: House, words: str) -> None:
    """A number, a sum or a share for the one value that was asked for is compared as it stands."""
    talk = running.talk()
    for message in ("FATAL:  sorry, too many clients already", f"{FULL} 怎么看", f"查了下\n{MAX}", words):
        talk.say(message)
    told = {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}
    assert told.get(FULL) is Verdict.CONFIRMED


@pytest.mark.parametrize("words", ["380G", "就是380G啊", "我说的是 wal 那个目录占了380个G 就它在涨 别给我发说明书"])
def test_a_value_told_again_denies_nothing(running: House, words: str) -> None:
    """Who repeats the size of a folder, asked for the limit, has neither told the limit nor denied anything."""
    talk = running.talk()
    for message in ("磁盘告警了 92% 还在涨", "pg_wal 380G 你看到没 这说明啥", words):
        talk.say(message)
    assert Verdict.DENIED not in {entry.verdict for entry in talk.session.active()}


SIZES = (
    " datname | temp_files | temp_bytes\n---------+------------+------------\n app     |         41 |  {}\n(1 row)"
).format


@pytest.mark.parametrize(("before", "between"), [("first:", "a minute later:"), ("第一次：", "一分钟后：")])
@pytest.mark.parametrize(("grown", "verdict"), [(0, Verdict.DENIED), (900_000_000, Verdict.CONFIRMED)])
def test_outputs_with_words_around_them_are_read(
    running: House, before: str, between: str, grown: int, verdict: Verdict
) -> None:
    """Two readings, each after a word of the person's own, are compared as they would be without the words."""
    talk = running.talk()
    for message in ("reports are slow", f"{before}\n{SIZES(512_000_000)}\n{between}\n{SIZES(512_000_000 + grown)}"):
        talk.say(message)
    told = {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}
    assert told.get("P-0087") is verdict
