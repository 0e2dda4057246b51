"""Whether words ask something."""

from __future__ import annotations

from services.planner.questions_asked.interrogatives import is_question
from tests.support.cases import for_each


@for_each("words", ["是不是他搞的", "锁不锁表", "可不可以重启", "会不会丢数据"])
def test_a_doubled_verb_asks(words: str) -> None:
    """A verb with its denial behind it asks without a question mark."""
    assert is_question(words)


@for_each("words", ["只是不是我手敲的", "ALTER 还是卡着，只是不是我敲的", "时不时卡一下"])
def test_what_only_is_not_so_asks_nothing(words: str) -> None:
    """只是不是 tells that something is not so, and 时不时 how often it is."""
    assert not is_question(words)
