"""What people on call say in passing is no fact and no question: whole turns, the real services and library."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House

RELEASE, RESTART, DISK_BUSY, DISK_ERRORS, SLOTS, CONFIG, HIT_RATIO, DISK_FULL, UPLOAD, SLOW, IMPORT = (
    "P-0014", "P-0015", "P-0011", "P-0158", "P-0320", "P-0396", "P-0102", "P-0016", "P-0421", "P-0001", "P-0018",
)  # fmt: skip


def recorded(running: House, *messages: str) -> dict[str, Verdict]:
    """What is on record after a conversation of these messages."""
    talk = running.talk()
    for message in messages:
        talk.say(message)
    return {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}


@pytest.mark.parametrize(
    ("message", "phenomenon"),
    [
        ("we have no iotop on that box, and no sar either", DISK_BUSY),
        ("the connection is active. no, I mean the other one", "P-0046"),
        ("I am certainly not dropping any replication slot", SLOTS),
        ("psql told me unrecognized configuration parameter when I typed it", CONFIG),
        ("our redis hit ratio fell to 40 %", HIT_RATIO),
        ("PSQLException: An I/O error occurred while sending to the backend", DISK_ERRORS),
        ("everything was fine until 02:00 tonight", SLOW),
        ("备库在 node7，node7 上 dmesg 没有磁盘报错", DISK_ERRORS),
        ("ERROR export of partition p17 failed: ExpiredToken when calling PutObject", UPLOAD),
    ],
)
def test_a_thing_named_in_passing_is_no_fact(running: House, message: str, phenomenon: str) -> None:
    """A tool, another product or host, a refused deed or how it was before says nothing of the trouble."""
    assert phenomenon not in recorded(running, message)


@pytest.mark.parametrize(
    "message",
    [
        "since about 15:00 inserts time out. we shipped a release at 09:00",
        "下午四点开始报错，早上九点发的版",
        "timeouts for 20 minutes ago or so now, started 20 minutes ago. the release went out yesterday",
        "errors began at 15:00, the release was hours earlier, hours apart",
    ],
)
def test_a_release_hours_before_is_not_what_it_began_with(running: House, message: str) -> None:
    """What was released long before the trouble is no beginning of it, as a release shows at once."""
    assert recorded(running, message).get(RELEASE) is not Verdict.CONFIRMED


def test_an_import_the_night_before_may_be_what_it_began_with(running: House) -> None:
    """What shows only under load lies together with a trouble of the next morning."""
    said = "今天早上开始订单页很慢，昨天晚上同事导入了一大批数据"
    assert recorded(running, said).get(IMPORT) is Verdict.CONFIRMED


@pytest.mark.parametrize(
    "mend", ["patched the query and deployed it at 23:10", "i restarted the script by hand", "打了补丁，22点发版上线"]
)
def test_a_mend_is_not_what_it_began_with(running: House, mend: str) -> None:
    """What the one who speaks did against the trouble, told in the middle of a case, did not begin it."""
    found = recorded(running, "every query on orders is slow since 20:00", "the cpu is at 97%", mend)
    assert Verdict.CONFIRMED not in {found.get(each) for each in (RELEASE, RESTART, "P-0289")}


@pytest.mark.parametrize(
    "words", ["that was no complaint", "那句不算描述", "fine, I looked myself and found nothing new"]
)
def test_words_about_something_else_answer_no_list(running: House, words: str) -> None:
    """An answer is of a whole list only where it says so, or where nothing else is said."""
    talk = running.talk()
    talk.say("every query on orders is slow since 20:00")
    asked = {item.phenomenon_id for item in talk.session.pending}
    talk.say(words)
    assert not asked & {entry.phenomenon_id for entry in talk.session.active()}


@pytest.mark.parametrize(
    "message",
    [
        "every query is slow, and the writes",
        "cpu is at 97%, everything hangs",
        "all queries are slow, IO is clearly high",
    ],
)
def test_a_bare_name_or_a_sign_is_no_proposal(running: House, message: str) -> None:
    """Beside a fact, a thing that is only named, high or a sign of something waits for no yes."""
    talk = running.talk()
    talk.say(message)
    assert not {item.why for item in talk.session.proposed} & {"mention", "degree", "event_count", "hedged_event"}


@pytest.mark.parametrize("used", ["70", "81"])
def test_a_figure_short_of_the_limit_is_no_proposal(running: House, used: str) -> None:
    """Words that are recognised as a phenomenon do not claim it where their figure is short of its limit."""
    talk = running.talk()
    talk.say(f"hey, our prod box paged me, the disk is at {used}% and climbing")
    assert DISK_FULL not in {item.phenomenon_id for item in talk.session.proposed}
