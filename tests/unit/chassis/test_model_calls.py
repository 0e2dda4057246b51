"""The client for language models against a real endpoint: every way an answer can come, and not come."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic import BaseModel, Field

from services.chassis.llm import LanguageModel, Message, ModelFailed, Usage, connect
from services.chassis.settings import LlmSettings
from tests.support.servers.model_endpoint import Answer, ModelEndpoint, completion, endpoint, refused, stream

pytestmark = pytest.mark.sampled

KEY = "sk-very-secret"
PROMPT: list[Message] = [
    {"role": "system", "content": "Answer in JSON."},
    {"role": "user", "content": "private words of a user"},
]


class Verdict(BaseModel):
    phenomenon: str
    score: float = Field(ge=0, le=1)


GOOD = json.dumps({"phenomenon": "P-0001", "score": 0.5})
BAD = json.dumps({"phenomenon": "P-0001", "score": 98})


@contextlib.asynccontextmanager
async def asking(*answers: Answer, **changes: Any) -> AsyncIterator[tuple[LanguageModel, ModelEndpoint]]:
    """A model that asks an endpoint which gives `answers`."""
    async with endpoint(*answers) as played:
        settings = LlmSettings(llm_base_url=played.base_url, llm_api_key=KEY, **({"llm_max_retries": 0} | changes))
        model = connect(settings, "small")
        assert model is not None
        try:
            yield model, played
        finally:
            await model.close()


async def failure(*answers: Answer, **changes: Any) -> ModelFailed:
    """How a structured question fails; the message must not give away what was asked or the key."""
    async with asking(*answers, **changes) as (model, _):
        with pytest.raises(ModelFailed) as failed:
            await model.structured(PROMPT, Verdict, Usage())
    assert "private words" not in failed.value.message
    assert KEY not in failed.value.message
    assert failed.value.message.startswith("small: ")
    return failed.value


async def said(model: LanguageModel, usage: Usage) -> list[str]:
    return [piece async for piece in model.text(PROMPT, usage)]


async def text_failure(*answers: Answer, **changes: Any) -> ModelFailed:
    """How a text fails."""
    async with asking(*answers, **changes) as (model, _):
        with pytest.raises(ModelFailed) as failed:
            await said(model, Usage())
    assert "private words" not in failed.value.message
    assert KEY not in failed.value.message
    return failed.value


async def test_a_structured_answer_comes_back_validated() -> None:
    """The endpoint is told the schema and the temperature 0; the answer is an object; calls and tokens are counted."""
    usage = Usage()
    async with asking(completion(GOOD)) as (model, played):
        answer = await model.structured(PROMPT, Verdict, usage)
    assert answer == Verdict(phenomenon="P-0001", score=0.5)
    assert usage == Usage(calls=1, prompt_tokens=11, completion_tokens=7)
    [request] = played.requests
    assert request["messages"] == PROMPT
    assert (request["model"], request["temperature"]) == ("small", 0)
    assert request["response_format"]["json_schema"]["schema"] == Verdict.model_json_schema()


@pytest.mark.parametrize("text", [f"```json\n{GOOD}\n```", f"```\n{GOOD}\n```\n", f"  {GOOD}\n"])
async def test_a_fenced_answer_is_read(text: str) -> None:
    """Small models put their JSON into a code fence: that costs no second call."""
    async with asking(completion(text)) as (model, played):
        assert (await model.structured(PROMPT, Verdict, Usage())).score == 0.5
    assert len(played.requests) == 1


async def test_a_wrong_answer_may_be_repaired_once() -> None:
    """An answer outside the schema is sent back with what is wrong; a right second one counts; both are paid for."""
    usage = Usage()
    async with asking(completion(BAD), completion(GOOD)) as (model, played):
        assert (await model.structured(PROMPT, Verdict, usage)).score == 0.5
    assert usage == Usage(calls=2, prompt_tokens=22, completion_tokens=14)
    again = played.requests[1]["messages"]
    assert again[:2] == PROMPT
    assert again[2] == {"role": "assistant", "content": BAD}
    assert "score" in again[3]["content"]


@pytest.mark.parametrize("text", [BAD, "no JSON at all", "[]", GOOD[:-3]])
async def test_a_second_wrong_answer_is_malformed(text: str) -> None:
    """After one repair the question is given up."""
    assert (await failure(completion(text))).reason == "model_malformed"


async def test_a_refusal_is_told_as_one() -> None:
    """A model that refuses is not asked again."""
    assert (await failure(completion(None, refusal="I may not"))).reason == "model_refused"


@pytest.mark.parametrize("answer", [completion(""), completion(None), Answer(b'{"choices": []}'), Answer(b"{}")])
async def test_an_empty_answer_is_a_refusal(answer: Answer) -> None:
    """Nothing said is nothing usable."""
    assert (await failure(answer)).reason == "model_refused"


async def test_an_answer_cut_off_is_not_repaired() -> None:
    """An answer that ran out of tokens is given up at once: a second one would be cut off as well."""
    assert (await failure(completion(GOOD[:10], finish_reason="length"))).reason == "model_cut_off"


@pytest.mark.parametrize("status", [400, 422])
async def test_an_endpoint_without_structured_output_gets_the_schema_in_the_prompt(status: int) -> None:
    """When the endpoint refuses response_format, the same question is asked with the schema as a message."""
    usage = Usage()
    async with asking(refused(status, "unknown field response_format"), completion(GOOD)) as (model, played):
        assert (await model.structured(PROMPT, Verdict, usage)).score == 0.5
    first, second = played.requests
    assert "response_format" in first
    assert "response_format" not in second
    assert "phenomenon" in second["messages"][0]["content"]
    assert second["messages"][1:] == PROMPT
    assert usage.calls == 1


@pytest.mark.parametrize(
    "answer",
    [
        refused(400, "private words of a user " + KEY),
        refused(401, "bad key " + KEY),
        refused(429, "slow down"),
        refused(500, "private words of a user"),
        Answer(b"<html>a proxy's page</html>", 502, "text/html"),
        Answer(b"<html>a login page</html>", 200, "text/html"),
        Answer(b"{not json", 200),
        Answer(b'"words"', 200),
        Answer(GOOD.encode(), cut=True),
        Answer(b"{}", hang=5),
    ],
    ids=["400", "401", "429", "500", "502 page", "200 page", "broken", "a string", "cut", "slow"],
)
async def test_an_endpoint_that_does_not_work_is_unreachable(answer: Answer) -> None:
    """Whatever is wrong with the endpoint, it is ModelFailed without the prompt, the key or the answer's words."""
    failed = await failure(answer, llm_timeout_seconds=0.2)
    assert failed.reason == "model_unreachable"


