"""A model behind an OpenAI-compatible endpoint: OpenAI, Azure, vLLM, Ollama, llama.cpp, DeepSeek, Qwen, ..."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from services.chassis.llm.chat_api import ChatApi, RequestFailed, RequestRefused, open_chat_api, read_events
from services.chassis.llm.forms import FIRST, Form
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
