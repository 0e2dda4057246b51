"""What comes back, or cannot be looked at, is of what the last answer showed, or of what the words name."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

COMPLAINT = {
    "en": "the whole db is slow",
    "zh": "整个库都慢",
}

# The command of the first check is shown, whatever else leads.
WAITING = ("several sessions wait for locks", "how do i check 1")


def recorded(talk: Talk) -> dict[str, Verdict]:
    """What the last message put on record."""
    return {each.phenomenon_id: each.verdict for each in talk.session.active() if each.turn == talk.session.turn}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "ran that one, nothing came back"),
        ("en", "0 rows"),
        ("zh", "那条我跑了，什么都没出来"),
        ("zh", "0 行"),
    ],
)
def test_no_rows_of_the_look_answer_no_check(running: House, language: str, words: str) -> None:
    """Where only the look was shown, an empty result is the look's, and the checks named beside it stay open."""
    talk = running.told(COMPLAINT[language], words)
    assert "```" in talk.replies[0]
    assert recorded(talk) == {}


@pytest.mark.parametrize(
    "words",
    [
        "no rows there. we have a spare box as well but i got no ssh to it, that is with the platform team, and the "
        "cron of that box is theirs too",
        "查了 0 行。另外我们还有一台备机，不过我登不上去，那台归平台组管，他们晚上没人值班，定时任务也是他们的",
    ],
)
def test_no_rows_of_the_check_deny_it_whatever_follows(running: House, words: str) -> None:
    """The empty result of the check that was shown is its no, however much is said after it."""
    talk = running.told(*WAITING)
    shown = talk.session.pending[0].phenomenon_id
    talk.say(words)
    assert recorded(talk).get(shown) is Verdict.DENIED


@pytest.mark.parametrize(
    ("complaint", "words"),
    [
        ("en", "cant run it, no monitoring rights, i only see my own session"),
        ("en", "no permission"),
        ("zh", "这个跑不了，没有监控权限，我就能看到自己的会话"),
        ("zh", "没权限"),
    ],
)
def test_rights_that_lack_for_the_look_answer_no_check(running: House, complaint: str, words: str) -> None:
    """That the look cannot be run leaves each of the checks beside it open."""
    talk = running.told(COMPLAINT[complaint], words)
    assert Verdict.UNKNOWN not in recorded(talk).values()


@pytest.mark.parametrize(
    "words",
    ["the pgbouncer is with infra, no access", "网关那台机器归平台组，我没权限", "日志都在运维那边的平台上，没权限"],
)
def test_what_is_out_of_reach_by_its_name_answers_no_check(running: House, words: str) -> None:
    """A lack of rights that goes on with a thing that nobody asked for is of that thing."""
    talk = running.told(*WAITING)
    assert "```sql" in talk.replies[-1]
    talk.say(words)
    assert recorded(talk) == {}


@pytest.mark.parametrize("words", ["no permission", "没权限", "看不了这个"])
def test_a_bare_refusal_is_of_the_one_check_that_was_shown(running: House, words: str) -> None:
    """Of three checks with one command only that one cannot be looked at."""
    talk = running.told(*WAITING)
    first, *others = (each.phenomenon_id for each in talk.session.pending)
    assert others
    talk.say(words)
    assert recorded(talk) == {first: Verdict.UNKNOWN}


PLAN = (
    "QUERY PLAN\n-----------\n Nested Loop  (cost=1.13..17.18 rows=1 width=46)\n"
    "   ->  Index Scan using t_day_idx on t  (cost=0.56..8.58 rows=1 width=38)\n(2 rows)"
)


@pytest.mark.parametrize(
    ("complaint", "asks", "answer"),
    [
        ("the daily report hangs", "what do you mean? how can you tell that from a plan", "yeah it is, it says 1 row"),
        ("日报那条查询跑不动", "这话怎么讲？你从计划里怎么看出来的", "是的，它估了一行"),
    ],
)
def test_a_question_outlives_one_in_between(running: House, complaint: str, asks: str, answer: str) -> None:
    """What was asked as a yes or no is answered by the yes after the person's own question."""
    talk = running.told(complaint, PLAN)
    asked = talk.session.clarification
    assert asked is not None
    talk.say(asks)
    talk.say(answer)
    assert recorded(talk) == {asked.options[0].phenomenon_id: Verdict.CONFIRMED}


@pytest.mark.parametrize(
    ("complaint", "answer"),
    [
        ("the daily report hangs", "yes!! like 1 row. my boss keeps calling me, no dinner yet"),
        ("日报那条查询跑不动", "有！！差得远了。服了，领导一直打我电话，饭也没吃"),
    ],
)
def test_grumbles_after_a_yes_leave_it_a_yes(running: House, complaint: str, answer: str) -> None:
    """What is said of the evening beside a plain yes does not doubt it."""
    talk = running.told(complaint, PLAN)
    asked = talk.session.clarification
    assert asked is not None
    talk.say(answer)
    assert recorded(talk) == {asked.options[0].phenomenon_id: Verdict.CONFIRMED}
