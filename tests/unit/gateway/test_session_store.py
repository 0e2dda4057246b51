"""The session store on a real SQLite file."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from dbdiag.planner.v1.planner_types import HypothesisView, Item, Speaker, Utterance
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.session.belief_points import BeliefPoint
from gateway.session.ledger import OpenClarification, Session
from gateway.session.store import RequestKey, SessionStore, StoredSession
from services.chassis.errors import DependencyDown, Precondition


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SessionStore]:
    opened = SessionStore(f"sqlite:///{tmp_path}/sessions.db")
    await opened.start()
    yield opened
    await opened.close()


def talked() -> Session:
    session = Session("s-1", 1.0, 2.0, snapshot_id="sha256:1", turn=1)
    session.record(session.entry("P-0001", Verdict.DENIED, 0.8, "没有锁等待", "words"))
    session.pending = (Item(1, "P-0002", LocalizedText("二", "two")),)
    session.clarification = OpenClarification("slow", session.pending)
    beliefs = (HypothesisView("RC-0001", LocalizedText("因", "cause"), 0.4),)
    session.points.append(BeliefPoint(session.case, session.turn, beliefs, True))
    session.dialogue.append(Utterance(Speaker.USER, "没有锁等待"))
    return session


async def test_a_committed_session_comes_back_whole(store: SessionStore) -> None:
    """What is loaded equals what was committed, in every field."""
    session = talked()
    await store.commit_turn(StoredSession(session), {"message": "好"}, {"turn": 1}, None)
    loaded = await store.load("s-1")
    assert loaded is not None
    assert loaded.session == session
    assert await store.traces("s-1") == [{"turn": 1}]
    assert await store.last_response("s-1") == {"message": "好"}


async def test_an_answered_request_is_found_again(store: SessionStore) -> None:
    """A request id finds its answer and the hash of its body, within its scope only."""
    key = RequestKey("", "r-1", "hash")
    await store.commit_turn(StoredSession(talked()), {"message": "first"}, {}, key)
    answered = await store.answered("", "r-1")
    assert answered is not None
    assert (answered.body_sha256, answered.response) == ("hash", {"message": "first"})
    assert await store.answered("s-1", "r-1") is None


async def test_of_two_writers_one_is_refused(store: SessionStore) -> None:
    """A session that changed since it was read is not overwritten, and nothing of the second turn is stored."""
    await store.commit_turn(StoredSession(talked()), {}, {}, None)
    one, two = await store.load("s-1"), await store.load("s-1")
    assert one is not None
    assert two is not None
    for stored in (one, two):
        stored.session.turn = 2
    await store.commit_turn(one, {"by": "one"}, {}, None)
    with pytest.raises(Precondition):
        await store.commit_turn(two, {"by": "two"}, {}, RequestKey("s-1", "r", "h"))
    assert await store.last_response("s-1") == {"by": "one"}
    assert await store.answered("s-1", "r") is None


async def test_a_turn_that_cannot_be_stored_leaves_no_trace(store: SessionStore) -> None:
    """Session, turn and request are one transaction: when the turn is refused, the session stays as it was."""
    await store.commit_turn(StoredSession(talked()), {}, {}, None)
    stored = await store.load("s-1")
    assert stored is not None
    stored.session.snapshot_id = "sha256:2"
    with pytest.raises(Exception, match="UNIQUE"):
        await store.commit_turn(stored, {}, {}, None)
    again = await store.load("s-1")
    assert again is not None
    assert again.session.snapshot_id == "sha256:1"


async def test_deleted_means_gone(store: SessionStore) -> None:
    """After a delete neither session nor turns nor requests are found, and a second delete finds nothing."""
    await store.commit_turn(StoredSession(talked()), {}, {}, RequestKey("", "r-1", "h"))
    assert await store.delete("s-1")
    assert await store.load("s-1") is None
    assert await store.traces("s-1") == []
    assert await store.answered("", "r-1") is None
    assert not await store.delete("s-1")


async def test_a_store_that_cannot_be_opened_says_where_to_look(tmp_path: Path) -> None:
    """A path that is no database raises DependencyDown naming the setting."""
    (tmp_path / "sessions.db").mkdir()
    store = SessionStore(f"sqlite:///{tmp_path}/sessions.db")
    with pytest.raises(DependencyDown, match="DBDIAG_SESSIONS_URL"):
        await store.start()
    await store.close()


async def test_a_turn_that_is_given_up_is_stored_or_not_before_the_next(store: SessionStore) -> None:
    """Whoever waits for a commit and is cancelled goes on only when the transaction has ended."""
    giving_up = asyncio.create_task(store.commit_turn(StoredSession(talked()), {"message": "late"}, {}, None))
    await asyncio.sleep(0)
    giving_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await giving_up
    assert await store.last_response("s-1") == {"message": "late"}
