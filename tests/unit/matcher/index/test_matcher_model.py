"""Reading by a language model: what it may do to what the rules read, and what it may not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from lang import embedding
from lang.concepts import glossary
from services.chassis.llm import LanguageModel, ModelFailed, ScriptedModel
from services.matcher.index.snapshots import Snapshots
from services.matcher.matcher import Matcher
from services.matcher.model import (
    MatchPhenomenaRequest,
    MatchPhenomenaResponse,
    Observation,
    Reading,
    Standing,
    Verdict,
)
from services.matcher.model_reader import MOST_CANDIDATES, MOST_CHARACTERS, MOST_STATEMENTS
from tests.support.texts.injections import CARRIERS, INJECTIONS

pytestmark = pytest.mark.sampled

# Nothing of this is in the vocabulary: the rules read nothing.
UNREAD = "the box is gasping, 97 of its 100 seats are taken"
CONNECTIONS, DISK, LOCKS, DEADLOCKS = "P-0007", "P-0001", "P-0002", "P-0009"


def row(words: str, name: str, says: str = "bad", **more: str) -> dict[str, str]:
    """A statement of the model: asserted, here and now, unless `more` has it otherwise."""
    polarity = "absent" if says in ("none", "fine", "steady") else "present"
    usual = {"value": "", "of": "", "polarity": polarity, "modality": "asserted", "when": "now", "where": "here"}
    return {"words": words, "phenomenon_id": name, "says": says, **usual, **more}


def telling(*rows: Mapping[str, str], unsaid: Sequence[str] = ()) -> ScriptedModel:
    """A model that answers every question with these statements."""
    return ScriptedModel({"ReadAnswer": lambda _: {"statements": list(rows), "unsaid": list(unsaid)}})


async def read(
    snapshots: Snapshots, model: LanguageModel | None, message: str, talk: MatchPhenomenaRequest | None = None
) -> MatchPhenomenaResponse:
    """What a matcher with this model makes of a message, in a talk."""
    matcher = Matcher(snapshots, glossary.load(), embedding.load(), model)
    return await matcher.match(replace(talk or MatchPhenomenaRequest(), message=message))


def found(response: MatchPhenomenaResponse) -> dict[str, Reading]:
    """The readings by phenomenon."""
    return {reading.phenomenon_id: reading for reading in response.readings}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"statements": [row("the box is gasping", "P-4242")], "unsaid": []}, "model_invented_phenomenon"),
        ({"statements": [], "unsaid": ["P-4242"]}, "model_invented_phenomenon"),
        ({"statements": [row("the disk is full", DISK)], "unsaid": []}, "model_invented_words"),
        ({"statements": [row(UNREAD, DISK, "value", value="99 %")], "unsaid": []}, "model_invented_words"),
        ({"statements": [row(UNREAD, DISK, "value", value="97", of="98")], "unsaid": []}, "model_invented_words"),
        ({"statements": [row("gasping", DISK)] * (MOST_STATEMENTS + 1), "unsaid": []}, "model_stated_too_much"),
        ({"statements": [row("gasping", DISK) | {"verdict": "confirmed"}], "unsaid": []}, "model_malformed"),
        ({"statements": [row("gasping", DISK, modality="sure")], "unsaid": []}, "model_malformed"),
        ('{"statements": [', "model_malformed"),
        ("The disk is full.", "model_malformed"),
        (ModelFailed("down", reason="model_unreachable"), "model_unreachable"),
    ],
)
@pytest.mark.parametrize("message", [UNREAD, UNREAD + "; no deadlocks, 日志中出现死锁", "cpu at 99%. " + UNREAD])
async def test_an_unusable_answer_changes_nothing(
    snapshots: Snapshots, reply: object, reason: str, message: str
) -> None:
    """Invented ids, words and numbers, too much, broken JSON and failures give the rules' reading, and the reason."""
    alone = await read(snapshots, None, message)
    answer = await read(snapshots, ScriptedModel({"ReadAnswer": lambda _: _raised(reply)}), message)
    assert answer.readings == alone.readings
    assert answer.interpretations == alone.interpretations
    assert answer.usage.fallback_reason == reason
    assert answer.usage.calls >= 1


