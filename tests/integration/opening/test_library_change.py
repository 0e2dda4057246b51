"""A case on the library of the database that the person names."""

from __future__ import annotations

import pytest

from services.chassis.errors import DependencyDown
from tests.support.talks import House

OPENING = {
    "zh": "线上 mysql 8.0 的 ALTER TABLE orders ADD COLUMN 一直卡着不动，所有查 orders 的请求全堵住了",
    "en": "mysql 8.0 here, ALTER TABLE orders ADD COLUMN hangs and every query on orders is stuck behind it",
}


def engines_of(house: House, snapshot_id: str) -> set[str]:
    """The databases that a snapshot's checks are for."""
    found = house.loop.run_until_complete(house.services.engine.phenomena(snapshot_id))
    return {each.engine for each in found} - {""}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_case_of_another_database_is_on_its_library_from_the_first_message(running: House, language: str) -> None:
    """Who says MySQL in the first message is asked in MySQL's words, and is not told to start anything again."""
    talk = running.told(OPENING[language], {"zh": "下一步看啥", "en": "what next"}[language])
    assert engines_of(running, talk.session.snapshot_id) == {"mysql"}
    assert "MySQL" in talk.replies[0]
    for reply in talk.replies:
        assert "pg_" not in reply
        assert "--library" not in reply


def test_what_was_told_before_the_name_is_on_record_there(running: House) -> None:
    """Named in the middle, the case goes over, says so, and keeps what the earlier messages say of any database."""
    talk = running.told("everything is slow since last weekend", "this is mysql 8 btw, what should I look at")
    assert engines_of(running, talk.session.snapshot_id) == {"mysql"}
    assert "MySQL" in talk.replies[-1]
    assert "pg_" not in talk.replies[-1]
    catalog = running.loop.run_until_complete(running.gateway._catalogs.of(talk.session.snapshot_id))
    kept = [catalog.phenomena[entry.phenomenon_id].name.en for entry in talk.session.active()]
    assert kept == ["Everything is slow"]


def test_a_new_case_of_the_conversation_stays_with_its_database(running: House) -> None:
    """The next case of the same conversation is on the same library, until another database is named."""
    talk = running.told(OPENING["en"], "new problem, start over please", "writes are slow today")
    assert talk.session.case > 1
    assert engines_of(running, talk.session.snapshot_id) == {"mysql"}
    talk.say("start over, this time it is postgres: reports are slow")
    assert engines_of(running, talk.session.snapshot_id) == {"postgresql"}


@pytest.mark.parametrize("message", ["支付那边的 mysql 倒是没事", "the mysql of the other team is fine"])
def test_the_database_of_somebody_else_changes_nothing(running: House, message: str) -> None:
    """In a case of PostgreSQL another database is somebody else's."""
    talk = running.told("pg15, everything is slow", message)
    assert engines_of(running, talk.session.snapshot_id) == {"postgresql"}
    assert talk.session.active()


def test_a_database_without_a_library_is_said_not_to_be_covered(running: House) -> None:
    """Who says Oracle is told that it is not covered, and the case stays where it is."""
    talk = running.told("our oracle is slow")
    assert "Oracle" in talk.replies[0]
    assert engines_of(running, talk.session.snapshot_id) == {"postgresql"}


def test_a_change_that_fails_half_way_leaves_the_case_where_it_is(
    running: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the earlier messages cannot be read again, the case, its library and what is on record stay as they were."""
    talk = running.told("everything is slow since last weekend")
    before, recorded = talk.session.snapshot_id, talk.session.active()

    async def fail(_: object) -> None:
        raise DependencyDown("knowledge_unreachable.none_published", problem="away")

    monkeypatch.setattr(running.services.matcher, "match", fail)
    talk.say("this is mysql 8 btw")
    monkeypatch.undo()
    assert (talk.session.snapshot_id, talk.session.case) == (before, 1)
    assert talk.session.active() == recorded
