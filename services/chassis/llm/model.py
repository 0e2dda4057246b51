"""The interface of a language model; how an answer is validated and repaired once, and a failure logged once."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict, TypeVar

from pydantic import BaseModel, ValidationError

from lang import deferred_re as re
from services.chassis import logs
from services.chassis.errors import DependencyDown

Answer = TypeVar("Answer", bound=BaseModel)
# Characters of an invalid answer that are sent back for repair.
_SHOWN = 4000
_OPEN, _CLOSE = "<think>", "</think>"
_THOUGHT = re.compile(r"^.*</think>", re.DOTALL)
_UNFINISHED = re.compile(r"^\s*<think>.*$", re.DOTALL)
# Objects of a text to try as the answer.
_MOST_OBJECTS = 8
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


class Message(TypedDict):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


class ModelFailed(DependencyDown):
    """The model gave no usable answer; `reason` says which way: unreachable, refused, malformed, cut_off."""

    default_reason = "model_unreachable"


@dataclass
class Usage:
    """Counts of one turn; add to it across calls. Tokens that an endpoint does not count are estimated."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class LanguageModel(Protocol):
    """A language model as the services use it."""

    async def structured(self, messages: Sequence[Message], answer: type[Answer], usage: Usage) -> Answer:
        """A validated `answer`; raises ModelFailed after one repair attempt."""

    def text(self, messages: Sequence[Message], usage: Usage) -> AsyncIterator[str]:
        """The pieces of a text answer. Raises ModelFailed if it breaks off or is empty."""

    async def close(self) -> None:
        """Closes the connections."""


async def ask_validated(
    model: str,
    complete: Callable[[Sequence[Message]], Awaitable[str]],
    messages: Sequence[Message],
    answer: type[Answer],
) -> Answer:
    """The answer of `complete`, validated, after one repair if necessary."""
    asked = list(messages)
    content = await complete(asked)
    try:
        return _parsed(content, answer)
    except ValidationError as error:
        problem = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()[:5])
    told = f"That does not fit the schema ({problem}). Answer again with the JSON object only."
    asked += [{"role": "assistant", "content": content[:_SHOWN]}, {"role": "user", "content": told}]
    try:
        return _parsed(await complete(asked), answer)
    except ValidationError as error:
        raise ModelFailed("model_malformed", model=model) from error


def _parsed(content: str, answer: type[Answer]) -> Answer:
    """The content, or the first valid JSON object in it. Raises the problem of the first one."""
    first: ValidationError | None = None
    for text in find_objects(content):
        try:
            return answer.model_validate_json(text)
        except ValidationError as error:
            first = first or error
    if first is None:
        return answer.model_validate_json(content)
    raise first


def without_thinking(text: str) -> str:
    """The text without the thinking that some models write first; empty if there is nothing else."""
    return _UNFINISHED.sub("", _THOUGHT.sub("", text))


def find_objects(content: str) -> Iterator[str]:
    """The outermost JSON objects of a text, in order."""
    text, at, decoder = without_thinking(content), 0, json.JSONDecoder()
    for _ in range(_MOST_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        yield text[at:end]
        at = end


async def strip_thinking(pieces: AsyncIterator[str]) -> AsyncIterator[str]:
    """The pieces of a streamed text, without initial thinking."""
    held, begun, thought = "", False, False
    async for piece in pieces:
        if begun:
            yield piece
            continue
        held += piece
        start = held.lstrip()
        if start.startswith(_OPEN):
            if _CLOSE not in start:
                continue
            thought, start = True, start.partition(_CLOSE)[2].lstrip()
            held = start
        if not _OPEN.startswith(start):
            begun = True
            yield start if thought else held
    if not begun and not held.lstrip().startswith(_OPEN) and held:
        yield held


def estimate_tokens(text: str) -> int:
    """An estimate of a text's tokens: one per East Asian character, one per four other characters."""
    east_asian = len(_CJK.findall(text))
    return east_asian + (len(text) - east_asian + 3) // 4


class WatchedModel:
    """Forwards every question to `model`, logged as `name`."""

    def __init__(self, model: LanguageModel, name: str) -> None:
        self._model = model
        self._name = name
        self._reason = ""
        self._log = logs.logger("model")

    async def structured(self, messages: Sequence[Message], answer: type[Answer], usage: Usage) -> Answer:
        """See LanguageModel."""
        try:
            found = await self._model.structured(messages, answer, usage)
        except ModelFailed as error:
            self._failed(error)
            raise
        self._answered()
        return found

    async def text(self, messages: Sequence[Message], usage: Usage) -> AsyncIterator[str]:
        """See LanguageModel."""
        try:
            async for piece in self._model.text(messages, usage):
                yield piece
        except ModelFailed as error:
            self._failed(error)
            raise
        self._answered()

    async def close(self) -> None:
        """See LanguageModel."""
        await self._model.close()

    def _failed(self, error: ModelFailed) -> None:
        if error.reason != self._reason:
            self._reason = error.reason
            self._log.warning(
                "the model does not help, the rules answer", model=self._name, reason=error.reason, error=error.message
            )

    def _answered(self) -> None:
        if self._reason:
            self._reason = ""
            self._log.warning("the model answers again", model=self._name)


def watch_model(model: LanguageModel | None, name: str | None) -> LanguageModel | None:
    """The watched model; None stays None."""
    return WatchedModel(model, name or "") if model is not None else None