async def test_an_endpoint_that_is_not_there_is_unreachable() -> None:
    """A refused connection is ModelFailed."""
    model = connect(LlmSettings(llm_base_url="http://127.0.0.1:1/v1", llm_max_retries=0), "small")
    assert model is not None
    with pytest.raises(ModelFailed) as failed:
        await model.structured(PROMPT, Verdict, Usage())
    assert failed.value.reason == "model_unreachable"
    await model.close()


async def test_a_passing_failure_is_tried_again() -> None:
    """`llm_max_retries` tries again after a server's error."""
    async with asking(refused(503, "busy"), completion(GOOD), llm_max_retries=1) as (model, played):
        assert (await model.structured(PROMPT, Verdict, Usage())).score == 0.5
    assert len(played.requests) == 2


async def test_a_text_comes_in_pieces_with_its_usage() -> None:
    """A text is streamed as it comes; calls and tokens are counted."""
    usage = Usage()
    async with asking(stream("连接", "数 is ", "80")) as (model, played):
        assert await said(model, usage) == ["连接", "数 is ", "80"]
    assert usage == Usage(calls=1, prompt_tokens=11, completion_tokens=7)
    assert played.requests[0]["stream_options"] == {"include_usage": True}


async def test_a_reader_may_stop_early() -> None:
    """Whoever stops reading a text leaves no connection behind."""
    async with asking(stream("one ", "two ", "three ")) as (model, _):
        pieces = model.text(PROMPT, Usage())
        async with contextlib.aclosing(pieces) as reading:  # type: ignore[type-var]
            assert await anext(reading) == "one "


async def test_a_text_cut_off_is_told() -> None:
    """A text that ran out of tokens ends as ModelFailed, after its pieces."""
    assert (await text_failure(stream("half", finish_reason="length"))).reason == "model_cut_off"


async def test_an_empty_text_is_a_refusal() -> None:
    """A stream without a word is nothing usable."""
    assert (await text_failure(stream())).reason == "model_refused"


@pytest.mark.parametrize(
    "answer",
    [
        refused(500, "private words of a user"),
        refused(400, KEY),
        stream("one ", "two ", "three ", cut=True),
        Answer(b"data: {not json\n\n", content_type="text/event-stream"),
        Answer(b'data: {"error": {"message": "private words"}}\n\n', content_type="text/event-stream"),
        Answer(b'data: "words"\n\n', content_type="text/event-stream"),
        Answer(b"<html>a login page</html>", 200, "text/html"),
        Answer(b"", hang=5),
    ],
    ids=["500", "400", "cut", "broken", "error event", "a string", "200 page", "slow"],
)
async def test_a_text_that_breaks_off_is_told(answer: Answer) -> None:
    """Whatever breaks a stream, it is ModelFailed without the prompt or the key."""
    failed = await text_failure(answer, llm_timeout_seconds=0.2)
    assert failed.reason in ("model_unreachable", "model_cut_off", "model_refused")


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (LlmSettings(), "small"),
        (LlmSettings(llm_base_url="http://127.0.0.1:1"), None),
        (LlmSettings(llm_api_key=KEY), ""),
    ],
)
def test_without_an_address_or_a_name_there_is_no_model(settings: LlmSettings, name: str | None) -> None:
    """No endpoint and no key, or no model's name: None, and the rules answer."""
    assert connect(settings, name) is None
