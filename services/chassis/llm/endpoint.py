"""A model behind an OpenAI-compatible endpoint: OpenAI, Azure, vLLM, Ollama, llama.cpp, DeepSeek, Qwen, ..."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import BaseModel

from services.chassis.llm.forms import FIRST, Form
from services.chassis.llm.model import Answer, Message, ModelFailed, Usage, ask_validated
from services.chassis.llm.output import estimate_tokens, strip_thinking, without_thinking
from services.chassis.settings import LlmSettings

if TYPE_CHECKING:
    from openai import AsyncOpenAI

# Reduced forms to try before giving up on the endpoint.
_MOST_FORMS = 6
_CUT, _WITHHELD = ("length", "max_tokens"), ("content_filter", "tool_calls", "function_call")


@dataclass
class OpenAiModel:
    """A model behind an endpoint. `form` is the last accepted form; refused ones are not retried.

    An answer must be complete within `seconds`, including retries and repair: the caller can fall back to rules,
    and people are waiting.
    """

    client: AsyncOpenAI
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
        await self.client.close()

    async def _complete(self, messages: Sequence[Message], answer: type[BaseModel] | None, usage: Usage) -> str:
        usage.calls += 1
        with _failures(self.model):
            async with asyncio.timeout(self.seconds):
                reply = await self._asked(messages, answer)
            choice = reply.choices[0] if reply.choices else None
            content = _words(choice.message.content) if choice else ""
            _count(getattr(reply, "usage", None), messages, content, usage)
            if choice is None or getattr(choice.message, "refusal", None):
                raise ModelFailed("model_refused", model=self.model)
            self._ended(choice.finish_reason)
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
                stream = await self._asked(messages, None)
            async with stream:
                async for event in _until(stream, until):
                    events += 1
                    counted = getattr(event, "usage", None) or counted
                    for choice in event.choices or ():
                        finished = choice.finish_reason or finished
                        piece = _words(choice.delta.content) if choice.delta else ""
                        said += piece
                        yield piece
            if events:
                _count(counted, messages, said, usage)
                self._ended(finished or "no end")

    async def _asked(self, messages: Sequence[Message], answer: type[BaseModel] | None) -> Any:
        """The endpoint's reply to the question, in the first form that it accepts."""
        import openai

        create: Any = self.client.chat.completions.create
        form = self.form
        for _ in range(_MOST_FORMS):
            try:
                reply = await create(model=self.model, **form.request(messages, answer))
                self.form = form
                return reply
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                complaint = f"{error.message} {error.body}"
                if "content_filter" in complaint or "content management policy" in complaint:
                    raise ModelFailed("model_refused.filtered", model=self.model) from None
                lesser = form.lesser(complaint, answer is not None)
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


async def _until(stream: Any, until: float) -> AsyncIterator[Any]:
    """The events of a stream. Raises TimeoutError if the next one is late."""
    events = aiter(stream)
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
        parts = [part.get("text") if isinstance(part, dict) else getattr(part, "text", "") for part in content]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _count(counted: Any, messages: Sequence[Message], content: str, usage: Usage) -> None:
    """Adds the endpoint's token counts, or an estimate if it sent none."""
    prompt, completion = getattr(counted, "prompt_tokens", None), getattr(counted, "completion_tokens", None)
    asked = sum(estimate_tokens(message["content"]) for message in messages)
    usage.prompt_tokens += prompt if isinstance(prompt, int) else asked
    usage.completion_tokens += completion if isinstance(completion, int) else estimate_tokens(content)


@contextlib.contextmanager
def _failures(model: str) -> Iterator[None]:
    """Raises every failure of an endpoint as ModelFailed."""
    import openai

    try:
        yield
    # The library does not check that the reply is JSON of the expected shape.
    except (openai.OpenAIError, ValueError, TypeError, AttributeError, LookupError, TimeoutError) as error:
        # The library's messages may quote the prompt or the key, so only the kind of failure is passed on.
        raise ModelFailed("model_unreachable", model=model, error=type(error).__name__) from error


def connect(settings: LlmSettings, model: str | None) -> OpenAiModel | None:
    """The configured model, or None."""
    if not model or not (settings.llm_base_url or settings.llm_api_key):
        return None
    from openai import AsyncAzureOpenAI, AsyncOpenAI

    key, address = settings.llm_api_key or "none", _address(settings.llm_base_url)
    told: dict[str, Any] = {"timeout": settings.llm_timeout_seconds, "max_retries": settings.llm_max_retries}
    if settings.llm_api_version and address:
        path = urlsplit(address).path
        client: AsyncOpenAI = AsyncAzureOpenAI(
            base_url=address if path else f"{address}/openai", api_key=key, api_version=settings.llm_api_version, **told
        )
    else:
        base = f"{address}/v1" if address and not urlsplit(address).path else address
        client = AsyncOpenAI(base_url=base, api_key=key, **told)
    return OpenAiModel(client, model, settings.llm_timeout_seconds)


def _address(base_url: str | None) -> str | None:
    """The base URL without the path that people often paste with it."""
    return base_url.strip().rstrip("/").removesuffix("/chat/completions").rstrip("/") if base_url else None
