"""The assistant looks for itself in a conversation: real services over gRPC, a real PostgreSQL with a real fault."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from dbdiag.planner.v1.planner_types import ClarifyKind, Reply, Tool
from dbdiag.vocabulary import Verdict

from gateway.contracts.clients import Services
from gateway.http.admission import Doors
from gateway.http.app import create_app
from gateway.session.catalog import Catalogs
from gateway.session.store import SessionStore
from gateway.settings import GatewaySettings
from gateway.turn.context import Turn
from gateway.turn.conversations import Conversations
from gateway.turn.details.reply_details import details_of
from gateway.turn.loop import Loop
from services.collector.evidence.evidence_store import read_evidence
from services.collector.evidence.session_evidence import verify
from tests.support.running.processes import collector_process
from tests.support.servers.stuck_locks import CAUSE, FORGOTTEN, WAITERS, stuck_locks
from tests.support.talks import House, Talk, house

LOCKS = "很多会话在等锁"
NO_LOCKS = "没有会话在等锁"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server whose fault can be seen."""
    with stuck_locks() as dsn:
        yield dsn


def targets(folder: Path, *entries: tuple[str, str]) -> Path:
    """A data folder with these databases as targets, by name and conninfo, beside this host."""
    folder.mkdir(exist_ok=True)
    listed = [f"  - {{id: {name}, kind: postgres, conninfo: '{conninfo}'}}" for name, conninfo in entries]
    text = "\n".join(["targets:", *listed, "  - {id: this-host, kind: host}"])
    (folder / "targets.yaml").write_text(text + "\n")
    return folder