def _raised(reply: object) -> object:
    if isinstance(reply, Exception):
        raise reply
    return reply


@pytest.mark.parametrize(("value", "of", "verdict"), [("97", "100", Verdict.CONFIRMED), ("97", "1000", Verdict.DENIED)])
async def test_the_code_judges_by_the_numbers_in_the_quote(
    snapshots: Snapshots, value: str, of: str, verdict: Verdict
) -> None:
    """A number of the model's quotes decides by the phenomenon's own limit, and not what the model makes of it."""
    message = f"the box is gasping, {value} of its {of} seats are taken"
    polarity = "present" if verdict is Verdict.CONFIRMED else "absent"
    stated = row(message, CONNECTIONS, "value", value=value, of=of, polarity=polarity)
    reading = found(await read(snapshots, telling(stated), message))[CONNECTIONS]
    assert (reading.verdict, reading.standing) == (verdict, Standing.COUNTS)


async def test_a_model_that_contradicts_its_own_number_is_asked_about(snapshots: Snapshots) -> None:
    """Where the number of a quote says another thing than the model takes it to say, the reading is proposed."""
    stated = row(UNREAD, CONNECTIONS, "value", value="97", of="100", polarity="absent")
    assert found(await read(snapshots, telling(stated), UNREAD))[CONNECTIONS].standing is Standing.PROPOSED


@pytest.mark.parametrize(
    "how",
    [
        *({"modality": mode} for mode in ("suspected", "asked", "supposed", "planned", "wished", "norm")),
        {"when": "past"},
        {"when": "recovered"},
        {"where": "elsewhere"},
    ],
)
async def test_what_does_not_hold_here_and_now_is_nothing(snapshots: Snapshots, how: dict[str, str]) -> None:
    """A question, a guess, a plan, the past and another system are no evidence, however sure the model is of them."""
    stated = row(UNREAD, CONNECTIONS, "value", value="97", of="100", **how)
    assert CONNECTIONS not in found(await read(snapshots, telling(stated), UNREAD))


async def test_where_both_read_and_disagree_it_is_proposed(snapshots: Snapshots) -> None:
    """What counts by the rules is proposed where the model is sure of the opposite, or finds nothing said that holds.

    A model that is silent, contradicts itself or says what the phenomenon does not ask for leaves it as it is.
    """
    message = "没有锁等待"
    assert found(await read(snapshots, None, message))[LOCKS].standing is Standing.COUNTS
    agreed = await read(snapshots, telling(row(message, LOCKS, "none")), message)
    assert found(agreed)[LOCKS] == found(await read(snapshots, None, message))[LOCKS]
    against = row(message, LOCKS, "bad")
    unsaid = telling(unsaid=[LOCKS])
    for model in (telling(against), unsaid, telling(row(message, LOCKS, "none", when="past"))):
        assert found(await read(snapshots, model, message))[LOCKS].standing is Standing.PROPOSED
    torn = telling(against, row(message, LOCKS, "none"))
    for model in (telling(), torn, telling(row(message, LOCKS, "helped"))):
        assert found(await read(snapshots, model, message))[LOCKS].standing is Standing.COUNTS


async def test_words_that_the_rules_take_for_a_question_count_for_nothing_at_once(snapshots: Snapshots) -> None:
    """What the model asserts by a question, a fragment of one or of the past is proposed."""
    fragments = [
        ("is the box gasping?", "is the box gasping?"),
        ("is the box gasping?", "the box gasping"),
        ("昨天 100 个座位占了 97 个", "占了 97 个"),
    ]
    for message, words in fragments:
        answer = await read(snapshots, telling(row(words, DEADLOCKS)), message)
        assert found(answer)[DEADLOCKS].standing is Standing.PROPOSED


