"""The client for language models against endpoints that behave like those in use: what they refuse, add, leave out."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel, Field

from services.chassis.llm import LanguageModel, Message, ModelFailed, Usage, connect
from services.chassis.settings import LlmSettings
from tests.support.servers.model_endpoint import Answer, ModelEndpoint, completion, endpoint, refused, stream

pytestmark = pytest.mark.sampled

PROMPT: list[Message] = [{"role": "system", "content": "Answer in JSON."}, {"role": "user", "content": "磁盘满了?"}]


class Verdict(BaseModel):
    phenomenon: str
    score: float = Field(ge=0, le=1)


GOOD = json.dumps({"phenomenon": "P-0001", "score": 0.5})
Behaviour = Callable[[dict[str, Any]], Answer]


def body(message: dict[str, Any], **more: Any) -> Answer:
    """A completion with this message and these other fields, and nothing else."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    return Answer(json.dumps({"id": "1", "object": "chat.completion", "choices": [choice]} | more).encode())


def form_of(asked: dict[str, Any]) -> str:
    """The type of answer that a request asks for."""
    return str(asked.get("response_format", {}).get("type", "plain"))


def events(*found: dict[str, Any]) -> Answer:
    """A stream of these events."""
    lines = "".join(f"data: {json.dumps(event)}\n\n" for event in found) + "data: [DONE]\n\n"
    return Answer(lines.encode(), content_type="text/event-stream")


def openai_reasoning(asked: dict[str, Any]) -> Answer:
    if "temperature" in asked:
        return refused(400, "Unsupported value: 'temperature' does not support 0 with this model.")
    return stream("it is ", "full") if asked.get("stream") else completion(GOOD)


