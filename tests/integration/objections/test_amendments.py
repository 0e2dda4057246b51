"""What a message changes of the record: only what it plainly means, and nothing of it by a protest or by news."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from dbdiag.planner.v1.planner_types import ClarifyKind
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

CPU, LOCKS, DISK, RELEASE, DEAD = "P-0008", "P-0021", "P-0016", "P-0014", "P-0063"
FIRST = {"zh": "没有锁等待，cpu 95%，磁盘满了98%", "en": "no lock waits, cpu is at 95%, disk is 98% full"}
RECORD = {LOCKS: Verdict.DENIED, CPU: Verdict.CONFIRMED, DISK: Verdict.CONFIRMED}
LANGUAGES = sorted(FIRST)
Said = dict[str, dict[str, list[str]]]
SAID: Said = yaml.load(Path(__file__).with_name("amendments.yaml").read_bytes(), yaml.CSafeLoader)

DEAD_ROWS = {"zh": "events表死元组80%", "en": "dead rows in events are 80%"}
PASTED = (
    "  pid  | state  |     running     | wait_event_type | wait_event    | query\n"
    "-------+--------+-----------------+-----------------+---------------+--------------------------------\n"
    " 20114 | active | 00:19:42.1183   | Lock            | transactionid | UPDATE account SET balance = 1\n"
    " 20377 | active | 00:18:07.5521   | Lock            | tuple         | UPDATE account SET balance = 2\n"
    " 20381 | active | 00:17:55.0912   | Lock            | tuple         | UPDATE account SET balance = 3\n"
    " 20402 | active | 00:16:12.8810   | Lock            | tuple         | UPDATE account SET balance = 4\n"
)


@pytest.fixture(params=[4, pytest.param(1, marks=pytest.mark.slow)])
def said(request: pytest.FixtureRequest) -> Said:
    """One wording in so many of each kind."""
    return {kind: {of: words[:: request.param] for of, words in found.items()} for kind, found in SAID.items()}


def record(talk: Talk) -> dict[str, Verdict]:
    """What is on record."""
    return {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}


def wrong(running: House, wordings: dict[str, list[str]], wanted: dict[str, Verdict], *after: str) -> list[str]:
    """The wordings that leave another record than is wanted, said right after the first message."""
    found = []
    for language in LANGUAGES:
        for words in wordings[language]:
            talk = running.told(FIRST[language], words, *after)
            found += [] if record(talk) == wanted and not talk.turns[1].reset else [words]
    return found


def test_a_bare_retraction_takes_back_what_was_just_said(running: House, said: Said) -> None:
    """All that the last message put on record is gone, in whatever words that do nothing else."""
    assert wrong(running, said["takes_back"], {}) == []


def test_what_was_taken_back_is_put_back_in_words(running: House, said: Said) -> None:
    """After a retraction the record is as it was before it."""
    missed = []
    for language in LANGUAGES:
        for words in said["puts_back"][language]:
            talk = running.told(FIRST[language], said["takes_back"][language][0], words)
            missed += [] if record(talk) == RECORD else [words]
    assert missed == []


def test_what_was_changed_is_put_back_in_words(running: House, said: Said) -> None:
    """After a change the earlier verdict holds again, and the later one does not."""
    missed = []
    for language in LANGUAGES:
        for words in said["puts_back"][language]:
            talk = running.told(FIRST[language], said["denied_wrongly"][language][0])
            assert record(talk)[LOCKS] is Verdict.CONFIRMED
            talk.say(words)
            missed += [] if record(talk) == RECORD else [words]
    assert missed == []


def test_a_retraction_that_names_an_entry_takes_back_that_one(running: House, said: Said) -> None:
    """The others stay."""
    assert wrong(running, said["named"], {LOCKS: Verdict.DENIED, DISK: Verdict.CONFIRMED}) == []


def test_what_was_wrongly_denied_is_so(running: House, said: Said) -> None:
    """ "I said no X, that was wrong" records X, and touches nothing else."""
    assert wrong(running, said["denied_wrongly"], RECORD | {LOCKS: Verdict.CONFIRMED}) == []


def test_what_was_wrongly_claimed_is_not_so(running: House) -> None:
    """ "I said X, that was wrong" never leaves X on record."""
    for said, *wordings in SAID["released_wrongly"].values():
        for words in wordings:
            talk = running.told(said, words)
            assert record(talk).get(RELEASE) is not Verdict.CONFIRMED, words


def test_a_correction_of_what_was_never_on_record_changes_nothing(running: House, said: Said) -> None:
    """Nothing is taken back, turned round or recorded as said, and the reply tells of no replacement."""
    assert wrong(running, said["never_said"], RECORD) == []


def test_what_was_not_quite_so_is_taken_back_and_no_more(running: House) -> None:
    """Neither what is quoted nor its opposite is on record."""
    for said, *wordings in SAID["partly_wrong"].values():
        for words in wordings:
            talk = running.told(said, words)
            assert RELEASE not in record(talk), words


def test_what_is_called_absent_wrongly_is_only_there(running: House) -> None:
    """A standby that there is after all has no faults by that: what "no replicas" denied is taken back."""
    for said, words in SAID["absent_wrongly"].values():
        talk = running.told(said)
        assert len(record(talk)) > 1
        talk.say(words)
        assert record(talk) == {}, words


def test_a_correction_of_a_time_or_a_part_changes_no_evidence(running: House, said: Said) -> None:
    """What was never on record is set right in a few words."""
    assert wrong(running, said["beside"], RECORD) == []


def test_words_that_take_nothing_back_leave_the_record_alone(running: House, said: Said) -> None:
    """Protests, and what was done to the database, take nothing off the record and turn nothing of it round."""
    missed = []
    for language in LANGUAGES:
        for words in said["untouched"][language]:
            talk = running.told(FIRST[language], words)
            moved = [each for each in talk.turns[1].corrections if each.name.en]
            missed += [] if record(talk).items() >= RECORD.items() and not moved else [words]
    assert missed == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_something_was_wrong_and_not_what_it_is_asked(running: House, said: Said, language: str) -> None:
    """A numbered list of the last entries; the number takes that one back, and it can be put back."""
    for words in said["some_wrong"][language]:
        talk = running.told(FIRST[language], words)
        asked = talk.turns[-1].clarification
        assert asked is not None, words
        assert asked.kind is ClarifyKind.AMBIGUOUS_FEEDBACK
        assert {option.phenomenon_id for option in asked.options} == set(RECORD)
        assert record(talk) == RECORD
        talk.say("2")
        assert set(record(talk)) == set(RECORD) - {asked.options[1].phenomenon_id}
        talk.say(said["puts_back"][language][0])
        assert record(talk) == RECORD


def test_plain_words_start_a_new_case(running: House, said: Said) -> None:
    """A new case is empty, and "undo" right after it brings the earlier record back."""
    for language in LANGUAGES:
        for words in said["starts"][language]:
            talk = running.told(FIRST[language], words)
            assert talk.turns[-1].reset, words
            assert record(talk) == {}, words
            talk.say(said["takes_back"][language][0])
            assert record(talk) == RECORD, words


def test_nothing_else_starts_one(running: House, said: Said) -> None:
    """No protest, question or refusal, and no restart of a database or a job."""
    missed = []
    for language in LANGUAGES:
        for words in said["starts_nothing"][language]:
            talk = running.told(FIRST[language], words)
            missed += [] if record(talk).items() >= RECORD.items() and not talk.turns[1].reset else [words]
    assert missed == []


def test_a_protest_takes_a_new_start_back(running: House, said: Said) -> None:
    """Whoever did not want a new case has the earlier record again."""
    missed = []
    for language in LANGUAGES:
        for words in said["protests"][language]:
            talk = running.told(FIRST[language], said["starts"][language][0], words)
            missed += [] if record(talk).items() >= RECORD.items() else [words]
    assert missed == []


def test_what_is_so_since_a_remedy_corrects_nothing(running: House, said: Said) -> None:
    """The first observation stays: it was true then."""
    missed = []
    for language in LANGUAGES:
        for words in said["news"][language]:
            talk = running.told(DEAD_ROWS[language], words)
            kept = record(talk).get(DEAD) is Verdict.CONFIRMED and not talk.turns[-1].corrections
            missed += [] if kept else [words]
    assert missed == []


def test_a_new_figure_of_the_same_verdict_leaves_the_evidence(running: House) -> None:
    """Only the words are newer."""
    recounted = "i said 37 rows earlier, just recounted who hangs behind it, its 52 sessions waiting for locks"
    for words in (recounted, "说错了，是52个会话在等锁"):
        talk = running.told(PASTED)
        before = record(talk)
        talk.say(words)
        assert record(talk) == before, words
        assert not talk.turns[-1].corrections, words


def test_a_pasted_row_is_told_by_the_name_of_what_it_means(running: House) -> None:
    """What was done is said shortly."""
    talk = running.told(PASTED, "undo")
    assert record(talk) == {}
    assert "20114" not in talk.replies[-1]


TIMES = [
    ("cpu pegged at 100% on all cores since this morning", "when i said this morning thats off, it jumped around 4pm"),
    ("cpu is at 97% since monday", "i said monday, that was wrong, it was sunday"),
    ("cpu 从今天早上开始就100%", "刚才说今天早上不对，cpu 曲线是昨天下午四点跳上去的"),
    ("半夜开始 cpu 到了97%", "前面我说半夜才开始的 不对 看监控其实十来天前就一路往上爬了"),
]


@pytest.mark.parametrize(("first", "words"), TIMES)
def test_a_time_set_right_takes_nothing_back(running: House, first: str, words: str) -> None:
    """When something began is corrected; that it is so still stands, and the reply says what was set right."""
    talk = running.told(first, words)
    assert record(talk) == {CPU: Verdict.CONFIRMED}
    assert talk.turns[-1].corrections


def test_a_name_quoted_in_full_is_of_that_thing_alone(running: House) -> None:
    """What the words of a name of the list would mean by themselves is not read into them."""
    talk = running.told("cpu 97%", "plan shows a Seq Scan that filters 4 million rows away for 1 row")
    name = next(each for each in talk.session.pending)
    talk.say(f"YES. {running.catalog.phenomenon_name(name.phenomenon_id).en}: yes")
    assert record(talk).keys() <= {CPU, "P-0077", name.phenomenon_id}
