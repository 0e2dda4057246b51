"""Questions about what dbdiag itself listed: number and name mean what was shown, and asking answers nothing."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import Language
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

POOL = {
    "zh": ("app说拿不到连接，接口全超时", "数据库cpu才6%，闲得要死"),
    "en": ("everything is slow since noon", "cpu is at 97 %"),
}


def names(talk: Talk, language: str) -> list[str]:
    """The names of what was shown last as a list, in its order."""
    shown = next(said.items for said in reversed(talk.session.dialogue) if said.items)
    return [talk.house.catalog.phenomenon_name(item.phenomenon_id).say(Language(language)) for item in shown]


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("zh", "1 没有。2怎么看？"),
        ("zh", "2怎么看？ 1 没有"),
        ("en", "1 no. how do i check 2?"),
        ("en", "how do I look at 2? 1 is a no"),
    ],
)
def test_a_number_means_the_list_that_was_shown(running: House, language: str, asked: str) -> None:
    """An answer beside the question may change what is asked next; the number is still of the list that was read."""
    talk = running.told(*POOL[language])
    second = names(talk, language)[1]
    talk.say(asked)
    assert f"**{second}**" in talk.replies[-1]
    assert second not in {each.phenomenon_id for each in talk.session.active()}


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("zh", "你列的“{name}”，把命令给我"),
        ("zh", "不是这个！我问的是 {name} 那条怎么看"),
        ("en", 'the one you listed, "{name}", give me the command for it'),
        ("en", "not that! i asked how to check {name}"),
    ],
)
def test_whoever_asks_how_to_look_at_an_item_does_not_answer_it(running: House, language: str, asked: str) -> None:
    """The way to look at the item is shown, and neither its name nor the protest is taken for an answer to any."""
    talk = running.told(*POOL[language])
    wanted = talk.session.pending[1]
    before = {each.phenomenon_id: each.verdict for each in talk.session.active()}
    talk.say(asked.format(name=wanted.name.say(Language(language))))
    assert f"**{wanted.name.say(talk.session.language)}**" in talk.replies[-1]
    assert {each.phenomenon_id: each.verdict for each in talk.session.active()} == before
    assert Verdict.CONFIRMED in before.values()