def vllm(asked: dict[str, Any]) -> Answer:
    """Thinking apart, null fields; each event of a stream counts all tokens so far."""
    if not asked.get("stream"):
        message: dict[str, Any] = {
            "content": GOOD,
            "reasoning_content": "first I think {hard}",
            "tool_calls": [],
            "refusal": None,
        }
        return body(message, usage={"prompt_tokens": 9, "completion_tokens": None, "total_tokens": 9})
    return events(
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {"reasoning_content": "hm"}, "finish_reason": None}]},
        {
            "choices": [{"index": 0, "delta": {"content": "it is "}, "finish_reason": None}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
        },
        {
            "choices": [{"index": 0, "delta": {"content": "full"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
        },
    )


def ollama(asked: dict[str, Any]) -> Answer:
    """Knows no count of streams; a thinking model thinks aloud and wraps its JSON."""
    if "stream_options" in asked:
        return refused(400, "json: unknown field stream_options")
    if asked.get("stream"):
        pieces = ["<th", "ink>is it ", "full?", "</think>", "\n\nit is ", "full"]
        return events(
            *({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces),
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        )
    return body({"content": f"<think>maybe {{}} or {GOOD[:9]}</think>\nSure:\n```json\n{GOOD}\n```\nHope this helps!"})


def llama_cpp(asked: dict[str, Any]) -> Answer:
    """Takes only one system message, at the head of an alternation."""
    if sum(message["role"] == "system" for message in asked["messages"]) > 1:
        return refused(500, "Conversation roles must alternate")
    if asked.get("stream"):
        return stream("it is ", "full")
    return body({"content": GOOD}, timings={"prompt_n": 1}, usage={"prompt_tokens": 4, "completion_tokens": 2})


def gemma(asked: dict[str, Any]) -> Answer:
    """Knows no system message at all, and no schema."""
    if form_of(asked) == "json_schema":
        return refused(400, "response_format json_schema is not available")
    if any(message["role"] == "system" for message in asked["messages"]):
        return refused(400, "System role not supported")
    return stream("it is ", "full") if asked.get("stream") else completion(GOOD)


def deepseek(asked: dict[str, Any]) -> Answer:
    """Takes JSON without a schema, and only when the prompt says so."""
    if form_of(asked) == "json_schema":
        return refused(400, "This response_format type is unavailable now")
    if form_of(asked) == "json_object" and "json" not in json.dumps(asked["messages"]).lower():
        return refused(400, "Prompt must contain the word 'json'")
    if asked.get("stream"):
        return events(
            {"choices": [{"index": 0, "delta": {"content": None, "reasoning_content": "h"}, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {"content": "it is full"}, "finish_reason": None}]},
            {
                "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 7, "completion_tokens": 4, "total_tokens": 11},
            },
        )
    return completion(GOOD)


def qwen(asked: dict[str, Any]) -> Answer:
    """Thinks unless told not to, and then only streams; knows no schema."""
    if not asked.get("stream") and asked.get("enable_thinking") is not False:
        return refused(400, "parameter.enable_thinking must be set to false for non-streaming calls")
    if form_of(asked) == "json_schema":
        return refused(400, "'response_format.type' must be one of text, json_object; json_schema is not supported")
    return stream("it is ", "full") if asked.get("stream") else completion(GOOD)


def plain(asked: dict[str, Any]) -> Answer:
    """Knows neither structured output nor streaming; counts nothing; gives its content in parts."""
    if "response_format" in asked:
        return refused(422, "Extra inputs are not permitted: response_format")
    text = "it is full" if asked.get("stream") or asked["messages"][0]["content"] == "Answer in JSON." else GOOD
    return body({"content": [{"type": "text", "text": text}]})


KINDS: list[tuple[Behaviour, str]] = [
    (openai_reasoning, "json_schema"),
    (vllm, "json_schema"),
    (ollama, "json_schema"),
    (llama_cpp, "json_schema"),
    (gemma, "json_object"),
    (deepseek, "json_object"),
    (qwen, "json_object"),
    (plain, "plain"),
]


@contextlib.asynccontextmanager
async def asking(behaviour: Behaviour, **changes: Any) -> AsyncIterator[tuple[LanguageModel, ModelEndpoint]]:
    """A model behind an endpoint of this behaviour."""
    async with endpoint(by=behaviour) as played:
        told = {"llm_base_url": played.base_url, "llm_api_key": "k", "llm_max_retries": 0} | changes
        model = connect(LlmSettings.model_validate(told), "small")
        assert model is not None
        try:
            yield model, played
        finally:
            await model.close()


@pytest.mark.parametrize(("behaviour", "form"), KINDS, ids=lambda value: getattr(value, "__name__", value))
async def test_every_kind_of_endpoint_gives_its_structured_answer(behaviour: Behaviour, form: str) -> None:
    """An answer is had in the best form that the endpoint takes; what it refused is not tried again; tokens count."""
    usage = Usage()
    async with asking(behaviour) as (model, played):
        assert await model.structured(PROMPT, Verdict, usage) == Verdict(phenomenon="P-0001", score=0.5)
        tried = len(played.requests)
        assert form_of(played.requests[-1]) == form
        assert await model.structured(PROMPT, Verdict, usage) == Verdict(phenomenon="P-0001", score=0.5)
        assert len(played.requests) == tried + 1
    assert usage.calls == 2
    assert usage.prompt_tokens > 0
    assert usage.completion_tokens > 0


@pytest.mark.parametrize("behaviour", [kind for kind, _ in KINDS], ids=lambda kind: kind.__name__)
async def test_every_kind_of_endpoint_gives_its_text(behaviour: Behaviour) -> None:
    """A text comes without thinking, in pieces or whole, with its tokens counted or estimated."""
    usage = Usage()
    async with asking(behaviour) as (model, _):
        assert "".join([piece async for piece in model.text(PROMPT, usage)]) == "it is full"
        assert "".join([piece async for piece in model.text(PROMPT, usage)]) == "it is full"
    assert usage.prompt_tokens > 0
    assert usage.completion_tokens > 0


async def test_counts_of_a_stream_are_not_added_up() -> None:
    """Where each event counts all tokens so far, the last count is the one."""
    usage = Usage()
    async with asking(vllm) as (model, _):
        assert [piece async for piece in model.text(PROMPT, usage)]
    assert usage == Usage(calls=1, prompt_tokens=9, completion_tokens=3)


async def test_an_azure_endpoint_is_asked_by_deployment_and_version() -> None:
    """With an API version the deployment stands in the path, the version in the query, the key in its own header."""
    async with asking(lambda asked: completion(GOOD), llm_api_version="2024-10-21") as (model, played):
        settings = LlmSettings(
            llm_base_url=played.base_url.removesuffix("/v1"), llm_api_key="k", llm_api_version="2024-10-21"
        )
        bare = connect(settings, "my-gpt")
        assert bare is not None
        await bare.structured(PROMPT, Verdict, Usage())
        await bare.close()
        await model.structured(PROMPT, Verdict, Usage())
    first, second = played.heads
    assert first.startswith("post /openai/deployments/my-gpt/chat/completions?api-version=2024-10-21 ")
    assert second.startswith("post /v1/deployments/small/chat/completions?api-version=2024-10-21 ")
    assert "\napi-key: k\r" in first
    assert "authorization:" not in first


async def test_a_filter_s_refusal_is_no_reason_to_ask_in_another_form() -> None:
    """Azure's content filter refuses with status 400: that is a refusal, told at once."""
    filtered = refused(400, "The response was filtered due to the prompt triggering Azure's content management policy.")
    async with asking(lambda asked: filtered) as (model, played):
        with pytest.raises(ModelFailed) as failed:
            await model.structured(PROMPT, Verdict, Usage())
    assert (failed.value.reason, len(played.requests)) == ("model_refused", 1)


async def test_what_one_question_was_refused_for_does_not_lower_the_next() -> None:
    """A question that fails in every form (too long, say) leaves the form for the others as it was."""
    answers = [refused(400, "too long")] * 3 + [completion(GOOD)]
    async with asking(lambda asked: answers.pop(0)) as (model, played):
        with pytest.raises(ModelFailed):
            await model.structured(PROMPT, Verdict, Usage())
        await model.structured(PROMPT, Verdict, Usage())
    assert form_of(played.requests[-1]) == "json_schema"


@pytest.mark.parametrize("pasted", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
async def test_an_address_is_taken_as_people_paste_it(pasted: str) -> None:
    """The address with or without its version, a slash or the whole path leads to the same place."""
    async with asking(lambda asked: completion(GOOD)) as (_, played):
        settings = LlmSettings(llm_base_url=played.base_url.removesuffix("/v1") + pasted, llm_max_retries=0)
        model = connect(settings, "small")
        assert model is not None
        await model.structured(PROMPT, Verdict, Usage())
        await model.close()
    assert played.heads[0].startswith("post /v1/chat/completions ")


@pytest.mark.parametrize(
    "content",
    [
        f"Here you are: {GOOD} Anything else?",
        f"```json\n{GOOD}\n```\nThat is all.",
        f'<think>\nIs it {{"phenomenon": 1}}? No.\n</think>\n{GOOD}',
        f"thinking without an opening </think> {GOOD}",
        f"{{not json}} {GOOD}",
        f'{{"phenomenon": "P-0001"}} or rather {GOOD}',
        "\ufeff" + GOOD,
        GOOD + GOOD,
    ],
)
async def test_the_answer_is_found_in_what_stands_around_it(content: str) -> None:
    """Words around the JSON, fences and thinking cost no second call."""
    async with asking(lambda asked: completion(content)) as (model, played):
        assert (await model.structured(PROMPT, Verdict, Usage())).score == 0.5
    assert len(played.requests) == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (completion("<think>" + GOOD), "model_refused"),
        (body({"content": None, "reasoning_content": GOOD}), "model_refused"),
        (completion(GOOD, finish_reason="content_filter"), "model_refused"),
        (completion(None, finish_reason="tool_calls"), "model_refused"),
        (completion("<think>on and on", finish_reason="length"), "model_cut_off"),
        (completion("{" * 5000), "model_malformed"),
        (body({"content": 7}), "model_refused"),
        (Answer(b'{"choices": [{}]}'), "model_unreachable"),
        (Answer(b'{"choices": [{"message": null, "finish_reason": "stop"}]}'), "model_unreachable"),
    ],
)
async def test_an_unusable_answer_is_told_by_its_kind(answer: Answer, reason: str) -> None:
    """Thinking alone, withheld, cut off, nonsense: each has its reason."""
    async with asking(lambda asked: answer) as (model, _):
        with pytest.raises(ModelFailed) as failed:
            await model.structured(PROMPT, Verdict, Usage())
    assert failed.value.reason == reason


async def test_a_text_that_only_thinks_is_a_refusal() -> None:
    """A stream that never gets past its thinking says nothing."""
    async with asking(lambda asked: stream("<think>", "on and on")) as (model, _):
        with pytest.raises(ModelFailed) as failed:
            assert [piece async for piece in model.text(PROMPT, Usage())] == []
    assert failed.value.reason == "model_refused"


@pytest.mark.parametrize(
    "pieces", [["<", "b> it"], ["  ", "it"], ["<thinking caps on>"], ["a <think>b</think>"], ["<t"]]
)
async def test_a_text_keeps_what_only_looks_like_thinking(pieces: list[str]) -> None:
    """Only a text that begins by thinking loses anything."""
    async with asking(lambda asked: stream(*pieces)) as (model, _):
        assert "".join([piece async for piece in model.text(PROMPT, Usage())]) == "".join(pieces)


async def test_an_answer_that_only_drips_is_given_up_in_time() -> None:
    """The time of a call is that of the whole answer: bytes that keep coming do not lengthen it."""
    begun = time.monotonic()
    slow = replace(completion(GOOD), drip=0.1)
    async with asking(lambda asked: slow, llm_timeout_seconds=0.3) as (model, _):
        with pytest.raises(ModelFailed) as failed:
            await model.structured(PROMPT, Verdict, Usage())
    assert failed.value.reason == "model_unreachable"
    dripping = replace(stream(*["word "] * 50), drip=0.05)
    async with asking(lambda asked: dripping, llm_timeout_seconds=0.3) as (model, _):
        with pytest.raises(ModelFailed) as failed:
            assert [piece async for piece in model.text(PROMPT, Usage())] == []
    assert failed.value.reason == "model_unreachable"
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize(
    "answers", [[Answer(b"{}", hang=5)], [refused(503, "busy")] * 9, [completion("{}", tokens=(1, 1))] * 9]
)
async def test_trying_again_and_repairing_do_not_lengthen_an_answer(answers: list[Answer]) -> None:
    """The time of a call holds for all of it: who asked has a deadline, and rules to answer by."""
    begun = time.monotonic()
    slow = [replace(answer, hang=max(answer.hang, 0.4)) for answer in answers]
    async with asking(lambda asked: slow[0], llm_timeout_seconds=0.5, llm_max_retries=3) as (model, _):
        with pytest.raises(ModelFailed) as failed:
            await model.structured(PROMPT, Verdict, Usage())
    assert failed.value.reason == "model_unreachable"
    assert time.monotonic() - begun < 2
