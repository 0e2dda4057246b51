"""A model behind an OpenAI-compatible endpoint: OpenAI, Azure, vLLM, Ollama, llama.cpp, DeepSeek, Qwen, ...

All are called OpenAI-compatible and differ in their support: schemas, JSON without a schema, neither; some accept
no temperature, no token count of a stream, no system message, or think aloud by default. After a refusal, the next form
is tried.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from services.chassis.llm.chat_api import ChatApi, RequestFailed, RequestRefused, open_chat_api, read_events
from services.chassis.llm.model import (
    Answer,
    Message,
    ModelFailed,
    Usage,
    ask_validated,
    estimate_tokens,
    strip_thinking,
    without_thinking,
)
from services.chassis.settings import LlmSettings

if TYPE_CHECKING:
    import httpx


# Reduced forms to try before giving up on the endpoint.
_MOST_FORMS = 6
_CUT, _WITHHELD = ("length", "max_tokens"), ("content_filter", "tool_calls", "function_call")


class Structure(IntEnum):
    """How a request asks for the shape of the answer."""

    SCHEMA = 0
    JSON = 1
    PLAIN = 2


@dataclass(frozen=True)
class Form:
    """The parts of a request. `quiet`: thinking is off; `merged`: the system message is part of the user's."""

    structure: Structure = Structure.SCHEMA
    temperature: bool = True
    counted: bool = True
    streamed: bool = True
    quiet: bool = False
    merged: bool = False

    def request(self, messages: Sequence[Message], answer: type[BaseModel] | None) -> dict[str, Any]:
        """The fields of a request; with `answer` None, for text."""
        asked = list(messages)
        fields: dict[str, Any] = {"temperature": 0 if answer else 0.2} if self.temperature else {}
        if answer is not None:
            schema = answer.model_json_schema()
            if self.structure is Structure.SCHEMA:
                named = {"name": answer.__name__, "schema": schema}
                fields["response_format"] = {"type": "json_schema", "json_schema": named}
            else:
                told = "Answer with one JSON object of this schema: " + json.dumps(schema)
                asked.insert(0, {"role": "system", "content": told})
            if self.structure is Structure.JSON:
                fields["response_format"] = {"type": "json_object"}
        elif self.streamed:
            fields |= {"stream": True} | ({"stream_options": {"include_usage": True}} if self.counted else {})
        if self.quiet:
            fields["enable_thinking"] = False
        return fields | {"messages": _merged(asked) if self.merged else asked}

    def lesser(self, complaint: str, structured: bool) -> Form | None:
        """The form to try after a refusal with this complaint; None if nothing is left to drop."""
        said = complaint.lower()
        for named, form in (
            ("enable_thinking", replace(self, quiet=True)),
            ("temperature", replace(self, temperature=False)),
            ("stream_options", replace(self, counted=False)),
        ):
            if named in said and form != self:
                return form
        if _ROLES.search(said) and not self.merged:
            return replace(self, merged=True)
        if structured and self.structure is not Structure.PLAIN:
            unknown = "response_format" in said and "json_schema" not in said and _UNKNOWN.search(said)
            return replace(self, structure=Structure.PLAIN if unknown else Structure(self.structure + 1))
        return replace(self, counted=False) if not structured and self.counted else None


FIRST = Form()
_UNKNOWN = re.compile(r"unknown|unrecognized|unexpected|not (?:permitted|allowed|supported)|extra")
_ROLES = re.compile(r"(?:system|developer).{0,40}(?:role|message|not supported)|roles must alternate")


def _merged(messages: Sequence[Message]) -> list[Message]:
    """The messages, with the system message prepended to the first user message."""
    system = [message["content"] for message in messages if message["role"] == "system"]
    rest = [message for message in messages if message["role"] != "system"]
    if not rest or not system:
        return list(messages)
    first: Message = {"role": rest[0]["role"], "content": "\n\n".join([*system, rest[0]["content"]])}
    return [first, *rest[1:]]


