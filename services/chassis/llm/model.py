"""The interface of a language model; how an answer is validated, and repaired once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict, TypeVar

from pydantic import BaseModel, ValidationError

from services.chassis.errors import DependencyDown
from services.chassis.llm.output import find_objects

Answer = TypeVar("Answer", bound=BaseModel)
# Characters of an invalid answer that are sent back for repair.
_SHOWN = 4000


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