async def test_a_model_is_shown_the_talk_and_a_bounded_choice_as_data(snapshots: Snapshots) -> None:
    """The words stand only in the user's message, as JSON, beside the talk and a bounded list with presence tests."""
    message, model = 'the "no limits" box: 机器有点吃力', telling()
    pending, options, evidence = ("P-0003",), ("P-0004",), ("P-0005",)
    talk = MatchPhenomenaRequest(
        pending_phenomenon_ids=pending, option_phenomenon_ids=options, evidence_phenomenon_ids=evidence
    )
    await read(snapshots, model, message, talk)
    [[system, user]] = model.asked
    told: dict[str, Any] = json.loads(user["content"])
    assert "no limits" not in system["content"]
    assert told["message"] == message
    assert [told["asked"], told["offered"]] == [list(pending), list(options)]
    assert [each["id"] for each in told["known"]] == list(evidence)
    offered = [each["id"] for each in told["candidates"]]
    assert {*pending, *options} <= set(offered)
    assert len(offered) == len(set(offered)) <= MOST_CANDIDATES
    assert all(set(each) == {"id", "name", "yes"} and not each["yes"].isascii() for each in told["candidates"])


@pytest.mark.parametrize("carrier", ["{}", *CARRIERS])
async def test_orders_in_a_message_are_not_sent(snapshots: Snapshots, carrier: str) -> None:
    """A text that orders the assistant about is withheld whole, and what the rules read of it is all that counts."""
    for injection in INJECTIONS:
        message, model = carrier.format(injection), telling(row("a", DISK))
        answer = await read(snapshots, model, message)
        assert model.asked == [], message
        assert answer.readings == (await read(snapshots, None, message)).readings


async def test_a_text_beyond_the_limit_is_not_sent(snapshots: Snapshots) -> None:
    """A message that is too long is read by the rules alone."""
    model = telling()
    await read(snapshots, model, UNREAD + " " * MOST_CHARACTERS)
    assert model.asked == []


async def test_what_the_model_reads_is_no_longer_unread(snapshots: Snapshots) -> None:
    """Observations within the message have the model's readings, and no question about what their words are like."""
    request = MatchPhenomenaRequest(message=UNREAD, observations=(Observation("the box is gasping", start=0),))
    model = telling(row("the box is gasping", DEADLOCKS, "bad"))
    matcher = Matcher(snapshots, glossary.load(), embedding.load(), model)
    answer = await matcher.match(request)
    [interpretation] = answer.interpretations
    assert [reading.phenomenon_id for reading in interpretation.readings] == [DEADLOCKS]
    assert interpretation.clarification is None
    assert len(model.asked) == 1


async def test_without_a_message_each_text_is_read(snapshots: Snapshots) -> None:
    """Observations without a message are read one by one, each in its own call."""
    model = telling()
    matcher = Matcher(snapshots, glossary.load(), embedding.load(), model)
    answer = await matcher.match(MatchPhenomenaRequest(observations=(Observation("cpu at 99%"), Observation(UNREAD))))
    assert [json.loads(asked[-1]["content"])["message"] for asked in model.asked] == ["cpu at 99%", UNREAD]
    assert answer.usage.calls == 2


async def test_a_proposal_of_the_rules_counts_once_the_model_agrees(snapshots: Snapshots) -> None:
    """What the rules only propose or lack a value for is settled by a sure model; a contradicted proposal stays one."""
    message = "磁盘空间不足"
    ruled = found(await read(snapshots, None, message))[DISK]
    assert ruled.standing is not Standing.COUNTS
    agreed = found(await read(snapshots, telling(row(message, DISK, "bad")), message))[DISK]
    against = found(await read(snapshots, telling(row(message, DISK, "none")), message))[DISK]
    assert (agreed.standing, agreed.verdict) == (Standing.COUNTS, Verdict.CONFIRMED)
    assert against.standing is Standing.PROPOSED
