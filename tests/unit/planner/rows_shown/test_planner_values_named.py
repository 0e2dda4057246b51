"""Values that a message names one by one: what they mean, when it is told, and when it is told again."""

from __future__ import annotations

from services.planner.model import EvidenceView, Language, QuestionStep, SessionView, Speaker, Text, Utterance, Verdict
from services.planner.planner import Planner
from services.planner.speak.rows_read import facts_of
from services.planner.understand.answers.facts_asked import FACTS
from tests.support.cases import for_each

SLOW = EvidenceView("P-0001", Text("全都慢", "Everything is slow"), Verdict.CONFIRMED, "all slow", 1)
LANGUAGES = (Language.ZH, Language.EN)
PAGES = """
+--------------------------------+---------+
| Variable_name                  | Value   |
+--------------------------------+---------+
| Innodb_buffer_pool_pages_total | {:<7} |
+--------------------------------+---------+
"""
GROUPED = """
| user | command | cnt | max_time |
+------+---------+-----+----------+
| web  | Sleep   | 300 | {}       |
| web  | Query   |   4 | 0        |
"""
REPLICA = """*************************** 1. row ***************************
      Master_Log_File: bin.000912
Relay_Master_Log_File: bin.000907
     Slave_IO_Running: Yes
    Slave_SQL_Running: Yes
Seconds_Behind_Master: 7260
"""


@for_each("language", LANGUAGES)
def test_pages_are_told_as_a_size(language: Language) -> None:
    """A small buffer pool is told in MB whether it is asked or not, an ordinary one in GB when it is asked."""
    assert "64 MB" in " ".join(facts_of(PAGES.format(4096), language))
    large = PAGES.format(1048576)
    assert not facts_of(large, language)
    assert "16 GB" in " ".join(facts_of(f"{large}\nis that normal?", language))


@for_each("language", LANGUAGES)
def test_an_age_is_told_as_a_share_of_its_limit(language: Language) -> None:
    """How near the limit is, is told with the figure of the person."""
    told = " ".join(facts_of("age(datfrozenxid) gives me 429,496,730. dangerous?", language))
    assert "429,496,730" in told
    assert "20" in told


@for_each("language", LANGUAGES)
def test_sleepers_are_told_with_their_share_and_how_long(language: Language) -> None:
    """Of connections grouped by what they do, the share that sleeps is told; hours of it are told as such."""
    short, long_ = (" ".join(facts_of(GROUPED.format(longest), language)) for longest in (12, 7200))
    assert "300" in short
    assert "304" in short
    assert "2 h" in long_
    assert "2 h" not in short


@for_each(
    ("message", "part"),
    [
        ("i asked whether 7260 is in seconds", "2 h"),
        ("我问的是 7260 是不是秒", "2 h"),
        ("so what does that output mean?", "bin.000912"),
    ],
)
async def test_an_earlier_output_is_told_again_for_what_is_asked_of_it(message: str, part: str) -> None:
    """A number of an output that was pasted before is told by what it is, and an output that is pointed at in whole."""
    view = SessionView(turn=2, evidence=(SLOW,), history=(Utterance(Speaker.USER, REPLICA),))
    plan = (await Planner().decide(view, message)).plan
    told = [each.text for each in plan.steps if isinstance(each, QuestionStep) and each.action == FACTS]
    assert told
    assert part in told[0]


async def test_what_is_asked_of_nothing_shown_is_no_question_of_an_output() -> None:
    """A number that no output has is none of its values."""
    view = SessionView(turn=2, evidence=(SLOW,), history=(Utterance(Speaker.USER, REPLICA),))
    plan = (await Planner().decide(view, "is 9911 the right port?")).plan
    assert not any(isinstance(each, QuestionStep) and each.action == FACTS for each in plan.steps)