@pytest.fixture(scope="module")
def folder(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a dbdiag that knows the server as its one database."""
    return targets(tmp_path_factory.mktemp("data"), ("orders", server))


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[House]:
    """A dbdiag over it, which looks no longer than it takes to find the cause."""
    with house(folder, gateway_look_seconds=20.0) as opened:
        yield opened


@pytest.fixture(scope="module")
def looked(running: House) -> Talk:
    """A conversation in which the offer to look was taken up."""
    talk = running.talk("looked")
    talk.say(LOCKS)
    talk.say("好")
    return talk


def test_the_offer_is_made_once_where_a_check_can_see_what_is_asked(running: House) -> None:
    """It comes with the first questions, names the target, and does not come again in the case; a new case may."""
    talk = running.talk("offered")
    first, second = talk.say(LOCKS), talk.say("1没有")
    assert first.look_offer is not None
    assert (first.look_offer.target_id, first.look_offer.visible_count > 0) == ("orders", True)
    assert "要我自己看一下" in talk.replies[0]
    assert second.look_offer is None
    assert second.session.pending
    assert talk.say(f"重新开始，{LOCKS}").look_offer is not None


def test_whoever_says_no_more_than_that_something_is_wrong_gets_the_offer(running: House) -> None:
    """Where the words are in no library, looking is offered beside the common complaints; "please look" is a yes."""
    talk = running.talk("vague")
    first = talk.say("checkout is slow since ten minutes, users complain")
    assert first.clarification is not None
    assert first.look_offer is not None
    assert talk.say("yes please look").look is not None


def test_an_offer_that_is_declined_is_left_at_that(running: House) -> None:
    """Nothing is looked at, nothing is recorded, and the conversation goes on where it was."""
    talk = running.talk("declined")
    talk.say(LOCKS)
    turn = talk.say("不用")
    assert (turn.done, turn.look, turn.evidence_changed()) == ([], None, False)
    assert "不看" in talk.replies[-1]
    assert [item.ordinal for item in turn.session.pending] == [1, 2, 3]


def test_a_yes_finds_the_cause(looked: Talk) -> None:
    """What was seen is told with its values, the cause is concluded, and the tool is named among the calls."""
    turn = looked.turns[1]
    assert [(item.tool, item.failed) for item in turn.done] == [(Tool.COLLECT_EVIDENCE, False), (Tool.DIAGNOSE, False)]
    assert turn.diagnosis is not None
    assert turn.diagnosis.conclusion is not None
    assert turn.diagnosis.conclusion.root_cause_id == CAUSE
    assert "orders" in looked.replies[1]
    assert "prepared_transactions = 1" in looked.replies[1]
    details = details_of(turn, Reply(""))
    assert [item["tool"] for item in details["call_results"]] == ["collect_evidence", "diagnose"]
    assert FORGOTTEN in {item["phenomenon_id"] for item in details["look"]["seen"] if item["verdict"] == "confirmed"}


def test_what_was_collected_is_on_record_with_its_source(looked: Talk, folder: Path) -> None:
    """Each entry names the check and an output that is kept, with its hash; the collector's own record is whole."""
    collected = [entry for entry in looked.session.active() if entry.origin == "collected"]
    kept = folder / "report" / looked.session.session_id
    assert collected
    for entry in collected:
        evidence = read_evidence(kept, entry.evidence_ref)
        assert (evidence.check_id, evidence.sha256) == (entry.check_id, entry.output_sha256)
    assert verify(kept).faults == ()
    sources = {item["phenomenon_id"]: item["source"] for item in details_of(looked.turns[1], Reply(""))["evidence"]}
    assert (sources[WAITERS], sources[FORGOTTEN]) == ("person", "collected")


def test_the_trace_has_every_step_of_the_look(looked: Talk) -> None:
    """What was asked of the collector, what each check brought with its hash, and what was judged between."""
    asked, told = next((asked, told) for tool, asked, told in looked.turns[1].exchanges if tool == "collect_evidence")
    assert isinstance(asked, dict)
    assert isinstance(told, dict)
    assert (asked["target_id"], asked["snapshot_id"]) == ("orders", looked.session.snapshot_id)
    assert all(look["sha256"] for look in told["looks"] if look["ending"] == "done")
    assert [note["event"] for note in told["notes"]][-1] == "stopped"


def test_what_a_person_said_stands_against_what_was_seen(running: House) -> None:
    """The opposite is told and asked about; the person's word counts until the person says otherwise."""
    talk = running.talk("against")
    talk.say("没有超过 10 分钟的两阶段事务残留")
    turn = talk.say("你自己看看")
    assert turn.clarification is not None
    assert (turn.clarification.kind, turn.clarification.seen_ordinal) == (ClarifyKind.CONTRADICTION, 2)
    assert held(talk) == (Verdict.DENIED, False)
    assert "我看到的相反" in talk.replies[-1]
    check_only_the_unseen_is_asked(turn)
    other = Talk(running, deepcopy(talk.session), replies=talk.replies[:])
    talk.say("1")
    other.say("2")
    assert (held(talk), held(other)) == ((Verdict.DENIED, False), (Verdict.CONFIRMED, True))


def check_only_the_unseen_is_asked(turn: Turn) -> None:
    """No question is about what is decided, or about what a check that was not made could see."""
    asked = {item.phenomenon_id for item in turn.session.pending}
    assert asked
    assert not asked & {entry.phenomenon_id for entry in turn.session.active()}
    assert not asked & set(turn.session.unlooked)


def held(talk: Talk) -> tuple[Verdict, bool]:
    """What stands about the forgotten transaction, and whether a check saw it."""
    entry = talk.session.active_for(FORGOTTEN)
    assert entry is not None
    return entry.verdict, entry.collected


def test_what_a_person_says_afterwards_stands_as_well(looked: Talk) -> None:
    """A later statement against what was seen counts at once, and is asked about; settled for the look, that counts."""
    talk = Talk(looked.house, deepcopy(looked.session), replies=looked.replies[:])
    turn = talk.say("没有两阶段事务残留")
    assert held(talk) == (Verdict.DENIED, False)
    assert turn.clarification is not None
    assert turn.clarification.seen_ordinal == 1
    talk.say("1")
    assert held(talk) == (Verdict.CONFIRMED, True)


@pytest.mark.parametrize(
    ("entries", "message", "reason", "advice"),
    [
        ((), "你自己看看，CPU 使用率 95%", "no_target", "targets.yaml"),
        ((("a", "host=x"), ("b", "host=y")), "CPU is at 95%. look for yourself", "several_targets", "/look"),
        ((("a", "host=/nowhere-at-all"),), "CPU 使用率 95%，你自己看看", "target_unreachable", "targets.yaml"),
    ],
)
def test_what_cannot_be_looked_at_is_told_with_what_to_do(
    running: House, entries: tuple[tuple[str, str], ...], message: str, reason: str, advice: str, tmp_path: Path
) -> None:
    """The refusal has its reason and a way out, and what else the message says is on record all the same."""
    with running.looking_at(targets(tmp_path, *entries) / "targets.yaml") as opened:
        talk = opened.talk("refused")
        turn = talk.say(message)
    assert [(item.tool, item.reason) for item in turn.failures] == [(Tool.COLLECT_EVIDENCE, reason)]
    assert advice in talk.replies[-1]
    assert [entry.origin for entry in turn.session.active()] == ["words"]
    assert turn.diagnosis is not None


def over(running: House, address: str) -> House:
    """The same services with a collector at another address."""
    here = running.address
    clients = Services(here, here, here, here, address)
    gateway = Loop(clients, Catalogs(clients.engine), GatewaySettings(gateway_look_seconds=20.0))
    return House(running.loop, (clients, gateway, running.catalog, here))


def test_a_collector_that_is_gone_is_told_to_who_asks_alone(running: House, tmp_path: Path) -> None:
    """Nothing is offered and nothing fails while nobody asks to look; who asks is told where to set it right."""
    talk = over(running, f"unix:{tmp_path}/nobody.sock").talk("gone")
    turn = talk.say(LOCKS)
    assert (turn.look_offer, turn.failures) == (None, [])
    turn = talk.say("你自己看看")
    assert [item.reason for item in turn.failures] == ["no_collector"]
    assert "DBDIAG_GATEWAY_COLLECTOR_ADDRESS" in talk.replies[-1]
    running.loop.run_until_complete(talk.house.services.close())


@pytest.mark.slow
def test_what_was_seen_before_the_collector_died_counts(running: House, server: str, tmp_path: Path) -> None:
    """Killed in the middle of a look: what it had shown is on record and judged, and the failure is told."""
    place = targets(tmp_path, ("orders", server)) / "targets.yaml"
    with collector_process(tmp_path, place) as (process, address):
        house = over(running, address)
        session = house.talk("died").session

        def kill(step: str, note: str = "") -> None:
            if note:
                process.kill()

        turn = running.loop.run_until_complete(house.gateway.run(session, "你自己看看", None, kill))
        running.loop.run_until_complete(house.services.close())
    assert [item.tool for item in turn.failures] == [Tool.COLLECT_EVIDENCE]
    assert turn.look is not None
    assert {entry.origin for entry in session.active()} == {"collected"}
    assert turn.diagnosis is not None


@pytest.fixture(scope="module")
def named(running: House, server: str, tmp_path_factory: pytest.TempPathFactory) -> Talk:
    """A conversation in which one of two targets was looked at by its name, and at once again."""
    two = targets(tmp_path_factory.mktemp("two"), ("far", "host=/nowhere-at-all"), ("near", server)) / "targets.yaml"
    with running.looking_at(two) as opened:
        talk = opened.talk("named")
        talk.say("/look near")
        talk.say("/look near")
    return talk


def test_one_of_several_targets_is_looked_at_by_name(named: Talk) -> None:
    """Named in the request it is looked at, and what was not named is not."""
    turn = named.turns[0]
    assert turn.failures == []
    assert turn.look is not None
    assert (turn.look.target_id, turn.look.check_count > 0) == ("near", True)


def test_a_budget_that_is_used_up_is_told(named: Talk) -> None:
    """Looked at again at once, every check is refused as made just now; what was seen before stands."""
    first, again = named.turns
    assert [item.reason for item in again.failures] == ["look_refused"]
    assert re.search(r"ran \d+ s ago in this session", named.replies[-1])
    assert first.evidence_changed()
    assert again.evidence_before == again.active_evidence()


def over_http(
    running: House, folder: Path, requests: list[tuple[str, str, dict[str, Any] | None]]
) -> list[httpx.Response]:
    """The answers of the gateway's application over these services to requests one after the other."""

    async def answers() -> list[httpx.Response]:
        store = SessionStore(f"sqlite:///{folder / 'sessions.db'}")
        await store.start()
        ids = count()
        conversations = Conversations(
            running.services, store, GatewaySettings(), lambda: 0.0, lambda: f"{folder.name}-{next(ids)}"
        )
        app = create_app(conversations, running.services, Doors())
        transport = httpx.ASGITransport(app=app)
        try:
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60) as client:
                return [await client.request(method, path, json=body) for method, path, body in requests]
        finally:
            await store.close()

    return running.loop.run_until_complete(answers())


