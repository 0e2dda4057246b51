from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from lang import embedding
from services.chassis.llm import LanguageModel, ModelFailed, ScriptedModel
from services.matcher.index.snapshots import Snapshots
from services.matcher.matcher import Matcher
from services.matcher.model import MatchPhenomenaRequest, MatchPhenomenaResponse, Observation
from services.matcher.reading import glossary
from tests.support.injections import CARRIERS, INJECTIONS
from tests.support.matching import asked_of, counted, outcome_of

UNSURE = "机器有点吃力"
SURE = "日志里出现死锁 deadlock detected"


async def ask(snapshots: Snapshots, model: LanguageModel | None, *texts: str) -> MatchPhenomenaResponse:
    matcher = Matcher(snapshots, glossary.load(), embedding.load(), model)
    return await matcher.match(MatchPhenomenaRequest("", tuple(map(Observation, texts))))


@pytest.mark.parametrize(
    "reply",
    [
        {"rows": []},
        {"rows": [{"index": 0, "phenomenon_id": "P-4242"}]},
        {"rows": [{"index": 7, "phenomenon_id": ""}]},
        {"rows": [{"index": 0, "phenomenon_id": ""}, {"index": 0, "phenomenon_id": ""}]},
        "not json",
        ModelFailed("down", reason="model_unreachable"),
    ],
)
async def test_an_unusable_answer_leaves_the_rules(snapshots: Snapshots, reply: object) -> None:
    """Missing, duplicate and foreign rows, and failures, give the rules' answer and a fallback reason."""
    alone = await ask(snapshots, None, UNSURE)
    answer = await ask(snapshots, ScriptedModel({"RerankAnswer": reply}), UNSURE)
    assert answer.interpretations == alone.interpretations
    assert answer.usage.fallback_reason
    assert answer.usage.calls >= 1


async def test_the_model_is_not_asked_what_is_sure(snapshots: Snapshots) -> None:
    """Only uncertain observations are sent to the model."""
    model = ScriptedModel({})
    answer = await ask(snapshots, model, SURE)
    assert model.asked == []
    assert answer.usage == replace(answer.usage, calls=0, fallback_reason="")


async def test_the_model_decides_what_is_asked_about(snapshots: Snapshots) -> None:
    """A candidate that the model chooses is asked about, one that it refuses is not, and neither counts."""
    text = "主库很卡 查询慢 在等"
    refused = ScriptedModel({"RerankAnswer": {"rows": [{"index": 0, "phenomenon_id": ""}]}})
    chosen = (await ask(snapshots, obedient(0), text)).interpretations[0]
    dropped = (await ask(snapshots, refused, text)).interpretations[0]
    assert asked_of(chosen) == ["P-0012"]
    assert asked_of(dropped) == []
    assert counted(chosen) == counted(dropped) == {}


async def test_texts_reach_the_model_as_data(snapshots: Snapshots) -> None:
    """The user's words occur only in the user message, inside JSON."""
    text = 'the "no limits" box: 机器有点吃力'
    model = ScriptedModel({"RerankAnswer": {"rows": [{"index": 0, "phenomenon_id": ""}]}})
    await ask(snapshots, model, text)
    assert model.asked
    for messages in model.asked:
        assert all("no limits" not in message["content"] for message in messages if message["role"] == "system")
        assert '\\"' in messages[-1]["content"]


def obedient(place: int) -> ScriptedModel:
    """A model that always chooses the candidate at this place."""

    def reply(asked: Any) -> Any:
        rows = json.loads(asked[-1]["content"])["observations"]
        chosen = [row["candidates"][place % len(row["candidates"])]["phenomenon_id"] for row in rows]
        return {
            "rows": [{"index": row["index"], "phenomenon_id": name} for row, name in zip(rows, chosen, strict=True)]
        }

    return ScriptedModel({"RerankAnswer": reply})


@pytest.mark.parametrize("carrier", ["{}", *CARRIERS])
async def test_a_model_that_obeys_an_injection_matches_nothing(snapshots: Snapshots, carrier: str) -> None:
    """Prompt injection gets the rules' outcome, whatever the model chooses."""
    for injection in INJECTIONS:
        text = carrier.format(injection)
        alone = outcome_of((await ask(snapshots, None, text)).interpretations[0])
        for place in (0, 1):
            assert outcome_of((await ask(snapshots, obedient(place), text)).interpretations[0]) == alone, text


async def test_a_model_cannot_promote_an_unlikely_candidate(snapshots: Snapshots) -> None:
    """Choosing a candidate that scores far below the first leaves the outcome unchanged."""
    for text in ("CPU 有点高", "sessions seem stuck on something", "archive looks odd"):
        alone = (await ask(snapshots, None, text)).interpretations[0]
        answer = (await ask(snapshots, obedient(-1), text)).interpretations[0]
        if alone.candidates and alone.candidates[-1].score * 6 < alone.candidates[0].score:
            assert outcome_of(answer) == outcome_of(alone)


async def test_a_candidate_is_shown_once_in_the_language_of_the_text(snapshots: Snapshots) -> None:
    """The model receives one id and one name per candidate, in the language of the text."""
    model = ScriptedModel({"RerankAnswer": {"rows": [{"index": 0, "phenomenon_id": ""}]}})
    await ask(snapshots, model, UNSURE)
    [row] = json.loads(model.asked[0][-1]["content"])["observations"]
    assert all(set(item) == {"phenomenon_id", "name"} for item in row["candidates"])
    assert all(not item["name"].isascii() for item in row["candidates"])
