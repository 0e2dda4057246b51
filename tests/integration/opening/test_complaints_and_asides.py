"""Complaints, asides and answers with more words: they are of what they name, and touch nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

RELEASE, RESTART, IDLE, DISK = "P-0014", "P-0015", "P-0023", "P-0016"
SLOW = {"en": "the whole db is slow", "zh": "整个库都慢"}
SHIPPED = {"en": "btw devs shipped some new coupon search this morning, 8ish", "zh": "对了 今天早上8点发了个新版"}
FULL = "disk alert on our main pg box, 91% and still climbing"


def recorded(talk: Talk) -> dict[str, Verdict]:
    """What stands on the record."""
    return {each.phenomenon_id: each.verdict for each in talk.session.active()}


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "yeah prob, slow since about quarter past 8, deploy was 8"),
        ("en", "YOU asked me if it began with that deploy. yes it did. and the killed ones come right back"),
        ("en", "yes, since about quarter past 8"),
        ("zh", "应该是吧，8点多就开始了"),
        ("zh", "是，8点多就这样了"),
    ],
)
def test_a_yes_with_more_words_answers_what_was_asked(running: House, language: str, answer: str) -> None:
    """However much is said beside it, a yes is of the one question that was asked, and of nothing else."""
    before = running.told(SLOW[language], SHIPPED[language])
    assert RELEASE not in recorded(before), before.replies[-1]
    stood = recorded(before)
    before.say(answer)
    assert recorded(before) == stood | {RELEASE: Verdict.CONFIRMED}, before.replies[-1]


@pytest.mark.parametrize("answer", ["probably not, it was slow before", "probably the disk", "应该不是，之前就慢"])
def test_a_guess_at_something_else_is_no_yes(running: House, answer: str) -> None:
    """A word of likelihood before something else affirms nothing."""
    language = "en" if answer.isascii() else "zh"
    talk = running.told(SLOW[language], SHIPPED[language], answer)
    assert recorded(talk).get(RELEASE) is not Verdict.CONFIRMED, talk.replies[-1]


@pytest.mark.parametrize(
    "denial",
    [
        "and no this did NOT start after a restart",
        "but no it did not begin after any restart",
        "no it did not start after a restart",
    ],
)
def test_a_no_that_opens_a_clause_does_not_turn_its_denial_round(running: House, denial: str) -> None:
    """The opening no and the denial behind it are one no, said twice over by whoever is protested against."""
    talk = running.told(SLOW["en"], denial)
    assert recorded(talk).get(RESTART) is Verdict.DENIED, talk.replies[-1]
    talk.say("NO. you got it backwards. it did not begin after any restart")
    assert recorded(talk).get(RESTART) is Verdict.DENIED, talk.replies[-1]


def test_striking_what_was_denied_leaves_what_was_affirmed(running: House) -> None:
    """Who takes back that there is no second box has said nothing of the disk of the first."""
    struck = "also scratch what i said about no second box, there IS a hot copy in the other dc, keeping up fine, lag 0"
    talk = running.told(FULL, struck)
    assert recorded(talk).get(DISK) is Verdict.CONFIRMED, talk.replies[-1]


def test_what_was_affirmed_can_still_be_struck(running: House) -> None:
    """An order to strike what was affirmed does so."""
    talk = running.told(FULL, "scratch what i said about the disk")
    assert DISK not in recorded(talk), talk.replies[-1]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "fuck this job honestly, 1am and im here clicking pay buttons. coffee machine is broken too"),
        ("en", "i hate this database"),
        ("zh", "妈的,烦死了,明天还要早起送娃"),
        ("zh", "破数据库天天半夜搞我"),
    ],
)
def test_an_aside_in_a_case_is_neither_weighed_nor_turned_away(running: House, language: str, words: str) -> None:
    """Swearing is not quoted as a statement that fits no cause, records nothing, and is no request to refuse."""
    talk = running.told(FULL)
    stood = recorded(talk)
    talk.say(words)
    assert recorded(talk) == stood, talk.replies[-1]
    for refused in ("could not link", "没对上", "can't help with that", "我帮不上", "不归我管", "Not my field"):
        assert refused not in talk.replies[-1], talk.replies[-1]


def test_the_hour_of_the_day_is_no_number_of_a_list(running: House) -> None:
    """1点 is an hour, however the list of checks is numbered."""
    talk = running.told("磁盘 util 100%，读写都卡")
    first = talk.session.pending[0].phenomenon_id
    talk.say("1点确实有个导入的活在跑，老板接了个大客户")
    assert first not in recorded(talk), talk.replies[-1]


@pytest.mark.parametrize(
    "words",
    [
        "前面说看不了的那个会话列表现在能看了",
        "not only can users not get in, the profile page hangs too",
        "不只是进不去系统，个人资料那页也卡",
    ],
)
def test_what_users_cannot_get_into_and_what_can_be_seen_again_is_no_limit(running: House, words: str) -> None:
    """That users cannot get in is a symptom, and what can be looked at again is not out of reach."""
    talk = running.told(FULL, words)
    assert Verdict.UNKNOWN not in recorded(talk).values(), talk.replies[-1]
    assert not [each for each in ("先跳过", "够得着", "cannot be checked", "skip") if each in talk.replies[-1]]


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "Is it any better now?", "no of course not, it removed 0. what do i look at now?"),
        ("zh", "做完之后好点了吗？", "没有啊，一点没变。那现在看啥？"),
    ],
)
def test_a_no_to_a_question_of_its_own_denies_no_check(running: House, language: str, asked: str, answer: str) -> None:
    """A no to the question that ends a reply is of none of the checks that were asked about before it."""
    talk = running.told(SLOW[language], "cpu 95%")
    assert talk.session.pending
    last = talk.session.dialogue[-1]
    talk.session.dialogue[-1] = replace(last, text=f"{last.text}\n\n{asked}")
    before = recorded(talk)
    talk.say(answer)
    assert recorded(talk) == before


@pytest.mark.parametrize(
    ("first", "answer"),
    [
        ("checkout is timing out since like 20 min, customers screaming, pls help", "all of it i think"),
        ("app卡死了 帮看下", "全都是吧"),
    ],
)
def test_all_of_it_is_not_each_of_the_alternatives(running: House, first: str, answer: str) -> None:
    """Of several things that the trouble may be, "all of it" puts at most one on record."""
    talk = running.told(first)
    asked = talk.session.clarification
    assert asked is not None
    alternatives = {each.phenomenon_id for each in asked.options}
    talk.say(answer)
    assert len(alternatives & recorded(talk).keys()) <= 1


def test_a_correction_of_what_was_never_recorded_takes_nothing_back(running: House) -> None:
    """Common characters that a correction shares with an entry do not name it."""
    slots = "所有服务都报 FATAL: remaining connection slots are reserved for non-replication superuser connections"
    talk = running.told(slots, "billing一家占了371个,全在idle,别人都正常几十个")
    before = recorded(talk)
    assert before
    talk.say("我想起来了,前面说这几天没人动过不对,昨天下午billing上过一次新版,之后才开始的")
    assert before.items() <= recorded(talk).items()


@pytest.mark.parametrize("first", ["checkout hangs since 20 min, reads are fine", "没法下单了 一直转圈，浏览都正常"])
def test_no_list_asks_for_what_the_first_words_tell(running: House, first: str) -> None:
    """That only reads are fine is one of the alternatives: it is taken, and nothing is asked."""
    talk = running.told(first)
    assert talk.session.clarification is None
    assert recorded(talk).get("P-0004") is Verdict.CONFIRMED


@pytest.mark.parametrize("protest", ["i didnt take back the disk, it IS full", "i never took back the disk being full"])
def test_what_nobody_took_back_stays(running: House, protest: str) -> None:
    """Who says that he did not take something back has it on record as before."""
    talk = running.told(FULL, protest)
    assert recorded(talk).get(DISK) is Verdict.CONFIRMED, talk.replies[-1]