@dataclass
class OpenAiModel:
    """A model behind an endpoint. `form` is the last accepted form; refused ones are not retried.

    An answer must be complete within `seconds`, including retries and repair: the caller can fall back to rules,
    and people are waiting.
    """

    api: ChatApi
    model: str
    seconds: float = 20.0
    form: Form = FIRST

    async def structured(self, messages: Sequence[Message], answer: type[Answer], usage: Usage) -> Answer:
        """See LanguageModel."""
        with _failures(self.model):
            async with asyncio.timeout(self.seconds):
                return await ask_validated(
                    self.model, lambda asked: self._complete(asked, answer, usage), messages, answer
                )

    async def text(self, messages: Sequence[Message], usage: Usage) -> AsyncIterator[str]:
        """See LanguageModel."""
        empty = True
        async for piece in strip_thinking(self._pieces(messages, usage)):
            empty = empty and not piece.strip()
            yield piece
        if empty:
            raise ModelFailed("model_refused.silent", model=self.model)

    async def close(self) -> None:
        """See LanguageModel."""
        await self.api.close()

    async def _complete(self, messages: Sequence[Message], answer: type[BaseModel] | None, usage: Usage) -> str:
        usage.calls += 1
        with _failures(self.model):
            async with asyncio.timeout(self.seconds):
                reply = (await self._asked(messages, answer)).json()
            choice = reply["choices"][0] if reply.get("choices") else None
            content = _words(choice["message"].get("content")) if choice is not None else ""
            _count(reply.get("usage"), messages, content, usage)
            if choice is None or choice["message"].get("refusal"):
                raise ModelFailed("model_refused", model=self.model)
            self._ended(choice.get("finish_reason"))
        if not without_thinking(content).strip():
            raise ModelFailed("model_refused", model=self.model)
        return content

    async def _pieces(self, messages: Sequence[Message], usage: Usage) -> AsyncIterator[str]:
        """The content of a stream as it arrives, or one whole answer if the endpoint does not stream."""
        if self.form.streamed:
            events = 0
            usage.calls += 1
            async for piece in self._streamed(messages, usage):
                events += 1
                if piece:
                    yield piece
            if events:
                return
            self.form = replace(self.form, streamed=False)
        yield without_thinking(await self._complete(messages, None, usage))

    async def _streamed(self, messages: Sequence[Message], usage: Usage) -> AsyncIterator[str]:
        """One piece per event, even an empty one. Yields nothing if the endpoint does not stream."""
        finished, counted, said, events = None, None, "", 0
        until = asyncio.get_running_loop().time() + self.seconds
        with _failures(self.model):
            async with asyncio.timeout_at(until):
                response = await self._asked(messages, None)
            async with contextlib.aclosing(response):
                async for event in _until(read_events(response), until):
                    events += 1
                    counted = event.get("usage") or counted
                    for choice in event.get("choices") or ():
                        finished = choice.get("finish_reason") or finished
                        piece = _words((choice.get("delta") or {}).get("content"))
                        said += piece
                        yield piece
            if events:
                _count(counted, messages, said, usage)
                self._ended(finished or "no end")

    async def _asked(self, messages: Sequence[Message], answer: type[BaseModel] | None) -> httpx.Response:
        """The endpoint's response to the question, in the first form that it accepts."""
        form = self.form
        for _ in range(_MOST_FORMS):
            try:
                response = await self.api.post({"model": self.model} | form.request(messages, answer))
                self.form = form
                return response
            except RequestRefused as error:
                if "content_filter" in error.complaint or "content management policy" in error.complaint:
                    raise ModelFailed("model_refused.filtered", model=self.model) from None
                lesser = form.lesser(error.complaint, answer is not None)
                if lesser is None:
                    raise
                form = lesser
        raise ModelFailed("model_unreachable.no_form", model=self.model)

    def _ended(self, reason: str | None) -> None:
        """Raises ModelFailed if an answer was cut short; endpoints name a regular end differently."""
        if reason in (*_CUT, "no end"):
            raise ModelFailed("model_cut_off", model=self.model, why=str(reason))
        if reason in _WITHHELD:
            raise ModelFailed("model_refused.stopped", model=self.model, why=str(reason))


async def _until(events: AsyncIterator[Any], until: float) -> AsyncIterator[Any]:
    """The events of a stream. Raises TimeoutError if the next one is late."""
    while True:
        try:
            async with asyncio.timeout_at(until):
                event = await anext(events)
        except StopAsyncIteration:
            return
        yield event


def _words(content: Any) -> str:
    """The text of a content, which some endpoints send in parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _count(counted: Any, messages: Sequence[Message], content: str, usage: Usage) -> None:
    """Adds the endpoint's token counts, or an estimate if it sent none."""
    prompt, completion = (counted or {}).get("prompt_tokens"), (counted or {}).get("completion_tokens")
    asked = sum(estimate_tokens(message["content"]) for message in messages)
    usage.prompt_tokens += prompt if isinstance(prompt, int) else asked
    usage.completion_tokens += completion if isinstance(completion, int) else estimate_tokens(content)


@contextlib.contextmanager
def _failures(model: str) -> Iterator[None]:
    """Raises every failure of an endpoint as ModelFailed."""
    try:
        yield
    except RequestFailed as error:
        raise ModelFailed("model_unreachable", model=model, error=error.kind) from error
    # The reply may be no JSON, or of another shape.
    except (ValueError, TypeError, AttributeError, LookupError, TimeoutError) as error:
        # A message may quote the prompt or the key, so only the kind of failure is passed on.
        raise ModelFailed("model_unreachable", model=model, error=type(error).__name__) from error


def connect(settings: LlmSettings, model: str | None) -> OpenAiModel | None:
    """The configured model, or None."""
    if not model or not (settings.llm_base_url or settings.llm_api_key):
        return None
    seconds = settings.llm_timeout_seconds
    api = open_chat_api(
        _address(settings.llm_base_url),
        settings.llm_api_key or "none",
        model,
        settings.llm_api_version,
        seconds,
        settings.llm_max_retries,
    )
    return OpenAiModel(api, model, seconds)


def _address(base_url: str | None) -> str | None:
    """The base URL without the path that people often paste with it."""
    return base_url.strip().rstrip("/").removesuffix("/chat/completions").rstrip("/") if base_url else None
