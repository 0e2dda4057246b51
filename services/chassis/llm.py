"""One client for language models: any OpenAI-compatible endpoint, and its scripted twin.

A call either returns what was asked for, validated, or raises ModelFailed; callers then use their rules. Structured
answers get one repair attempt. Texts are never logged here; calls and tokens are counted.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, TypeVar

from pydantic import BaseModel, ValidationError

from services.chassis.errors import DependencyDown
from services.chassis.settings import LlmSettings

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Answer = TypeVar("Answer", bound=BaseModel)


class Message(TypedDict):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


class ModelFailed(DependencyDown):
    """The model gave no usable answer; `reason` says which way: unreachable, refused, malformed, cut_off."""

    default_reason = "model_unreachable"


@dataclass
class Usage:
    """Counts of one turn; add to it across calls."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class LanguageModel(Protocol):
    """What the rest of the house may ask of a model."""

    async def structured(self, messages: Sequence[Message], answer: type[Answer], usage: Usage) -> Answer:
        """A validated `answer`; raises ModelFailed after one repair attempt."""

    def text(self, messages: Sequence[Message], usage: Usage) -> AsyncIterator[str]:
        """The pieces of a text answer; raises ModelFailed when it breaks off or comes back empty."""

    async def close(self) -> None:
        """Lets go of the connections."""


_FENCE = re.compile(r"^\s*```(?:json)?\s*|\s*```\s*$")


@dataclass(frozen=True)
class OpenAiModel:
    """A model behind an OpenAI-compatible endpoint."""

    client: AsyncOpenAI
    model: str

    async def structured(self, messages: Sequence[Message], answer: type[Answer], usage: Usage) -> Answer:
        """See LanguageModel."""
        return await _validated(self.model, lambda asked: self._complete(asked, answer, usage), messages, answer)

    async def text(self, messages: Sequence[Message], usage: Usage) -> AsyncIterator[str]:
        """See LanguageModel."""
        usage.calls += 1
        create: Any = self.client.chat.completions.create
        finished, empty = None, True
        with _failures(self.model):
            stream = await create(
                model=self.model,
                messages=list(messages),
                stream=True,
                stream_options={"include_usage": True},
                temperature=0.2,
            )
            async with stream:
                async for event in stream:
                    _count(event, usage)
                    for choice in event.choices:
                        finished = choice.finish_reason or finished
                        if choice.delta.content:
                            empty = False
                            yield choice.delta.content
        if finished != "stop":
            raise ModelFailed(f"{self.model}: the text was cut off ({finished})", reason="model_cut_off")
        if empty:
            raise ModelFailed(f"{self.model}: it said nothing", reason="model_refused")

    async def close(self) -> None:
        """See LanguageModel."""
        await self.client.close()

    async def _complete(self, messages: Sequence[Message], answer: type[BaseModel], usage: Usage) -> str:
        import openai

        usage.calls += 1
        schema = answer.model_json_schema()
        create: Any = self.client.chat.completions.create
        structured = {"type": "json_schema", "json_schema": {"name": answer.__name__, "schema": schema}}
        with _failures(self.model):
            try:
                reply = await create(
                    model=self.model, messages=list(messages), temperature=0, response_format=structured
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError):
                # Endpoints without structured output refuse the field; the schema then goes into the prompt.
                told = {
                    "role": "system",
                    "content": "Answer with one JSON object of this schema: " + json.dumps(schema),
                }
                reply = await create(model=self.model, messages=[told, *messages], temperature=0)
            _count(reply, usage)
        choice = reply.choices[0] if reply.choices else None
        if choice is None or choice.message.refusal or not choice.message.content:
            raise ModelFailed(f"{self.model}: it refused or said nothing", reason="model_refused")
        if choice.finish_reason == "length":
            raise ModelFailed(f"{self.model}: the answer was cut off", reason="model_cut_off")
        return str(choice.message.content)


def _parse(content: str, answer: type[Answer]) -> Answer:
    return answer.model_validate_json(_FENCE.sub("", content))


def _count(reply: Any, usage: Usage) -> None:
    if reply.usage:
        usage.prompt_tokens += reply.usage.prompt_tokens
        usage.completion_tokens += reply.usage.completion_tokens


async def _validated(
    model: str,
    complete: Callable[[Sequence[Message]], Awaitable[str]],
    messages: Sequence[Message],
    answer: type[Answer],
) -> Answer:
    """What `complete` answers as an `answer`, after one repair where it has to be."""
    asked = list(messages)
    content = await complete(asked)
    try:
        return _parse(content, answer)
    except ValidationError as error:
        problem = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()[:5])
    told = f"That does not fit the schema ({problem}). Answer again with the JSON object only."
    asked += [{"role": "assistant", "content": content}, {"role": "user", "content": told}]
    try:
        return _parse(await complete(asked), answer)
    except ValidationError as error:
        raise ModelFailed(f"{model}: the answer fits no schema after a repair", reason="model_malformed") from error


@contextlib.contextmanager
def _failures(model: str) -> Iterator[None]:
    """Raises whatever an endpoint does wrong as ModelFailed."""
    import openai

    try:
        yield
    # The library passes on unchecked what is no JSON, or JSON of another shape.
    except (openai.OpenAIError, ValueError, TypeError, AttributeError) as error:
        # The library's messages may quote the prompt or the key: only the kind of failure is passed on.
        raise ModelFailed(f"{model}: {type(error).__name__}", reason="model_unreachable") from error


def connect(settings: LlmSettings, model: str | None) -> LanguageModel | None:
    """The configured model, or None when there is none to ask."""
    if not model or not (settings.llm_base_url or settings.llm_api_key):
        return None
    from openai import AsyncOpenAI

    client = AsyncOpenAI(
        base_url=settings.llm_base_url,
        api_key=settings.llm_api_key or "none",
        timeout=settings.llm_timeout_seconds,
        max_retries=settings.llm_max_retries,
    )
    return OpenAiModel(client, model)


@dataclass
class ScriptedModel:
    """A model that answers from a script: for tests, demonstrations and replays.

    `replies` maps an answer's class name, or "text", to what comes back: a mapping, raw text, an error to raise, or a
    function of the prompt; a list is used up in order. `asked` keeps every prompt.
    """

    replies: Mapping[str, object]
    asked: list[list[Message]] = field(default_factory=list)

    async def structured(self, messages: Sequence[Message], answer: type[Answer], usage: Usage) -> Answer:
        """See LanguageModel."""

        async def complete(asked: Sequence[Message]) -> str:
            usage.calls += 1
            self.asked.append(list(asked))
            reply = self._next(answer.__name__, asked)
            return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)

        return await _validated("scripted", complete, messages, answer)

    async def text(self, messages: Sequence[Message], usage: Usage) -> AsyncIterator[str]:
        """See LanguageModel."""
        usage.calls += 1
        self.asked.append(list(messages))
        pieces = re.findall(r"\S+\s*|\s+", str(self._next("text", messages)))
        if not pieces:
            raise ModelFailed("scripted: it said nothing", reason="model_refused")
        for piece in pieces:
            yield piece

    async def close(self) -> None:
        """See LanguageModel."""

    def _next(self, name: str, messages: Sequence[Message]) -> object:
        reply = self.replies.get(name)
        if isinstance(reply, list):
            reply = reply.pop(0) if reply else None
        if isinstance(reply, Callable):  # type: ignore[arg-type]
            reply = reply(messages)  # type: ignore[operator]
        if isinstance(reply, Exception):
            raise reply
        if reply is None:
            raise ModelFailed(f"scripted: nothing for {name}", reason="model_refused")
        return reply
