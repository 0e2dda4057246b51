"""The labelled sentences with a model that reads perfectly, over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lang import embedding
from lang.concepts import glossary
from services.chassis.llm import LanguageModel, connect
from services.chassis.settings import LlmSettings
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.matcher import Matcher
from services.matcher.model import MatchPhenomenaRequest
from services.matcher.training.texts import load_shipped_library
from tests.support.matching import shipped_reader
from tests.support.oracle import Labelled, Oracle, is_right, read_labelled
from tests.support.servers.model_endpoint import Answer, completion, endpoint

_SENTENCES = Path(__file__).parents[2] / "lang" / "sentences.jsonl"
_FLOOR = 0.97


# Every fourth sentence in the fast suite, all of them beside the slow tests.
@pytest.fixture(scope="module", params=[4, pytest.param(1, marks=pytest.mark.slow)])
def labelled(request: pytest.FixtureRequest) -> list[Labelled]:
    return read_labelled(_SENTENCES)[:: request.param]


@pytest.fixture(scope="module")
def oracle(labelled: list[Labelled]) -> Oracle:
    return Oracle(labelled, shipped_reader())


async def share_right(labelled: list[Labelled], model: LanguageModel | None, kept_in: Path) -> float:
    """The share of messages of which everything is right, with what the model could not say counted as wrong."""
    words, embedder = glossary.load(), embedding.load()
    snapshots = Snapshots(FixedSource(load_shipped_library()), Store(None, 5.0), words, embedder, kept_in=kept_in)
    matcher = Matcher(snapshots, words, embedder, model)
    answers = [await matcher.match(MatchPhenomenaRequest(message=each.message)) for each in labelled]
    assert not any(answer.usage.fallback_reason for answer in answers)
    return sum(is_right(each, answer) for each, answer in zip(labelled, answers, strict=True)) / len(labelled)


@pytest.mark.slow
async def test_with_a_model_that_reads_perfectly_the_result_is_right(
    labelled: list[Labelled], oracle: Oracle, kept_in: Path
) -> None:
    """Of a perfect reading of each message at least 97 % come out whole right, and more than by the rules alone."""

    def reply(asked: dict[str, Any]) -> Answer:
        return completion(json.dumps(oracle.answer(json.loads(asked["messages"][-1]["content"]))))

    async with endpoint(by=reply) as played:
        model = connect(LlmSettings(llm_base_url=played.base_url), "oracle")
        assert model is not None
        right = await share_right(labelled, model, kept_in)
        await model.close()
        assert len(played.requests) == len(labelled)
    assert right >= _FLOOR
    assert right > await share_right(labelled, None, kept_in)
