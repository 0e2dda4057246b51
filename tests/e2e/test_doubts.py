"""Two faults at once: what the engine doubts is what the answer says, on the shipped library's own tickets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.conversations import Conversation, answer_from
from tests.support.running.processes import Running

pytestmark = pytest.mark.sampled

# Pairs of tickets of unlike causes, and one ticket alone: what is there is what they recorded.
MIXED = [("TK-A010", "TK-D012"), ("TK-A020", "TK-D003"), ("TK-A030", "TK-D020"), ("TK-A001", "TK-A041")]
ALONE = [("TK-A001",), ("TK-C009",), ("TK-D003",)]
WORDS = {
    "zh": ("有", "很少出现在同一个故障里", ("可能两个问题同时在",)),
    "en": (" yes", "rarely belong to the same fault", ("two things may be wrong at once",)),
}
ANSWERS = {"zh": ("有", "没有"), "en": (" yes", " no")}
# The application still connects to the former primary; there was a failover within the last 24 hours.
SIGN, COMPANION = "P-0171", "P-0170"
# A second cause of less belief than this is a guess.
LIKELY = 0.5


@pytest.fixture(scope="module")
def tickets(embedded_dbdiag: Running, embedded_folder: Path) -> dict[str, list[str]]:
    """What each ticket of the published snapshots recorded, in its order."""
    read = [json.loads(path.read_text(encoding="utf-8")) for path in embedded_folder.rglob("*.json")]
    snapshots = [found for found in read if found.get("format") == "dbdiag.snapshot.v1"]
    return {ticket["id"]: ticket["phenomena"] for snapshot in snapshots for ticket in snapshot["tickets"]}


def played(url: str, recorded: list[list[str]], language: str) -> Conversation:
    """A conversation that opens with the first phenomenon of each ticket and answers from all of them."""
    conversation = Conversation(url, language)
    conversation.say(", ".join(f"{phenomena[0]}{WORDS[language][0]}" for phenomena in recorded))
    truth = [found for phenomena in recorded for found in phenomena]
    for _ in range(14):
        asked = conversation.details["recommendations"]
        if conversation.details["diagnosis"] or not asked:
            break
        conversation.say(answer_from(truth, asked, language))
    return conversation


def says_a_second(response: dict[str, Any], language: str) -> bool:
    """Whether an answer says that one cause is not all."""
    return any(words in response["message"] for words in WORDS[language][2])


@pytest.mark.parametrize("language", sorted(WORDS))
@pytest.mark.parametrize("ids", [*MIXED, *ALONE], ids="+".join)
def test_the_answer_names_the_second_cause_exactly_when_there_is_a_likely_one(
    embedded_dbdiag: Running, tickets: dict[str, list[str]], ids: tuple[str, ...], language: str
) -> None:
    """What the details have of a likely second cause stands in the conclusion with what it explains; else none does."""
    conversation = played(embedded_dbdiag.url, [tickets[found] for found in ids], language)
    concluded = conversation.details["diagnosis"]
    assert concluded is not None
    message, second = conversation.responses[-1]["message"], concluded["second_cause"]
    assert (second is not None) is (ids in MIXED)
    if second is not None and second["confidence"] >= LIKELY:
        assert f"**{second['description']}**" in message
        assert all(name in message for name in concluded["unexplained_phenomena"][:5])
    else:
        assert not says_a_second(conversation.responses[-1], language)


@pytest.mark.parametrize("language", sorted(WORDS))
@pytest.mark.parametrize("ids", [*MIXED, *ALONE], ids="+".join)
def test_signs_that_are_all_there_are_not_told_to_be_at_odds(
    embedded_dbdiag: Running, tickets: dict[str, list[str]], ids: tuple[str, ...], language: str
) -> None:
    """The details name a pair of unlike causes exactly where there is one; the answer raises no doubt over it."""
    conversation = played(embedded_dbdiag.url, [tickets[found] for found in ids], language)
    pairs = [response["details"]["contradiction"] for response in conversation.responses]
    assert (pairs[-1] is not None) is (ids in MIXED)
    assert all(WORDS[language][1] not in response["message"] for response in conversation.responses)


@pytest.mark.parametrize("language", sorted(WORDS))
def test_two_answers_that_contradict_each_other_are_named_when_they_come_up(
    embedded_dbdiag: Running, language: str
) -> None:
    """A sign whose constant companion is absent: both are named in the turn that brings it, and not again."""
    conversation, (yes, no) = Conversation(embedded_dbdiag.url, language), ANSWERS[language]
    for said, new in ((f"{SIGN}{yes}", False), (f"{COMPANION}{no}", True), (f"P-0009{no}", False)):
        message = conversation.say(said)["message"]
        assert (WORDS[language][1] in message) is new
        pair = conversation.details["contradiction"] or []
        assert not new or len(pair) == 2
        assert not new or all(answer["description"].strip('"“”').split('"')[-1] in message for answer in pair)


@pytest.mark.parametrize("language", sorted(WORDS))
def test_looking_again_settles_a_contradiction(embedded_dbdiag: Running, language: str) -> None:
    """The way to look at the doubted answer can be asked for by its id, and taking it back ends the contradiction."""
    conversation, (yes, no) = Conversation(embedded_dbdiag.url, language), ANSWERS[language]
    conversation.say(f"{SIGN}{yes}, {COMPANION}{no}")
    assert conversation.details["contradiction"] is not None
    assert COMPANION in conversation.responses[-1]["message"]
    asked = conversation.say(f"{COMPANION} 怎么看" if language == "zh" else f"how do I check {COMPANION}")
    assert "pg_ls_waldir" in asked["message"]
    corrected = conversation.say(f"{COMPANION}{yes}")
    assert corrected["details"]["contradiction"] is None
    assert len(corrected["details"]["corrections"]) == 1


@pytest.mark.parametrize("language", sorted(WORDS))
def test_why_names_the_tickets_behind(embedded_dbdiag: Running, tickets: dict[str, list[str]], language: str) -> None:
    """Asked for the tickets behind a conclusion, the answer names tickets of that cause."""
    conversation = played(embedded_dbdiag.url, [tickets["TK-A010"], tickets["TK-D012"]], language)
    known = {ticket["ticket_id"] for ticket in conversation.details["diagnosis"]["reference_tickets"]}
    message = conversation.say("依据是哪些工单" if language == "zh" else "which tickets say so?")["message"]
    assert any(ticket in message for ticket in known)
