"""What a question of a change means, and how the change lies to the beginning of the trouble."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import Speaker, Timing, Utterance

from gateway.session.ledger import Session
from gateway.turn.suspected.suspects import areas_of, is_about, is_asked, names_only_area, tells_change
from gateway.turn.suspected.timing import began_with, compare, said_change, said_onset
from tests.support.cases import for_each


def talked(*messages: str) -> Session:
    """A session in which these messages were said."""
    session = Session("s", 0.0, 0.0)
    session.dialogue = [Utterance(Speaker.USER, each) for each in messages]
    return session


@for_each(
    ("change", "onset", "timing"),
    [
        ("we added an index on tuesday", "timeouts since tuesday", Timing.FITS),
        ("they moved the importer here on the weekend", "freezing since monday", Timing.FITS),
        ("昨天改了超时", "从昨天下午开始报错", Timing.FITS),
        ("下午三点扩容到 40 个", "三点多开始连不上", Timing.FITS),
        ("the vlan was changed last month", "slow since friday", Timing.APART),
        ("晚上十点上线", "一点多开始的", Timing.APART),
        ("上周升级过", "今天早上开始慢", Timing.APART),
        ("a release went out on wednesday", "errors since midnight", None),
        ("the keys were rotated", "errors since monday", None),
        ("发了版", "一直很慢", None),
    ],
)
def test_times_decide_only_where_both_are_of_one_kind(change: str, onset: str, timing: Timing | None) -> None:
    """The same day or hour fits, another one lies apart, and what cannot be compared decides nothing."""
    assert compare(change, onset) is timing


@for_each(
    ("said", "message", "asked", "change"),
    [
        ((), "they rotated the certificates on monday. is that it?", "is that it?", "they rotated the certificates"),
        ((), "网络组凌晨两点换了策略。是这个原因吧", "这个原因吧", "网络组凌晨两点换了策略"),
        (("we tuned vacuum yesterday",), "why would it begin yesterday?", "why would it begin yesterday?", "we tuned"),
        (("网络组今晚动了交换机",), "是不是有人手动杀的", "有人手动杀的", ""),
        (("we moved to a new vlan last month",), "is it stale statistics?", "stale statistics", ""),
        (("nothing was deployed",), "could it be?", "could it be?", ""),
    ],
)
def test_a_change_is_meant_only_by_words_that_name_it_or_point_at_it(
    said: tuple[str, ...], message: str, asked: str, change: str
) -> None:
    """What asks about something else is not answered with a change that happens to have been told."""
    found = said_change(talked(*said), message, asked)
    assert found.startswith(change)
    assert bool(found) is bool(change)


@for_each(
    ("said", "asked", "change"),
    [
        (("we shipped version 7 on tuesday", "a switch was replaced in march"), "is it our deploy?", "we shipped"),
        (("周二发布了 7 版", "三月换了交换机"), "是不是我们上线引起的", "周二发布了"),
        (("前天把 work_mem 从 16MB 调到 512MB", "上周换了交换机"), "是不是前天改的那个", "前天把"),
    ],
)
def test_a_change_is_meant_by_its_kind_or_its_day(said: tuple[str, ...], asked: str, change: str) -> None:
    """ "Our deploy" is the release that was told of, and a day alone names what was changed on it."""
    assert said_change(talked(*said), asked, asked).startswith(change)


@for_each(
    ("clause", "begun"),
    [
        ("errors started sometime after they shipped a release", True),
        ("上线之后就开始报错", True),
        ("we shipped a release on monday", False),
        ("周一上线的", False),
    ],
)
def test_a_clause_may_tell_the_change_and_the_beginning(clause: str, begun: bool) -> None:
    """What began with a change, in one clause, needs no other time."""
    assert began_with(clause) is begun


def test_the_change_that_shares_a_word_is_meant() -> None:
    """Of two changes the one is meant that the question names, with the time that was told of it."""
    session = talked("we moved the importer here on the weekend", "the app guys moved to a new vlan last month")
    assert "importer" in said_change(session, "was it the importer cutover", "was it the importer cutover")


@for_each(
    ("message", "onset"),
    [
        ("dashboards die since yesterday afternoon. we tuned vacuum yesterday", "dashboards die since yesterday"),
        ("昨天发了版。今天早上开始超时", "今天早上开始超时"),
        ("it's 2am and the disk is full", ""),
        ("yesterday it was fine", ""),
    ],
)
def test_the_onset_is_no_change_and_no_other_time(message: str, onset: str) -> None:
    """Since when it is bad is told by no change, not by what time it is now, and not by when it was fine."""
    found = said_onset(talked(), message)
    assert found.startswith(onset)
    assert bool(found) is bool(onset)


@for_each(
    ("words", "areas"),
    [
        ("the network to the replica", ("network",)),
        ("网络问题或者被人刷了", ("network", "traffic")),
        ("locks or the disk", ("locks", "disk")),
        ("a release", ()),
        ("it began on monday", ()),
    ],
)
def test_what_is_set_against_each_other_is_each_an_area(words: str, areas: tuple[str, ...]) -> None:
    """An area that only tells a place is none that is asked about."""
    assert areas_of(words) == areas


def test_an_area_alone_is_no_cause_in_it() -> None:
    """ "The disk" is not a full disk; "the disk is full of logs" is one."""
    name = "Logs fill the disk"
    assert names_only_area("the disk", name)
    assert not names_only_area("the disk is full of logs", name)
    assert names_only_area("会不会是磁盘", "日志写满磁盘")


@for_each("words", ["发了个版", "they rotated the keys", "the cutover", "we upgraded", "改成了 300 秒"])
def test_changes_are_told_in_many_words(words: str) -> None:
    """Releases, moves and settings are changes."""
    assert tells_change(words)


@for_each(
    ("message", "text", "asked"),
    [
        ("rows are fine. could it be the disk?", "the disk", True),
        ("是不是网络的问题啊", "网络的问题啊", True),
        ("the trx query had two rows. what else?", "the trx query had two rows", False),
    ],
)
def test_only_the_own_sentence_makes_a_question(message: str, text: str, asked: bool) -> None:
    """Words are asked about where their own sentence asks."""
    assert is_asked(message, text) is asked


@for_each(
    ("area", "name", "about"),
    [
        ("wal", "Binary logs fill the disk\nbinlog 写满磁盘", True),
        ("network", "Firewall or load balancer drops idle connections", True),
        ("replication", "WAL archiving fails or lags", False),
        ("network", "Logins wait on an external directory", False),
    ],
)
def test_a_cause_is_about_an_area_by_its_own_name(area: str, name: str, about: bool) -> None:
    """A cause of the same category that has another thing in its name is not what is asked about."""
    assert is_about(area, name) is about
