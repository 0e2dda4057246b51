"""How a talk opens: one question in plain words for what nobody can read yet, and what answers it."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import ClarifyKind
from dbdiag.vocabulary import Verdict

from gateway.turn.opening.troubles import kind_of_trouble, openings
from tests.support.cases import for_each
from tests.support.talks import House

VAGUE = {
    "hanging": [
        "hey prod is down basically, everythign touching customers just hangs. started like 10 min ago",
        "checkout is timing out since like 20 min, customers screaming, pls help",
        "库又抽风了 一阵一阵的卡 卡个几十秒又好了 然后又来 烦死",
        "app卡死了 帮看下",
    ],
    "slow": ["查询越来越慢，就events这张表，上周还好好的，现在页面都要转十几秒 烦死", "the shop crawls on some pages"],
    "failing": ["在吗 报表组又来骂我了 说报表老是跑一半就挂了 烦死", "应用报错了 一堆异常"],
    "connections": ["users can't log in to the app since lunch"],
    "disk": ["disk alarm went off", "硬盘出问题了，帮看下"],
    "down": ["库挂了 快帮我看看"],
    "unknown": ["db is acting weird", "postgres problem, help"],
}
OPENED = [(kind, message) for kind, messages in VAGUE.items() for message in messages]
HANGS = {"zh": "写入一阵一阵的卡 卡个几十秒又好了", "en": "checkout is stuck since like 20 min"}
WRITES, PLAIN, CANCELLED = "P-0004", "P-0001", "P-0137"
DENIED = [
    "不是！连接没问题，连得上",
    "我说的是连接【没】问题",
    "the connections are fine",
    "its not slow",
    "no timeouts at all",
    "it isnt a connection problem",
    "跟磁盘没关系",
    "nothing to do with the disk",
]
TOLD_OF_STANDBY = {
    "zh": ["报表库又抽风了，同事的查询跑到一半就被干掉，烦死了", "对了这个报表库是个备库，主库那边一切正常"],
    "en": [
        "reports on our reporting db die half way again, wtf",
        "btw that reporting db is a standby, primary is fine",
    ],
}


def test_every_kind_of_trouble_has_choices_in_the_library_of_mysql(running: House) -> None:
    """The question about each kind of trouble parts at least two phenomena of MySQL, in both languages."""
    talk = running.told("our mysql is acting up")
    names = {found.name.en for found in talk.turns[0].catalog.phenomena.values()}
    for kind, opening in openings().items():
        assert len([choice for choice in opening.known if choice.means in names]) >= 2, kind
        assert all(choice.means in names for choice in opening.of_mysql), kind
        assert all(choice.text.zh and choice.text.en for choice in opening.of_mysql), kind


def test_every_choice_stands_for_a_phenomenon_of_the_library(running: House) -> None:
    """No choice is lost for a name that the library does not have, and each question has three or four."""
    names = {found.name.en for found in running.catalog.phenomena.values()}
    for kind, opening in openings().items():
        assert {choice.means for choice in opening.choices} <= names, kind
        assert 3 <= len(opening.choices) <= 4, kind
        assert all(choice.text.zh and choice.text.en for choice in opening.choices), kind


@pytest.mark.parametrize(("kind", "message"), OPENED)
def test_what_cannot_be_read_is_asked_about_by_the_kind_of_trouble(running: House, kind: str, message: str) -> None:
    """The first reply asks the one question of its kind, with a look to paste, and proposes no reading."""
    talk = running.told(message)
    asked = talk.turns[0].clarification
    assert kind_of_trouble(message) == kind
    assert asked is not None
    assert asked.kind is ClarifyKind.VAGUE
    assert asked.question == openings()[kind].question
    assert [option.name for option in asked.options] == [choice.text for choice in openings()[kind].choices]
    assert talk.replies[0].count("```") == 2
    assert not talk.session.proposed


@pytest.mark.parametrize(
    "message", ["2", "2啊 我不是说了写入卡么", "2!!", "2 obviously", "选2啊 废话", "option 2 of course"]
)
@pytest.mark.parametrize("language", HANGS)
def test_a_choice_is_taken_however_it_is_stressed(running: House, language: str, message: str) -> None:
    """The number of a choice is a yes to it, whatever is exclaimed beside it."""
    talk = running.told(HANGS[language], message)
    entry = talk.session.active_for(WRITES)
    assert entry is not None
    assert entry.verdict is Verdict.CONFIRMED


@pytest.mark.parametrize("message", ["写入卡啊 读没事", "writes hang, reads are fine"])
def test_a_choice_in_own_words_is_heard(running: House, message: str) -> None:
    """Words for a choice are as good as its number."""
    talk = running.told(HANGS["en"], message)
    entry = talk.session.active_for(WRITES)
    assert entry is not None
    assert entry.verdict is Verdict.CONFIRMED


@pytest.mark.parametrize("aside", ["ffs my boss is yelling", "none of those", "都不是"])
def test_it_is_asked_once_more_in_a_line(running: House, aside: str) -> None:
    """Where no choice was it, or nothing was said, the next reply is a line without a list, and never comes again."""
    talk = running.told(HANGS["en"], aside, "its just weird")
    assert "\n" not in talk.replies[1].strip()
    assert talk.replies[2] not in talk.replies[:2]
    assert all("1. " not in reply for reply in talk.replies[1:])


def test_a_digression_leaves_the_choices_open(running: House) -> None:
    """After a message of nothing the number of a choice still counts."""
    talk = running.told(HANGS["en"], "ffs my boss is yelling", "2 obviously")
    assert talk.session.active_for(WRITES) is not None


@pytest.mark.parametrize(
    ("opening", "refusal"),
    [
        ("cpu pegged at 100% on all cores since this morning", "grafana is down for me"),
        ("cpu pegged at 100% on all cores since this morning", "cant do two readings a min apart rn"),
        ("cpu pegged at 100% on all cores since this morning", "that query is not allowed for my user"),
        ("数据库那台机器磁盘告警了 92% 还在涨 咋整", "等下 连不上堡垒机 现在看不了"),
        ("数据库那台机器磁盘告警了 92% 还在涨", "这个我跑不了"),
        ("写入很慢", "监控挂了看不到"),
    ],
)
def test_a_check_that_cannot_be_run_is_set_aside_for_good(running: House, opening: str, refusal: str) -> None:
    """The one check that was shown becomes unknown at once, is not asked about, and does not come again."""
    talk = running.told(opening, "cannot run that", "how do I check 1")
    shown = talk.session.pending[0].phenomenon_id
    talk.say(refusal)
    entry = talk.session.active_for(shown)
    assert entry is not None
    assert entry.verdict is Verdict.UNKNOWN
    assert talk.turns[3].clarification is None
    talk.say("what next")
    assert shown not in {item.phenomenon_id for item in talk.session.pending}


@pytest.mark.parametrize(
    ("opening", "asides"),
    [
        ("everything is slow", ["ffs the boss is calling", "my phone wont stop buzzing", "ugh"]),
        ("数据库那台机器磁盘告警了 92% 还在涨", ["烦死 又被骂了", "服了"]),
    ],
)
def test_what_brings_no_news_gets_a_line_and_no_command(running: House, opening: str, asides: list[str]) -> None:
    """The command that was printed is not printed again while nothing changed."""
    talk = running.told(opening, *asides)
    assert all("```" not in reply for reply in talk.replies[1:])


@pytest.mark.parametrize(
    "message",
    [
        'looked up 18733, it says "idle in transaction", sitting there since 1h32',
        "idle in transaction since 17h25, one row",
        "有个会话 idle in transaction 挂了1h32m",
        "有个空闲事务开着 17小时25分 就一行",
        "one session idle in transaction, 1 hour 32 minutes",
    ],
)
def test_a_duration_is_a_number(running: House, message: str) -> None:
    """Where the duration is told, no number is asked for."""
    talk = running.told("updates on account hang", message)
    assert talk.session.active_for("P-0023") is not None
    assert talk.turns[1].clarification is None


def test_of_several_unsure_readings_at_most_one_is_asked_about(running: House) -> None:
    """A reply proposes one reading, and none of words that another reading covers."""
    for message in ("everything hangs", "the site is crawling and the batch looks odd, writes maybe too"):
        talk = running.told("cpu is at 100%", message)
        asked = talk.turns[-1].clarification
        assert asked is None or asked.kind is not ClarifyKind.PROPOSED or len(asked.options) == 1
        covered = [noted.words for noted in talk.turns[-1].noted]
        assert asked is None or asked.words not in covered


@pytest.mark.parametrize("message", ["线上炸了 一堆接口500 说连不上数据库 咋整", "the app can't get connections"])
def test_a_complaint_on_record_alone_is_asked_about_first(running: House, message: str) -> None:
    """Where the first message is heard as nothing but what hurts, the question that parts its causes comes first."""
    talk = running.told(message)
    asked = talk.turns[0].clarification
    assert asked is not None
    assert asked.question == openings()["connections"].question
    assert talk.session.active()


@for_each("message", DENIED)
def test_what_is_denied_opens_nothing(message: str) -> None:
    """Words that deny a trouble, or call a thing fine, do not tell of that trouble."""
    assert kind_of_trouble(message) == "unknown"


@for_each(
    ("message", "kind"),
    [
        ("it isnt slow, it just fails", "failing"),
        ("没有超时，就是慢", "slow"),
        ("应用没有连接可用了", "connections"),
        ("can't connect", "connections"),
        ("no response", "hanging"),
        ("时不时报错", "failing"),
    ],
)
def test_what_stands_beside_a_denial_still_opens(message: str, kind: str) -> None:
    """A denial takes only what it denies; that something cannot be had is trouble itself."""
    assert kind_of_trouble(message) == kind


@pytest.mark.parametrize(
    "message",
    [
        'app log full of "canceling statement due to statement timeout", it just fails',
        "应用报错，日志里全是 canceling statement due to statement timeout",
    ],
)
def test_an_error_on_record_is_not_asked_for(running: House, message: str) -> None:
    """Where the error is told and recorded, its text is not asked for, and the search goes on with a check."""
    talk = running.told(message)
    assert talk.session.active_for("P-0017") is not None
    assert talk.turns[0].clarification is None
    assert talk.session.pending


@pytest.mark.parametrize("language", TOLD_OF_STANDBY)
def test_what_was_told_before_answers_the_question(running: House, language: str) -> None:
    """Queries cancelled, and later that it is a standby: that is read so, or just that is asked as yes or no."""
    talk = running.told(*TOLD_OF_STANDBY[language])
    asked = talk.turns[1].clarification
    assert asked is None or [option.phenomenon_id for option in asked.options] == [CANCELLED]
    if asked is not None:
        talk.say("是" if language == "zh" else "yes")
    entry = talk.session.active_for(CANCELLED)
    assert entry is not None
    assert entry.verdict is Verdict.CONFIRMED


@pytest.mark.parametrize(
    "messages",
    [
        ["checkout is stuck since like 20 min", "now i see exceptions too, half the calls fail"],
        ["app卡死了 帮看下", "现在应用还报错了 一堆异常"],
    ],
)
def test_a_look_is_printed_once(running: House, messages: list[str]) -> None:
    """A second question refers to the statement that was printed under the first one."""
    talk = running.told(*messages)
    assert talk.replies[0].count("```") == 2
    assert any(words in talk.replies[1] for words in ("above", "上面那条"))
    assert "```" not in talk.replies[1]


def test_what_cannot_be_had_is_not_asked_for_again(running: House) -> None:
    """Who cannot see the error is not asked for its text once more."""
    talk = running.told("订单接口时不时报错，烦死了", "报错原文我现在看不到，日志在运维那边，没权限")
    assert "报错原文" not in talk.replies[1]


@pytest.mark.parametrize(
    "message",
    [
        "报表库又抽风了，同事的查询跑到一半就被干掉，烦死了，怎么回事",
        "库慢得要死，同事都在催，到底怎么回事啊",
        "orders hang, my colleagues are shouting, what's going on",
    ],
)
def test_what_is_wrong_asks_for_nothing_beside_a_complaint(running: House, message: str) -> None:
    """A bare "what is wrong?" at the end of a complaint gets one question alone: what was meant, or the opening one."""
    talk = running.told(message)
    asked, opening = talk.turns[0].clarification, openings()[kind_of_trouble(message)]
    assert asked is not None
    if asked.kind is ClarifyKind.PROPOSED:
        assert (talk.replies[0][: len(asked.words) + 2], talk.session.active()) == (f"“{asked.words}”", [])
    else:
        assert talk.replies[0].startswith(opening.question.say(talk.turns[0].language).rstrip("。."))
    assert not talk.turns[0].answers


@pytest.mark.parametrize(
    ("told", "more"),
    [
        ("整个后台越来越慢 从昨天下午开始的", "读正常，就是写不进去，提交转圈，cpu 也闲"),
        ("app is frozen, orders dont go thru, spinner forever", "reads are fine, it fails to write, commits spin"),
    ],
)
def test_one_opening_question_is_enough(running: House, told: str, more: str) -> None:
    """What answers the opening question is not followed by another one about the same trouble."""
    talk = running.told(told, more)
    assert talk.turns[0].clarification is not None
    assert talk.turns[1].clarification is None