def test_a_look_is_taken_once_and_told_while_it_lasts(running: House, folder: Path, tmp_path: Path) -> None:
    """Progress names what is being looked at; the same request again is the same answer, without another look."""
    body = {"message": "你自己看看", "request_id": "look-1"}
    stream, again = over_http(running, tmp_path, [("POST", "/chat/stream", body), ("POST", "/chat", body)])
    events = [block.split("\n", 1) for block in stream.text.strip().split("\n\n")]
    told = [json.loads(data.removeprefix("data: ")) for name, data in events if name == "event: progress"]
    assert "collect_evidence" in {item["step"] for item in told}
    assert [item for item in told if item["step"] == "collect_evidence" and " · " in item.get("note", "")]
    final = json.loads(events[-1][1].removeprefix("data: "))
    assert again.json() == final
    audit = (folder / "report" / final["session_id"] / "audit.jsonl").read_text().splitlines()
    started = [entry["check_id"] for entry in map(json.loads, audit) if entry["event"] == "check_started"]
    assert started
    assert len(started) == len(set(started))


def test_the_target_is_a_field_of_the_session(running: House, tmp_path: Path) -> None:
    """Targets are listed without secrets; one that is not among them is refused before anything is recorded."""
    listed, refused, taken = over_http(
        running,
        tmp_path,
        [
            ("GET", "/targets", None),
            ("POST", "/chat", {"message": LOCKS, "target": "nowhere"}),
            ("POST", "/chat", {"message": LOCKS, "target": "this-host"}),
        ],
    )
    assert [item["target_id"] for item in listed.json()["targets"]] == ["orders", "this-host"]
    assert set(listed.json()["targets"][0]) == {"target_id", "kind", "description"}
    assert (refused.status_code, refused.json()["reason"]) == (422, "target_not_found")
    assert "orders" in refused.json()["detail"]
    assert taken.json()["turn"] == 1
    offer = taken.json()["details"]["look_offer"]
    assert offer is None or offer["target"] == "this-host"
